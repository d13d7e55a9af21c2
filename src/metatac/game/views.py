"""Positions as plain data for front ends: what may be played, who is sent where, and why."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from metatac.game.legality import board_state, path_name
from metatac.game.move import Move, address, board_number, board_path
from metatac.game.outcome import deciding_lines
from metatac.game.tables import held, other
from metatac.rules import LETTERS, RuleSet
from metatac.rules.patterns import Pattern

if TYPE_CHECKING:
    from metatac.game.position import Position


def explain_send(position: "Position", last_move: Move | None = None) -> dict[str, Any]:
    """Where the player to move is sent, and why.

    ``free``; ``board``, the letters of the board that must be played in, or None; ``reason``, one of ``over``,
    ``start``, ``first`` (the first move is limited), ``sent``, ``decided`` (the board sent to is), ``unsent`` (a game
    without sends) and ``unknown`` (a free move, and no last move to tell why); ``text``, a sentence.
    """
    rules, who, board = position.rules, position.turn, path_name(position.send)
    last = last_move if last_move else None  # a swap sends nobody: it leaves the send of the move it took over
    if position.outcome is not None:
        reason, text = "over", f"The game is over: {position.outcome}."
        if position.send:
            text += f" {who} was sent to board {board}, which is full."
    elif last_move is None and not any(mark in "XO" for mark in position.cells) and not any(map(any, position.tallies)):
        reason, text = (
            ("first", f"The first move must be in board {board}.") if board else ("start", f"{who} begins anywhere.")
        )
    elif not any(word != "any" for word in rules.send):
        reason, text = "unsent", f"{who} plays anywhere."
    elif last is None:
        reason, text = ("sent", f"{who} plays in board {board}.") if board else ("unknown", f"{who} plays anywhere.")
    else:
        named = address(rules, last)
        if named == position.send:
            reason, text = "sent", f"The move {last} sends {who} to board {board}."
        else:
            reason = "decided"
            place = f"in board {board}" if board else "anywhere"
            text = f"The move {last} names board {path_name(named)}, which is {_fate(position, named)}:"
            text += f" {who} plays {place}."
    if position.bonus:
        text += f" It is {who}'s bonus move."
    return {"free": not position.send, "board": board or None, "reason": reason, "text": text}


def _fate(position: "Position", path: tuple[int, ...]) -> str:
    if len(path) < position.rules.depth - 1:
        owner = position.owners[0][path[0]]
        return "decided" if owner == "." else f"won by {owner}"
    return board_state(position, board_number(position.rules, path))


def describe_position(position: "Position", last_move: Move | None = None) -> dict[str, Any]:
    """Everything that a front end shows, JSON-ready.

    ``lines`` of the outcome are the lines that ended the game, each as the letters of its places on the outermost
    board; those of a small board are its complete lines, where such lines are counted.
    """
    rules, outcome = position.rules, position.outcome
    boards = []
    for number in range(rules.board_count):
        entry: dict[str, Any] = {
            "board": path_name(board_path(rules, number)),
            "cells": position.board(number),
            "owner": _owner(position, number),
            "open": position.is_open(number),
        }
        if position.tallies:
            entry["tallies"] = list(position.tallies[number])
        if rules.count == "lines":
            entry["lines"] = [name for who in "XO" for name in _names(held(entry["cells"], rules.patterns[-1], who))]
        boards.append(entry)
    data: dict[str, Any] = {
        "rules": rules.spec,
        "title": rules.title,
        "side": rules.side,
        "depth": rules.depth,
        "marks": rules.marks,
        "features": _features(rules),
        "turn": position.turn,
        "opponent": other(position.turn),
        "bonus": position.bonus,
        "send": explain_send(position, last_move),
        "boards": boards,
        "legal": [str(move) for move in position.legal_moves],
        "last_move": None if last_move is None else str(last_move),
        "outcome": None,
        "text": position.text,
    }
    if rules.depth == 3:
        data["groups"] = [
            {
                "board": path_name((number,)),
                "owner": None if owner == "." else owner,
                "open": bool(position.open_boards((number,))),
            }
            for number, owner in enumerate(position.owners[0])
        ]
    if outcome is not None:
        data["outcome"] = {
            "winner": outcome.winner,
            "points": list(outcome.points),
            "reason": outcome.reason,
            "lines": _names(deciding_lines(position)),
        }
    return data


def _features(rules: RuleSet) -> list[str]:
    """What positions of these rules may have, beside marks: an editor offers nothing else."""
    there = {
        "ban": rules.ban,
        "bonus": rules.bonus,
        "owners": rules.depth > 1 and rules.win_board != "never",
        "send": any(word != "any" for word in rules.send),
    }
    return [name for name, has in there.items() if has]


def _names(patterns: Iterable[Pattern]) -> list[str]:
    """Each pattern as the letters of its cells."""
    return ["".join(LETTERS[cell] for cell in pattern) for pattern in patterns]


def _owner(position: "Position", number: int) -> str | None:
    owner = position.owners[-1][number] if position.owners else "."
    return None if owner == "." else owner
