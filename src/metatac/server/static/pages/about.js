// What this is, and the keys.
import { h, link } from "../dom.js";

const KEYS = [
	["Tab", "to the board, and on"],
	["Arrows on the board", "from cell to cell; with Shift from board to board"],
	["Enter, Space", "play the cell"],
	["n, p", "next and previous cell that may be played; Home and End: first and last"],
	["Esc", "take back the first mark of two, or zoom out"],
	["+, −", "zoom in and out"],
	["Arrows elsewhere", "← → walk through the moves; ↑ ↓ to the start and end, in analysis to the variation above and below"],
	["b in analysis", "play the engine's best move"],
];

export async function open() {
	const el = h(
		"article.rules",
		h("h1", "About metatac"),
		h("section.panel", h("p", "metatac plays, analyses and researches the whole family of nested tic-tac-toe games: in the browser, in the terminal, for bots and for research. No account is needed here: a cookie is your seat, a link is an invitation. Nothing is loaded from anywhere else.")),
		h("section.panel", h("h2", "Keys"), h("table", h("tbody", {}, ...KEYS.map(([key, what]) => h("tr", h("th", { scope: "row" }, key), h("td", what)))))),
		h("section.panel", { id: "variants" }, h("h2", "Your own rules"), h("p", "A rules file says which game it inherits and what differs. Paste one on the page ", link("/new?game=custom", "New game"), ":"), h("pre", { tabindex: 0, role: "region", "aria-label": "Example of a rules file" }, 'inherits = "ultimate"\ntitle = "Ultimate, the other way round"\nline = "loses"'), h("p.small.muted", "Each game's page under ", link("/rules", "Learn"), " shows all its keys.")),
	);
	return { el, title: "About" };
}
