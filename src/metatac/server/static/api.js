// Talking to the server: requests with errors in words, and sockets that come back by themselves.
import { byId } from "./dom.js";

/**
 * @param {string} path
 * @param {{method?: string, body?: any}} [how]
 * @returns {Promise<Response>}
 */
async function ask(path, how = {}) {
	/** @type {Response} */
	let response;
	try {
		response = await fetch(`/api${path}`, {
			method: how.method ?? (how.body === undefined ? "GET" : "POST"),
			headers: how.body === undefined ? {} : { "Content-Type": "application/json" },
			body: how.body === undefined ? undefined : JSON.stringify(how.body),
		});
	} catch {
		throw new Error("The server cannot be reached. Is the network there?");
	}
	if (response.ok) return response;
	const data = await response.json().catch(() => ({}));
	throw new Error(typeof data.error === "string" ? data.error : `The server answered ${response.status} ${response.statusText}.`);
}

/** @param {string} path @returns {Promise<any>} */
export const get = async (path) => (await ask(path)).json();

/** @param {string} path @param {any} [body] @param {string} [method] @returns {Promise<any>} */
export const post = async (path, body = {}, method = "POST") => (await ask(path, { body, method })).json();

/** A file. @param {string} path @param {any} [body] */
export const blob = async (path, body) => (await ask(path, { body })).blob();

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
	 * @param {(up: boolean) => void} [state]
	 */
	constructor(path, hear, state) {
		this.path = path;
		this.hear = hear;
		this.state = state;
		this.tries = 0;
		this.closed = false;
		/** @type {WebSocket | null} */
		this.ws = null;
		/** Said before the line was open. @type {any[]} */
		this.early = [];
		this.wake = () => {
			if (this.waiting) this.open();
		};
		this.beat = setInterval(() => this.ping(), 10000);
		for (const name of ["online", "focus"]) addEventListener(name, this.wake);
		this.open();
	}

	open() {
		clearTimeout(this.waiting);
		this.waiting = undefined;
		const ws = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api${this.path}`);
		this.ws = ws;
		this.heard = performance.now();
		ws.onopen = () => {
			if (this.closed) return ws.close();
			this.mark(true);
			for (const message of this.early.splice(0)) this.send(message);
		};
		ws.onmessage = (event) => {
			this.heard = performance.now();
			this.tries = 0;
			const message = JSON.parse(event.data);
			if (message.type === "ping") this.send({ type: "pong", t: message.t }); // the server measures the way and back
			else if (message.type !== "pong") this.hear(message);
		};
		ws.onclose = (event) => {
			if (this.closed || this.ws !== ws) return;
			this.mark(false);
			this.early = [];
			if (event.code === 1008 || event.code >= 4000) {
				// Refused for good: asking again would be refused again.
				this.hear({ type: "error", message: event.reason || "The server refused the connection.", code: "closed" });
				return this.close();
			}
			const pause = Math.min(8000, 250 * 2 ** this.tries++) * (0.75 + Math.random() / 2);
			this.waiting = setTimeout(() => this.open(), pause);
		};
	}

	/** Without an answer to a ping the line is dead, whatever the browser thinks. */
	ping() {
		if (this.ws?.readyState !== WebSocket.OPEN) return;
		if (performance.now() - (this.heard ?? 0) > 25000) this.ws.close();
		else this.send({ type: "ping", t: performance.now() });
	}

	/** @param {boolean} up */
	mark(up) {
		if (up) down.delete(this);
		else down.add(this);
		tell();
		this.state?.(up);
	}

	/** @param {any} message @returns {boolean} whether it was sent, or will be as soon as the line is open */
	send(message) {
		if (this.ws?.readyState === WebSocket.CONNECTING) return this.early.push(message) > 0;
		if (this.ws?.readyState !== WebSocket.OPEN) return false;
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
