// Runs before the first paint, so that a page in the chosen theme never flashes in the other.
(() => {
	try {
		const theme = JSON.parse(localStorage.getItem("metatac") || "{}").theme;
		if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
	} catch {
		// No storage, no choice: the system's theme.
	}
})();
