// Lists of games, as several pages show them.
import { ago, button, h, link } from "./dom.js";
import { markIcon } from "./marks.js";

export const RESULTS = /** @type {Record<string, string>} */ ({ "1-0": "X won", "0-1": "O won", "1/2-1/2": "nobody won" });

/** @param {string} time */
export const clockName = (time) => (time === "none" ? "no clock" : time);

/** @param {GameSummary} g */
export function gameRow(g) {
	const state = g.your_turn ? h("span.badge.go", "your move") : g.phase === "running" ? h("span.badge", "playing") : g.phase === "waiting" ? h("span.badge", "waiting") : null;
	return h(
		"li",
		h(
			"a.game-row",
			{ href: `/game/${g.id}` },
			h("span.players", markIcon("X"), h("span", g.names.X || "nobody yet"), h("span.muted", "–"), markIcon("O"), h("span", g.names.O || "nobody yet")),
			h("span.muted.small", `${g.title} · ${g.moves} ${g.moves === 1 ? "move" : "moves"} · ${ago(g.ago)}`),
			h("span.result", state ?? RESULTS[g.result ?? ""] ?? ""),
		),
	);
}

/** @param {GameSummary[]} games @param {string} none */
export const gameList = (games, none) => (games.length ? h("ul.games", {}, ...games.map(gameRow)) : h("p.muted", none));

/** @param {Lobby["open"]} open @param {(id: string) => void} take */
export function challengeList(open, take) {
	if (!open.length) return h("p.muted", "No open challenges just now. ", link("/new", "Make one."));
	return h(
		"ul.games",
		{},
		...open.map((c) => {
			const side = c.side === "toss" ? "toss for side" : `you play ${c.side}`;
			return h("li.game-row", {}, h("strong", c.name), h("span.muted.small", `${c.title} · ${clockName(c.time)} · ${side} · ${ago(c.ago)}`), c.yours ? link(`/game/${c.id}`, "Yours", "button") : button("Play", () => take(c.id), "primary"));
		}),
	);
}

/** The forms in which a game is saved. @param {(format: string) => Promise<void>} act */
export function saveButtons(act) {
	const forms = [["txt", "Record"], ["json", "JSON"], ["svg", "Picture"], ["film", "Film"], ["html", "Page"]];
	return forms.map(([format, label]) => button(label, () => act(format), "quiet"));
}

/** A film is an SVG. @param {string} name @param {string} format */
export const fileName = (name, format) => (format === "film" ? `${name}-film.svg` : `${name}.${format}`);
