// An invitation was opened.
import { button, h, wordsOf } from "../dom.js";
import { join } from "../play.js";

/** @param {string} id @param {string} token */
export async function open(id, token) {
	const error = h("p.error", { role: "alert" });
	const accept = button("Take the seat", () => {
		accept.disabled = true;
		join(id, token).catch((problem) => {
			accept.disabled = false;
			error.textContent = wordsOf(problem);
		});
	}, "primary big");
	const el = h("div.panel.alone.stack", h("h1", "You are invited to a game"), h("p", "Somebody sent you this link to play against you. It seats one person: take the seat and the game begins."), error, h("div.row", accept, h("a.button.big", { href: `/game/${id}` }, "Only watch")));
	return { el, title: "Invitation" };
}
