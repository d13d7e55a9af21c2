"""Tournaments as they are kept: what was to be played, and every game that was, written once and never changed.

A tournament is its plan (JSON, which `arena` writes and reads) and its games. Standings, pairings and ratings are not
kept: they follow from these two, so that they cannot disagree with them.
"""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError

from metatac.errors import StoreError
from metatac.store.base import Base
from metatac.store.database import Database, reason_of
from metatac.store.locks import file_lock

TOURNAMENTS = Table(
    "tournaments",
    Base.metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("plan", Text, nullable=False),
    Column("created", Float, nullable=False),
)

GAMES = Table(
    "tournament_games",
    Base.metadata,
    Column("tournament", ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("x", Integer, nullable=False),
    Column("o", Integer, nullable=False),
    Column("result", String(8), nullable=False),
    Column("points_x", Float, nullable=False),
    Column("points_o", Float, nullable=False),
    Column("score", Float, nullable=False),
    Column("reason", String(40), nullable=False),
    Column("detail", Text, nullable=False),
    Column("record", Text, nullable=False),
    Column("moves_x", Integer, nullable=False),
    Column("moves_o", Integer, nullable=False),
    Column("seconds_x", Float, nullable=False),
    Column("seconds_o", Float, nullable=False),
    Column("longest_x", Float, nullable=False),
    Column("longest_o", Float, nullable=False),
    Column("stderr_x", Text, nullable=False),
    Column("stderr_o", Text, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("ended", Float, nullable=False),
    Index("ix_tournament_games_players", "tournament", "x", "o"),
)

HEAVY = ("record", "stderr_x", "stderr_o")
"""What a list of games does without."""

_LOCK = 0x6172656E
"""The first half of PostgreSQL's advisory lock of a tournament that runs; the other half is its number."""


@dataclass(frozen=True, slots=True)
class StoredTournament:
    id: int
    name: str
    plan: dict[str, Any]
    created: float
    """Seconds since 1970."""
    played: int
    """Games that are kept."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """One game that was played. ``x`` and ``o`` are the players' numbers in the plan."""

    number: int
    x: int
    o: int
    result: str
    """``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` for a game that does not count."""
    points_x: float
    points_o: float
    score: float
    """What it counted in X's view, from 0 to 1."""
    reason: str
    detail: str
    moves_x: int
    moves_o: int
    seconds_x: float
    seconds_o: float
    longest_x: float
    longest_o: float
    tries: int
    """How often it was begun; more than once where a process that played it died."""
    ended: float
    record: str = ""
    stderr_x: str = ""
    stderr_o: str = ""


def add_tournament(database: Database, name: str, plan: dict[str, Any]) -> StoredTournament:
    """The tournament of that name, as it is kept; begun with this plan if there is none yet."""
    row = {"name": name, "plan": json.dumps(plan, sort_keys=True, ensure_ascii=False), "created": time.time()}
    try:
        with database.write() as session:
            if session.execute(select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.name == name)).first() is None:
                session.execute(insert(TOURNAMENTS).values(**row))
    except IntegrityError:  # somebody else began it between the two
        pass
    return find_tournament(database, name)


def tournaments(database: Database) -> list[StoredTournament]:
    """All of them, the newest first."""
    played = select(func.count()).select_from(GAMES).where(GAMES.c.tournament == TOURNAMENTS.c.id).scalar_subquery()
    query = select(TOURNAMENTS, played.label("played")).order_by(TOURNAMENTS.c.id.desc())
    with database.read() as session:
        return [
            StoredTournament(row["id"], row["name"], json.loads(row["plan"]), row["created"], row["played"])
            for row in session.execute(query).mappings()
        ]


def find_tournament(database: Database, which: int | str | None = None) -> StoredTournament:
    """The tournament with this number or name; without one, the only one. StoreError says what there is."""
    there = tournaments(database)
    found = [t for t in there if which is None or which in (t.id, t.name) or str(t.id) == which]
    if len(found) == 1:
        return found[0]
    names = ", ".join(f"{t.id} ({t.name})" for t in reversed(there)) or "no tournament at all"
    where = database.url.render_as_string()
    if not there or which is not None:
        raise StoreError(f"{where}: there is no tournament {'' if which is None else repr(which) + ' '}in it: {names}")
    raise StoreError(f"{where} holds several tournaments; say which: {names}")


def add_game(database: Database, tournament: int, game: StoredGame) -> bool:
    """Keep a game, in one transaction; False where one of its number is kept already, which stays.

    StoreError where it cannot be kept: the disk is full, the server is gone.
    """
    try:
        with database.write() as session:
            session.execute(insert(GAMES).values(tournament=tournament, **asdict(game)))
    except IntegrityError:
        if load_game(database, tournament, game.number) is None:
            raise
        return False
    except OperationalError as error:
        raise StoreError(f"{database.place}: game {game.number + 1} cannot be kept: {reason_of(error)}") from error
    return True


def load_games(
    database: Database,
    tournament: int,
    *,
    numbers: Sequence[int] | None = None,
    player: int | None = None,
    heavy: bool = False,
) -> list[StoredGame]:
    """The games in the order of their numbers, ``heavy`` with records and stderr; some, or one player's only."""
    columns = [column for column in GAMES.c if column.name != "tournament" and (heavy or column.name not in HEAVY)]
    query = select(*columns).where(GAMES.c.tournament == tournament).order_by(GAMES.c.number)
    if numbers is not None:
        query = query.where(GAMES.c.number.in_(numbers))
    if player is not None:
        query = query.where((GAMES.c.x == player) | (GAMES.c.o == player))
    with database.read() as session:
        return [StoredGame(**row) for row in session.execute(query).mappings()]


def load_game(database: Database, tournament: int, number: int) -> StoredGame | None:
    found = load_games(database, tournament, numbers=[number], heavy=True)
    return found[0] if found else None


@contextmanager
def running(database: Database, tournament: int) -> Iterator[None]:
    """While this lasts nobody else runs the tournament; however the process ends, the lock ends with it."""
    if database.is_sqlite:
        path = f"{database.path}.{tournament}.lock"
        with file_lock(path, _is_run(path)):
            yield
        return
    with database.engine.connect() as connection:
        values = {"a": _LOCK, "b": tournament}
        if not connection.execute(text("SELECT pg_try_advisory_lock(:a, :b)"), values).scalar():
            raise _is_run(tournament)
        connection.commit()
        try:
            yield
        finally:
            # Only an answer says that it is free: what a closed connection held the server frees some time later.
            with suppress(SQLAlchemyError):
                connection.execute(text("SELECT pg_advisory_unlock(:a, :b)"), values)
            # Where it was not given up, the pool would keep it with the connection.
            connection.invalidate()


def _is_run(what: object) -> StoreError:
    return StoreError(f"another process runs this tournament ({what}); wait for it, or end it")
