
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const layers = [...document.querySelectorAll("#board svg > g")];
const end = data.frames.length - 1;
const states = [data.frames[0]];
for (let at = 1; at <= end; at++) {
  const state = states[at - 1].slice();
  for (const [layer, piece] of Object.entries(data.frames[at])) state[layer] = piece;
  states.push(state);
}
const slider = document.getElementById("at");
const moves = [...document.querySelectorAll("#moves button")];
const play = document.querySelector("[data-step=play]");
let at = data.at, timer = null;

function show(wanted) {
  const next = Math.max(0, Math.min(end, wanted));
  layers.forEach((layer, number) => {
    if (states[next][number] !== states[at][number]) layer.innerHTML = data.pieces[states[next][number]];
  });
  at = next;
  slider.value = at;
  document.getElementById("said").textContent = data.said[at];
  document.getElementById("note").textContent = data.notes[at];
  document.getElementById("where").textContent = at ? `move ${at} of ${end}` : `start, ${end} moves`;
  moves.forEach((move, number) => {
    if (number + 1 === at) move.setAttribute("aria-current", "step");
    else move.removeAttribute("aria-current");
  });
  const list = document.getElementById("moves");
  const here = moves[at - 1];
  if (here) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
  else list.scrollTop = 0;
}

function stop() {
  clearInterval(timer);
  timer = null;
  play.textContent = "▶ Play";
  play.setAttribute("aria-label", "Play");
}

function start() {
  if (at === end) show(0);
  timer = setInterval(() => {
    show(at + 1);
    if (at === end) stop();
  }, Number(document.getElementById("speed").value));
  play.textContent = "❚❚ Pause";
  play.setAttribute("aria-label", "Pause");
}

const steps = {
  first: () => show(0),
  back: () => show(at - 1),
  next: () => show(at + 1),
  last: () => show(end),
  play: start,
};

function step(name) {
  const running = timer !== null;
  stop();
  if (!(name === "play" && running)) steps[name]();
}

if (end > 0) {
  for (const part of document.querySelectorAll("#controls, .keys")) part.hidden = false;
  for (const button of document.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => step(button.dataset.step));
  }
  moves.forEach((move) => move.addEventListener("click", () => { stop(); show(Number(move.dataset.at)); }));
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  document.getElementById("speed").addEventListener("change", () => { if (timer !== null) { stop(); start(); } });
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
  document.addEventListener("keydown", (event) => {
    const name = keys[event.key];
    const typing = event.target.matches("input, select") || (event.key === " " && event.target.matches("button"));
    if (!name || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    step(name);
  });
  show(at);
}
