// What a person chose for this browser, kept in its local storage.

/** @typedef {{theme: "auto" | "light" | "dark", sound: boolean, confirm: "never" | "touch" | "always", arrows: boolean}} Settings */

const KEY = "metatac";

/** @returns {Settings} */
function load() {
	const plain = /** @type {Settings} */ ({ theme: "auto", sound: false, confirm: "never", arrows: true });
	try {
		return { ...plain, ...JSON.parse(localStorage.getItem(KEY) || "{}") };
	} catch {
		return plain;
	}
}

export const settings = load();

/** @param {Partial<Settings>} change */
export function choose(change) {
	Object.assign(settings, change);
	try {
		localStorage.setItem(KEY, JSON.stringify(settings));
	} catch {
		// A browser without storage forgets; that is its owner's choice.
	}
	if (settings.theme === "auto") delete document.documentElement.dataset.theme;
	else document.documentElement.dataset.theme = settings.theme;
}
