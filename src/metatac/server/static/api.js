// Talking to the server: requests with errors in words, and sockets that come back by themselves.
import { byId, Trouble } from "./dom.js";

/**
 * @param {string} path
 * @param {any} [body]
 * @param {string} [method]
 * @param {"json" | "blob"} [kind] what the answer is read as
 * @returns {Promise<any>}
 */
async function ask(path, body, method = body ? "POST" : "GET", kind = "json") {
	/** @type {Response} */
	let response;
	try {
		response = await fetch(`/api${path}`, { method, headers: body && { "Content-Type": "application/json" }, body: body && JSON.stringify(body) });
		if (response.ok) return await response[kind]();
	} catch {
		throw new Trouble("The server cannot be reached. Is the network there?");
	}
	const data = await response.json().catch(() => ({}));
	throw new Trouble(typeof data.error === "string" ? data.error : `The server answered ${response.status} ${response.statusText}.`);
}

/** @param {string} path */
export const get = (path) => ask(path);

/** @param {string} path @param {any} [body] @param {string} [method] */
export const post = (path, body = {}, method = "POST") => ask(path, body, method);

/** A file. @param {string} path @param {any} [body] @returns {Promise<Blob>} */
export const blob = (path, body) => ask(path, body, undefined, "blob");

/** @type {Promise<RuleEntry[]> | null} */
let rules = null;

/** The games there are; asked for once. */
export function allRules() {
	rules ??= get("/rules").catch((error) => {
		rules = null;
		throw error;
	});
	return /** @type {Promise<RuleEntry[]>} */ (rules);
}

/** Sockets that are down now. @type {Set<Socket>} */
const down = new Set();

function tell() {
	byId("net").textContent = down.size ? "reconnecting…" : "";
}

export class Socket {
	/**
	 * @param {string} path
	 * @param {(message: any) => void} hear
	 * @param {() => void} [opened]
	 */
	constructor(path, hear, opened) {
		this.path = path;
		this.hear = hear;
		this.opened = opened;
		this.tries = 0;
		this.closed = false;
		/** @type {WebSocket | null} */
		this.ws = null;
		/** Said before the line was open. @type {any[]} */
		this.early = [];
		/** When the server was last heard, and when we first said something after that. */
		this.heard = 0;
		this.said = Infinity;
		this.wake = () => {
			if (this.waiting) this.open();
		};
		this.beat = setInterval(() => this.check(), 4000);
		for (const name of ["online", "focus"]) addEventListener(name, this.wake);
		this.open();
	}

	open() {
		clearTimeout(this.waiting);
		this.waiting = undefined;
		const ws = new WebSocket(`${location.origin.replace("http", "ws")}/api${this.path}`);
		this.ws = ws;
		const hears = () => {
			this.heard = performance.now();
			this.said = Infinity;
		};
		hears();
		ws.onopen = () => {
			if (this.closed) return ws.close();
			down.delete(this);
			tell();
			this.opened?.();
			for (const message of this.early.splice(0)) this.send(message);
		};
		ws.onmessage = (event) => {
			hears();
			this.tries = 0;
			const message = JSON.parse(event.data);
			if (message.type === "ping") this.send({ type: "pong", t: message.t }); // the server measures the way and back
			else if (message.type !== "pong") this.hear(message);
		};
		ws.onclose = (event) => {
			if (this.closed || this.ws !== ws) return;
			if (event.code !== 1008 && event.code < 4000) return this.lose();
			// Refused for good: asking again would be refused again.
			this.hear({ type: "error", message: event.reason || "The server refused the connection.", code: "closed" });
			this.close();
		};
	}

	/** The line is gone; another is tried soon. */
	lose() {
		this.ws = null;
		this.early = [];
		down.add(this);
		tell();
		const pause = Math.min(8000, 250 * 2 ** this.tries++) * (0.75 + Math.random() / 2);
		this.waiting = setTimeout(() => this.open(), pause);
	}

	/** A line that stays silent is dead, whatever the browser thinks: it would wait a minute for the other end to agree. */
	check() {
		const { ws } = this;
		const now = performance.now();
		const silent = now - this.heard;
		if (ws && (silent > 25000 || now - this.said > 8000)) {
			this.lose();
			ws.close();
		} else if (ws?.readyState === WebSocket.OPEN && (silent > 9000 || this.said < now)) ws.send(JSON.stringify({ type: "ping", t: now }));
	}

	/** @param {any} message @returns {boolean} whether it was sent, or will be as soon as the line is open */
	send(message) {
		if (this.ws?.readyState === WebSocket.CONNECTING) return this.early.push(message) > 0;
		if (this.ws?.readyState !== WebSocket.OPEN) return false;
		if (message.type !== "pong") this.said = Math.min(this.said, performance.now());
		this.ws.send(JSON.stringify(message));
		return true;
	}

	close() {
		this.closed = true;
		clearInterval(this.beat);
		clearTimeout(this.waiting);
		for (const name of ["online", "focus"]) removeEventListener(name, this.wake);
		down.delete(this);
		tell();
		if (this.ws?.readyState === WebSocket.OPEN) this.ws.close();
	}
}
