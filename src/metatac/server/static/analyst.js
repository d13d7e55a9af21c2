// The engine's opinion, live: evaluation bar, best lines, heat.
import { Socket } from "./api.js";
import { button, fill, h, select } from "./dom.js";

export class Analyst {
	/**
	 * @param {() => void} changed
	 * @param {(moves: string[]) => void} play
	 */
	constructor(changed, play) {
		this.changed = changed;
		this.play = play;
		this.on = true;
		this.heat = false;
		this.lines = 3;
		this.asked = 0;
		/** @type {Position | null} */
		this.position = null;
		/** @type {Socket | undefined} */
		this.socket = undefined;
		/** @type {AnalysisResult | null} */
		this.result = null;
		/** X's share as the analysis of the whole game has it. @type {number | null} */
		this.known = null;
		this.bar = h("div.bar", { role: "meter", "aria-label": "Evaluation, X's share", "aria-valuemin": 0, "aria-valuemax": 100 }, h("div.share"));
		this.head = h("div.verdict", { role: "status" });
		this.list = h("ol.lines", { "aria-label": "Best moves" });
		this.toggle = button("Engine", () => this.turn(!this.on), "", { "aria-pressed": "true" });
		const heat = button("Heat map", () => {
			this.heat = !this.heat;
			heat.setAttribute("aria-pressed", String(this.heat));
			this.ask();
		}, "", { "aria-pressed": "false" });
		const lines = select("Lines", ["1", "3", "5", "8"].map((n) => [n, n]), "3", (v) => {
			this.lines = Number(v);
			this.ask();
		});
		this.el = h("div.engine", { "data-state": "off" }, h("div.row", this.toggle, heat, lines), this.head, this.list);
	}

	/** @param {boolean} on */
	turn(on) {
		this.on = on;
		this.toggle.setAttribute("aria-pressed", String(on));
		if (on) return this.ask();
		clearTimeout(this.timer);
		this.socket?.send({ type: "stop" });
		this.state("off");
		this.result = null;
		this.draw();
	}

	/** @param {Position} position @param {number | null} known */
	look(position, known) {
		this.socket ??= new Socket("/analysis/socket", (m) => this.hear(m), () => this.ask()); // once there is something to ask
		const news = known !== this.known;
		this.known = known;
		if (this.position?.text === position.text) return news && !this.result ? this.draw() : undefined;
		this.position = position;
		this.result = null;
		this.ask();
	}

	ask() {
		if (!this.position || !this.on) return this.draw();
		if (this.position.outcome) {
			this.result = null;
			this.socket?.send({ type: "stop" });
			this.state("done");
			return this.draw();
		}
		this.state("waiting");
		this.asked++;
		this.draw();
		this.soon(200);
	}

	/** Ask when the person stays: who walks fast through a game wants no opinion on each move. @param {number} pause */
	soon(pause) {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.position && this.socket?.send({ type: "analyse", position: this.position.text, lines: this.heat ? 20 : this.lines, id: this.asked }), pause);
	}

	/** @param {string} state */
	state(state) {
		this.el.dataset.state = state;
	}

	/** @param {any} m */
	hear(m) {
		if (m.id !== undefined && m.id !== this.asked) return; // about a position that was left
		if (m.type === "queued") {
			this.state("queued");
			fill(this.head, `Waiting for the engine, place ${m.place}…`);
		} else if (m.type === "analysis" && this.on) {
			this.state(m.done ? "done" : "running");
			this.result = m.analysis;
			this.draw();
		} else if (m.type === "error" || m.type === "refused") {
			this.state("failed");
			if (m.code === "too_many") this.soon(1500);
			fill(this.head, m.message);
		}
	}

	draw() {
		const { result, position } = this;
		const winner = position?.outcome ? position.outcome.winner : undefined;
		const share = winner !== undefined ? { X: 1, O: 0 }[winner ?? ""] ?? 0.5 : result?.bar ?? this.known ?? 0.5;
		const percent = Math.round(share * 100);
		this.bar.setAttribute("aria-valuenow", String(percent));
		this.bar.classList.toggle("unknown", !result && winner === undefined && this.known === null);
		/** @type {HTMLElement} */ (this.bar.firstElementChild).style.height = `${percent}%`;
		if (position?.outcome) fill(this.head, position.send.text);
		else if (!this.on) fill(this.head, h("span.muted", "The engine is off."));
		else if (!result) fill(this.head, h("span.muted", "Thinking…"));
		else fill(this.head, h("strong", result.verdict), h("span.muted.small.num", ` depth ${result.depth} · ${count(result.nodes)} positions`));
		fill(this.list, ...(result?.best ?? []).slice(0, this.lines).map((line) => this.line(line, result?.unit ?? "result")));
		this.changed();
	}

	/** @param {Line} line @param {string} unit */
	line(line, unit) {
		const moves = line.line.slice(0, 10);
		return h("li", h("span", { class: `score num ${line.score_x > 0.505 ? "x" : line.score_x < 0.495 ? "o" : ""}`, title: line.proven ? "proven" : `depth ${line.depth}` }, worth(line, unit)), h("span.pv", {}, ...moves.map((move, i) => button(move, () => this.play(line.line.slice(0, i + 1)), "pvmove", { "aria-label": `play ${line.line.slice(0, i + 1).join(" ")}` }))));
	}

	close() {
		clearTimeout(this.timer);
		this.socket?.close();
	}
}

/** A line's value as people read it. @param {Line} line @param {string} unit */
function worth(line, unit) {
	if (unit === "points") return `${line.value_x > 0 ? "+" : ""}${line.value_x.toFixed(line.proven ? 0 : 1)}${line.proven ? " ✓" : ""}`;
	if (line.proven) return line.value_x > 0 ? "X wins ✓" : line.value_x < 0 ? "O wins ✓" : "draw ✓";
	return `${Math.round(line.score_x * 100)} %`;
}

/** @param {number} n */
const count = (n) => (n >= 1e6 ? `${(n / 1e6).toFixed(1)} M` : n >= 1e3 ? `${Math.round(n / 1e3)} k` : String(n));
