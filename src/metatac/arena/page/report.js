// The list of games and the board that replays them. The data lie in the page, compressed; nothing is fetched.
"use strict";

(async () => {
  const byId = (id) => document.getElementById(id);
  const inflate = async (id) => {
    const bytes = Uint8Array.from(atob(byId(id).textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  };
  const tell = (parent, name, text, kind = "") => {
    const child = document.createElement(name);
    child.textContent = text;
    if (kind) child.className = kind;
    parent.append(child);
    return child;
  };

  const { names, games, chunk, side, depth } = await inflate("index");
  const ROWS = 200;
  const pieces = new Map();
  const details = async (place) => {
    const number = Math.floor(place / chunk);
    if (!pieces.has(number)) pieces.set(number, inflate(`piece-${number}`));
    return (await pieces.get(number))[place % chunk];
  };
  const replay = new Replay(byId("board").querySelector("svg"), side, depth);
  let open = null, ply = 0, timer = null, shown = ROWS;

  // -- the list

  const ends = [...new Set(games.map((game) => game[6]))].sort();
  for (const [number, name] of names.entries()) tell(byId("who"), "option", name).value = number;
  for (const reason of ends) tell(byId("how"), "option", reason).value = reason;

  const chosenGames = () => {
    const who = byId("who").value, how = byId("how").value;
    return games
      .map((game, place) => [game, place])
      .filter(([game]) => (who === "" || game[3] === +who || game[4] === +who) && (how === "" || game[6] === how));
  };

  const fill = () => {
    const found = chosenGames(), body = byId("rows");
    body.replaceChildren();
    for (const [game, place] of found.slice(0, shown)) {
      const [number, round, stage, x, o, result, reason] = game;
      const row = document.createElement("tr");
      row.tabIndex = 0;
      row.dataset.place = place;
      if (open && open.place === place) row.className = "chosen";
      tell(row, "td", number + 1, "dim");
      tell(row, "td", stage || round, "left dim");
      const ex = tell(row, "td", "", "left"), oh = tell(row, "td", "", "left");
      tell(ex, result === "1-0" ? "b" : "span", names[x]);
      tell(oh, result === "0-1" ? "b" : "span", names[o]);
      tell(row, "td", result.replace("1/2-1/2", "½-½"));
      tell(row, "td", reason, "left dim");
      row.onclick = () => choose(place);
      row.onkeydown = (event) => event.key === "Enter" && choose(place);
      body.append(row);
    }
    byId("count").textContent = `${found.length} game${found.length === 1 ? "" : "s"}`;
    byId("more").hidden = found.length <= shown;
  };
  for (const id of ["who", "how"]) byId(id).onchange = () => { shown = ROWS; fill(); };
  byId("more").onclick = () => { shown += ROWS; fill(); };

  // -- the board

  const choose = async (place, at = null) => {
    const [number, round, stage, x, o, result, reason, detail, px, po] = games[place];
    const [moves, steps, opening, errors] = await details(place);
    open = { place, moves: moves ? moves.split(" ") : [], steps: steps.split("|"), opening };
    const title = byId("title");
    title.replaceChildren();
    tell(title, "span", names[x], "x");
    title.append(" – ");
    tell(title, "span", names[o], "o");
    byId("said").textContent = `Game ${number + 1}${stage ? `, ${stage}` : `, round ${round}`}: ${result.replace("1/2-1/2", "½-½")}` +
      ` by ${reason}, ${px} to ${po} points.${detail ? ` ${detail}` : ""}`;
    const list = byId("moves");
    list.replaceChildren();
    open.moves.forEach((move, index) => {
      const mover = open.steps[index][0].toLowerCase();
      const span = tell(list, "span", move, mover + (index < opening ? " opening" : ""));
      span.onclick = () => go(index + 1);
      list.append(" ");
    });
    byId("errors").replaceChildren();
    errors.forEach((text, seat) => {
      if (!text) return;
      tell(byId("errors"), "p", `${seat ? "O" : "X"} wrote to stderr:`, "dim");
      tell(byId("errors"), "pre", text);
    });
    byId("where").max = open.moves.length;
    byId("viewer").hidden = false;
    document.querySelectorAll("#rows tr").forEach((row) => (row.className = +row.dataset.place === place ? "chosen" : ""));
    history.replaceState(null, "", `#game-${number + 1}`);
    go(at === null ? open.moves.length : at);
  };

  const go = (to) => {
    if (!open) return;
    ply = Math.max(0, Math.min(open.moves.length, to));
    const turn = replay.show(open.steps, ply);
    byId("where").value = ply;
    byId("state").textContent = `${ply} of ${open.moves.length} moves${turn === "." ? "" : `, ${turn} to move`}`;
    byId("moves").querySelectorAll("span").forEach((span, index) => {
      span.classList.toggle("now", index === ply - 1);
      if (index === ply - 1) byId("moves").scrollTop = span.offsetTop - byId("moves").offsetTop - 50;
    });
  };
  const halt = () => { clearInterval(timer); timer = null; byId("play").textContent = "▶"; };
  const play = () => {
    if (timer) return halt();
    if (ply === open.moves.length) go(0);
    byId("play").textContent = "❚❚";
    timer = setInterval(() => (ply < open.moves.length ? go(ply + 1) : halt()), 600);
  };
  const step = (to) => { halt(); go(to()); };
  byId("start").onclick = () => step(() => 0);
  byId("back").onclick = () => step(() => ply - 1);
  byId("next").onclick = () => step(() => ply + 1);
  byId("end").onclick = () => step(() => open.moves.length);
  byId("play").onclick = play;
  byId("where").oninput = () => step(() => +byId("where").value);
  document.addEventListener("keydown", (event) => {
    if (!open || ["SELECT", "INPUT"].includes(event.target.tagName)) return;
    const keys = { ArrowLeft: () => ply - 1, ArrowRight: () => ply + 1, Home: () => 0, End: () => open.moves.length };
    if (keys[event.key]) { event.preventDefault(); step(keys[event.key]); }
  });
  document.querySelectorAll("[data-player]").forEach((name) => {
    name.onclick = () => { byId("who").value = name.dataset.player; shown = ROWS; fill(); byId("games-section").scrollIntoView(); };
  });

  fill();
  // A link to a game leads to it, and not to the top of a long page.
  const follow = async () => {
    const wanted = /^#game-(\d+)$/.exec(location.hash);
    const place = wanted ? games.findIndex((game) => game[0] === wanted[1] - 1) : -1;
    if (place >= 0) { await choose(place); byId("games-section").scrollIntoView(); }
    return place >= 0;
  };
  addEventListener("hashchange", follow);
  if (!await follow() && games.length) await choose(0);
  document.body.dataset.ready = "yes";
})();
