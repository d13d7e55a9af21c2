// Tournaments: the arena's live standings and its games.
import { get } from "../api.js";
import { button, complain, fill, h, link } from "../dom.js";

/** @param {string} [id] */
export const open = (id) => (id ? one(id) : all());

async function all() {
	const list = /** @type {Tournament[]} */ (await get("/tournaments"));
	const rows = list.map((t) => h("li", {}, h("a.game-row", { href: `/tournaments/${t.id}` }, h("strong", {}, t.name), h("span.muted.small", {}, `${t.game} · ${t.games[0]} of ${t.games[1]} games${t.leader ? ` · ${t.leader} leads` : ""}`), h("span.badge", { class: t.state === "running" ? "badge go" : "badge" }, t.state))));
	const none = h("p.muted", {}, "No tournament is known to this server. Its owner gives them by ", h("code", {}, "metatac serve --arena FILE"), ".");
	return { el: h("div.panel", {}, h("h1", {}, "Tournaments"), rows.length ? h("ul.games", {}, ...rows) : none), title: "Tournaments" };
}

/** @param {string} id */
async function one(id) {
	const path = `/tournaments/${encodeURIComponent(id)}`;
	const head = h("div");
	const table = h("div.table", { tabindex: 0, role: "region", "aria-label": "Standings" });
	const recent = h("div");
	const cross = h("div");
	let timer = 0;
	let closed = false;
	/** @param {any[]} games */
	const rows = (games) => games.map((g) => h("tr", {}, h("td.num", {}, link(`/analysis?tournament=${encodeURIComponent(id)}&n=${g.n}`, String(g.n))), h("td", {}, g.x), h("td", {}, g.o), h("td", {}, g.result), h("td.muted", {}, g.reason)));
	const draw = (/** @type {TournamentPage} */ t) => {
		const share = t.games[1] ? t.games[0] / t.games[1] : 0;
		fill(head, h("h1", {}, t.name), h("p.muted", {}, `${t.game} · ${t.state} · ${t.games[0]} of ${t.games[1]} games`), h("progress", { max: 1, value: share, "aria-label": "Games played" }));
		const rated = t.standings.some((s) => s.rating !== undefined && s.rating !== null);
		const names = ["#", "Player", "Points", "Played", "Won", "Drawn", "Lost", "Forfeits", ...(rated ? ["Rating"] : [])];
		fill(
			table,
			h("table", {}, h("thead", {}, h("tr", {}, ...names.map((n, i) => h("th", { class: i === 1 ? null : "num", scope: "col" }, n)))), h("tbody", {}, ...t.standings.map((s) => h("tr", {}, h("td.num", {}, String(s.rank)), h("td", {}, h("strong", {}, s.name)), ...[s.points, s.played, s.won, s.drawn, s.lost, s.forfeits].map((n) => h("td.num", {}, String(n))), rated ? h("td.num", {}, s.rating === null || s.rating === undefined ? "–" : `${Math.round(s.rating)}${s.error ? ` ± ${Math.round(s.error)}` : ""}`) : null)))),
		);
		fill(cross, ...crosstable(t.crosstable));
		fill(recent, h("h2", {}, "Latest games"), h("div.table", { tabindex: 0, role: "region", "aria-label": "Latest games" }, h("table", {}, h("thead", {}, h("tr", {}, ...["Game", "X", "O", "Result", "By"].map((n) => h("th", { scope: "col" }, n)))), h("tbody", {}, ...rows(t.recent)))));
	};
	const every = h("div");
	let page = 1;
	const body = h("tbody");
	const load = async () => {
		const found = await get(`${path}/games?page=${page++}`);
		body.append(...rows(found.games));
		fill(every, h("div.table", { tabindex: 0, role: "region", "aria-label": "All games" }, h("table", {}, h("thead", {}, h("tr", {}, ...["Game", "X", "O", "Result", "By"].map((n) => h("th", { scope: "col" }, n)))), body)), page <= found.pages ? button("More", () => void load().catch(complain)) : null);
	};
	fill(every, button("All games", () => void load().catch(complain)));
	const again = async () => {
		const t = /** @type {TournamentPage} */ (await get(path));
		if (closed) return;
		draw(t);
		if (t.state === "running") timer = setTimeout(() => again().catch(complain), 4000);
	};
	await again();
	const close = () => {
		closed = true;
		clearTimeout(timer);
	};
	return { el: h("div.stack", {}, h("div.panel", {}, head, table), h("div.panel", {}, cross), h("div.panel", {}, recent), h("div.panel", {}, every)), title: "Tournament", close };
}

/** Everybody against everybody, where that is not too wide. @param {TournamentPage["crosstable"]} table */
function crosstable(table) {
	if (!table || table.names.length < 2 || table.names.length > 16) return [];
	const rows = table.names.map((name, i) => h("tr", {}, h("th", { scope: "row" }, `${i + 1}. ${name}`), ...table.scores[i].map((score) => h("td.num", {}, score === null ? "·" : String(score)))));
	const head = h("tr", {}, h("th", { scope: "col" }, "against"), ...table.names.map((name, i) => h("th.num", { scope: "col", title: name }, String(i + 1))));
	return [h("h2", {}, "Each against each"), h("div.table", { tabindex: 0, role: "region", "aria-label": "Each against each" }, h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows)))];
}
