// Open challenges and games to watch, live.
import { get, Socket } from "../api.js";
import { fill, h, link } from "../dom.js";
import { challengeList, gameList } from "../lists.js";
import { join } from "../play.js";

export async function open() {
	const challenges = h("div");
	const playing = h("div");
	/** @param {Lobby} lobby */
	const draw = (lobby) => {
		fill(challenges, challengeList(lobby.open, (id) => join(id)));
		fill(playing, gameList(lobby.playing, "No public game is being played."));
	};
	draw(await get("/lobby"));
	const socket = new Socket("/lobby/socket", (message) => {
		if (message.type === "lobby") draw(message);
	});
	const el = h(
		"div.two",
		h("section.panel", h("div.row.between", h("h1", "Lobby"), link("/new?opponent=open", "Make a challenge", "button primary")), challenges),
		h("section.panel", h("h2", "Being played now"), playing),
	);
	return { el, title: "Lobby", close: () => socket.close() };
}
