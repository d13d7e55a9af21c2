// The shapes: marks, tallies, arrows.
import { s } from "./dom.js";

/** @typedef {import("./layout.js").Layout} Layout */

/** A mark as a small picture. @param {string} who */
export const markIcon = (who) => s("svg", { class: `mk ${tint(who)}`, viewBox: "0 0 20 20", role: "img", "aria-label": who }, s("path", { d: shape(who, 0, 0, 20) }));

/**
 * The path of a mark in a square.
 * @param {string} who @param {number} x @param {number} y @param {number} size @param {number} [margin] as a share of it
 */
export function shape(who, x, y, size, margin = 0.26) {
	if (who === "X") {
		const a = size * margin;
		const b = size - 2 * a;
		return `M${x + a} ${y + a}l${b} ${b}m0 ${-b}l${-b} ${b}`;
	}
	const r = size * (0.53 - margin);
	return `M${x + size / 2 - r} ${y + size / 2}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0z`;
}

export const SEATS = /** @type {Who[]} */ (["X", "O"]);

/** @param {Who} who @returns {Who} */
export const other = (who) => (who === "X" ? "O" : "X");

/** @param {string | null} who */
export const tint = (who) => (who === "X" ? "x" : who === "O" ? "o" : "");

/** Small marks above a board's right corner: X's, then O's. @param {[number, number] | undefined} counts @param {number} side */
export function tallies(counts, side) {
	if (!counts) return [];
	const step = Math.min(7, (side - 11) / Math.max(1, counts[0] + counts[1]));
	let x = side - (counts[0] + counts[1]) * step;
	return ["X", "O"].flatMap((who, i) =>
		Array.from({ length: counts[i] }, () => {
			const mark = s("path", { class: tint(who), d: shape(who, x, -8.5, 7.5) });
			x += step;
			return mark;
		}),
	);
}

/**
 * A line through points; around them, where they are not in a row.
 * @param {[number, number][]} points @param {string} kind @param {number} size of what the points are the middle of
 */
export function stroke(points, kind, size) {
	const [[ax, ay], [bx, by]] = [points[0], points[points.length - 1]];
	const beyond = (size * 0.3) / Math.hypot(bx - ax, by - ay);
	const [ux, uy] = [(bx - ax) * beyond, (by - ay) * beyond];
	let d = `M${ax - ux} ${ay - uy}L${bx + ux} ${by + uy}`;
	if (points.some(([x, y]) => Math.abs(ux * (y - ay) - uy * (x - ax)) > 1)) {
		const [cx, cy] = [0, 1].map((i) => points.reduce((sum, at) => sum + at[i], 0) / points.length);
		const angle = (/** @type {[number, number]} */ [x, y]) => Math.atan2(y - cy, x - cx);
		d = `M${[...points].sort((a, b) => angle(a) - angle(b)).join("L")}z`;
	}
	return s("path", { class: kind, d, pathLength: 1, "stroke-width": size / 12 });
}

/**
 * From a cell towards the board it names; nothing if it is the cell's own.
 * @param {Layout} layout @param {number} from @param {string} name @param {string} kind
 */
export function arrow(layout, from, name, kind) {
	const [x, y] = layout.middle(from);
	const [[cx, cy], r] = [layout.center(name), layout.box(name).size / 2];
	const far = Math.max(Math.abs(x - cx), Math.abs(y - cy));
	if (far <= r) return [];
	const share = 1 - (r - 3) / far;
	const [tx, ty] = [x + (cx - x) * share, y + (cy - y) * share];
	const length = Math.hypot(tx - x, ty - y);
	const [ux, uy] = [(tx - x) / length, (ty - y) / length];
	const head = `M${tx} ${ty}L${tx - ux * 8 - uy * 4} ${ty - uy * 8 + ux * 4}L${tx - ux * 8 + uy * 4} ${ty - uy * 8 - ux * 4}z`;
	return [s("path", { class: `shaft ${kind}`, d: `M${x + ux * 8} ${y + uy * 8}L${tx - ux * 6} ${ty - uy * 6}` }), s("path", { class: `head ${kind}`, d: head })];
}
