// The start: a board that can be played at once, your games, the lobby.
import { allRules, get, post } from "../api.js";
import { Board } from "../board.js";
import { h, link, select } from "../dom.js";
import { challengeList, gameList } from "../lists.js";
import { create, join } from "../play.js";

const LEVELS = Array.from({ length: 12 }, (_, i) => [String(i + 1), `Level ${i + 1}`]);

export async function open() {
	const [rules, me, lobby] = await Promise.all([allRules(), get("/me"), get("/lobby")]);
	const quick = { game: "ultimate", level: 3 };
	let begun = false;
	const play = async (/** @type {string} */ move) => {
		if (begun) return; // a double click is one game
		begun = true;
		await create({ ...quick, opponent: "engine", side: "X", time: "none" }, move).finally(() => (begun = false));
	};
	const board = new Board({ play }, "Your first move against the engine");
	const draw = async () => {
		const { game } = quick;
		const found = await post("/positions", { game });
		if (game === quick.game) board.show(found, { live: true, note: "Make your first move: the engine answers.", data: { ply: 0 } });
	};
	await draw();
	const games = select("Game", rules.map((r) => [r.name, r.title]), quick.game, (v) => {
		quick.game = v;
		draw();
	});
	const levels = select("Engine", LEVELS, String(quick.level), (v) => (quick.level = Number(v)));
	const el = h(
		"div.home",
		h(
			"section.hero",
			h("h1", "Boards within boards"),
			h("p.lead", "Every mark you make decides where your opponent plays next. Ten games of one family, from the pocket game to 27 × 27."),
			h("div.row", link("/new", "New game", "button primary big"), link("/new?opponent=friend", "Play a friend", "button big"), link("/rules", "Learn", "button big")),
			h("section.stack", h("h2", "Your games"), gameList(me.games.slice(0, 6), "None yet. Make a move on the board to begin one.")),
			h("section.stack", h("h2", link("/lobby", "Lobby")), challengeList(lobby.open.slice(0, 4), (id) => join(id))),
			lobby.playing.length ? h("section.stack", h("h2", "Being played now"), gameList(lobby.playing.slice(0, 4), "")) : null,
			h("p.small.muted", link("/about", "About metatac and its keys")),
		),
		h("section.demo", { "aria-label": "Play at once" }, h("div.row", games, levels), board.el),
	);
	return { el, title: "metatac" };
}
