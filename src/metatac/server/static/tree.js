// A tree of moves: the main line and its variations.
import { fill, h } from "./dom.js";
import { SEATS } from "./marks.js";
import { plyButton, reveal } from "./moves.js";

export class Knot {
	/** @param {string} move @param {Knot | null} parent */
	constructor(move, parent) {
		this.move = move;
		this.parent = parent;
		/** @type {Knot[]} */
		this.children = [];
		this.comment = "";
		this.mark = "";
		/** @type {Position | null} */
		this.position = null;
		/** @type {number} */
		this.ply = parent ? parent.ply + 1 : 0;
	}

	/** @param {string | undefined} move */
	find(move) {
		return this.children.find((c) => c.move === move);
	}

	/** The child of a move, made if there is none. @param {string} move */
	child(move) {
		return this.find(move) ?? this.children[this.children.push(new Knot(move, this)) - 1];
	}

	/** @returns {Knot} */
	get root() {
		return this.parent?.root ?? this;
	}

	/** The knots from the first move to this one. @returns {Knot[]} */
	get line() {
		const line = [];
		for (let at = /** @type {Knot} */ (this); at.parent; at = at.parent) line.unshift(at);
		return line;
	}

	get moves() {
		return this.line.map((k) => k.move);
	}

	/** The main line from here on. @returns {Knot[]} */
	get main() {
		const line = [];
		for (let at = this.children[0]; at; at = at.children[0]) line.push(at);
		return line;
	}

	/** Make the line to here the main one. */
	promote() {
		for (const knot of this.line) {
			const all = /** @type {Knot} */ (knot.parent).children;
			all.splice(all.indexOf(knot), 1);
			all.unshift(knot);
		}
	}

	remove() {
		if (this.parent) this.parent.children = this.parent.children.filter((c) => c !== this);
	}

	/** All that grows from here as a list in which each move names the one before it; -1: this. @returns {TreeNode[]} */
	get plain() {
		/** @type {TreeNode[]} */
		const list = [];
		/** @type {[Knot, number][]} */
		const open = [[this, -1]];
		for (let next = open.pop(); next; next = open.pop()) {
			const [knot, at] = next;
			for (const c of knot.children) {
				list.push({ move: c.move, parent: at, ...(c.comment ? { comment: c.comment } : {}) });
				open.push([c, list.length - 1]);
			}
		}
		return list;
	}

	/** @param {TreeNode[]} list */
	graft(list) {
		/** @type {Knot[]} */
		const made = [];
		for (const { move, parent, comment } of list) {
			const knot = (made[parent] ?? this).child(move);
			knot.comment ||= comment ?? "";
			made.push(knot);
		}
	}
}

/** A tree for an address: a move that does not follow the one before it has the number of the one it follows. @param {TreeNode[]} list */
export const pack = (list) => list.map(({ move, parent }, i) => (parent === i - 1 ? move : move + parent)).join(" ");

/** @param {string} text @returns {TreeNode[]} */
export const unpack = (text) => [...text.slice(0, 6000).matchAll(/([a-z]{1,9})(-?\d+)?/gi)].map(([, move, parent], i) => ({ move, parent: Number(parent ?? i - 1) }));

/**
 * The tree as nested lists of buttons.
 * @param {HTMLElement} host @param {Knot} root @param {Knot} here @param {(knot: Knot) => void} goTo
 */
export function drawTree(host, root, here, goTo) {
	const piece = (/** @type {Knot} */ k) => [plyButton(k.ply, k.move, mover(k), k === here, () => goTo(k), k.mark), k.comment ? h("span.comment", k.comment) : null];
	/** @param {Knot} from */
	const flow = (from) => {
		/** @type {(Node | null)[]} */
		const nodes = [];
		for (let at = from; at.children.length; at = at.children[0]) {
			nodes.push(...piece(at.children[0]));
			for (const other of at.children.slice(1)) {
				nodes.push(h("div.variation", { role: "group", "aria-label": "Variation" }, ...piece(other), ...flow(other)));
			}
		}
		return nodes;
	};
	fill(host, ...flow(root));
	host.scrollTop = 0;
	reveal(host);
}

/** Who made a move; a guess where its position was not asked for yet. @param {Knot} knot */
function mover({ position: p, ply }) {
	if (!p) return SEATS[1 - (ply % 2)];
	return p.bonus && !p.outcome ? p.turn : p.opponent;
}
