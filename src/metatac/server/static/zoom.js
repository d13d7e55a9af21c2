// What part of a drawing is seen: wheel, pinch, drag, double tap and buttons change its viewBox.
import { button, h } from "./dom.js";

const DRAG = 6;

export class Zoom {
	/** @param {SVGSVGElement} svg */
	constructor(svg) {
		this.svg = svg;
		this.width = 100;
		this.enabled = false;
		this.x = 0;
		this.y = 0;
		this.scale = 1;
		this.goal = /** @type {[number, number]} */ ([0, 0]);
		/** @type {Map<number, {x: number, y: number}>} */
		this.fingers = new Map();
		this.moved = 0;
		this.buttons = h(
			"div.zoom",
			{ hidden: true, role: "group", "aria-label": "Zoom" },
			button("+", () => this.by(1.6), "", { "aria-label": "Zoom in" }),
			button("−", () => this.by(1 / 1.6), "", { "aria-label": "Zoom out" }),
			button("⤢", () => this.reset(), "", { "aria-label": "Show the whole board" }),
		);
		svg.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
		svg.addEventListener("pointerdown", (e) => this.down(e));
		svg.addEventListener("pointermove", (e) => this.move(e));
		for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, (e) => this.fingers.delete(/** @type {PointerEvent} */ (e).pointerId));
	}

	/** @param {number} width @param {boolean} enabled */
	frame(width, enabled) {
		this.width = width;
		this.enabled = enabled;
		this.buttons.hidden = !enabled;
		this.reset();
	}

	reset() {
		this.scale = 1;
		this.x = this.y = 0;
		this.apply();
	}

	/** Whether the last press was a drag and not a click. */
	get dragged() {
		return this.moved > DRAG;
	}

	/** Pixels of one unit of the drawing. */
	get pixels() {
		return (this.svg.clientWidth / this.width) * this.scale;
	}

	apply() {
		const seen = this.width / this.scale;
		this.x = Math.min(Math.max(0, this.x), this.width - seen);
		this.y = Math.min(Math.max(0, this.y), this.width - seen);
		this.svg.setAttribute("viewBox", `${this.x} ${this.y} ${seen} ${seen}`);
		this.svg.classList.toggle("zoomed", this.scale > 1.01);
		this.svg.style.touchAction = !this.enabled ? "manipulation" : this.scale > 1.01 ? "none" : "pan-y";
	}

	/**
	 * Change the scale, keeping the point at (u, v), each 0 to 1, where it is: that of what is to be played in, if it is in sight.
	 * @param {number} factor
	 */
	by(factor, [u, v] = this.inSight(this.goal)) {
		const before = this.width / this.scale;
		this.scale = Math.min(Math.max(1, this.scale * factor), Math.max(1, this.width / 80));
		const after = this.width / this.scale;
		this.x += (before - after) * u;
		this.y += (before - after) * v;
		this.apply();
	}

	/** Where a point of the drawing is seen, or the middle. @param {[number, number]} at */
	inSight([x, y]) {
		const at = [x - this.x, y - this.y].map((way) => (way / this.width) * this.scale);
		return Math.min(...at) > 0 && Math.max(...at) < 1 ? at : [0.5, 0.5];
	}

	/** Show a square. @param {{x: number, y: number, size: number}} box */
	to(box) {
		const margin = box.size * 0.12;
		this.scale = Math.max(1, this.width / (box.size + 2 * margin));
		this.x = box.x - margin;
		this.y = box.y - margin;
		this.apply();
	}

	/** Put a square in the middle, as near as things are. @param {{x: number, y: number, size: number}} box */
	follow(box) {
		const off = (box.size - this.width / this.scale) / 2;
		this.x = box.x + off;
		this.y = box.y + off;
		this.apply();
	}

	/** Bring a point into sight. @param {number} x @param {number} y */
	reveal(x, y) {
		const far = this.width / this.scale - 12;
		if (Math.min(x - this.x, y - this.y) < 12 || Math.max(x - this.x, y - this.y) > far) this.follow({ x, y, size: 0 });
	}

	/** @param {number} x @param {number} y on the screen */
	share(x, y) {
		const box = this.svg.getBoundingClientRect();
		return [(x - box.left) / box.width, (y - box.top) / box.height];
	}

	/** @param {WheelEvent} event */
	wheel(event) {
		if (!this.enabled || (this.scale <= 1 && event.deltaY > 0)) return;
		event.preventDefault();
		this.by(Math.exp(-event.deltaY / 400), this.share(event.clientX, event.clientY));
	}

	/** @param {PointerEvent} event */
	down(event) {
		if (!this.fingers.size) this.moved = 0;
		this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
	}

	/** @param {PointerEvent} event */
	move(event) {
		const { pointerId: id, clientX: x, clientY: y } = event;
		const finger = this.fingers.get(id);
		if (!finger || !this.enabled) return;
		this.fingers.set(id, { x, y });
		const [dx, dy] = [x - finger.x, y - finger.y];
		if (this.fingers.size === 2) {
			const other = [...this.fingers].find(([one]) => one !== id)?.[1] ?? finger;
			const before = Math.hypot(finger.x - other.x, finger.y - other.y);
			const now = Math.hypot(x - other.x, y - other.y);
			this.moved = DRAG + 1;
			if (before > 0) this.by(now / before, this.share((x + other.x) / 2, (y + other.y) / 2));
		} else if (this.scale > 1) {
			this.moved += Math.hypot(dx, dy);
			if (this.dragged) {
				this.x -= dx / this.pixels;
				this.y -= dy / this.pixels;
				this.apply();
			}
		}
	}
}
