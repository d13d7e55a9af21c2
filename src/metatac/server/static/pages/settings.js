// The settings, as a dialog over any page.
import { get, post } from "../api.js";
import { button, h, segmented, toast } from "../dom.js";
import { choose, settings } from "../settings.js";
import { play } from "../sound.js";

export async function openSettings() {
	const name = h("input", { id: "my-name", maxlength: 24, autocomplete: "nickname" });
	get("/me").then((me) => (name.value = me.name));
	const dialog = h(
		"dialog",
		{ "aria-labelledby": "settings-title" },
		h("h2", { id: "settings-title" }, "Settings"),
		h(
			"form.stack",
			{ method: "dialog" },
			h("label.field", h("span", "Your name"), name),
			segmented("Theme", [["auto", "System"], ["light", "Light"], ["dark", "Dark"]], settings.theme, (v) => choose({ theme: /** @type {any} */ (v) })),
			segmented("Confirm a move by a second tap", [["never", "Never"], ["touch", "On touch"], ["always", "Always"]], settings.confirm, (v) => choose({ confirm: /** @type {any} */ (v) })),
			check("Sound", settings.sound, (on) => {
				choose({ sound: on });
				play("move");
			}),
			check("Arrows that show where a move sends", settings.arrows, (on) => choose({ arrows: on })),
			h("div.row", button("Done", () => dialog.close(), "primary", { autofocus: true })),
		),
	);
	name.addEventListener("change", () => post("/me", { name: name.value }, "PUT").then(() => toast("Name saved.")));
	dialog.addEventListener("close", () => dialog.remove());
	document.body.append(dialog);
	dialog.showModal();
}

/** @param {string} label @param {boolean} on @param {(on: boolean) => void} act */
function check(label, on, act) {
	const box = h("input", { type: "checkbox", checked: on, onchange: () => act(box.checked) });
	return h("label.check", box, h("span", label));
}
