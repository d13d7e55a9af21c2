// Building nodes. Text becomes text nodes only, so nothing that a person typed can become markup.

/** @typedef {Node | string | number | null | undefined | false} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} el
 * @param {Record<string, any>} props
 */
export function set(el, props) {
	for (const [name, value] of Object.entries(props)) {
		if ((value ?? false) === false) el.removeAttribute(name);
		else if (name.startsWith("on")) el.addEventListener(name.slice(2), value);
		else if (name === "value" && "value" in el) el.value = value;
		else el.setAttribute(name, value === true ? "" : String(value));
	}
}

/** What is pressed just now, and what waits to be drawn until it is let go: a press on what is drawn anew meanwhile would be lost. @type {Node | null} */
let pressed = null;
/** @type {Map<Element, Child[]>} */
const waiting = new Map();
addEventListener("pointerdown", (e) => (pressed = e.button ? null : /** @type {Node} */ (e.target)), true);
const release = () => {
	pressed = null;
	for (const [el, children] of waiting) fill(el, ...children);
};
for (const name of ["pointerup", "pointercancel", "contextmenu", "blur"]) addEventListener(name, () => setTimeout(release), true);

/** Put children in place of others; what had the focus hands it to the new one of the same name. @param {Element} el @param {Child[]} children */
export function fill(el, ...children) {
	if (pressed && el !== pressed && el.contains(pressed)) return void waiting.set(el, children);
	waiting.delete(el);
	const old = document.activeElement;
	const name = old && old !== el && el.contains(old) ? nameOf(old) : "";
	el.replaceChildren(...children.filter((c) => c || c === 0).map((c) => (c instanceof Node ? c : String(c))));
	const heirs = /** @type {NodeListOf<HTMLElement>} */ (el.querySelectorAll("a, button, input, [tabindex]"));
	if (name) [...heirs].find((heir) => nameOf(heir) === name)?.focus({ preventScroll: true });
}

/** What stays the same of an element that is made anew. @param {Element} el */
const nameOf = (el) => el.getAttribute("href") || el.getAttribute("aria-label") || el.textContent;

/**
 * An HTML element: `h("p.note", {id: "x"}, "text")`, or only `h("p", "text")`. Names beginning with "on" are listeners.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T | `${T}.${string}`} tag
 * @param {Record<string, any> | Child} [props]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props, ...children) {
	const [name, ...classes] = tag.split(".");
	const el = /** @type {HTMLElementTagNameMap[T]} */ (document.createElement(name));
	if (classes.length) el.className = classes.join(" ");
	if (props?.constructor === Object) set(el, /** @type {Record<string, any>} */ (props));
	else children.unshift(/** @type {Child} */ (props));
	if (children.length) fill(el, ...children);
	return el;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [props]
 * @param {Element[]} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function s(tag, props, ...children) {
	const el = /** @type {SVGElementTagNameMap[T]} */ (document.createElementNS(SVG, tag));
	if (props) set(el, props);
	el.append(...children);
	return el;
}

/**
 * The element with that id; the shell has it.
 * @param {string} id
 */
export function byId(id) {
	return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** @param {string} label @param {() => void} act @param {string} [kind] @param {Record<string, any>} [props] */
export const button = (label, act, kind = "", props = {}) => h("button", { type: "button", class: kind || null, onclick: act, ...props }, label);

/** @param {string} href @param {string} label @param {string} [kind] */
export const link = (href, label, kind = "") => h("a", { href, class: kind || null }, label);

/**
 * A labelled choice.
 * @param {string} label
 * @param {string[][]} choices value and what is shown
 * @param {string} value
 * @param {(value: string) => void} [act]
 */
export function select(label, choices, value, act) {
	const el = h("select", {}, ...choices.map(([v, text]) => h("option", { value: v, selected: v === value }, text)));
	if (act) el.addEventListener("change", () => act(el.value));
	return h("label.field", h("span", label), el);
}

/**
 * Buttons of which one is chosen.
 * @param {string} label
 * @param {string[][]} choices
 * @param {string} value
 * @param {(value: string) => void} act
 */
export function segmented(label, choices, value, act) {
	const name = `r${Math.random().toString(36).slice(2)}`;
	return h(
		"fieldset.segmented",
		h("legend", label),
		h("div", {}, ...choices.map(([v, text]) => h("label", h("input", { type: "radio", name, value: v, checked: v === value, onchange: () => act(v) }), h("span", text)))),
	);
}

let lastSaid = "";

/** Say something to screen readers. @param {string} text */
export function say(text) {
	if (text === lastSaid) return;
	lastSaid = text;
	byId("say").textContent = text;
}

/** A short message for everybody. @param {string} text @param {string} [kind] */
export function toast(text, kind = "") {
	const el = h("div", { class: `toast ${kind}` }, text);
	byId("toasts").append(el);
	setTimeout(() => el.remove(), kind === "bad" ? 8000 : 4000);
}

/** What is told to the person. Any other error is a fault of ours, and stays in the console. */
export class Trouble extends Error {}

/** An error in words. @param {any} error */
export function wordsOf(error) {
	if (!(error instanceof Trouble)) reportError(error);
	return error.message;
}

/** @param {number} seconds */
export function ago(seconds) {
	const steps = /** @type {[number, string][]} */ ([[86400, "day"], [3600, "hour"], [60, "minute"]]);
	for (const [size, word] of steps) {
		const n = Math.floor(seconds / size);
		if (n) return `${n} ${word}${n > 1 ? "s" : ""} ago`;
	}
	return "just now";
}

/** Save data as a file. @param {Blob} blob @param {string} name */
export function save(blob, name) {
	const href = URL.createObjectURL(blob);
	h("a", { href, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(href), 10000);
}

/** @param {string} text @param {string} done */
export async function copy(text, done) {
	try {
		await navigator.clipboard.writeText(text);
		toast(done);
	} catch {
		// Without https browsers give no clipboard: show the text to copy by hand.
		prompt("Copy this:", text);
	}
}
