// The list of moves played, with buttons to walk through it.
import { button, fill, h } from "./dom.js";
import { tint } from "./marks.js";

/** Buttons that walk through moves as the keys of these names do. @param {(key: string) => void} walk */
export const stepButtons = (walk) =>
	[["«", "To the start", "Home"], ["‹", "One move back", "ArrowLeft"], ["›", "One move on", "ArrowRight"], ["»", "To the end", "End"]].map(([sign, label, key]) => button(sign, () => walk(key), "", { "aria-label": label, title: label }));

/** A move in a list. @param {number} ply @param {string} move @param {string} who @param {boolean} now @param {() => void} act @param {string} [mark] */
export const plyButton = (ply, move, who, now, act, mark = "") =>
	h("button", { type: "button", class: `ply ${tint(who)}`, "aria-label": `move ${ply}, ${who} ${move} ${mark}`, "aria-current": now && "true", tabindex: now ? null : -1, onclick: act }, h("span.n", ply), move, mark && h("span.glyph", mark));

/** Bring the move that is shown into sight. @param {HTMLElement} box */
export function reveal(box) {
	const now = /** @type {HTMLElement | null} */ (box.querySelector("[aria-current]"));
	if (now) box.scrollTop = now.offsetTop - box.clientHeight / 2;
}

export class MoveList {
	/** @param {(ply: number) => void} goTo */
	constructor(goTo) {
		this.goTo = goTo;
		this.count = 0;
		this.at = 0;
		this.list = h("ol.moves", { "aria-label": "Moves" });
		this.buttons = stepButtons((key) => this.walk(key));
		this.el = h("div.movebox", h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Move list" }, this.list), h("div.steps", {}, ...this.buttons));
	}

	/** @param {number} ply */
	step(ply) {
		const to = Math.min(Math.max(0, ply), this.count);
		if (to !== this.at) this.goTo(to);
	}

	/** @param {{move: string, by: string}[]} moves @param {number} at */
	show(moves, at) {
		this.count = moves.length;
		this.at = at;
		fill(this.list, ...moves.map((m, i) => h("li", plyButton(i + 1, m.move, m.by, i + 1 === at, () => this.step(i + 1)))));
		this.buttons.forEach((b, i) => (b.disabled = i < 2 ? at <= 0 : at >= this.count));
		reveal(/** @type {HTMLElement} */ (this.list.parentElement));
	}

	/** @param {string} key @returns {boolean} whether it was one of ours */
	walk(key) {
		const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, ArrowUp: 0, Home: 0, ArrowDown: this.count, End: this.count }[key];
		if (to !== undefined) this.step(to);
		return to !== undefined;
	}
}
