// The board: draws a position, takes presses, knows no rules. What may be played, and where it sends, the position tells.
import { fill, h, s, say, set } from "./dom.js";
import { CELL, Layout, letter, numberOf } from "./layout.js";
import { arrow, markIcon, shape, stroke, tallies, tint } from "./marks.js";
import { settings } from "./settings.js";
import { Zoom } from "./zoom.js";

/** @typedef {{board: SVGGElement, card: SVGRectElement, big: SVGPathElement, marks: SVGGElement, tally: SVGGElement, key: string}} Parts */
/**
 * @typedef {object} Shown
 * @property {boolean} [live] whether the viewer may play here
 * @property {Record<string, number> | null} [heat] how good moves are, 0 to 1
 * @property {string} [note] said in place of where the mover is sent
 * @property {string} [winner] of a game that is over, "" if nobody won: nothing may be played, though the position goes on
 * @property {Record<string, string | number>} [data] data attributes of the element
 */

/** A cell that is smaller than this on a touch screen is not played by one tap: the tap zooms in. */
const FINGER = 22;

export class Board {
	/**
	 * @param {{play?: (move: string) => void, paint?: (board: number, cell: number) => void}} hooks
	 * @param {string} [label]
	 */
	constructor(hooks, label = "Board") {
		this.hooks = hooks;
		/** What is drawn. @type {Position} */
		this.position = /** @type {any} */ (null);
		/** @type {Shown} */
		this.shown = {};
		/** @type {Layout} */
		this.layout = new Layout(1, 1);
		/** @type {SVGRectElement[]} */
		this.cells = [];
		/** @type {Parts[]} */
		this.parts = [];
		/** The own cell of a two-mark move that was picked. @type {{board: string, cell: string} | null} */
		this.picked = null;
		/** The move that waits for a second tap. */
		this.pending = "";
		this.cursor = -1;
		/** The cell that is pointed at or has the focus. */
		this.aimed = -1;
		this.pointer = "mouse";
		/** @type {Set<string>} */
		this.moves = new Set();
		/** @type {Record<string, Record<string, string>>} */
		this.choices = {};
		this.frames = s("g");
		this.over = s("g", { class: "over" });
		this.strokes = s("g", { class: "strokes" });
		this.arrows = s("g", { class: "arrows" });
		this.ghost = s("path", { class: "ghost" });
		this.ring = s("rect", { class: "ring", width: CELL - 1, height: CELL - 1, rx: 3 });
		this.svg = s("svg", { class: "grid", role: "group", "aria-label": label });
		this.zoom = new Zoom(this.svg);
		this.why = h("p.why");
		this.el = h("div.board", h("div.above", this.why, this.zoom.buttons), this.svg);
		this.listen();
	}

	/** @param {Position} position @param {Shown} [shown] */
	show(position, shown = {}) {
		const before = this.position;
		if (!before || before.side !== position.side || before.depth !== position.depth) this.build(position);
		if (!before || before.text !== position.text || before.last_move !== position.last_move) {
			this.picked = null;
			this.pending = "";
		}
		this.fresh = Boolean(before) && before.text !== position.text;
		this.position = position;
		this.shown = shown;
		for (const [name, value] of Object.entries(shown.data ?? {})) this.el.dataset[name] = String(value);
		this.winner = shown.winner ?? (position.outcome ? position.outcome.winner ?? "" : undefined);
		const over = this.winner !== undefined;
		this.moves = new Set(over ? [] : position.legal ?? []);
		this.choices = over ? {} : position.choices ?? {};
		this.zoom.goal = this.layout.center(position.send.board ?? "");
		this.draw();
		if (this.fresh && shown.live) {
			if (position.send.board) this.zoom.follow(this.layout.box(position.send.board));
			else this.zoom.reset();
		}
		if (this.fresh && position.last_move) say(this.news(position));
	}

	/** What a screen reader hears after a move. @param {Position} p */
	news(p) {
		const who = p.outcome || !p.bonus ? p.opponent : p.turn;
		return `${who} played ${p.last_move === "swap" ? "swap" : [...(p.last_move ?? "")].join(" ")}. ${this.shown.note ?? p.send.text}`;
	}

	// -- building and drawing

	/** @param {Position} position */
	build(position) {
		const layout = new Layout(position.side, position.depth);
		this.layout = layout;
		this.cells = [];
		this.parts = [];
		this.cursor = this.aimed = -1;
		/** The lines that are drawn. @type {string} */
		this.lines = "";
		set(this.ring, { class: "ring" });
		const boards = Array.from({ length: layout.boards }, (_, number) => this.buildBoard(number));
		this.svg.replaceChildren(this.frames, ...boards, this.over, this.strokes, this.arrows, this.ghost, this.ring);
		this.svg.classList.toggle("plain", layout.depth === 1);
		this.zoom.frame(layout.width, layout.across > 12);
	}

	/** @param {number} number */
	buildBoard(number) {
		const { layout } = this;
		const [x, y] = layout.origin(layout.path(number));
		const side = layout.board;
		const card = s("rect", { class: "card", width: side, height: side, rx: 1.5 });
		const rects = Array.from({ length: layout.size }, (_, cell) => {
			const [cx, cy] = layout.corner(cell);
			const rect = s("rect", { class: "c", x: cx, y: cy, width: CELL, height: CELL, role: "button", tabindex: -1 });
			rect.dataset.i = String(this.cells.push(rect) - 1);
			return rect;
		});
		const big = s("path", { class: "big" });
		const marks = s("g", { class: "marks" });
		const tally = s("g", { class: "tally" });
		const edge = s("rect", { class: "edge", width: side, height: side, rx: 1.5 });
		const name = s("text", { class: "name", x: 1, y: -3, "aria-hidden": true });
		name.textContent = layout.name(number);
		const board = s("g", { class: "sb", transform: `translate(${x} ${y})` }, card, ...rects, s("path", { class: "lines", d: layout.lines() }), big, marks, edge, name, tally);
		this.parts.push({ board, card, big, marks, tally, key: "" });
		return board;
	}

	draw() {
		const p = this.position;
		const { layout } = this;
		this.svg.dataset.turn = p.turn;
		this.svg.classList.toggle("live", Boolean(this.shown.live));
		this.svg.classList.toggle("free", p.send.free);
		this.drawFrames(p);
		const last = this.lastCells(p);
		const heat = this.heatCells();
		const lit = this.litBoards();
		let first = -1;
		for (let number = 0; number < layout.boards; number++) {
			const name = p.boards[number].board;
			this.drawBoard(p, number, lit.has(name));
			for (let cell = 0; cell < layout.size; cell++) {
				const index = number * layout.size + cell;
				if (this.drawCell(p, number, cell, last.has(index), heat.get(index)) && first < 0) first = index;
			}
		}
		if (this.cursor < 0 || !this.el.contains(document.activeElement)) this.rove(first >= 0 ? first : Math.max(0, this.cursor), false);
		this.drawLines(p);
		this.drawArrows(p, last);
		this.aim(this.aimed);
		this.drawWhy(p);
	}

	/** @param {Position} p */
	drawFrames(p) {
		const { layout } = this;
		const owners = p.groups ? p.groups.map((g) => g.owner) : p.depth > 1 ? [p.outcome?.winner ?? null] : [];
		const boxes = owners.map((_, i) => layout.origin(p.groups ? [i] : []));
		const size = layout.inner;
		this.frames.replaceChildren(...owners.map((who, i) => s("rect", { class: `plate ${tint(who)}`, x: boxes[i][0], y: boxes[i][1], width: size, height: size, rx: 6 })));
		this.over.replaceChildren(...owners.flatMap((who, i) => (who && p.groups ? [s("path", { class: tint(who), d: shape(who, boxes[i][0], boxes[i][1], size, 0.16) })] : [])));
	}

	/** The lines that are counted, and those that ended the game. @param {Position} p */
	drawLines(p) {
		const { layout, strokes } = this;
		const key = [p.outcome?.lines, ...p.boards.map((b) => b.lines)].join("|");
		if (key === this.lines) return;
		this.lines = key; // drawn once, so that they appear only once
		const line = (/** @type {string} */ board, /** @type {string} */ places, /** @type {string} */ kind, size = CELL) => stroke([...places].map((place) => layout.center(board + place)), kind, size);
		const owners = p.depth > 1 ? (p.groups ?? p.boards).map((b) => b.owner) : [...p.boards[0].cells];
		strokes.replaceChildren(
			...p.boards.flatMap((b) => (b.lines ?? []).map((places) => line(b.board, places, tint(b.cells[numberOf(places[0])])))),
			...(p.outcome?.lines ?? []).map((places) => line("", places, `end ${tint(owners[numberOf(places[0])])}`, layout.width / (layout.side + 0.5))),
		);
	}

	/** @param {Position} p @param {number} number @param {boolean} lit */
	drawBoard(p, number, lit) {
		const { parts, layout } = this;
		const data = p.boards[number];
		const owner = data.owner ?? (p.depth === 1 ? p.outcome?.winner ?? null : null);
		const drawn = !data.open && !owner && data.board !== "";
		const part = parts[number];
		set(part.board, { class: `sb ${lit ? "lit" : ""} ${data.open ? "" : "shut"} ${tint(owner)} ${drawn ? "drawn" : ""}` });
		const key = `${data.cells}|${owner}|${data.tallies}`;
		if (part.key === key) return;
		const was = part.key.split("|")[0];
		part.key = key;
		set(part.big, { d: owner && p.depth > 1 ? shape(owner, 0, 0, layout.board, 0.15) : null });
		part.marks.replaceChildren(
			...[...data.cells].flatMap((mark, cell) => {
				if (mark === ".") return [];
				const [x, y] = layout.corner(cell);
				if (mark === "#") return [s("path", { class: "ban", d: `M${x + 4} ${y + 16}l12 -12M${x + 2} ${y + 10}l8 -8M${x + 10} ${y + 18}l8 -8` })];
				return [s("path", { class: `m ${tint(mark)} ${this.fresh && was && was[cell] !== mark ? "new" : ""}`, d: shape(mark, x, y, CELL) })];
			}),
		);
		part.tally.replaceChildren(...tallies(data.tallies, layout.board));
	}

	/**
	 * @param {Position} p @param {number} number @param {number} cell @param {boolean} last @param {number | undefined} heat
	 * @returns {boolean} whether it may be played
	 */
	drawCell(p, number, cell, last, heat) {
		const rect = this.cells[number * this.layout.size + cell];
		const data = p.boards[number];
		const name = letter(cell);
		const move = this.playable(data.board, name);
		const mark = data.cells[cell];
		const own = this.picked?.board === data.board && this.picked.cell === name;
		const live = (move || own) && (this.shown.live || this.hooks.paint);
		const kinds = `c${move ? " may" : ""}${last ? " last" : ""}${mark === "#" ? " banned" : ""}${own ? ` own ${tint(p.turn)}` : ""}${move && move === this.pending ? " pending" : ""}${heat !== undefined ? " hot" : ""}${(heat ?? 0) > 0.97 ? " best" : ""}`;
		if (heat !== undefined) rect.style.setProperty("--heat", `${Math.round(heat * 80)}%`);
		const now = { class: kinds, "aria-label": this.label(p, data, cell, move, own), "aria-disabled": String(!live) };
		for (const [key, value] of Object.entries(now)) if (rect.getAttribute(key) !== value) rect.setAttribute(key, value);
		return Boolean(move);
	}

	/** @param {Position} p @param {SmallBoard} data @param {number} cell @param {string} move @param {boolean} own */
	label(p, data, cell, move, own) {
		const mark = data.cells[cell];
		const state = own ? `your ${p.turn} goes here` : mark === "." ? "empty" : mark === "#" ? "banned" : mark;
		const board = data.board ? `board ${[...data.board].join(" ")}${data.owner ? ` won by ${data.owner}` : ""}, ` : "";
		const ends = p.outcome?.lines.some((line) => line.includes((data.board + letter(cell))[0]));
		if (!move) return `${board}cell ${letter(cell)}, ${state}${ends ? ", in the line that ended the game" : ""}`;
		const goal = this.target(data.board, letter(cell));
		const sends = goal === "*" ? `, lets ${p.opponent} play anywhere` : goal ? `, sends ${p.opponent} to board ${[...goal].join(" ")}` : "";
		const may = this.hooks.paint ? "" : !this.shown.live ? `, open to ${p.turn}` : this.picked ? `, may take ${p.opponent}'s mark` : ", may be played";
		return `${board}cell ${letter(cell)}, ${state}${may}${sends}`;
	}

	/** @param {Position} p @returns {Set<number>} */
	lastCells(p) {
		const move = p.last_move;
		if (!move || move === "swap") return new Set();
		const board = p.boards.findIndex((b) => b.board === move.slice(0, p.depth - 1));
		return new Set([...move.slice(p.depth - 1)].map((l) => board * this.layout.size + numberOf(l)));
	}

	/** The heat of cells; of a two-mark move the best over the second mark, or that of the second. @returns {Map<number, number>} */
	heatCells() {
		const found = new Map();
		const p = this.position;
		for (const [move, value] of Object.entries(this.shown.heat ?? {})) {
			if (move === "swap") continue;
			const name = move.slice(0, p.depth - 1);
			let cell = move[p.depth - 1];
			if (this.picked) {
				if (name !== this.picked.board || cell !== this.picked.cell) continue;
				cell = move[p.depth];
			}
			const index = p.boards.findIndex((b) => b.board === name) * this.layout.size + numberOf(cell);
			found.set(index, Math.max(value, found.get(index) ?? 0));
		}
		return found;
	}

	/** @returns {Set<string>} */
	litBoards() {
		const p = this.position;
		if (this.picked) return new Set([this.picked.board]);
		if (p.marks === 2) return new Set(Object.keys(this.choices));
		return new Set([...this.moves].filter((m) => m !== "swap").map((m) => m.slice(0, p.depth - 1)));
	}

	/** Line of text above the board. @param {Position} p */
	drawWhy(p) {
		let text = this.shown.note ?? p.send.text;
		if (this.pending) text = `Press again to play ${this.pending}.`;
		else if (this.picked) {
			const { board, cell } = this.picked;
			text = `Now choose the cell for ${p.opponent}'s mark, or press ${this.playable(board, cell) ? "another board" : "yours again"} to take ${p.turn}'s back.`;
		}
		const who = this.picked ? p.opponent : this.winner ?? p.turn;
		fill(this.why, who && markIcon(who), h("span", text));
	}

	/** The last move's send as an arrow, and what was begun. @param {Position} p @param {Set<number>} last */
	drawArrows(p, last) {
		const { arrows, layout, picked, pending } = this;
		arrows.replaceChildren();
		const draft = (/** @type {string} */ cell, /** @type {string} */ who) => {
			const { x, y } = layout.box(cell);
			arrows.append(s("path", { class: `m ${tint(who)}`, d: shape(who, x, y, CELL) }));
		};
		if (picked) draft(picked.board + picked.cell, p.turn);
		if (pending) draft(pending.slice(0, p.depth - 1) + pending[pending.length - 1], picked ? p.opponent : p.turn);
		const from = [...last][0];
		if (settings.arrows && this.winner === undefined && from !== undefined && p.send.board && p.send.reason === "sent" && !picked) {
			arrows.append(...arrow(layout, from, p.send.board, "sent"));
		}
	}

	// -- what may be done

	/** The move that a press on a cell makes or begins; "" if none. @param {string} board @param {string} cell */
	playable(board, cell) {
		const p = this.position;
		if (this.hooks.paint) return board + cell;
		if (p.marks === 1) return this.moves.has(board + cell) ? board + cell : "";
		const { picked } = this;
		if (!picked) return this.choices[board]?.[cell] ? board + cell : "";
		return board === picked.board && this.choices[board][picked.cell].includes(cell) ? board + picked.cell + cell : "";
	}

	/** Where a cell would send the opponent: letters, "*" or "". @param {string} board @param {string} cell */
	target(board, cell) {
		const p = this.position;
		if (this.hooks.paint) return "";
		if (p.marks === 1) return p.targets?.[board + cell] ?? "";
		if (!this.picked) return "";
		const goal = cell + this.picked.cell;
		const open = p.boards.find((b) => b.board === goal)?.open && p.groups?.find((g) => g.board === cell)?.open;
		return open ? goal : "*";
	}

	/** Show where a cell would send; -1 hides. @param {number} index */
	aim(index) {
		this.aimed = index;
		for (const { board } of this.parts) board.classList.remove("goal");
		this.ghost.setAttribute("d", "");
		this.arrows.querySelectorAll(".aim").forEach((el) => el.remove());
		const p = this.position;
		if (index < 0) return;
		const [board, cell] = this.layout.names(index);
		if (!this.playable(board, cell) || this.hooks.paint) return;
		if (this.shown.live) {
			const who = this.picked ? p.opponent : p.turn;
			const [x, y] = this.layout.middle(index);
			set(this.ghost, { d: shape(who, x - CELL / 2, y - CELL / 2, CELL), class: `ghost ${tint(who)}` });
		}
		const goal = this.target(board, cell);
		if (!goal) return;
		p.boards.forEach((b, i) => {
			if (goal === "*" ? b.open : b.board.startsWith(goal)) this.parts[i].board.classList.add("goal");
		});
		if (goal !== "*" && settings.arrows) this.arrows.append(...arrow(this.layout, index, goal, `aim ${tint(p.opponent)}`));
	}

	/** @param {number} index */
	press(index) {
		const p = this.position;
		const { size } = this.layout;
		if (this.hooks.paint) return this.hooks.paint(Math.floor(index / size), index % size);
		const [board, cell] = this.layout.names(index);
		const move = this.playable(board, cell);
		const touch = this.pointer === "touch";
		if (touch && this.zoom.enabled && CELL * this.zoom.pixels < FINGER) return this.zoom.to(this.layout.box(board));
		if (!move || !this.shown.live) return void this.back();
		if (p.marks === 2 && !this.picked) {
			this.picked = { board, cell };
			this.draw();
			return say(`${p.turn} in cell ${cell}. Now choose the cell for ${p.opponent}.`);
		}
		const ask = settings.confirm === "always" || (settings.confirm === "touch" && touch);
		if (ask && this.pending !== move) {
			this.pending = move;
			this.draw();
			return;
		}
		this.pending = "";
		this.hooks.play?.(move);
	}

	/** Take back what was begun. @returns {boolean} whether there was something */
	back() {
		if (!this.picked && !this.pending) return false;
		if (this.pending) this.pending = "";
		else this.picked = null;
		this.draw();
		return true;
	}

	// -- pointer and keys

	listen() {
		const { svg } = this;
		const cellOf = (/** @type {Event} */ e) => Number(/** @type {SVGElement} */ (e.target).dataset?.i ?? -1);
		svg.addEventListener("pointerdown", (e) => {
			this.pointer = e.pointerType;
			e.preventDefault(); // the mouse does not take the focus: arrow keys stay with the move list
		});
		svg.addEventListener("mousedown", (e) => e.preventDefault());
		svg.addEventListener("click", (e) => {
			const index = cellOf(e);
			if (index >= 0 && !this.zoom.dragged) this.press(index);
		});
		svg.addEventListener("dblclick", (e) => {
			const index = cellOf(e);
			if (!this.zoom.enabled || this.picked || (index >= 0 && this.cells[index].classList.contains("may") && this.shown.live)) return;
			if (this.zoom.scale > 1.05) this.zoom.reset();
			else if (index >= 0) this.zoom.to(this.layout.box(this.layout.names(index)[0]));
		});
		svg.addEventListener("pointerover", (e) => {
			if (e.pointerType !== "touch") this.aim(cellOf(e));
		});
		svg.addEventListener("pointerleave", () => this.aim(-1));
		// On the element around it: Chromium takes a drawing that listens for the focus for a stop of the Tab key.
		this.el.addEventListener("focusin", (e) => {
			const index = cellOf(e);
			if (index < 0) return;
			this.rove(index, false); // screen readers go straight to any cell
			const [x, y] = this.layout.middle(index);
			set(this.ring, { x: x - CELL / 2 + 0.5, y: y - CELL / 2 + 0.5, class: "ring on" });
			this.zoom.reveal(x, y);
			this.aim(index);
		});
		this.el.addEventListener("focusout", () => {
			set(this.ring, { class: "ring" });
			this.aim(-1);
		});
		svg.addEventListener("keydown", (e) => this.key(e));
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const { layout, cursor } = this;
		const steps = /** @type {Record<string, [number, number]>} */ ({ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] });
		const may = [...this.cells.keys()].filter((i) => this.cells[i].classList.contains("may"));
		const goals = /** @type {Record<string, number | undefined>} */ ({ Home: may[0], End: may.at(-1), n: may.find((i) => i > cursor) ?? may[0], p: may.findLast((i) => i < cursor) ?? may.at(-1) });
		if (event.key in steps) {
			const far = event.shiftKey ? layout.side : 1;
			const [row, column] = layout.place(cursor).map((at, i) => Math.min(Math.max(0, at + steps[event.key][i] * far), layout.across - 1));
			this.rove(layout.places[row][column], true);
		} else if (event.key in goals) this.rove(goals[event.key] ?? cursor, true);
		else if (event.key === "Enter" || event.key === " ") {
			this.pointer = "key";
			this.press(cursor);
		} else if (event.key === "Escape") {
			if (!this.back()) this.zoom.reset();
		} else if (event.key === "+" || event.key === "=") this.zoom.by(1.6);
		else if (event.key === "-") this.zoom.by(1 / 1.6);
		else return;
		event.preventDefault();
		event.stopPropagation();
	}

	/** Make a cell the one that Tab reaches. @param {number} index @param {boolean} focus */
	rove(index, focus) {
		this.cells[this.cursor]?.setAttribute("tabindex", "-1");
		this.cursor = index;
		this.cells[index]?.setAttribute("tabindex", "0");
		if (focus) this.cells[index]?.focus({ preventScroll: !this.zoom.enabled });
	}
}
