// Replays games on a board drawn by metatac. It knows no rules: every step says what it changes (see replay.py).
"use strict";

class Replay {
  // The svg is the start position as `board_svg` draws it; its boards stand in the order of their numbers.
  constructor(svg, side, depth) {
    this.svg = svg;
    this.side = side;
    this.depth = depth;
    this.cell = 20;
    this.boards = [...svg.querySelectorAll("g.board")];
    this.frames = [...svg.querySelectorAll("rect.frame")];
    svg.querySelectorAll(".turn").forEach((mark) => mark.remove());
  }

  // The board after so many moves.
  show(steps, ply) {
    const state = this.stateAt(steps, ply);
    this.svg.querySelectorAll(".placed").forEach((mark) => mark.remove());
    this.boards.forEach((board, number) => this.drawBoard(board, number, state));
    this.drawGroups(state);
    return state.turn;
  }

  stateAt(steps, ply) {
    const state = { cells: {}, owners: {}, groups: {}, shut: {}, tallies: {}, last: new Set(), lit: "0", turn: "X" };
    for (let number = 0; number <= ply; number++) {
      const [head, ...changes] = steps[number].split(",");
      state.turn = head[0];
      state.lit = head.slice(1);
      state.last.clear();
      for (const change of changes) this.apply(state, change, number > 0);
    }
    return state;
  }

  apply(state, change, isMove) {
    const kind = change[0];
    if (kind === "s") state.shut[change.slice(1)] = true;
    else if (kind === "l") state.last = new Set(change.slice(1).split(":").filter(Boolean).map(Number));
    else if (kind === "w") state.owners[change.slice(1, -1)] = change.slice(-1);
    else if (kind === "g") state.groups[change.slice(1, -1)] = change.slice(-1);
    else if (kind === "t") {
      const [board, x, o] = change.slice(1).split(":");
      state.tallies[board] = [Number(x), Number(o)];
    } else {
      const place = Number(change.slice(0, -1));
      state.cells[place] = change.slice(-1);
      if (isMove && "XO".includes(change.slice(-1))) state.last.add(place);
    }
  }

  drawBoard(board, number, state) {
    const size = this.side * this.side;
    const owner = state.owners[number];
    const lit = this.bit(state.lit, number);
    const kinds = ["board"];
    if (lit) kinds.push("lit");
    if (state.shut[number] && this.depth > 1) kinds.push("shut");
    if (owner && owner !== ".") kinds.push(`won-${owner.toLowerCase()}`);
    board.setAttribute("class", kinds.join(" "));
    const grid = board.querySelector(".grid");
    const paths = { X: "", O: "", last: "", ban: "", hatch: "" };
    for (let place = 0; place < size; place++) {
      const mark = state.cells[number * size + place] || ".";
      const x = (place % this.side) * this.cell;
      const y = Math.floor(place / this.side) * this.cell;
      const square = `M${x} ${y}h20v20h-20z`;
      if (state.last.has(number * size + place)) paths.last += square;
      if (mark === "X" || mark === "O") paths[mark] += this.shape(mark, x, y, this.cell);
      if (mark === "#") {
        paths.ban += square;
        paths.hatch += `M${x} ${y + 10}l10 -10M${x} ${y + 20}l20 -20M${x + 10} ${y + 20}l10 -10`;
      }
    }
    for (const kind of ["last", "ban", "hatch"]) if (paths[kind]) this.put(board, kind, paths[kind], grid);
    const whole = this.side * this.cell;
    if (owner && owner !== "." && this.depth > 1) this.putBig(board, owner, "big", 0, 0, whole, 0.13);
    for (const mark of ["X", "O"]) if (paths[mark]) this.put(board, `mark ${mark.toLowerCase()}`, paths[mark]);
    this.drawTallies(board, state.tallies[number], whole);
    board.querySelectorAll("text.cell").forEach((name) => {
      const place = Math.round((name.getAttribute("y") - 6) / 20) * this.side + Math.round((name.getAttribute("x") - 2) / 20);
      name.style.display = state.cells[number * size + place] ? "none" : "";
    });
  }

  drawTallies(board, tallies, whole) {
    if (!tallies || tallies[0] + tallies[1] === 0) return;
    const total = tallies[0] + tallies[1];
    const step = Math.min(7, (whole - 11) / total);
    let x = whole - total * step;
    ["X", "O"].forEach((mark, index) => {
      let shape = "";
      for (let count = 0; count < tallies[index]; count++, x += step) shape += this.shape(mark, x, -8, 7);
      if (shape) this.put(board, `tally ${mark.toLowerCase()}`, shape);
    });
  }

  drawGroups(state) {
    this.frames.forEach((frame, number) => {
      const owner = state.groups[number];
      const won = owner && owner !== ".";
      frame.setAttribute("class", won ? `frame won-${owner.toLowerCase()}` : "frame");
      if (!won || this.depth < 3) return;
      const [x, y, width] = ["x", "y", "width"].map((name) => Number(frame.getAttribute(name)));
      this.putBig(this.svg, owner, "over", x, y, width, 0.08);
    });
  }

  bit(hex, number) {
    const digit = hex[hex.length - 1 - Math.floor(number / 4)];
    return digit !== undefined && (parseInt(digit, 16) >> number % 4) & 1;
  }

  shape(mark, x, y, size) {
    if (mark === "X") {
      const a = size / 4, b = size / 2;
      return `M${x + a} ${y + a}l${b} ${b}m0 ${-b}l${-b} ${b}`;
    }
    const r = size * 0.28;
    return `M${x + size / 2 - r} ${y + size / 2}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
  }

  putBig(parent, mark, kind, x, y, size, thick) {
    const more = size * 0.14;
    const path = this.put(parent, `${kind} ${mark.toLowerCase()}`, this.shape(mark, x - more, y - more, size + 2 * more));
    path.setAttribute("stroke-width", size * thick);
  }

  put(parent, kind, shape, before = null) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("class", `placed ${kind}`);
    path.setAttribute("d", shape);
    parent.insertBefore(path, before);
    return path;
  }
}
