// A game: the board, the players and their clocks, the moves, and what may be said across the table.
import { blob, get, post, Socket } from "../api.js";
import { go } from "../app.js";
import { Board } from "../board.js";
import { Clocks } from "../clock.js";
import { button, copy, fill, h, link, save, say, toast } from "../dom.js";
import { markIcon, other, SEATS } from "../marks.js";
import { MoveList } from "../moves.js";
import { clockName, fileName, saveButtons } from "../lists.js";
import { firstMoves, inviteOf, join } from "../play.js";
import { play as sound } from "../sound.js";

/** @param {string} id */
export async function open(id) {
	const page = new GamePage(await get(`/games/${encodeURIComponent(id)}`));
	return { el: page.el, title: page.title, close: () => page.close(), key: (/** @type {KeyboardEvent} */ e) => page.list.walk(e.key) && e.preventDefault() };
}

/** @typedef {{move: string, version: number, ply: number, line: WebSocket | null}} Sent */

class GamePage {
	/** @param {Game} game */
	constructor(game) {
		this.game = game;
		/** When the game was told, and when it was last told who is here. */
		this.told = this.seen = performance.now();
		/** The ply that is looked at; null: the present one. @type {number | null} */
		this.view = null;
		/** Positions by ply, once they were asked for. @type {Position[] | null} */
		this.walk = null;
		/** The move that is not answered yet. @type {Sent | null} */
		this.sent = null;
		this.resigning = false;
		this.slow = false;
		this.board = new Board({ play: (move) => this.play(move) });
		this.clocks = new Clocks();
		this.list = new MoveList((ply) => this.look(ply));
		this.players = { X: h("div.player"), O: h("div.player") };
		this.heading = h("h1.hidden");
		this.info = h("div.panel.info");
		this.actions = h("div.actions");
		this.el = h(
			"div.gamepage",
			{ "data-wide": "1" },
			this.heading,
			this.info,
			h("div.center", this.board.el),
			this.players.X,
			h("div.panel.right", this.list.el, this.actions),
			this.players.O,
		);
		this.socket = new Socket(`/games/${game.id}/socket`, (m) => this.hear(m));
		this.timer = setInterval(() => this.tick(), 1000);
		this.draw();
	}

	get title() {
		const { title, seats } = this.game;
		return `${title}: ${seats.X.name || "?"} – ${seats.O.name || "?"}`;
	}

	close() {
		clearInterval(this.timer);
		this.clocks.close();
		this.socket.close();
	}

	// -- what the server says

	/** @param {any} message */
	hear(message) {
		if (message.type === "game") this.take(message.game);
		else if (message.type === "presence") {
			const { seats, spectators, claim_in } = message;
			Object.assign(this.game, { seats, spectators, claim_in });
			this.seen = performance.now();
			this.draw();
		} else if (message.type === "refused" || message.type === "error") {
			this.sent = null;
			this.draw();
			// A line that was given up may have brought the move after all.
			if (this.game.moves.slice(-2).some((m) => m.move === message.move)) return;
			sound("low");
			toast(message.message, "bad");
		}
	}

	/** @param {Game} next */
	take(next) {
		const { game: before, sent } = this;
		if (next.version < before.version) return;
		this.told = this.seen = performance.now();
		this.game = next;
		// Other news, a draw offer, say, is no answer: the move is still on its way.
		if (sent?.line !== this.socket.ws || sent?.ply !== next.moves.length) this.sent = null;
		this.keep(before, next);
		if (next.moves.length > before.moves.length) sound(next.you.seats.includes(next.moves[next.moves.length - 1].by) ? "move" : "reply");
		if (next.phase === "over" && before.phase !== "over") {
			sound("win");
			say(next.result?.text ?? "The game is over.");
		}
		if (next.rematch.id && !before.rematch.id && next.you.seats.length) return void go(`/game/${next.rematch.id}`);
		this.draw();
		if (sent) this.again(sent);
		const first = firstMoves.get(next.id);
		if (first && next.phase === "running") {
			firstMoves.delete(next.id);
			if (!next.moves.length) this.play(first);
		}
	}

	/** Keep the walked positions in step with the game. @param {Game} before @param {Game} next */
	keep(before, next) {
		const { walk } = this;
		if (!walk) return;
		const n = next.moves.length;
		const same = before.moves.every((m, i) => i >= n || m.move === next.moves[i].move);
		if (!same || n > walk.length) this.walk = null;
		else {
			walk.length = n;
			walk.push(next.position);
		}
		if (!this.walk || (this.view ?? 0) >= n) this.view = null;
	}

	// -- what people do

	/** @param {string} move @param {number} [version] of the game that it is meant for */
	play(move, version = this.game.version) {
		const { ws: line } = this.socket;
		this.sent = this.tell("move", { move, version }) ? { move, version, ply: this.game.moves.length, line } : null;
		this.draw();
	}

	/** A move whose line broke before the answer came is sent again, if the game still waits for it. @param {Sent} sent */
	again({ move, version, ply, line }) {
		const { moves } = this.game;
		if (line === this.socket.ws || moves[ply]?.move === move) return;
		if (this.myTurn && moves.length === ply) this.play(move, version);
		else toast(`The connection broke before your move ${move} arrived, and the game has changed meanwhile.`, "bad");
	}

	/** @param {string} type @param {Record<string, any>} [rest] */
	tell(type, rest = {}) {
		const sent = this.socket.send({ type, ...rest });
		if (!sent) toast("Not connected just now: nothing was sent. Try again in a moment.", "bad");
		return sent;
	}

	/** @param {number} ply */
	async look(ply) {
		const { game } = this;
		if (ply >= game.moves.length) this.view = null;
		else {
			this.walk ??= /** @type {Position[]} */ ((await post("/positions/walk", { position: game.start, moves: game.moves.map((m) => m.move) })).positions);
			this.view = ply;
		}
		this.draw();
	}

	// -- drawing

	get myTurn() {
		const { game } = this;
		return game.phase === "running" && game.you.seats.includes(game.position.turn);
	}

	draw() {
		const { game } = this;
		const past = this.view !== null && this.walk ? this.walk[this.view] : null;
		const ply = (past && this.view) ?? game.moves.length;
		const live = !past && this.myTurn && !this.sent;
		this.board.show(past ?? game.position, {
			live,
			note: past ? undefined : this.note(),
			winner: past || !["over", "aborted"].includes(game.phase) ? undefined : game.result?.winner ?? "",
			data: { ply, version: game.version, phase: game.phase, turn: game.position.turn, live: live ? "yes" : "no", moves: game.moves.length },
		});
		this.el.classList.toggle("waiting", game.phase === "waiting");
		this.clocks.set(game.clock, this.told);
		fill(this.heading, this.title);
		this.drawPlayers();
		this.drawInfo();
		fill(this.actions, ...this.deeds());
		this.list.show(game.moves, ply);
		document.title = `${this.myTurn ? "● " : ""}${this.title} · metatac`;
	}

	note() {
		const { game } = this;
		if (game.phase === "waiting") return game.you.can_join ? "A seat is free, for whoever has the invitation." : "Waiting for an opponent.";
		if (game.phase === "aborted") return "The game was called off.";
		if (game.result) return game.result.text;
		return this.slow ? "The engine is still thinking. Before its first game on a machine it takes a minute or two to get ready." : undefined;
	}

	drawPlayers() {
		const { game } = this;
		for (const who of SEATS) {
			const seat = game.seats[who];
			const you = game.you.seats.includes(who) && game.you.seats.length === 1;
			const counts = game.position.counts;
			const moves = game.phase === "running" && game.position.turn === who;
			const state = seat.online ? "online" : "away";
			const here = seat.kind === "person" ? h("span", { class: `dot ${state}`, role: "img", "aria-label": state, title: state }) : null;
			fill(
				this.players[who],
				markIcon(who),
				h("span.name", seat.kind === "empty" ? "nobody yet" : seat.name, you ? h("span.muted", " (you)") : null),
				here,
				counts ? h("span.badge.num", `${counts[who]} ${counts[who] === 1 ? counts.what.replace(/s$/, "") : counts.what}`) : null,
				this.clocks.faces[who],
			);
			const kinds = { moves, won: game.result?.winner === who, above: who !== (game.you.seats[0] ?? "X") };
			for (const [kind, on] of Object.entries(kinds)) this.players[who].classList.toggle(kind, on);
		}
	}

	drawInfo() {
		const { game } = this;
		const watching = game.spectators ? ` · ${game.spectators} watching` : "";
		fill(
			this.info,
			h("h2", game.title),
			h("p.muted.small", `${clockName(game.time)} · ${game.private ? "private" : "public"}${watching}`),
			game.you.seats.length ? null : h("p", h("span.badge.go", "you are watching")),
			this.invitation(),
			h("p.small.row", / |^custom$/.test(game.game) ? h("code", game.rules) : link(`/rules/${game.game}`, "Rules"), button("Copy link to watch", () => copy(`${location.origin}/game/${game.id}`, "Link copied."), "quiet")),
		);
	}

	invitation() {
		const { game } = this;
		const url = game.invite ?? inviteOf(game.id);
		if (game.phase !== "waiting" || !url || !game.you.seats.length) return null;
		const field = h("input.invite", { readonly: true, value: url, "aria-label": "Invitation link", onfocus: () => field.select() });
		return h("div.stack", h("p", "Send this link to your friend. It seats the first who opens it."), field, button("Copy the invitation", () => copy(url, "Invitation copied."), "primary"));
	}

	/** @returns {(Node | null)[]} */
	deeds() {
		const { game } = this;
		const mine = game.you.seats.length > 0;
		if (game.you.can_join && game.opponent === "open") return [button("Take the seat", () => join(game.id), "primary big")];
		if (game.phase === "over" || game.phase === "aborted") return this.over(mine);
		if (!mine) return [];
		return game.phase === "running" ? this.running() : [button("Call it off", () => post(`/games/${game.id}/delete`).then(() => go("/")), "danger")];
	}

	/** @returns {(Node | null)[]} */
	running() {
		const { game } = this;
		/** @param {Who | null} by @param {string} what @param {string} asks @param {string} asked */
		const offer = (by, what, asks, asked) => {
			if (!by) return null;
			if (game.you.seats.includes(by)) return h("p.muted.small", `You ${asked}.`);
			return h("div.offer", h("span", `${by} ${asks}.`), button("Accept", () => this.tell(`accept_${what}`), "primary"), button("Decline", () => this.tell(`decline_${what}`)));
		};
		if (this.resigning) {
			return [h("div.offer", h("span", "Give up this game?"), button("Resign", () => {
				this.resigning = false;
				this.tell("resign");
			}, "danger"), button("Play on", () => this.resign(false)))];
		}
		return [
			offer(game.draw_offer, "draw", "offers a draw", "offered a draw"),
			offer(game.takeback, "takeback", "asks to take a move back", "asked to take a move back"),
			this.claim(),
			h(
				"div.row",
				(game.position.legal ?? []).includes("swap") && this.myTurn ? button("Swap", () => this.play("swap"), "primary") : null,
				button("Take back", () => this.tell("request_takeback"), "", { disabled: !game.moves.length || game.takeback !== null }),
				button("Offer draw", () => this.tell("offer_draw"), "", { disabled: game.draw_offer !== null }),
				button("Resign", () => this.resign(true), "danger"),
			),
		];
	}

	/** @param {boolean} on */
	resign(on) {
		this.resigning = on;
		this.draw();
	}

	claim() {
		const { claim_in: left, seats, you } = this.game;
		const seat = seats[other(you.seats[0])];
		if (left === null || seat.online) return null;
		const wait = Math.ceil(left - (performance.now() - this.seen) / 1000);
		if (wait > 0) return h("p.muted.small", { "data-claim": "" }, `${seat.name} has left. You may claim the game in ${wait} s.`);
		return h("div.offer", h("span", `${seat.name} has left.`), button("Claim the win", () => this.tell("claim", { what: "win" }), "primary"), button("Call it a draw", () => this.tell("claim", { what: "draw" })));
	}

	/** The buttons beside the countdown stay: a press on one that is drawn anew meanwhile would be lost. */
	tick() {
		const { game } = this;
		const slow = game.phase === "running" && game.seats[game.position.turn].kind === "engine" && performance.now() - this.told > 10000;
		if (slow !== this.slow) {
			this.slow = slow;
			this.draw();
		}
		const old = this.actions.querySelector("[data-claim]");
		const now = old && this.claim();
		if (now) old.replaceWith(now);
	}

	/** @param {boolean} mine @returns {(Node | null)[]} */
	over(mine) {
		const { game } = this;
		const asked = game.rematch.offered !== null && !game.you.seats.includes(game.rematch.offered);
		const label = asked ? "Accept the rematch" : game.rematch.offered ? "Rematch offered…" : "Rematch";
		const rematch = game.rematch.id
			? link(`/game/${game.rematch.id}`, "To the rematch", "button primary")
			: button(label, () => this.tell("rematch"), asked ? "primary" : "", { disabled: game.rematch.offered !== null && !asked });
		const text = game.result?.text ?? "The game was called off.";
		const points = game.result?.points ?? [0, 0];
		return [
			h("p.outcome", { role: "status" }, text, Math.max(...points) > 1 && !/\d/.test(text) ? h("span.num.muted", ` ${points.join(" : ")}`) : null),
			h("div.row", mine && game.phase === "over" ? rematch : null, game.moves.length ? link(`/analysis/${game.id}`, "Analyse", "button primary") : null, link("/new", "New game", "button")),
			h("div.row.small", h("span.muted", "Save:"), ...saveButtons((f) => this.save(f))),
		];
	}

	/** @param {string} format */
	async save(format) {
		save(await blob(`/games/${this.game.id}/record?format=${format}`), fileName(`metatac-${this.game.id}`, format));
	}
}
