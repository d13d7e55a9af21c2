"""How a tournament in a database stands: plain functions and plain values, for the terminal, pages and servers."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from metatac.arena.games import Used
from metatac.arena.ranking import Line, ledger, ranked
from metatac.arena.ratings import Ratings, rate
from metatac.arena.schedule import Schedule, expected_games, schedule
from metatac.arena.tournament import Tournament
from metatac.errors import ArenaError
from metatac.match import OFFENCES
from metatac.notation import Record
from metatac.store import Database
from metatac.store import tournaments as kept
from metatac.store.tournaments import StoredGame, StoredTournament

MOST_RATED = 120
"""Players up to whose number ratings are worked out while a tournament runs: beyond, they take seconds."""


@dataclass(frozen=True, slots=True)
class Row:
    """One player's line of the standings."""

    rank: int
    player: int
    name: str
    played: int
    won: int
    drawn: int
    lost: int
    score: float
    points: float
    """What the rules award."""
    total: float
    """What ranks, byes included."""
    byes: int
    forfeits: int
    forfeit_reasons: dict[str, int]
    tiebreaks: dict[str, float]
    """The tie-breaks that were needed, by name."""
    rating: float | None = None
    """Elo, relative to the mean of all players."""
    error: float | None = None
    """Half the width of its 95 % interval."""
    superior: float | None = None
    """How likely it is, from 0 to 1, that this player is stronger than the one ranked next."""
    seconds: float = 0.0
    """Mean time of a move."""
    longest: float = 0.0


@dataclass(frozen=True, slots=True)
class Cell:
    """What one player's games against another came to."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    score: float = 0.0

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True)
class Summary:
    """A tournament in a list of them."""

    id: int
    name: str
    game: str
    """The spec of its rules."""
    title: str
    format: str
    players: int
    played: int
    expected: int
    finished: bool
    leader: str | None
    created: float


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game in a list of them. ``x`` and ``o`` are names."""

    number: int
    round: int
    stage: str
    x: str
    o: str
    result: str
    points: tuple[float, float]
    reason: str
    detail: str
    moves: int
    ended: float


@dataclass(frozen=True, slots=True)
class GamePage:
    """One game with everything about it."""

    row: GameRow
    record: Record
    text: str
    """The record's text."""
    stderr: tuple[str, str]
    seconds: tuple[float, float]
    longest: tuple[float, float]
    tries: int


@dataclass(frozen=True, slots=True)
class Standings:
    """Everything that a tournament's games say."""

    id: int
    plan: Tournament
    rows: list[Row]
    """From the first rank on."""
    played: int
    expected: int
    finished: bool
    crosstable: dict[tuple[int, int], Cell]
    """By the players' numbers: what the first has against the second."""
    reasons: dict[str, int]
    """How games ended, the most frequent first."""
    byes: list[tuple[int, int, str]]
    """(round, player, stage)."""
    void: list[int]
    """Games that could not be played and count for nobody."""
    ratings: Ratings | None = None
    games: list[StoredGame] = field(default_factory=list, repr=False)
    rounds: dict[int, tuple[int, str]] = field(default_factory=dict, repr=False)
    """The round and the stage of every game."""

    def name(self, player: int) -> str:
        return self.plan.players[player].name


def tournaments(database: Database) -> list[Summary]:
    """All tournaments of a database, the newest first."""
    return [_summary(database, stored) for stored in kept.tournaments(database)]


def _summary(database: Database, stored: StoredTournament) -> Summary:
    plan = Tournament.from_dict(stored.plan)
    found = standings_of(plan, kept.load_games(database, stored.id), stored.id, rated=False)
    leader = found.name(found.rows[0].player) if found.played else None
    rules = plan.rule_set
    return Summary(
        stored.id, stored.name, plan.rules, rules.title or rules.name, plan.format, len(plan.players), found.played,
        found.expected, found.finished, leader, stored.created,
    )  # fmt: skip


def standings(database: Database, which: int | str | None = None, *, rated: bool | None = None) -> Standings:
    """How a tournament stands; the only one, where none is named. StoreError if there is no such tournament."""
    stored = kept.find_tournament(database, which)
    plan = Tournament.from_dict(stored.plan)
    return standings_of(plan, kept.load_games(database, stored.id), stored.id, rated=rated)


def standings_of(plan: Tournament, games: Sequence[StoredGame], id: int = 0, *, rated: bool | None = None) -> Standings:
    """The standings that follow from these games. Without ``rated`` players are rated where that is quick."""
    found = schedule(plan, {game.number: game for game in games})
    book = ledger(plan, range(len(plan.players)), games, found.bye_counts() if plan.format == "swiss" else {})
    lines = ranked(plan, book, found.levels)
    counting = [game for game in games if game.result != "*"]
    ratings = None
    if counting and (rated or (rated is None and len(plan.players) <= MOST_RATED)):
        ratings = rate_games(len(plan.players), counting)
    return Standings(
        id=id,
        plan=plan,
        rows=_rows(plan, lines, counting, ratings),
        played=len(games),
        expected=max(expected_games(plan), 2 * found.pairs),
        finished=found.finished,
        crosstable=_crosstable(counting),
        reasons=dict(Counter(game.reason for game in games).most_common()),
        byes=found.byes,
        void=[game.number for game in games if game.result == "*"],
        ratings=ratings,
        games=list(games),
        rounds=rounds_of(found),
    )


def rate_games(players: int, games: Sequence[StoredGame]) -> Ratings:
    """Ratings from wins, draws and losses of all games at once."""
    outcomes = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
    return rate(players, ((game.x, game.o, outcomes[game.result]) for game in games))


def games(
    database: Database,
    which: int | str | None = None,
    *,
    player: str | int | None = None,
    offset: int = 0,
    limit: int | None = None,
    newest: bool = False,
) -> list[GameRow]:
    """The games in the order of their numbers, or the latest first; those of one player by name or number."""
    stored = kept.find_tournament(database, which)
    plan = Tournament.from_dict(stored.plan)
    found = kept.load_games(database, stored.id)
    rounds = _rounds(plan, found)
    if player is not None:
        number = _player(plan, player)
        found = [game for game in found if number in (game.x, game.o)]
    if newest:
        found.sort(key=lambda game: (game.ended, game.number), reverse=True)
    chosen = found[offset : None if limit is None else offset + limit]
    return [_game_row(plan, game, rounds) for game in chosen]


def game(database: Database, which: int | str | None, number: int) -> GamePage:
    """One game with its record; ArenaError where it is not, or not yet, there."""
    stored = kept.find_tournament(database, which)
    found = kept.load_game(database, stored.id, number)
    if found is None:
        raise ArenaError(f"{stored.name}: there is no game {number}, or not yet")
    plan = Tournament.from_dict(stored.plan)
    row = _game_row(plan, found, _rounds(plan, kept.load_games(database, stored.id)))
    return GamePage(
        row,
        Record.from_text(found.record),
        found.record,
        (found.stderr_x, found.stderr_o),
        (found.seconds_x, found.seconds_o),
        (found.longest_x, found.longest_o),
        found.tries,
    )


def records(database: Database, which: int | str | None = None, chunk: int = 500) -> Iterator[str]:
    """The texts of all records, in the order of the games, a few hundred held at a time."""
    stored = kept.find_tournament(database, which)
    numbers = [game.number for game in kept.load_games(database, stored.id)]
    for first in range(0, len(numbers), chunk):
        for found in kept.load_games(database, stored.id, numbers=numbers[first : first + chunk], heavy=True):
            yield found.record


def _rows(plan: Tournament, lines: list[Line], counting: Sequence[StoredGame], ratings: Ratings | None) -> list[Row]:
    reasons: dict[int, Counter[str]] = {line.player: Counter() for line in lines}
    used = {line.player: Used() for line in lines}
    for game in counting:
        if game.reason in OFFENCES:
            reasons[game.o if game.result == "1-0" else game.x][game.reason] += 1
        used[game.x] += Used(game.moves_x, game.seconds_x, game.longest_x)
        used[game.o] += Used(game.moves_o, game.seconds_o, game.longest_o)
    rows = []
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        player, time = line.player, used[line.player]
        rating = error = superior = None
        if ratings is not None and line.played:
            rating, error = ratings.elo[player], ratings.error[player]
            if following is not None and following.played:
                superior = ratings.superiority(player, following.player)
        rows.append(
            Row(
                rank=line.rank,
                player=player,
                name=plan.players[player].name,
                played=line.played,
                won=line.won,
                drawn=line.drawn,
                lost=line.lost,
                score=round(line.score, 9),
                points=round(line.points, 9),
                total=round(line.total, 9),
                byes=line.byes,
                forfeits=line.forfeits,
                forfeit_reasons=dict(reasons[player].most_common()),
                tiebreaks=line.broken,
                rating=rating,
                error=error,
                superior=superior,
                seconds=time.total / max(1, time.moves),
                longest=time.longest,
            )
        )
    return rows


def _crosstable(counting: Sequence[StoredGame]) -> dict[tuple[int, int], Cell]:
    cells: dict[tuple[int, int], Cell] = {}
    for game in counting:
        for a, b, score, win in ((game.x, game.o, game.score, "1-0"), (game.o, game.x, 1 - game.score, "0-1")):
            cell = cells.get((a, b), Cell())
            drawn = game.result == "1/2-1/2"
            cells[a, b] = Cell(
                cell.won + (game.result == win),
                cell.drawn + drawn,
                cell.lost + (not drawn and game.result != win),
                round(cell.score + score, 9),
            )
    return cells


def rounds_of(found: Schedule) -> dict[int, tuple[int, str]]:
    """The round and the stage of every game."""
    return {number: (meeting.round, meeting.stage) for meeting in found.meetings for number in meeting.numbers}


def _rounds(plan: Tournament, games: Sequence[StoredGame]) -> dict[int, tuple[int, str]]:
    return rounds_of(schedule(plan, {game.number: game for game in games}))


def _player(plan: Tournament, player: str | int) -> int:
    for number, entrant in enumerate(plan.players):
        if player in (number, entrant.name):
            return number
    raise ArenaError(f"{plan.name}: nobody is called {player!r}")


def _game_row(plan: Tournament, game: StoredGame, rounds: dict[int, tuple[int, str]]) -> GameRow:
    round, stage = rounds.get(game.number, (0, ""))
    return GameRow(
        number=game.number,
        round=round,
        stage=stage,
        x=plan.players[game.x].name,
        o=plan.players[game.o].name,
        result=game.result,
        points=(game.points_x, game.points_o),
        reason=game.reason,
        detail=game.detail,
        moves=game.moves_x + game.moves_o,
        ended=game.ended,
    )
