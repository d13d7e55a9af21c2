// The two clocks, drawn from the seconds that the server says are left.
import { fill, h } from "./dom.js";
import { SEATS } from "./marks.js";

/** @param {number} seconds */
function clockText(seconds) {
	const left = Math.max(0, seconds);
	if (left < 10) return `0:0${left.toFixed(1)}`;
	const whole = Math.ceil(left);
	const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
	const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
	return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

export class Clocks {
	constructor() {
		/** @type {Record<string, HTMLElement>} */
		this.faces = { X: h("span.clock.num", { role: "timer" }), O: h("span.clock.num", { role: "timer" }) };
		/** @type {ClockState | null} */
		this.state = null;
		this.since = 0;
		this.timer = setInterval(() => this.draw(), 100);
	}

	/** @param {ClockState} state @param {number} since when the server said so */
	set(state, since) {
		this.state = state;
		this.since = since;
		this.draw();
	}

	draw() {
		const { state } = this;
		if (!state) return;
		const passed = (performance.now() - this.since) / 1000;
		for (const who of SEATS) {
			const runs = state.running === who;
			const whole = state[who];
			const total = whole !== null ? whole - (runs ? passed : 0) : null;
			const move = runs && state.move !== null ? state.move - passed : null;
			const face = this.faces[who];
			const left = [total, move].filter((seconds) => seconds !== null);
			face.hidden = !left.length;
			const shown = left.map(clockText);
			if (face.textContent !== shown.join("")) fill(face, shown[0], shown[1] && h("small", shown[1]));
			face.classList.toggle("runs", runs);
			face.classList.toggle("short", runs && Math.min(...left) < 10);
		}
	}

	close() {
		clearInterval(this.timer);
	}
}
