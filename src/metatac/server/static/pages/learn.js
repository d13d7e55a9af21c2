// A lesson: a few steps, some to read, some to solve on the board.
import { get, post } from "../api.js";
import { Board } from "../board.js";
import { button, fill, h, link, say } from "../dom.js";
import { play as sound } from "../sound.js";

/** @param {string} name */
export async function open(name) {
	const page = /** @type {RulePage} */ (await get(`/rules/${encodeURIComponent(name)}`));
	const steps = page.lesson ?? [];
	let at = Math.min(Math.max(1, Number(new URLSearchParams(location.search).get("step")) || 1), Math.max(1, steps.length)) - 1;
	let solved = false;
	const text = h("div.panel.stack");
	const board = new Board({ play: (move) => attempt(move) }, "Lesson board");
	const verdict = h("p", { role: "status" });
	const tell = (/** @type {string} */ kind, /** @type {string} */ text) => {
		verdict.className = `answer ${kind}`;
		verdict.textContent = text;
	};

	const draw = () => {
		const step = steps[at];
		const task = step.wanted !== null && !solved;
		tell("", "");
		const back = button("Back", () => turn(at - 1), "", { disabled: at === 0 });
		const next = at + 1 < steps.length ? button("Next", () => turn(at + 1), task ? "" : "primary") : link(`/new?game=${name}`, "Play it now", "button primary");
		fill(text, h("p.muted.small", `${page.title} · step ${at + 1} of ${steps.length}`), h("progress", { max: steps.length, value: at + 1, "aria-label": "Progress" }), h("h1", step.title), ...step.text.split("\n\n").map((p) => h("p", p)), verdict, h("div.row", back, next, step.hint && task ? button("Hint", () => tell("", step.hint)) : null));
		board.show(step.position, { live: step.wanted !== null, data: { ply: 0, step: at + 1, solved: "no" } });
	};
	const turn = (/** @type {number} */ to) => {
		at = to;
		solved = false;
		history.replaceState(null, "", `/learn/${name}?step=${at + 1}`);
		draw();
	};
	const attempt = async (/** @type {string} */ move) => {
		const step = steps[at];
		if (!step.wanted?.includes(move)) {
			sound("low");
			return tell("error", `Not ${move}. ${step.hint || "Try another cell."}`);
		}
		const next = await post("/positions/play", { position: step.position.text, move });
		solved = true;
		draw();
		sound("win");
		board.show(next, { live: false, data: { ply: 1, step: at + 1, solved: "yes" } });
		tell("good", step.answer);
		say(step.answer);
	};
	if (!steps.length) return { el: h("div.panel.alone", h("h1", page.title), h("p", "There is no lesson for this game yet. ", link(`/rules/${name}`, "Its rules"))), title: page.title };
	draw();
	return { el: h("div.learn", text, h("div", board.el)), title: `Lesson: ${page.title}` };
}
