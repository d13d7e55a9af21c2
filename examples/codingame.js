// A bot for CodinGame's Ultimate Tic-Tac-Toe in JavaScript, which plays there and here unchanged:
//
//     metatac bot check examples/codingame.js
//     metatac match bot:examples/codingame.js random --game ultimate-majority --openings 0
//
// It remembers the board, takes or saves a small board where it can, and likes the middle.

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const board = Array.from({ length: 9 }, () => Array(9).fill("."));

function completesLine(row, col, mark) {
  const top = row - (row % 3), left = col - (col % 3);
  const here = 3 * (row % 3) + (col % 3);
  return LINES.some((line) => line.includes(here) && line.every(
    (place) => place === here || board[top + Math.floor(place / 3)][left + (place % 3)] === mark));
}

function worth([row, col]) {
  if (completesLine(row, col, "me")) return 3;
  if (completesLine(row, col, "them")) return 2;
  return row % 3 === 1 && col % 3 === 1 ? 1 : Math.random();
}

function turn(opponentRow, opponentCol, validActions) {
  if (opponentRow >= 0) board[opponentRow][opponentCol] = "them";
  const [row, col] = validActions.reduce((best, cell) => (worth(cell) > worth(best) ? cell : best));
  board[row][col] = "me";
  console.log(`${row} ${col}`);
}

// Each turn: the opponent's cell, the number of valid ones, and so many lines with a cell each.
let lines = [];
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  lines.push(line.split(" ").map(Number));
  if (lines.length > 1 && lines.length === 2 + lines[1][0]) {
    const [[opponentRow, opponentCol], , ...validActions] = lines;
    lines = [];
    turn(opponentRow, opponentCol, validActions);
  }
});
