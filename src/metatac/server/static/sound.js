// Short tones, made on the spot; silent unless chosen.
import { settings } from "./settings.js";

/** @type {AudioContext | null} */
let audio = null;

const TONES = { move: [520, 0.06], reply: [390, 0.06], win: [660, 0.3], low: [180, 0.15] };

/** @param {keyof typeof TONES} kind */
export function play(kind) {
	if (!settings.sound) return;
	audio ??= new AudioContext();
	void audio.resume(); // one that was made before the first click is asleep
	const [pitch, length] = TONES[kind];
	const tone = audio.createOscillator();
	const gain = audio.createGain();
	tone.type = "triangle";
	tone.frequency.value = pitch;
	gain.gain.setValueAtTime(0.12, audio.currentTime);
	gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + length);
	tone.connect(gain).connect(audio.destination);
	tone.start();
	tone.stop(audio.currentTime + length);
}
