// What the server sends, for the type checker of static/: global names, so that no module need import them.

type SmallBoard = {board: string; cells: string; owner: string | null; open: boolean; tallies?: [number, number]; lines?: string[]};
type Outcome = {winner: string | null; points: [number, number]; reason: string; lines: string[]};
interface Position {
  rules: string;
  title: string;
  side: number;
  depth: number;
  marks: number;
  features: string[];
  turn: string;
  opponent: string;
  bonus: boolean;
  send: {free: boolean, board: string | null, reason: string, text: string};
  boards: SmallBoard[];
  groups?: {board: string, owner: string | null, open: boolean}[];
  legal: string[] | null;
  choices?: Record<string, Record<string, string>> | null;
  targets?: Record<string, string> | null;
  counts?: {X: number, O: number, what: string} | null;
  last_move: string | null;
  outcome: Outcome | null;
  text: string;
}
type Seat = {kind: "person" | "engine" | "empty"; name: string; level?: number | string; online: boolean; gone: number | null};
type Seats = {X: Seat; O: Seat};
type Played = {move: string; by: string; seconds: number; left?: number};
type ClockState = {running: string | null; X: number | null; O: number | null; move: number | null; increment: number};
interface Game {
  id: string;
  game: string;
  title: string;
  rules: string;
  options: Record<string, any>;
  time: string;
  private: boolean;
  opponent: string;
  phase: "waiting" | "running" | "over" | "aborted";
  seats: Seats;
  you: {seats: string[], can_join: boolean};
  position: Position;
  moves: Played[];
  start: string;
  clock: ClockState;
  draw_offer: string | null;
  takeback: string | null;
  rematch: {offered: string | null, id: string | null};
  result: {winner: string | null, points: [number, number], reason: string, text: string} | null;
  spectators: number;
  version: number;
  claim_in: number | null;
  invite?: string;
}
type GameSummary = {id: string; game: string; title: string; names: {X: string; O: string}; result: string | null; phase: string; moves: number; ago: number; your_turn: boolean; you: string[]};
type RuleEntry = {name: string; title: string; summary: string; side: number; depth: number; marks: number; lesson: boolean; move_time: number};
type Step = {title: string; text: string; position: Position; wanted: string[] | null; answer: string; hint: string};
type RulePage = {name: string; title: string; text: string; toml: string; sections: {title: string; text: string; svg?: string | null}[]; lesson?: Step[] | null};
type Line = {move: string; line: string[]; score_x: number; value_x: number; proven: boolean; depth: number};
type AnalysisResult = {turn: string; by: string; score_x: number; value_x: number; depth: number; nodes: number; seconds: number; proven: boolean; unit: string; legal: number; heat: Record<string, number>; best: Line[]; verdict: string; bar: number};
type Ply = {ply: number; move: string; score_x: number; best: string; loss: number; mark: string};
type GameReport = {state: "queued" | "running" | "done" | "failed"; done: number; of: number; plies: Ply[]; accuracy: {X: number | null; O: number | null} | null; error?: string};
type TreeNode = {move: string; comment?: string | null; parent: number};
type RecordData = {title: string; rules: string; start: string; moves: string[]; result: string | null; tags: Record<string, string>; tree: TreeNode[]};
type Lobby = {open: {id: string; game: string; title: string; time: string; side: string; name: string; ago: number; yours: boolean}[]; playing: GameSummary[]};
type Tournament = {id: string; name: string; game: string; state: string; games: [number, number]; leader: string | null};
type Standing = {rank: number; name: string; points: number; played: number; won: number; drawn: number; lost: number; forfeits: number; rating?: number | null; error?: number | null};
type TournamentPage = Tournament & {standings: Standing[], crosstable: {names: string[], scores: (number | null)[][]} | null, recent: {n: number, x: string, o: string, result: string, reason: string}[]};
type Page = {el: HTMLElement; title: string; close?: () => void; key?: (event: KeyboardEvent) => void};
