"""The lines of text around the board, made from what the client knows."""

from typing import TYPE_CHECKING

from rich.text import Text

from metatac.game import Move, explain_send
from metatac.game.outcome import counted
from metatac.match.state import Ply as MatchPly
from metatac.notation.record import Ply
from metatac.tui.panels import analysis_text, best_play, clock_text, style, thinking_text, value_text

if TYPE_CHECKING:
    from metatac.game import Position
    from metatac.tui.window import Window

LONGEST_NAME = 24
SHORTEST = 0.05
"""Seconds: a shorter time is not worth a note."""

Hints = tuple[tuple[str, str], ...]

HINTS: Hints = (
    ("?", "help"),
    ("Enter", "play"),
    ("Tab", "next"),
    ("F2", "new"),
    ("F3", "hint"),
    ("F4", "eval"),
    ("F6", "undo"),
    ("F10", "quit"),
    (", .", "look back"),
    (":", "command"),
    ("+ -", "zoom"),
)
THINKING_HINTS = (
    ("F5", "move now"),
    ("?", "help"),
    ("F6", "undo"),
    ("F10", "quit"),
    (", .", "look back"),
    (":", "command"),
)
END_HINTS = (
    ("Ctrl+R", "rematch"),
    ("F2", "new game"),
    (", .", "step through"),
    ("F4", "eval"),
    ("Ctrl+S", "save"),
    ("F10", "quit"),
)
DIALOG_HINTS = (
    ("↑ ↓", "choose"),
    ("Enter", "do it"),
    ("Esc", "look at it"),
    ("F10", "quit"),
)
REPLAY_HINTS = (
    ("← →", "step"),
    ("↑ ↓", "ten"),
    ("Home End", "ends"),
    ("F4", "eval"),
    (":play", "from here"),
    ("?", "help"),
    ("F10", "quit"),
)
NEEDED = ("?", "F6", "F10")
"""Keys that are told as long as there is room for any."""


def standing(position: "Position") -> tuple[int, int] | None:
    """What X and O have so far: of what is counted in the end, or boards; None where there is nothing to count."""
    rules = position.rules
    if rules.count != "nothing":
        return counted(position)
    if rules.depth == 1 or rules.win_board == "never":
        return None
    return position.owners[0].count("X"), position.owners[0].count("O")


def players_text(client: "Window", width: int) -> Text:
    """Who plays, who is to move, the clocks and how it stands; on the right which game it is."""
    table, palette = client.table, client.palette
    left, score = Text(), standing(client.position)
    over = table.result is not None and client.looking is None
    for seat in ("X", "O"):
        moves = seat == client.position.turn and not over
        left.append(f" {'▸' if moves else ' '}{seat} ", style(palette.of(seat), "bold"))
        name = table.match.names[0 if seat == "X" else 1]
        if client.record is not None:
            name = client.record.tags.get(seat, "")
        left.append(name[:LONGEST_NAME], style(palette.text, "bold underline" if moves else ""))
        if score is not None:
            left.append(f" {score[0 if seat == 'X' else 1]}", style(palette.of(seat), "bold"))
        clock = clock_text(table.remaining_of(seat)) if client.record is None else ""
        if clock:
            low = moves and (table.remaining_of(seat) or 0.0) < 10
            left.append(f"  {clock}", style(palette.o if low else palette.text, "bold reverse" if low else "bold"))
        left.append("  ")
    series = table.series
    parts = [table.match.rules.title or table.match.rules.name]
    if series.games > 1:
        parts.append(f"game {len(series.results) + (table.result is None)} of {series.games}: {client.series_text()}")
    right = Text(" · ".join(parts) + " ", style(palette.faint))
    return spread(left, right, width)


def spread(left: Text, right: Text, width: int) -> Text:
    """Both ends of a line; the right one gives way."""
    room = width - left.cell_len
    if room <= 1:
        left.truncate(max(0, width))
        return left
    right.truncate(room, overflow="ellipsis")
    left.append(" " * (room - right.cell_len))
    return left.append_text(right)


def status_text(client: "Window", width: int) -> Text:
    """Why one is sent where one is, or how the game ended, or where one is looking."""
    table, palette, position = client.table, client.palette, client.position
    text = Text(no_wrap=True, overflow="ellipsis")
    if client.looking is not None:
        total = len(table.match.plies)
        kind = "Variation, move" if client.above else "Move"
        text.append(f" {kind} {client.looking} of {total} ", style(palette.text, "reverse"))
        text.append(" ")
    elif table.result is not None:
        winner = table.result.winner
        color = palette.of(winner) if winner else palette.faint
        text.append(f" {table.result} ", style(color, "bold reverse"))
        return text
    elif table.waiting == "paused":
        text.append(" Paused ", style(palette.text, "reverse"))
    if position.bonus:
        text.append(" BONUS ", style(palette.accent, "bold reverse"))
    moves = table.match.moves[: client.plies]
    last = next((move for move in reversed(moves) if move), None)
    text.append(f" {explain_send(position, last)['text']}", style(palette.of(position.turn)))
    if position.can_swap:
        text.append(f" {position.turn} may also take over the first move: :swap", style(palette.accent))
    text.truncate(max(1, width), overflow="ellipsis")
    return text


def footer_text(client: "Window", width: int) -> Text:
    """A message, the move being typed, what a computer thinks, or the keys that help now."""
    palette = client.palette
    text = Text(no_wrap=True, overflow="ellipsis")
    if client.message:
        text.append(f" {client.message}", style(palette.o, "bold"))
    elif client.entry.numbers:
        text.append(f" {client.entry.text}", style(palette.accent, "bold"))
        text.append("▁ ", style(palette.accent, "bold"))
        text.append(_next_letter(client), style(palette.text))
    elif client.analysing:
        what = "Looking for a good move" if client.analysing == "hint" else "Valuing every move"
        line = _preparation(client.preparing_advice)
        text.append(f" {what}: {line}" if line else f" {what} …", style(palette.accent))
    else:
        if _is_waited_for(client) and not client.has_panel:
            text.append_text(_thought_line(client))
        text.append_text(_hints(client, width - text.cell_len))
    text.truncate(max(1, width), overflow="ellipsis")
    return text


def _next_letter(client: "Window") -> str:
    rules = client.position.rules
    if client.entry.own is not None:
        return f"now {'O' if client.position.turn == 'X' else 'X'}'s mark on the same board · Esc: another first mark"
    words = ("the 9 × 9 board", "the small board", "the cell") if rules.depth == 3 else ("the board", "the cell")
    given = len(client.entry.numbers)
    return f"now {words[-rules.depth :][given]} · Backspace, Esc"


def _is_waited_for(client: "Window") -> bool:
    """Whether nothing happens before a computer has done something: with a clock, nobody moves until all are ready."""
    table = client.table
    return table.waiting == "computer" or (table.waiting == "ready" and client.preparing is not None)


def _occupation(client: "Window") -> str:
    """What the computer that is waited for is doing."""
    table, preparing = client.table, client.preparing
    if preparing is not None and preparing.seat is not None and not table.is_ready(preparing.seat):
        return f"{table.seats.name(preparing.seat)} gets ready: {_preparation(preparing.line)}"
    return f"{table.seats.name(table.turn)} {'is thinking' if table.is_ready(table.turn) else 'gets ready'} …"


def _preparation(line: str) -> str:
    """A line of what must be done first, by itself: what is being compiled comes in lines of its own."""
    line = line.removeprefix("metatac: ")
    return f"compiling for this machine, once only: {line}" if line[:1].isdigit() else line


def _thought_line(client: "Window") -> Text:
    palette, thought = client.palette, client.table.thought
    if thought is None:
        return Text(f" {_occupation(client)}  ", style(palette.accent))
    name = client.table.seats.name(client.table.turn)
    text = Text(f" {name}: depth {thought.depth} ", style(palette.accent))
    text.append_text(value_text(thought.value_x, thought.proven, palette))
    return text.append(f" {best_play(thought.best.line[:4])}  " if thought.moves else "  ", style(palette.text))


def _hints(client: "Window", width: int) -> Text:
    table, palette = client.table, client.palette
    hints: Hints = HINTS
    if client.record is not None:
        branches = client.plies and client.record.plies[client.plies - 1].variations
        hints = ((("Enter", "other line"),) if branches else ()) + REPLAY_HINTS
        hints = ((("Esc", "main line"),) if client.above else ()) + hints
    elif table.result is not None and client.screen.is_modal:
        hints = DIALOG_HINTS
    elif table.result is not None:
        hints = END_HINTS if table.series.over else (("Ctrl+R", "next game"), *END_HINTS[1:])
    elif table.waiting == "computer":
        hints = THINKING_HINTS
    text = Text()
    for key, words in _fitting(hints, width):
        text.append(f" {key} ", style(palette.accent, "bold"))
        text.append(f"{words} ", style(palette.faint))
    return text


def _fitting(hints: Hints, width: int) -> Hints:
    """As many as there is room for, in their order; in narrow windows those that nobody can do without."""
    needed, kept, room = [hint for hint in hints if hint[0] in NEEDED], set(), width
    for key, words in (*needed, *(hint for hint in hints if hint not in needed)):
        room -= len(key) + len(words) + 3
        if room < 0:
            break
        kept.add((key, words))
    return tuple(hint for hint in hints if hint in kept)


def info_text(client: "Window") -> Text:
    """What stands above the moves: what the record says, what the computer thinks, or what was found out."""
    palette, table = client.palette, client.table
    if client.analysis is not None:
        rows = 3 if client.size.height < 30 else 8
        return analysis_text(client.analysis, palette, rows)
    if client.record is not None:
        return _record_text(client)
    if _is_waited_for(client):
        text = Text(f"{_occupation(client)}\n", style(palette.accent, "bold"))
        if table.thought is not None:
            text.append_text(thinking_text(table.thought, palette))
        return text
    text = Text()
    if client.looking is None and table.result is None and client.position.rules.depth > 1:
        text.append_text(_preview(client))
    return text


def _preview(client: "Window") -> Text:
    """What the move under the cursor would lead to."""
    position, palette, board = client.position, client.palette, client.board
    path = board.path
    if path not in board.scene.targets or position.rules.marks == 2:
        return Text()
    move = Move(path)
    after = position.play(move)
    text = Text(f"{move}", style(palette.text, "bold"))
    if after.outcome is not None:
        return text.append(f" ends the game: {after.outcome}", style(palette.accent, "bold"))
    where = "anywhere" if not after.send else f"in {explain_send(after, move)['board']}"
    won = " wins the board;" if position.won_by(position.turn, after) else ""
    return text.append(f"{won} {after.turn} then plays {where}", style(palette.faint))


def _record_text(client: "Window") -> Text:
    palette, record = client.palette, client.record
    assert record is not None
    text = Text()
    if client.plies == 0:
        for name, value in record.tags.items():
            text.append(f"{name} ", style(palette.faint))
            text.append(f"{value[:200]}\n", style(palette.text))
        text.append(record.comment, style(palette.text))
        return text
    ply = record.plies[client.plies - 1]
    facts = note_of(ply, full=True)
    if facts:
        text.append(f"{facts}\n", style(palette.faint))
    text.append(ply.comment, style(palette.text))
    for line in ply.variations[:4]:
        text.append(f"\nor {best_play([one.move for one in line])}", style(palette.faint))
    if client.plies == len(record.plies):
        how = f" ({record.termination})" if record.termination else ""
        text.append(f"\n{record.result}{how}", style(palette.accent, "bold"))
    return text


def note_of(ply: Ply | MatchPly, *, full: bool = False) -> str:
    """What was noted about a move: its value in X's view, and its time."""
    notes = []
    if isinstance(ply, Ply):
        if ply.win_in is not None:
            notes.append(f"{'X' if ply.win_in > 0 else 'O'} wins in {abs(ply.win_in)}" if full else f"#{ply.win_in}")
        if ply.evaluation is not None:
            notes.append(f"value {ply.evaluation:+.2f}" if full else f"{ply.evaluation:+.2f}")
        spent, left = ply.spent, ply.clock
    else:
        spent, left = ply.seconds, ply.remaining
    if spent is not None and spent >= SHORTEST:
        notes.append(f"took {spent:.1f} s" if full else f"{spent:.1f}s")
    if full and left is not None:
        notes.append(f"{clock_text(left)} left")
    return (" · " if full else " ").join(notes)
