// The list of moves played, with buttons to walk through it.
import { button, fill, h } from "./dom.js";

/** Buttons that walk through moves as the keys of these names do. @param {(key: string) => void} walk */
export const stepButtons = (walk) =>
	[["«", "To the start", "Home"], ["‹", "One move back", "ArrowLeft"], ["›", "One move on", "ArrowRight"], ["»", "To the end", "End"]].map(([sign, label, key]) => button(sign, () => walk(key), "", { "aria-label": label, title: label }));

export class MoveList {
	/** @param {(ply: number) => void} goTo */
	constructor(goTo) {
		this.goTo = goTo;
		this.count = 0;
		this.at = 0;
		this.list = h("ol.moves", { "aria-label": "Moves" });
		this.buttons = stepButtons((key) => this.walk(key));
		this.el = h("div.movebox", {}, h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Move list" }, this.list), h("div.steps", {}, ...this.buttons));
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
		fill(
			this.list,
			...moves.map((m, i) =>
				h("li", {}, h("button", { type: "button", class: `ply ${m.by === "X" ? "x" : "o"}`, "aria-current": i + 1 === at ? "true" : null, tabindex: i + 1 === at ? null : -1, "aria-label": `move ${i + 1}, ${m.by} ${m.move}`, onclick: () => this.step(i + 1) }, h("span.n", {}, String(i + 1)), m.move)),
			),
		);
		this.buttons.forEach((b, i) => (b.disabled = i < 2 ? at <= 0 : at >= this.count));
		const now = /** @type {HTMLElement | null} */ (this.list.querySelector("[aria-current]"));
		const box = /** @type {HTMLElement} */ (this.list.parentElement);
		if (now) box.scrollTop = now.offsetTop - box.clientHeight / 2;
	}

	/** @param {string} key @returns {boolean} whether it was one of ours */
	walk(key) {
		const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, ArrowUp: 0, Home: 0, ArrowDown: this.count, End: this.count }[key];
		if (to !== undefined) this.step(to);
		return to !== undefined;
	}
}
