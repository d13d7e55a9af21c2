// A new game: which, against whom, which side, which clock.
import { allRules, post } from "../api.js";
import { Board } from "../board.js";
import { button, fill, h, link, segmented, select, wordsOf } from "../dom.js";
import { create } from "../play.js";

const OPPONENTS = [["engine", "Engine"], ["friend", "Friend by link"], ["open", "Anybody"], ["self", "One screen"], ["engines", "Two engines"]];
const ABOUT = /** @type {Record<string, string>} */ ({
	engine: "Twelve levels; every level is as strong on any machine.",
	friend: "You get a secret link to send. Whoever opens it first has the other seat.",
	open: "Your challenge stands in the lobby until somebody takes it.",
	self: "Both of you play on this screen, in turns.",
	engines: "Sit back and watch.",
});
const EXAMPLE = 'inherits = "ultimate"\ntitle = "My game"\nline = "loses"\n';
const CLOCKS = [["none", "No clock"], ["game", "As the game says"], ["15/move", "15 s a move"], ["30/move", "30 s a move"], ["1m+1s", "1 min + 1 s"], ["3m+2s", "3 min + 2 s"], ["5m+3s", "5 min + 3 s"], ["10m+5s", "10 min + 5 s"]];

export async function open() {
	const rules = await allRules();
	const query = new URLSearchParams(location.search);
	const wish = { game: query.get("game") ?? "ultimate", opponent: query.get("opponent") ?? "engine", side: "toss", time: "none", level: 3, levels: [6, 6], toml: "" };
	if (!rules.some((r) => r.name === wish.game) && wish.game !== "custom") wish.game = "ultimate";
	const board = new Board({}, "The board of this game");
	const error = h("p.error", { role: "alert" });
	const about = h("p.muted.small");
	const extra = h("div.stack");
	const setup = h("div.stack");
	let ready = true;
	let ask = 0;

	const preview = async () => {
		const mine = ++ask;
		try {
			const custom = wish.game === "custom";
			const found = custom ? (await post("/rules/check", { toml: wish.toml })).position : await post("/positions", { game: wish.game });
			if (mine !== ask) return;
			board.show(found, { note: found.title, data: { ply: 0 } });
			error.textContent = "";
			ready = true;
		} catch (problem) {
			if (mine !== ask) return;
			error.textContent = wordsOf(problem);
			ready = false;
		}
		start.disabled = !ready;
	};

	const pickGame = () => {
		const entry = rules.find((r) => r.name === wish.game);
		if (entry) fill(about, `${entry.summary} `, link(`/rules/${entry.name}`, "Rules"));
		else fill(about, "Paste the rules as TOML. They may inherit any of the games above. ", link("/about#variants", "How"));
		fill(setup);
		if (!entry) {
			wish.toml ||= EXAMPLE;
			const text = h("textarea.code", { rows: 8, spellcheck: "false", maxlength: 4096, "aria-label": "Rules as TOML", value: wish.toml });
			let timer = 0;
			text.addEventListener("input", () => {
				wish.toml = text.value;
				clearTimeout(timer);
				timer = setTimeout(preview, 300);
			});
			fill(setup, text);
		}
		void preview();
	};

	const pickOpponent = () => {
		const level = (/** @type {number} */ value, /** @type {(n: number) => void} */ put, /** @type {string} */ label) => {
			const out = h("output.num", String(value));
			const range = h("input", { type: "range", min: 1, max: 12, value, "aria-label": label });
			range.addEventListener("input", () => {
				out.textContent = range.value;
				put(Number(range.value));
			});
			return h("label.field", h("span", `${label} `, out), range);
		};
		const sides = segmented("You play", [["X", "X (first)"], ["toss", "Toss"], ["O", "O"]], wish.side, (v) => (wish.side = v));
		fill(
			extra,
			h("p.muted.small", ABOUT[wish.opponent]),
			wish.opponent === "engine" ? level(wish.level, (n) => (wish.level = n), "Level") : null,
			...(wish.opponent === "engines" ? [level(wish.levels[0], (n) => (wish.levels[0] = n), "Level of X"), level(wish.levels[1], (n) => (wish.levels[1] = n), "Level of O")] : []),
			["engine", "friend", "open"].includes(wish.opponent) ? sides : null,
		);
	};

	const start = button("Start the game", async () => {
		start.disabled = true;
		await create(body()).finally(() => (start.disabled = !ready));
	}, "primary big");

	const body = () => ({
		...(wish.game === "custom" ? { toml: wish.toml } : { game: wish.game }),
		opponent: wish.opponent,
		...(wish.opponent === "engine" ? { level: wish.level } : {}),
		...(wish.opponent === "engines" ? { levels: wish.levels } : {}),
		side: wish.side,
		time: wish.time,
	});

	const games = select("Game", [...rules.map((r) => [r.name, r.title]), ["custom", "Your own rules (TOML)…"]], wish.game, (v) => {
		wish.game = v;
		pickGame();
	});
	pickGame();
	pickOpponent();
	const el = h(
		"div.new",
		h("div.panel.stack", h("h1", "New game"), games, about, setup, error, segmented("Against", OPPONENTS, wish.opponent, (v) => {
			wish.opponent = v;
			pickOpponent();
		}), extra, select("Clock", CLOCKS, wish.time, (v) => (wish.time = v)), start),
		h("div.preview", board.el),
	);
	return { el, title: "New game" };
}
