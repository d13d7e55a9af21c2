// The games: an overview, and the rules of each with pictures.
import { allRules, get } from "../api.js";
import { h, link, s } from "../dom.js";
import { Layout } from "../layout.js";

/** @param {string} [name] */
export const open = (name) => (name ? one(name) : all());

async function all() {
	const rules = await allRules();
	const el = h(
		"div",
		h("h1", "The games"),
		h("ul.cards", {}, ...rules.map((r) => h("li.panel.gamecard", thumbnail(r.side, r.depth), h("div", h("h2", link(`/rules/${r.name}`, r.title)), h("p.muted.small", r.summary), h("div.row", r.lesson ? link(`/learn/${r.name}`, "Lesson", "button") : null, link(`/new?game=${r.name}`, "Play", "button primary")))))),
	);
	return { el, title: "Learn" };
}

/** @param {string} name */
async function one(name) {
	const page = /** @type {RulePage} */ (await get(`/rules/${encodeURIComponent(name)}`));
	const el = h(
		"article.rules",
		h("h1", page.title),
		h("div.row", page.lesson?.length ? link(`/learn/${name}`, "Take the lesson", "button") : null, link(`/new?game=${name}`, "Play", "button primary"), link(`/analysis?game=${name}`, "Analyse", "button")),
		page.sections.length ? null : h("p", page.text),
		...page.sections.map((part) => h("section.panel.rule", h("div", h("h2", part.title), ...part.text.split("\n\n").map((p) => h("p", p))), part.svg ? picture(part.svg, part.title) : null)),
		h("details.panel", h("summary", "The same as a rules file"), h("pre", { tabindex: 0, role: "region", "aria-label": "Rules file" }, page.toml)),
	);
	return { el, title: page.title };
}

/** The server's own drawing, as a picture that cannot run anything. @param {string} svg @param {string} alt */
const picture = (svg, alt) => h("img.drawing", { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt });

/** @param {number} side @param {number} depth */
function thumbnail(side, depth) {
	const layout = new Layout(side, depth);
	const svg = s("svg", { class: "thumb", viewBox: `0 0 ${layout.width} ${layout.width}`, "aria-hidden": true });
	for (let n = 0; n < layout.boards; n++) {
		const [x, y] = layout.origin(layout.path(n));
		svg.append(s("rect", { x, y, width: layout.board, height: layout.board, rx: 3 }), s("path", { d: layout.lines(x, y) }));
	}
	return svg;
}
