// Tournaments: the arena's live standings and its games.
import { get } from "../api.js";
import { button, fill, h, link, wordsOf } from "../dom.js";

/** @param {string} [id] */
export const open = (id) => (id ? one(id) : all());

async function all() {
	const list = /** @type {Tournament[]} */ (await get("/tournaments"));
	const rows = list.map((t) => h("li", h("a.game-row", { href: `/tournaments/${t.id}` }, h("strong", t.name), h("span.muted.small", `${t.game} · ${t.games[0]} of ${t.games[1]} games${t.leader ? ` · ${t.leader} leads` : ""}`), h("span", { class: t.state === "running" ? "badge go" : "badge" }, t.state))));
	const none = h("p.muted", "No tournament is known to this server. Its owner gives them by ", h("code", "metatac serve --arena FILE"), ".");
	return { el: h("div.panel", h("h1", "Tournaments"), rows.length ? h("ul.games", {}, ...rows) : none), title: "Tournaments" };
}

/** @param {string} label @param {(string | HTMLElement)[]} head @param {HTMLElement[]} rows */
function table(label, head, rows) {
	const cells = head.map((name) => (typeof name === "string" ? h("th", { scope: "col" }, name) : name));
	return h("div.table", { tabindex: 0, role: "region", "aria-label": label }, h("table", h("thead", h("tr", {}, ...cells)), h("tbody", {}, ...rows)));
}

/** @param {string} name @param {string} [title] */
const number = (name, title) => h("th.num", { scope: "col", title }, name);

/** @param {string} id */
async function one(id) {
	const path = `/tournaments/${encodeURIComponent(id)}`;
	const [head, standings, cross, recent, every] = [h("div"), h("div"), h("div.panel"), h("div.panel"), h("div.panel")];
	let timer = 0;
	let closed = false;
	/** @param {string} label @param {any[]} games */
	const gameTable = (label, games) => table(label, ["Game", "X", "O", "Result", "By"], games.map((g) => h("tr", h("td", link(`/analysis?tournament=${encodeURIComponent(id)}&n=${g.n}`, String(g.n))), ...[g.x, g.o, g.result].map((text) => h("td", text)), h("td.muted", g.reason))));
	const draw = (/** @type {TournamentPage} */ t) => {
		const share = t.games[1] ? t.games[0] / t.games[1] : 0;
		fill(head, h("h1", t.name), h("p.muted", `${t.game} · ${t.state} · ${t.games[0]} of ${t.games[1]} games`), h("progress", { max: 1, value: share, "aria-label": "Games played" }));
		const rated = t.standings.some((s) => typeof s.rating === "number");
		const names = ["Points", "Played", "Won", "Drawn", "Lost", "Forfeits", ...(rated ? ["Rating"] : [])];
		const rating = (/** @type {Standing} */ s) => (typeof s.rating === "number" ? `${Math.round(s.rating)}${s.error ? ` ± ${Math.round(s.error)}` : ""}` : "–");
		const rows = t.standings.map((s) => h("tr", h("td.num", s.rank), h("td", h("strong", s.name)), ...[s.points, s.played, s.won, s.drawn, s.lost, s.forfeits].map((n) => h("td.num", String(n))), rated ? h("td.num", rating(s)) : null));
		fill(standings, table("Standings", [number("#"), "Player", ...names.map((name) => number(name))], rows));
		fill(cross, ...crosstable(t.crosstable));
		fill(recent, h("h2", "Latest games"), gameTable("Latest games", t.recent));
	};
	/** @type {any[]} */
	const games = [];
	let page = 1;
	const load = async () => {
		const found = await get(`${path}/games?page=${page++}`);
		games.push(...found.games);
		fill(every, h("h2", "All games"), gameTable("All games", games), page <= found.pages ? button("More", () => load()) : null);
	};
	fill(every, button("All games", () => load()));
	const late = h("p.error", { role: "status" });
	const again = async (pause = 4000) => {
		const t = await get(path).catch((problem) => {
			if (!head.firstChild) throw problem; // there is nothing to be shown at all
			late.textContent ||= `Behind since ${new Date().toLocaleTimeString()}: ${wordsOf(problem)}`;
		});
		if (t) {
			draw(t);
			late.textContent = "";
		}
		const next = t ? 4000 : Math.min(60000, 2 * pause);
		if (!closed && t?.state !== "finished") timer = setTimeout(() => again(next), next);
	};
	await again();
	const close = () => {
		closed = true;
		clearTimeout(timer);
	};
	return { el: h("div.stack", h("div.panel", head, late, standings), cross, recent, every), title: "Tournament", close };
}

/** Everybody against everybody, where that is not too wide. @param {TournamentPage["crosstable"]} scores */
function crosstable(scores) {
	if (!scores || scores.names.length < 2 || scores.names.length > 16) return [];
	const rows = scores.names.map((name, i) => h("tr", h("th", { scope: "row" }, `${i + 1}. ${name}`), ...scores.scores[i].map((score) => h("td.num", score === null ? "·" : String(score)))));
	return [h("h2", "Each against each"), table("Each against each", ["against", ...scores.names.map((name, i) => number(String(i + 1), name))], rows)];
}
