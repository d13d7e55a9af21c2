// Studying: any position or game, its variations, the engine's opinion and the course of the whole game.
import { allRules, blob, get, post } from "../api.js";
import { Analyst } from "../analyst.js";
import { Board } from "../board.js";
import { button, copy, fill, h, save, select, toast, wordsOf } from "../dom.js";
import { drawGraph } from "../graph.js";
import { fileName, saveButtons } from "../lists.js";
import { stepButtons } from "../moves.js";
import { keep, recall } from "../settings.js";
import { Setup } from "../setup.js";
import { drawTree, Knot, pack, unpack } from "../tree.js";

/** @param {string} [id] */
export async function open(id) {
	const query = new URLSearchParams(location.search);
	const rules = await allRules();
	const page = new AnalysisPage(rules, id);
	const where = query.get("tournament");
	let end;
	if (id) {
		const game = await get(`/games/${encodeURIComponent(id)}`);
		page.heading = `${game.seats.X.name} – ${game.seats.O.name}`;
		page.over = game.phase === "over";
		await page.load(game.start, game.moves.map((/** @type {Played} */ m) => m.move));
	} else if (where) {
		const game = await get(`/tournaments/${encodeURIComponent(where)}/games/${query.get("n")}`);
		page.heading = `${game.x} – ${game.o}`;
		page.over = true;
		await page.load(game.start, game.moves);
	} else {
		const start = query.get("p") ?? (await post("/positions", { game: query.get("game") ?? "ultimate" })).text;
		end = await page.follow(start, unpack(query.get("m") ?? ""), unpack(query.get("t") ?? ""));
	}
	page.resume(query.get("ply"), end);
	if (page.over) void page.report();
	return { el: page.el, title: page.heading || "Analysis", close: () => page.close(), key: (/** @type {KeyboardEvent} */ e) => page.key(e) };
}

class AnalysisPage {
	/** @param {RuleEntry[]} rules @param {string} [id] */
	constructor(rules, id) {
		this.rules = rules;
		this.id = id;
		/** Whose game it is. */
		this.heading = "";
		this.root = new Knot("", null);
		this.here = this.root;
		this.closed = false;
		/** Whether it is a finished game: only those are searched for mistakes unasked. */
		this.over = false;
		/** @type {GameReport | null} */
		this.course = null;
		/** @type {Setup | null} */
		this.setup = null;
		this.board = new Board({ play: (move) => this.play([move]) }, "Analysis board");
		this.analyst = new Analyst(() => this.drawBoard(), (moves) => this.play(moves));
		this.tree = h("div.tree", { tabindex: 0, role: "region", "aria-label": "Moves and variations" });
		this.name = h("p.heading");
		this.graph = h("div.course");
		this.tools = h("div.tools");
		this.side = h("div.stack.side");
		this.center = h("div.center.withbar", this.analyst.bar, this.board.el);
		this.el = h("div.analysis", { "data-wide": "1" }, h("h1.hidden", "Analysis"), this.center, this.side);
		this.showSide();
	}

	showSide() {
		fill(
			this.side,
			h("div.panel", this.analyst.el),
			h(
				"div.panel.movebox",
				this.name,
				this.tree,
				h("div.steps", {}, ...stepButtons((key) => this.walk(key))),
				h("div.row.small", button("Make main line", () => {
					this.here.promote();
					this.draw();
				}, "quiet"), button("Delete from here", () => this.cut(), "quiet danger")),
			),
			h("div.panel", this.graph),
			h("div.panel", this.tools),
		);
		this.drawGraph();
		this.drawTools();
	}

	close() {
		this.closed = true;
		this.analyst.close();
	}

	// -- the tree

	/** @param {string} start @param {string[]} moves @param {TreeNode[]} [tree] */
	async load(start, moves, tree = []) {
		const { positions } = await post("/positions/walk", { position: start, moves });
		this.here = this.root = new Knot("", null);
		this.root.position = positions[0];
		this.root.graft(tree);
		moves.reduce((at, move, i) => Object.assign(at.child(move), { position: positions[i + 1] }), this.root);
	}

	/** A link: somebody may have cut it or made it up. @param {string} start @param {TreeNode[]} line to where one is @param {TreeNode[]} tree */
	async follow(start, line, tree) {
		const given = new Knot("", null);
		given.graft(tree);
		given.graft(line);
		const { tree: legal, problem } = await post("/positions/prune", { position: start, tree: given.plain });
		if (problem) toast(`Not all of this link can be played: ${problem}`, "bad");
		await this.load(start, [], legal);
		let end = this.root;
		for (let next = /** @type {Knot | undefined} */ (end); next; next = end.find(line[end.ply]?.move)) end = next;
		return end;
	}

	/** Go on where a reload interrupted. @param {string | null} ply @param {Knot} [end] */
	resume(ply, end = this.root) {
		const saved = recall(this.key0, "sessionStorage");
		const same = saved && saved.start === this.start;
		if (same) this.root.graft(saved.tree);
		let at = ply !== null ? this.root.main[Number(ply) - 1] ?? this.root : end;
		if (same && this.id) {
			at = this.root;
			for (const move of saved.path) at = at.child(move);
		}
		void this.goTo(at);
	}

	get key0() {
		const query = new URLSearchParams(location.search);
		return `analysis ${this.id ?? query.get("tournament") ?? ""} ${query.get("n") ?? ""}`;
	}

	/** @param {Knot} knot */
	async goTo(knot) {
		this.goal = knot;
		if (!knot.position) {
			const missing = knot.line.filter((k) => !k.position); // the end of it
			const { positions } = await post("/positions/walk", { position: missing[0].parent?.position?.text, moves: missing.map((k) => k.move) });
			missing.forEach((k, i) => (k.position = positions[i + 1]));
		}
		if (this.goal !== knot || knot.root !== this.root || this.closed) return; // somewhere else meanwhile
		this.here = knot;
		this.draw();
	}

	/** @param {string[]} moves */
	async play(moves) {
		let at = this.here;
		for (const move of moves) {
			const position = at.find(move)?.position ?? (await post("/positions/play", { position: at.position?.text, move }));
			at = at.child(move);
			at.position = position;
		}
		await this.goTo(at);
	}

	cut() {
		const { parent } = this.here;
		if (!parent) return;
		this.here.remove();
		void this.goTo(parent);
	}

	/** @param {string} key @returns {boolean} whether it was one of ours */
	walk(key) {
		const { here } = this;
		const around = here.parent?.children ?? [here];
		const at = around.indexOf(here);
		const goals = /** @type {Record<string, Knot | undefined | null>} */ ({
			ArrowLeft: here.parent,
			ArrowRight: here.children[0],
			ArrowUp: around[at - 1],
			ArrowDown: around[at + 1],
			Home: this.root,
			End: here.main.at(-1),
		});
		if (!(key in goals)) return false;
		const goal = goals[key];
		if (goal) this.goTo(goal);
		return true;
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		if (this.setup) return;
		if (this.walk(event.key)) event.preventDefault();
		else if (event.key === "b" && this.analyst.result?.best[0]) void this.play([this.analyst.result.best[0].move]);
	}

	// -- drawing

	draw() {
		this.drawBoard();
		drawTree(this.tree, this.root, this.here, (k) => this.goTo(k));
		const position = /** @type {Position} */ (this.here.position);
		this.analyst.look(position, (this.onMain ? this.course?.plies.find((p) => p.ply === this.here.ply)?.score_x : null) ?? null);
		fill(this.name, this.heading);
		this.drawGraph();
		this.remember();
		const text = /** @type {HTMLInputElement | null} */ (this.tools.querySelector("#position-text"));
		if (text) text.value = position.text;
	}

	drawBoard() {
		const position = this.here.position;
		if (!position || this.setup) return;
		const { result, heat } = this.analyst;
		const hot = heat && result && this.analyst.position?.text === position.text ? result.heat : null;
		this.board.show(position, { live: !position.outcome, heat: hot, data: { ply: this.here.ply, moves: this.root.main.length } });
	}

	/** Keep the address and the tree for a reload or a share. */
	remember() {
		const query = new URLSearchParams(location.search);
		if (this.onMain || !this.here.ply) query.set("ply", String(this.here.ply));
		history.replaceState(history.state, "", this.id || query.has("tournament") ? `${location.pathname}?${query}` : this.share);
		keep(this.key0, { start: this.start, tree: this.root.plain, path: this.here.moves }, "sessionStorage");
	}

	get start() {
		return this.root.position?.text ?? "";
	}

	get onMain() {
		return this.root.main[this.here.ply - 1] === this.here;
	}

	get share() {
		const query = new URLSearchParams({ p: this.start });
		if (this.here.ply) query.set("m", this.here.moves.join(" "));
		const tree = this.root.plain;
		const text = pack(tree);
		if (tree.length > this.here.ply && text.length < 6000) query.set("t", text);
		return `/analysis?${query}`;
	}

	// -- the whole game

	async report() {
		const { root } = this;
		if (!root.children.length) return;
		try {
			const ask = this.id ? { game_id: this.id } : { record: await (await blob("/records/export", { start: this.start, moves: this.root.main.map((k) => k.move), format: "txt" })).text() };
			const { job } = await post("/analysis/game", ask);
			for (;;) {
				const course = /** @type {GameReport} */ (await get(`/analysis/game/${job}`));
				if (this.closed || this.root !== root) return; // another game is studied meanwhile
				this.course = course;
				for (const p of course.plies) {
					const knot = root.main[p.ply - 1];
					if (knot && knot.move === p.move) knot.mark = p.mark;
				}
				this.draw();
				if (course.state === "done" || course.state === "failed") return;
				await new Promise((done) => setTimeout(done, 700));
			}
		} catch (problem) {
			if (!this.closed) throw problem;
		}
	}

	drawGraph() {
		const { course } = this;
		if (!course) return fill(this.graph, h("h2", "The whole game"), button("Look for mistakes", () => this.report(), "", { disabled: !this.root.children.length }));
		const at = this.onMain ? this.here.ply : 0;
		const busy = course.state === "done" ? "" : course.state === "failed" ? course.error ?? "It failed." : ` ${course.done} of ${course.of}…`;
		const sure = course.accuracy;
		const count = (/** @type {string} */ mark, /** @type {string} */ word, many = `${word}s`) => {
			const n = course.plies.filter((p) => p.mark === mark).length;
			return `${n} ${n === 1 ? word : many}`;
		};
		this.graph.dataset.state = course.state;
		fill(
			this.graph,
			h("h2", "The whole game", h("span.muted.small", busy)),
			drawGraph(course.plies, course.of, at, (ply) => this.goTo(ply ? this.root.main[ply - 1] : this.root)),
			h("p.small.num", busy && "So far: ", sure && sure.X !== null && sure.O !== null ? `Accuracy X ${Math.round(sure.X)} %, O ${Math.round(sure.O)} %. ` : "", `${count("??", "blunder")}, ${count("?", "mistake")}, ${count("?!", "inaccuracy", "inaccuracies")}.`),
		);
	}

	// -- tools: set up, import, export

	drawTools() {
		const text = h("input.code", { id: "position-text", readonly: true, "aria-label": "This position as text", value: this.here.position?.text ?? "" });
		const tell = h("div", { role: "status" });
		const others = h("div.stack", { role: "status" });
		const area = h("textarea.code", { rows: 4, spellcheck: "false", "aria-label": "Record or position to import", placeholder: "A record or a position in any notation metatac reads" });
		const games = select("Another game, from its start", [["", "…"], ...this.rules.map((r) => [r.name, r.title])], "", (v) => v && this.fresh({ game: v }));
		fill(
			this.tools,
			h("div.row", button("Set up a position", () => this.edited()), button("Share link", () => copy(location.origin + this.share, "Link copied."))),
			games,
			h("label.field", h("span", "Position"), text),
			h("div.stack", button("In other notations", () => this.forms(others), "quiet"), others),
			h("div.row.small", h("span.muted", "Save:"), ...saveButtons((f) => this.export(f))),
			h("details", h("summary", "Import"), h("div.stack", area, button("Import", () => this.import(area.value, tell)), tell)),
		);
	}

	/** @param {HTMLElement} host */
	async forms(host) {
		const { forms } = await post("/positions/forms", { position: this.here.position?.text });
		const rows = Object.entries(forms).map(([name, value]) => h("label.field", h("span", name), h("input.code", { readonly: true, value })));
		fill(host, ...(rows.length ? rows : ["Nobody else has a notation for this game that metatac writes."]));
	}

	/** @param {any} what */
	async fresh(what) {
		await this.replace((await post("/positions", what)).text, []);
	}

	/** Begin anew from another start. @param {string} start @param {TreeNode[]} tree @param {string} [heading] */
	async replace(start, tree, heading = "") {
		this.heading = heading;
		this.id = undefined;
		this.course = null;
		await this.load(start, [], tree);
		history.pushState(null, "", this.share);
		scrollTo(0, 0);
		await this.goTo(this.root);
	}

	edited() {
		const leave = () => {
			this.setup = null;
			fill(this.center, this.analyst.bar, this.board.el);
			this.showSide();
			this.draw();
		};
		const position = /** @type {Position} */ (this.here.position);
		this.setup = new Setup(position, (found) => {
			leave();
			void this.replace(found.text, []);
		}, leave);
		fill(this.center, this.setup.board.el);
		scrollTo(0, 0);
		fill(this.side, h("div.panel", h("h2", "Set up a position"), this.setup.el));
	}

	/** @param {string} text @param {HTMLElement} tell */
	async import(text, tell) {
		fill(tell);
		try {
			const { records } = await post("/records/import", { text });
			const use = (/** @type {RecordData} */ r) => this.replace(r.start, r.tree, r.title);
			if (records.length === 1) return await use(records[0]);
			fill(tell, h("p", `${records.length} games:`), ...records.slice(0, 100).map((/** @type {any} */ r, /** @type {number} */ i) => button(`${i + 1}. ${r.title} ${r.result ?? ""}`, () => use(r))));
		} catch (first) {
			try {
				await this.fresh({ text });
			} catch {
				fill(tell, h("p.error", wordsOf(first)));
			}
		}
	}

	/** @param {string} format */
	async export(format) {
		const what = format === "svg" ? { moves: this.here.moves } : { tree: this.root.plain };
		save(await blob("/records/export", { start: this.start, format, ...what }), fileName("metatac", format));
	}
}
