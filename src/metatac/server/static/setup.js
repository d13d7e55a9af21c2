// Setting up a position: paint marks, owners and tallies; the server says whether it can be.
import { post } from "./api.js";
import { Board } from "./board.js";
import { button, h, segmented, select, wordsOf } from "./dom.js";
import { letter } from "./layout.js";

export class Setup {
	/** @param {Position} from @param {(position: Position) => void} use @param {() => void} leave */
	constructor(from, use, leave) {
		this.position = /** @type {Position} */ (structuredClone(from));
		Object.assign(this.position, { outcome: null, legal: [], choices: {}, targets: {}, last_move: null });
		for (const b of this.position.boards) delete b.lines; // painting would belie them
		this.send = from.send.board ?? "";
		this.brush = "X";
		this.asked = 0;
		this.board = new Board({ paint: (board, cell) => this.paint(board, cell) }, "Board to set up");
		this.error = h("p.error", { role: "alert" });
		this.useIt = button("Analyse this position", () => this.found && use(this.found), "primary");
		const names = this.position.boards.map((b) => b.board).filter(Boolean);
		const levels = this.position.depth === 3 ? [...Array.from({ length: this.position.side ** 2 }, (_, i) => letter(i)), ...names] : names;
		const tallies = this.position.boards[0].tallies ? [["tx", "X tally"], ["to", "O tally"]] : [];
		const has = (/** @type {string} */ name) => from.features.includes(name);
		const owners = has("owners") ? [["ox", "Board to X"], ["oo", "Board to O"], ["o-", "Board to nobody"]] : [];
		const groups = this.position.groups ? [["gx", "9 × 9 to X"], ["go", "9 × 9 to O"], ["g-", "9 × 9 to nobody"]] : [];
		const brushes = [["X", "X"], ["O", "O"], [".", "Erase"], ...(has("ban") ? [["#", "Banned"]] : []), ...owners, ...groups, ...tallies];
		this.el = h(
			"div.stack",
			segmented("Brush", brushes, this.brush, (v) => (this.brush = v)),
			segmented("To move", [["X", "X"], ["O", "O"]], this.position.turn, (v) => this.change(() => (this.position.turn = /** @type {Who} */ (v)))),
			has("send") ? select("Must play in", [["", "anywhere"], ...levels.map((n) => [n, `board ${n}`])], this.send, (v) => this.change(() => (this.send = v))) : null,
			has("bonus") ? segmented("Bonus move", [["", "no"], ["yes", "yes"]], this.position.bonus ? "yes" : "", (v) => this.change(() => (this.position.bonus = Boolean(v)))) : null,
			this.error,
			h("div.row", this.useIt, button("Empty the board", () => this.clear()), button("Back", leave)),
		);
		this.draw();
		void this.check();
	}

	/** @param {() => void} act */
	change(act) {
		act();
		this.draw();
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.check(), 200);
	}

	clear() {
		this.change(() => {
			for (const b of this.position.boards) Object.assign(b, { cells: ".".repeat(b.cells.length), owner: null, open: true }, b.tallies ? { tallies: [0, 0] } : {});
			for (const g of this.position.groups ?? []) Object.assign(g, { owner: null, open: true });
		});
	}

	/** @param {number} number @param {number} cell */
	paint(number, cell) {
		this.change(() => {
			const b = this.position.boards[number];
			const { brush } = this;
			const who = brush === "tx" ? 0 : 1;
			if (brush[0] === "t" && b.tallies) b.tallies[who] = (b.tallies[who] + 1) % 4; // three win the board: a fourth is none
			else if (brush.length === 2) {
				const painted = brush[0] === "o" ? b : this.position.groups?.[Math.floor(number / b.cells.length)];
				if (painted) painted.owner = { x: "X", o: "O" }[brush[1]] ?? null;
			} else b.cells = b.cells.slice(0, cell) + (b.cells[cell] === brush ? "." : brush) + b.cells.slice(cell + 1);
		});
	}

	draw() {
		const p = this.position;
		this.board.position = this.board.position && { ...this.board.position }; // painted in place: have it drawn again
		this.board.show({ ...p, boards: p.boards.map((b) => ({ ...b })) }, { note: "Choose a brush and click cells." });
	}

	async check() {
		const p = this.position;
		const body = {
			rules: p.rules,
			boards: p.boards.map((b) => b.cells),
			turn: p.turn,
			send: this.send || null,
			bonus: p.bonus,
			...(p.depth > 1 ? { owners: p.boards.map((b) => b.owner) } : {}),
			...(p.groups ? { groups: p.groups.map((g) => g.owner) } : {}),
			...(p.boards[0].tallies ? { tallies: p.boards.map((b) => b.tallies) } : {}),
		};
		const mine = ++this.asked;
		const found = await post("/positions/setup", body).catch((problem) => problem);
		if (mine !== this.asked) return; // painted on meanwhile
		/** @type {Position | null} */
		this.found = found instanceof Error ? null : found;
		this.error.textContent = this.found ? "" : wordsOf(found);
		this.useIt.disabled = !this.found;
	}
}
