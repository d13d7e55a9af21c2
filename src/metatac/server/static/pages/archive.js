// Finished games, searched.
import { allRules, get } from "../api.js";
import { button, fill, h, select } from "../dom.js";
import { gameRow, RESULTS } from "../lists.js";

export async function open() {
	const rules = await allRules();
	const query = new URLSearchParams(location.search);
	const list = h("ul.games");
	const more = h("div.row");
	const none = h("p.muted");
	let ask = 0;
	/** @param {any} [before] */
	const search = async (before) => {
		const mine = ++ask;
		const wanted = new URLSearchParams([...query].filter(([, v]) => v));
		history.replaceState(null, "", `/archive${wanted.size ? `?${wanted}` : ""}`);
		wanted.set("limit", "30");
		if (before) wanted.set("before", String(before));
		const found = await get(`/archive?${wanted}`);
		if (mine !== ask) return;
		if (!before) fill(list);
		list.append(...found.games.map(gameRow));
		none.textContent = list.children.length ? "" : "No finished game is like that.";
		fill(more, found.next ? button("More", () => search(found.next)) : null);
	};
	const change = (/** @type {string} */ name) => (/** @type {string} */ value) => {
		query.set(name, value);
		search();
	};
	const player = h("input", { type: "search", value: query.get("player") ?? "", maxlength: 24 });
	player.addEventListener("input", () => change("player")(player.value));
	const reasons = [["", "any"], ["line", "a line"], ["boards", "boards"], ["majority", "more boards"], ["points", "points"], ["draw", "no moves left"], ["resignation", "resignation"], ["overrun", "time"], ["agreement", "agreement"], ["left", "the other left"]];
	const el = h(
		"div.panel",
		h("h1", "Archive"),
		h(
			"form.row.filters",
			{ role: "search", onsubmit: (/** @type {Event} */ e) => e.preventDefault() },
			select("Game", [["", "any"], ...rules.map((r) => [r.name, r.title])], query.get("game") ?? "", change("game")),
			h("label.field", h("span", "Player"), player),
			select("Result", [["", "any"], ...Object.entries(RESULTS)], query.get("result") ?? "", change("result")),
			select("Ended by", reasons, query.get("reason") ?? "", change("reason")),
		),
		none,
		list,
		more,
	);
	await search();
	return { el, title: "Archive" };
}
