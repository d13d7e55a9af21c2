// The router: which page an address is, and the frame around it.
import { byId, fill, h, link, set, toast, Trouble, wordsOf } from "./dom.js";
import { openSettings } from "./pages/settings.js";

/** Pages by address; what the brackets match is handed over. @type {[RegExp, string][]} */
const ROUTES = [
	[/^\/$/, "home"],
	[/^\/new$/, "new"],
	[/^\/game\/([^/]+)$/, "game"],
	[/^\/join\/([^/]+)\/([^/]+)$/, "join"],
	[/^\/lobby$/, "lobby"],
	[/^\/analysis(?:\/([^/]+))?$/, "analysis"],
	[/^\/rules(?:\/([^/]+))?$/, "rules"],
	[/^\/learn\/([^/]+)$/, "learn"],
	[/^\/archive$/, "archive"],
	[/^\/tournaments(?:\/([^/]+))?$/, "tournaments"],
	[/^\/about$/, "about"],
];

/** @type {Page | null} */
let page = null;
let turn = 0;

/** Go to an address of ours; where one is already is no second place to come back to. @param {string} url @param {boolean} [replace] */
export function go(url, replace = false) {
	if (replace || new URL(url, location.href).href === location.href) history.replaceState(null, "", url);
	else history.pushState(null, "", url);
	return show();
}

/** @returns {Promise<Page>} */
async function load() {
	for (const [pattern, name] of ROUTES) {
		const found = pattern.exec(location.pathname);
		if (!found) continue;
		const module = await import(`./pages/${name}.js`);
		return module.open(...found.slice(1).map((part) => part && decodeURIComponent(part)));
	}
	throw new Trouble("There is no such page.");
}

async function show() {
	const mine = ++turn;
	const main = byId("main");
	main.setAttribute("aria-busy", "true");
	/** @type {Page} */
	let next;
	try {
		next = await load();
	} catch (error) {
		next = { title: "Trouble", el: h("div.panel.alone", h("h1", "That did not work"), h("p.error", wordsOf(error)), h("p", link("/", "To the start"))) };
	}
	if (mine !== turn) return next.close?.(); // another page was asked for meanwhile
	page?.close?.();
	const first = page === null;
	page = next;
	document.title = next.title === "metatac" ? "metatac" : `${next.title} · metatac`;
	main.className = next.el.dataset.wide ? "wide" : "";
	fill(main, next.el);
	main.removeAttribute("aria-busy");
	main.dataset.page = location.pathname;
	for (const a of document.querySelectorAll("#nav a")) {
		const here = location.pathname.replace("/learn", "/rules").startsWith(a.getAttribute("href") ?? "-");
		set(a, { "aria-current": here && "page" });
	}
	menu(false);
	if (!first) {
		scrollTo(0, 0);
		main.focus({ preventScroll: true });
	}
}

/** @param {boolean} [open] turned over, where nothing is said */
function menu(open) {
	set(byId("menu"), { "aria-expanded": String(byId("nav").classList.toggle("open", open)) });
}

document.addEventListener("click", (event) => {
	const a = /** @type {Element} */ (event.target).closest("a[href^='/']");
	if (!a || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
	event.preventDefault();
	go(a.getAttribute("href") ?? "/");
});
document.addEventListener("keydown", (event) => {
	const at = /** @type {Element} */ (event.target);
	if (at.closest("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
	page?.key?.(event);
});
addEventListener("popstate", () => show());
// Whatever a page asks for and does not get is said to the person here, in one place.
addEventListener("unhandledrejection", (event) => {
	if (!(event.reason instanceof Trouble)) return;
	event.preventDefault();
	toast(event.reason.message, "bad");
});
byId("menu").addEventListener("click", () => menu());
byId("settings").addEventListener("click", () => openSettings());
void show();
