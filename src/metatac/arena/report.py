"""A standing as plain data, as the page that ends a series, and as the line that shows it while it runs."""

import math
from typing import Any

from metatac.arena.games import Used
from metatac.arena.series import Standing
from metatac.arena.tally import Results


def as_data(standing: Standing) -> dict[str, Any]:
    """Everything that was measured, as JSON can hold it: an infinite Elo is null."""
    plan, tally, found = standing.plan, standing.tally, standing.estimate
    data: dict[str, Any] = {
        "game": plan.setup.rules.spec,
        "players": [contestant.label for contestant in plan.setup.contestants],
        "seconds_per_move": plan.setup.limits.move,
        "seed": plan.seed,
        "openings": {"plies": plan.plies, "repeated": standing.repeated},
        "counts": plan.count,
        "games": tally.results.games,
        "adjudicated": tally.adjudicated,
        "results": _results_data(tally.results),
        "results_as_x": _results_data(tally.as_x),
        "results_as_o": _results_data(tally.as_o),
        "pairs": tally.pairs,
        "pentanomial": list(tally.cells),
        "score": None if found is None else found.score,
        "elo": None,
        "sprt": None,
        "time": [_time_data(used) for used in tally.used],
        "forfeits": [
            {"player": who, "reason": reason, "games": games, "first": tally.examples[who, reason]}
            for (who, reason), games in sorted(tally.forfeits.items())
        ],
        "interrupted": standing.interrupted or None,
    }
    if found is not None:
        data["elo"] = {
            "difference": _finite(found.elo),
            "error": found.error,
            "low": _finite(found.low),
            "high": _finite(found.high),
            "los": found.los,
            "normalized": found.normalized,
        }
    if plan.sprt is not None:
        data["sprt"] = {
            "elo0": plan.sprt.elo0,
            "elo1": plan.sprt.elo1,
            "alpha": plan.sprt.alpha,
            "beta": plan.sprt.beta,
            "llr": standing.llr,
            "lower": plan.sprt.lower,
            "upper": plan.sprt.upper,
            "accepted": standing.decision,
        }
    return data


def as_text(standing: Standing) -> str:
    """The page that ends a series; all of it in the first player's view."""
    plan, tally = standing.plan, standing.tally
    labels = [contestant.label for contestant in plan.setup.contestants]
    opening = "the start" if not plan.plies else f"{plan.plies} random moves"
    again = f", {standing.repeated} of the openings repeated" if standing.repeated else ""
    rows = [("game", f"{plan.setup.rules.spec}, from {opening}{again}; seed {plan.seed}")]
    results = tally.results
    share = f" ({_percent(results.score)})" if results.games else ""
    rows.append(("games", f"{results.games}: {_results_text(results)}{share}"))
    rows.append(("", f"with X {_results_text(tally.as_x)}, with O {_results_text(tally.as_o)}"))
    cells = "  ".join(f"{name}: {count}" for name, count in zip(("0", "½", "1", "1½", "2"), tally.cells, strict=True))
    if plan.setup.adjudicate is not None:
        rows.append(("", f"{tally.adjudicated} ended by a proof of at most {plan.setup.adjudicate} nodes"))
    rows.append(("pairs", f"{tally.pairs}: {cells}"))
    rows += _measured(standing)
    if plan.sprt is not None:
        rows.append(("SPRT", _sprt_text(standing)))
    rows.append(("time", "; ".join(_time_text(*item) for item in zip(labels, tally.used, strict=True))))
    for (who, reason), games in sorted(tally.forfeits.items()):
        detail = " ".join(tally.examples[who, reason].split())[:200]
        rows.append(("forfeits", f"{labels[who]}: {games} × {reason}" + (f" ({detail})" if detail else "")))
    if standing.interrupted:
        rows.append(("ended", f"early: {standing.interrupted}"))
    return "\n".join([f"{labels[0]} against {labels[1]}", *(f"  {name:<10}{text}" for name, text in rows)])


def as_line(standing: Standing) -> str:
    """The standing on one line, what decides a test first: a narrow terminal shows only the beginning."""
    plan, tally, found = standing.plan, standing.tally, standing.estimate
    line = f"{tally.pairs}/{plan.pairs} pairs  {_results_text(tally.results)}"
    if plan.sprt is not None:
        line += f"  LLR {standing.llr:.2f} ({plan.sprt.lower:.2f}, {plan.sprt.upper:.2f})"
    if found is not None:
        line += f"  Elo {_elo_text(found.elo, found.error)}  score {_percent(found.score)}"
    return line


def _measured(standing: Standing) -> list[tuple[str, str]]:
    found = standing.estimate
    if found is None:
        return [("score", "no pair was finished")]
    rules = standing.plan.setup.rules
    points = rules.points_count and standing.plan.count == "utility"
    of = f" (points; 100 % is {rules.greatest_points:g} to 0 in every game)" if points else ""
    elo = f"{_elo_text(found.elo, found.error)}  (95 %: {_signed(found.low)} to {_signed(found.high)})"
    return [("score", f"{_percent(found.score, 2)}{of}"), ("Elo", f"{elo}, LOS {_percent(found.los)}")]


def _sprt_text(standing: Standing) -> str:
    sprt = standing.plan.sprt
    assert sprt is not None
    bounds = f"LLR {standing.llr:.2f} ({sprt.lower:.2f}, {sprt.upper:.2f}) for Elo {sprt.elo0:g} or {sprt.elo1:g}"
    if standing.decision is None:
        return f"{bounds}: undecided"
    return f"{bounds}: {standing.decision} accepted, Elo {sprt.elo0 if standing.decision == 'H0' else sprt.elo1:g}"


def _elo_text(elo: float, error: float | None) -> str:
    return _signed(elo) + ("" if error is None else f" ± {error:.1f}")


def _signed(elo: float) -> str:
    if math.isinf(elo):
        return "∞" if elo > 0 else "-∞"
    return f"{round(elo, 1) + 0.0:+.1f}"


def _percent(share: float, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f} %"


def _results_text(results: Results) -> str:
    return f"+{results.wins} ={results.draws} -{results.losses}"


def _time_text(label: str, used: Used) -> str:
    return f"{label} {used.total / used.moves if used.moves else 0:.3f} s a move, longest {used.longest:.3f}"


def _results_data(results: Results) -> dict[str, int]:
    return {"wins": results.wins, "draws": results.draws, "losses": results.losses}


def _time_data(used: Used) -> dict[str, float]:
    mean = used.total / used.moves if used.moves else 0.0
    return {"moves": used.moves, "mean_s": round(mean, 6), "longest_s": round(used.longest, 6)}


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
