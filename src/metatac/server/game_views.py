"""Games as they are told: what stays until the next change is made once, what passes with time is made each time."""

import json
from math import ceil
from typing import Any

from metatac.match import Match, Result, Seat
from metatac.server.decisions import SEATS, Live, claim_in, gone_for
from metatac.server.positions import line_view
from metatac.store.games import Presence, StoredGame

REASONS = {
    "line": "a line",
    "boards": "enough boards",
    "majority": "more boards",
    "points": "points",
    "resignation": "resignation",
    "overrun": "time",
    "left": "the other left",
    "agreement": "agreement",
    "adjudication": "adjudication",
}


def lasting(game: Live) -> dict[str, Any]:
    """What is the same until the version rises, beside the moves."""
    stored, match = game.stored, game.match
    return {
        "id": stored.id,
        "game": stored.game,
        "title": stored.title,
        "rules": match.rules.spec,
        "options": json.loads(stored.options),
        "time": str(match.time),
        "private": stored.private,
        "opponent": stored.opponent,
        "phase": stored.phase,
        "position": line_view(match.positions, match.moves),
        "start": match.start.text,
        "draw_offer": match.draw_offer,
        "takeback": match.takeback,
        "rematch": {"offered": stored.rematch_offer, "id": stored.rematch_id},
        "result": None if match.result is None else result_view(match.result),
        "version": stored.version,
    }


def moves(match: Match, first: int = 0) -> list[dict[str, Any]]:
    """The moves from a certain one on."""
    found = []
    for ply, before in zip(match.plies[first:], match.positions[first:], strict=False):
        one: dict[str, Any] = {"move": str(ply.move), "by": before.turn, "seconds": _rounded(ply.seconds)}
        if ply.remaining is not None:
            one["left"] = _rounded(ply.remaining)
        found.append(one)
    return found


def passing(game: Live, presence: dict[str, Presence], now: float) -> dict[str, Any]:
    """What changes by itself: the clocks, and who is there."""
    return here(game, presence, now) | {"clock": clock(game.match, now)}


def here(game: Live, presence: dict[str, Presence], now: float) -> dict[str, Any]:
    seated = {game.stored.x_visitor, game.stored.o_visitor}
    waits = [claim_in(game, seat, presence, now) for seat in SEATS]
    claims = [wait for wait in waits if wait is not None]
    return {
        "seats": {seat: _seat(game, seat, presence, now) for seat in SEATS},
        "spectators": sum(seen.online for visitor, seen in presence.items() if visitor not in seated),
        "claim_in": ceil(10 * min(claims)) / 10 if claims else None,  # never told too early
    }


def _seat(game: Live, seat: Seat, presence: dict[str, Presence], now: float) -> dict[str, Any]:
    stored = game.stored
    name, level = (stored.x_name, stored.x_level) if seat == "X" else (stored.o_name, stored.o_level)
    kind, gone = game.seat_kind(seat), gone_for(game, seat, presence, now)
    online = kind == "engine" or (kind == "person" and gone is None)
    data: dict[str, Any] = {"kind": kind, "name": name, "online": online}
    if level is not None:
        data["level"] = level if level == "full" else int(level)
    data["gone"] = None if gone is None else round(gone, 1)
    return data


def clock(match: Match, now: float) -> dict[str, Any]:
    left = match.remaining_at(now) or (None, None)
    limit = match.time.move_limit(False)
    move = None
    if limit is not None and match.phase == "running":
        move = max(0.0, (match.limit or limit) - match.spent(now))
    return {
        "running": match.turn if match.phase == "running" and match.limit is not None else None,
        "X": _rounded(left[0]),
        "O": _rounded(left[1]),
        "move": _rounded(move),
        "increment": match.time.increment,
    }


def you(game: Live, visitor: str) -> dict[str, Any]:
    stored, seats = game.stored, game.seats_of(visitor)
    return {"seats": seats, "can_join": stored.phase == "waiting" and not seats, "owner": stored.owner == visitor}


def result_view(result: Result) -> dict[str, Any]:
    return {
        "winner": result.winner,
        "points": list(result.points),
        "reason": result.reason,
        "text": result_text(result.winner, result.points, result.reason),
    }


def result_text(winner: str | None, points: tuple[float, float], reason: str) -> str:
    """The end as a sentence."""
    x, o = points
    if reason == "aborted":
        return "The game was called off."
    told = f", {x:g} to {o:g}" if reason == "points" or max(x, o) > 1 else ""
    if winner is None:
        how = {"agreement": " by agreement", "adjudication": ": the other player left"}.get(reason, "")
        return f"{'Nobody wins' if x != o else 'A draw'}{how}{told}."
    loser = "O" if winner == "X" else "X"
    if reason == "resignation":
        return f"{loser} resigned: {winner} wins{told}."
    if reason == "overrun":
        return f"{loser}'s time is up: {winner} wins{told}."
    if reason == "left":
        return f"{loser} left: {winner} wins{told}."
    return f"{winner} wins by {REASONS.get(reason, reason)}{told}."


def summary(stored: StoredGame, visitor: str, now: float) -> dict[str, Any]:
    """A game in a list."""
    mine = [seat for seat in SEATS if stored.seats_of[seat] == visitor]
    return {
        "id": stored.id,
        "game": stored.game,
        "title": stored.title,
        "names": {"X": stored.x_name, "O": stored.o_name},
        "result": stored.result,
        "phase": stored.phase,
        "moves": stored.plies,
        "ago": round(max(0.0, now - stored.updated), 1),
        "your_turn": stored.phase == "running" and stored.turn in mine,
        "you": mine,
    }


def challenge(stored: StoredGame, now: float) -> dict[str, Any]:
    """An open game in the lobby."""
    return {
        "id": stored.id,
        "game": stored.game,
        "title": stored.title,
        "time": str(json.loads(stored.match)["time"]),
        "side": stored.joiner or "toss",
        "name": stored.x_name or stored.o_name,
        "ago": round(max(0.0, now - stored.created), 1),
    }


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 3)
