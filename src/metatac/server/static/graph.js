// The evaluation over a game: a picture to click in.
import { s } from "./dom.js";

const [WIDE, HIGH] = [600, 120];
const WORDS = /** @type {Record<string, string>} */ ({ "?!": "inaccuracy", "?": "mistake", "??": "blunder" });

/**
 * @param {Ply[]} plies @param {number} of how many there will be @param {number} at @param {(ply: number) => void} goTo
 * @returns {SVGSVGElement}
 */
export function drawGraph(plies, of, at, goTo) {
	const x = (/** @type {number} */ ply) => (ply / Math.max(1, of)) * WIDE;
	const y = (/** @type {number} */ score) => (1 - score) * HIGH;
	const line = plies.map((p, i) => `${i ? "L" : "M"}${x(p.ply).toFixed(1)} ${y(p.score_x).toFixed(1)}`).join("");
	const bad = plies.filter((p) => p.mark);
	const svg = s("svg", { class: "graph", viewBox: `-4 -6 ${WIDE + 8} ${HIGH + 12}`, role: "group", "aria-label": "Evaluation over the game, X at the top" });
	svg.append(s("rect", { class: "upper", width: WIDE, height: HIGH / 2 }), s("rect", { class: "lower", y: HIGH / 2, width: WIDE, height: HIGH / 2 }));
	if (plies.length > 1) {
		const area = `${line}L${x(plies[plies.length - 1].ply).toFixed(1)} ${HIGH / 2}L${x(plies[0].ply).toFixed(1)} ${HIGH / 2}z`;
		svg.append(s("path", { class: "area", d: area }), s("path", { class: "curve", d: line }));
	}
	svg.append(s("path", { class: "now", d: `M${x(at)} 0v${HIGH}` }));
	for (const p of bad) {
		const tip = s("title");
		tip.textContent = `${p.ply}. ${p.move}${p.mark} (best ${p.best})`;
		const dot = s("circle", { class: `dot ${WORDS[p.mark]}`, cx: x(p.ply), cy: y(p.score_x), r: 5, tabindex: 0, role: "button", "aria-label": `Move ${p.ply}, ${p.move}: ${WORDS[p.mark]}; best was ${p.best}` }, tip);
		dot.addEventListener("keydown", (e) => {
			if (e.key === "Enter" || e.key === " ") goTo(p.ply);
		});
		dot.addEventListener("click", () => goTo(p.ply));
		svg.append(dot);
	}
	svg.addEventListener("click", (e) => {
		const box = svg.getBoundingClientRect();
		const share = (((e.clientX - box.left) / box.width) * (WIDE + 8) - 4) / WIDE;
		if (!(/** @type {Element} */ (e.target).closest("circle"))) goTo(Math.round(Math.min(1, Math.max(0, share)) * of));
	});
	return svg;
}
