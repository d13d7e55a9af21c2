// Beginning and joining games, from whichever page.
import { post } from "./api.js";
import { go } from "./app.js";
import { keep, recall } from "./settings.js";

/** Moves to make as soon as a game's page is connected. @type {Map<string, string>} */
export const firstMoves = new Map();

/** @param {Record<string, any>} wanted @param {string} [move] the first move, if it is made already */
export async function create(wanted, move) {
	const made = await post("/games", wanted);
	if (made.invite) keep(`invite ${made.id}`, made.invite);
	if (move) firstMoves.set(made.id, move);
	await go(`/game/${made.id}`);
}

/** @param {string} id @param {string} [token] */
export async function join(id, token) {
	await post(`/games/${id}/join`, token ? { token } : {});
	go(`/game/${id}`, Boolean(token));
}

/** An invitation is told once, to its maker: his browser remembers it. @param {string} id @returns {string | null} */
export const inviteOf = (id) => recall(`invite ${id}`);
