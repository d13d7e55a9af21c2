// What a person chose for this browser, kept in its local storage.

/** @typedef {{theme: "auto" | "light" | "dark", sound: boolean, confirm: "never" | "touch" | "always", arrows: boolean}} Settings */

const KEY = "metatac";

/** What was kept in this browser, or only as long as its tab; null without it. @param {string} key @param {"localStorage" | "sessionStorage"} [where] */
export function recall(key, where = "localStorage") {
	try {
		return JSON.parse(globalThis[where].getItem(key) ?? "null");
	} catch {
		return null;
	}
}

/** @param {string} key @param {any} value @param {"localStorage" | "sessionStorage"} [where] */
export function keep(key, value, where = "localStorage") {
	try {
		globalThis[where].setItem(key, JSON.stringify(value));
	} catch {
		// A browser without storage, or a full one, forgets.
	}
}

export const settings = /** @type {Settings} */ ({ theme: "auto", sound: false, confirm: "never", arrows: true, ...recall(KEY) });

/** @param {Partial<Settings>} change */
export function choose(change) {
	Object.assign(settings, change);
	keep(KEY, settings);
	if (settings.theme === "auto") delete document.documentElement.dataset.theme;
	else document.documentElement.dataset.theme = settings.theme;
}
