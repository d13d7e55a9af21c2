// Where boards and cells stand in the drawing, and what they are called.

export const CELL = 20;
const PAD = 3;
const GROUP_GAP = 9;
/** What a frame leaves beside its boards, in all: the names above them take the rest. */
const EDGE = 6;
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** @param {number} number */
export const letter = (number) => LETTERS[number];

/** @param {string} name */
export const numberOf = (name) => LETTERS.indexOf(name);

export class Layout {
	/** @param {number} side @param {number} depth */
	constructor(side, depth) {
		this.side = side;
		this.depth = depth;
		this.size = side * side;
		this.board = side * CELL;
		this.gap = depth > 1 ? 10 : 0;
		this.inner = depth > 1 ? side * (this.board + this.gap) + EDGE : this.board;
		const whole = depth === 3 ? side * (this.inner + GROUP_GAP) - GROUP_GAP : this.inner;
		this.width = whole + 2 * PAD;
		this.boards = this.size ** (depth - 1);
		this.across = side ** depth;
		/** Cell numbers by row and column of the whole board. @type {number[][]} */
		this.places = Array.from({ length: this.across }, () => []);
		for (let cell = 0; cell < this.boards * this.size; cell++) {
			const [row, column] = this.place(cell);
			this.places[row][column] = cell;
		}
	}

	/** The steps from the outermost board to a small board. @param {number} board */
	path(board) {
		if (this.depth === 1) return [];
		return this.depth === 2 ? [board] : [Math.floor(board / this.size), board % this.size];
	}

	/** @param {number} board */
	name(board) {
		return this.path(board).map(letter).join("");
	}

	/** The corner of a small board, or of a group of them. @param {number[]} path @returns {[number, number]} */
	origin(path) {
		let [x, y] = [PAD, PAD];
		if (this.depth === 3 && path.length) {
			x += (path[0] % this.side) * (this.inner + GROUP_GAP);
			y += Math.floor(path[0] / this.side) * (this.inner + GROUP_GAP);
		}
		if (this.depth > 1 && path.length === this.depth - 1) {
			const last = path[path.length - 1];
			x += (this.gap + EDGE) / 2 + (last % this.side) * (this.board + this.gap);
			y += this.gap + Math.floor(last / this.side) * (this.board + this.gap);
		}
		return [x, y];
	}

	/** The corner of a cell on its board. @param {number} cell @returns {[number, number]} */
	corner(cell) {
		return [(cell % this.side) * CELL, Math.floor(cell / this.side) * CELL];
	}

	/** The middle of a cell in the whole drawing. @param {number} index @returns {[number, number]} */
	middle(index) {
		return this.center(this.names(index).join(""));
	}

	/** Of the board of a cell, and of the cell on it. @param {number} index */
	names(index) {
		return [this.name(Math.floor(index / this.size)), letter(index % this.size)];
	}

	/** The lines between the cells of a board at a corner. */
	lines(x = 0, y = 0) {
		let d = "";
		for (let at = CELL; at < this.board; at += CELL) d += `M${x + at} ${y}v${this.board}M${x} ${y + at}h${this.board}`;
		return d;
	}

	/** Row and column of a cell on the whole board. @param {number} index @returns {[number, number]} */
	place(index) {
		let [row, column, unit] = [0, 0, 1];
		for (let level = 0; level < this.depth; level++) {
			const step = index % this.size;
			row += Math.floor(step / this.side) * unit;
			column += (step % this.side) * unit;
			unit *= this.side;
			index = Math.floor(index / this.size);
		}
		return [row, column];
	}

	/** The box of what letters name: a cell, a small board, a group or everything. @param {string} name */
	box(name) {
		const path = [...name].map(numberOf);
		if (path.length === this.depth) {
			const [[x, y], [dx, dy]] = [this.origin(path.slice(0, -1)), this.corner(path[this.depth - 1])];
			return { x: x + dx, y: y + dy, size: CELL };
		}
		const [x, y] = this.origin(path);
		const full = path.length === this.depth - 1;
		return { x, y, size: full ? this.board : path.length ? this.inner : this.width - 2 * PAD };
	}

	/** @param {string} name @returns {[number, number]} */
	center(name) {
		const { x, y, size } = this.box(name);
		return [x + size / 2, y + size / 2];
	}
}
