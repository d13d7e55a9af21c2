"""Games of the web service: one row for each, changed only by who knows its present version.

A game is a value. Whoever changes it makes the next value and has it saved where the version is still the one it was
made from; so no lock is held while anybody thinks, and of two changes at once one is too late and looks again.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any
from zlib import crc32

from sqlalchemy import (
    BigInteger,
    Boolean,
    ColumnElement,
    Float,
    Index,
    Integer,
    String,
    Text,
    and_,
    bindparam,
    case,
    delete,
    false,
    func,
    insert,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.engine import RowMapping
from sqlalchemy.orm import Mapped, Session, mapped_column

from metatac.store.base import Base
from metatac.store.database import wait_for

LOCK = 0x62656174
"""PostgreSQL's advisory lock under which workers call the roll."""
LIFE = 0x6C696665
"""The kind of advisory lock that every worker shares with itself for as long as it is connected."""


class WebVisitor(Base):
    """Somebody who has said what to be called."""

    __tablename__ = "web_visitors"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(96))
    changed: Mapped[float] = mapped_column(Float)


class WebGame(Base):
    """A game. Times are seconds since 1970; the columns beside ``match`` are there to be searched."""

    __tablename__ = "web_games"
    __table_args__ = (
        Index("ix_web_games_phase_updated", "phase", "updated"),
        Index("ix_web_games_x_visitor_updated", "x_visitor", "updated"),
        Index("ix_web_games_o_visitor_updated", "o_visitor", "updated"),
        Index("ix_web_games_deadline", "deadline"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    version: Mapped[int] = mapped_column(BigInteger)
    moved: Mapped[int] = mapped_column(BigInteger)
    created: Mapped[float] = mapped_column(Float)
    updated: Mapped[float] = mapped_column(Float)
    phase: Mapped[str] = mapped_column(String(16))
    opponent: Mapped[str] = mapped_column(String(16))
    private: Mapped[bool] = mapped_column(Boolean)
    owner: Mapped[str] = mapped_column(String(32))
    game: Mapped[str] = mapped_column(String(64))
    title: Mapped[str] = mapped_column(Text)
    options: Mapped[str] = mapped_column(Text)
    match: Mapped[str] = mapped_column(Text)
    plies: Mapped[int] = mapped_column(Integer)
    turn: Mapped[str] = mapped_column(String(1))
    deadline: Mapped[float | None] = mapped_column(Float)
    result: Mapped[str | None] = mapped_column(String(8))
    reason: Mapped[str | None] = mapped_column(String(32))
    x_kind: Mapped[str] = mapped_column(String(8))
    x_visitor: Mapped[str | None] = mapped_column(String(32))
    x_name: Mapped[str] = mapped_column(String(96))
    x_level: Mapped[str | None] = mapped_column(String(8))
    o_kind: Mapped[str] = mapped_column(String(8))
    o_visitor: Mapped[str | None] = mapped_column(String(32))
    o_name: Mapped[str] = mapped_column(String(96))
    o_level: Mapped[str | None] = mapped_column(String(8))
    invite: Mapped[str | None] = mapped_column(String(64))
    joiner: Mapped[str | None] = mapped_column(String(4))
    rematch_offer: Mapped[str | None] = mapped_column(String(1))
    rematch_id: Mapped[str | None] = mapped_column(String(32))
    engine_by: Mapped[str | None] = mapped_column(String(32))


class WebWorker(Base):
    """A worker process and when it was last alive: what a dead one had in hand is taken over by the others."""

    __tablename__ = "web_workers"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    alive: Mapped[float] = mapped_column(Float)
    left: Mapped[bool] = mapped_column(Boolean, server_default=false())
    """It has stopped in good order, and is only remembered until another one has taken notice."""


class WebPresence(Base):
    """That a visitor has a game open at a worker, or when the last such socket was closed."""

    __tablename__ = "web_presence"

    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    visitor: Mapped[str] = mapped_column(String(32), primary_key=True)
    worker: Mapped[str] = mapped_column(String(32), primary_key=True)
    online: Mapped[bool] = mapped_column(Boolean)
    changed: Mapped[float] = mapped_column(Float)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A row of ``web_games`` as a value."""

    id: str
    created: float
    updated: float
    phase: str
    """``waiting``, ``running``, ``over`` or ``aborted``."""
    opponent: str
    private: bool
    owner: str
    """The visitor who made it."""
    game: str
    title: str
    options: str
    match: str
    """The match as JSON."""
    plies: int
    turn: str
    x_kind: str
    o_kind: str
    """``person``, ``engine`` or ``empty``."""
    x_visitor: str | None = None
    o_visitor: str | None = None
    x_name: str = ""
    o_name: str = ""
    x_level: str | None = None
    o_level: str | None = None
    deadline: float | None = None
    """When who is to move will have overrun."""
    result: str | None = None
    reason: str | None = None
    invite: str | None = None
    """The hash of the secret that seats whoever brings it."""
    joiner: str | None = None
    """The seat that is free, or ``toss``."""
    rematch_offer: str | None = None
    rematch_id: str | None = None
    engine_by: str | None = None
    """The worker whose engine is choosing the next move."""
    version: int = 1
    moved: int = 1
    """The version in which a move was last made or taken back."""

    @property
    def seats_of(self) -> dict[str, str | None]:
        return {"X": self.x_visitor, "O": self.o_visitor}

    def has(self, visitor: str) -> bool:
        return visitor in (self.x_visitor, self.o_visitor, self.owner)


_GAMES = Base.metadata.tables[WebGame.__tablename__]
_COLUMNS = tuple(field.name for field in fields(StoredGame))
_SELECT = select(*(getattr(WebGame, name) for name in _COLUMNS))
# The table itself: what the mapper adds costs as much again, at every move; so would making the statement anew.
_SAVE = update(_GAMES).where(_GAMES.c.id == bindparam("known_id"), _GAMES.c.version == bindparam("known_version"))


def _value(row: RowMapping) -> StoredGame:
    return StoredGame(**row)


def add_game(session: Session, game: StoredGame) -> None:
    session.execute(insert(WebGame), asdict(game))


def load_game(session: Session, id: str) -> StoredGame | None:
    row = session.execute(_SELECT.where(WebGame.id == id)).mappings().one_or_none()
    return None if row is None else _value(row)


def load_games(session: Session, ids: Collection[str]) -> list[StoredGame]:
    """Those of the games that there are."""
    return [_value(row) for row in session.execute(_SELECT.where(WebGame.id.in_(ids))).mappings()]


def changes(game: StoredGame, known: StoredGame) -> dict[str, Any]:
    """What was made of the known state, column by column; the next version is among it."""
    changed = {name: value for name in _COLUMNS if (value := getattr(game, name)) != getattr(known, name)}
    return changed | {"version": known.version + 1}


def save_game(session: Session, known: StoredGame, changed: Mapping[str, Any]) -> bool:
    """Save what was made of the known state; False, and nothing is changed, if it is no longer the present one."""
    done = session.execute(_SAVE, {"known_id": known.id, "known_version": known.version, **changed})
    return bool(done.rowcount == 1)  # type: ignore[attr-defined]


def delete_game(session: Session, game: StoredGame) -> bool:
    done = session.execute(delete(WebGame).where(WebGame.id == game.id, WebGame.version == game.version))
    if done.rowcount == 1:  # type: ignore[attr-defined]
        session.execute(delete(WebPresence).where(WebPresence.game == game.id))
        return True
    return False


# -- lists


def games_of(session: Session, visitor: str, limit: int) -> list[StoredGame]:
    """A visitor's games, the newest first."""
    found = session.execute(_SELECT.where(_theirs(visitor)).order_by(WebGame.updated.desc()).limit(limit))
    return [_value(row) for row in found.mappings()]


def count_unfinished(session: Session, visitor: str) -> int:
    """How many of a visitor's games are yet to begin or to end."""
    unfinished = WebGame.phase.in_(("waiting", "running"))
    return session.scalar(select(func.count()).where(_theirs(visitor), unfinished)) or 0


def _theirs(visitor: str) -> ColumnElement[bool]:
    return or_(WebGame.x_visitor == visitor, WebGame.o_visitor == visitor, WebGame.owner == visitor)


def open_games(session: Session, limit: int) -> list[StoredGame]:
    """Challenges that anybody may take up."""
    wanted = and_(WebGame.phase == "waiting", WebGame.opponent == "open", WebGame.private.is_(False))
    found = session.execute(_SELECT.where(wanted).order_by(WebGame.created.desc()).limit(limit))
    return [_value(row) for row in found.mappings()]


def running_games(session: Session, limit: int) -> list[StoredGame]:
    """Public games that are being played."""
    wanted = and_(WebGame.phase == "running", WebGame.private.is_(False))
    found = session.execute(_SELECT.where(wanted).order_by(WebGame.updated.desc()).limit(limit))
    return [_value(row) for row in found.mappings()]


def search_games(
    session: Session,
    visitor: str,
    *,
    game: str = "",
    player: str = "",
    result: str = "",
    reason: str = "",
    before: tuple[float, str] | None = None,
    limit: int = 50,
) -> list[StoredGame]:
    """Finished games that are public or the visitor's own, the newest first."""
    mine = or_(WebGame.x_visitor == visitor, WebGame.o_visitor == visitor)
    query = _SELECT.where(WebGame.phase == "over", or_(WebGame.private.is_(False), mine))
    if game:
        query = query.where(WebGame.game == game)
    if player:
        # As it is written, too: there are locales in which PostgreSQL has small letters for ASCII's only.
        like = f"%{_escaped(player)}%"
        names = (WebGame.x_name, WebGame.o_name)
        written = (name.like(like, escape="\\") for name in names)
        small = (func.lower(name).like(like.lower(), escape="\\") for name in names)
        query = query.where(or_(*written, *small))
    if result:
        query = query.where(WebGame.result == result)
    if reason:
        query = query.where(WebGame.reason == reason)
    if before:
        moment, id = before
        later = and_(WebGame.updated == moment, WebGame.id < id)
        query = query.where(or_(WebGame.updated < moment, later))
    found = session.execute(query.order_by(WebGame.updated.desc(), WebGame.id.desc()).limit(limit))
    return [_value(row) for row in found.mappings()]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


# -- what is due

_ENGINE_IS_TO_MOVE = or_(
    and_(WebGame.turn == "X", WebGame.x_kind == "engine"), and_(WebGame.turn == "O", WebGame.o_kind == "engine")
)


def overdue_games(
    session: Session, now: float, queue: float, limit: int, after: tuple[float, str] | None = None
) -> list[tuple[float, str]]:
    """Deadlines and games whose mover has overrun, by how long they wait; engines may be in a queue for so long."""
    due = case((_ENGINE_IS_TO_MOVE, WebGame.deadline + queue), else_=WebGame.deadline)
    wanted = and_(WebGame.phase == "running", WebGame.deadline < now, due < now)
    if after is not None:
        wanted = and_(wanted, tuple_(WebGame.deadline, WebGame.id) > after)
    found = session.execute(
        select(WebGame.deadline, WebGame.id).where(wanted).order_by(WebGame.deadline, WebGame.id).limit(limit)
    )
    return [(deadline, id) for deadline, id in found if deadline is not None]


def timed_games(session: Session) -> list[str]:
    """Games in which a clock runs."""
    return list(session.scalars(select(WebGame.id).where(WebGame.phase == "running", WebGame.deadline.is_not(None))))


def orphaned_games(session: Session, workers: Sequence[str], limit: int, after: str = "") -> list[str]:
    """Games in which an engine is to move, and none of the living workers has it in hand."""
    orphan = or_(WebGame.engine_by.is_(None), WebGame.engine_by.not_in(workers))
    wanted = and_(WebGame.phase == "running", _ENGINE_IS_TO_MOVE, orphan, WebGame.id > after)
    return list(session.scalars(select(WebGame.id).where(wanted).order_by(WebGame.id).limit(limit)))


def prune_games(session: Session, before: float) -> int:
    """Delete games, finished or not, in which nothing has happened since; how many there were.

    Names that are as old go with them, but for those of visitors who still have a game.
    """
    old = select(WebGame.id).where(WebGame.updated < before)
    session.execute(delete(WebPresence).where(WebPresence.game.in_(old)))
    done = session.execute(delete(WebGame).where(WebGame.updated < before))
    sitting = [select(seat).where(seat.is_not(None)) for seat in (WebGame.x_visitor, WebGame.o_visitor, WebGame.owner)]
    gone = (WebVisitor.id.not_in(theirs) for theirs in sitting)
    session.execute(delete(WebVisitor).where(WebVisitor.changed < before, *gone))
    return int(done.rowcount)  # type: ignore[attr-defined]


def count_games(session: Session) -> Mapping[str, int]:
    """How many games there are in each phase."""
    found = session.execute(select(WebGame.phase, func.count()).group_by(WebGame.phase))
    return {row[0]: row[1] for row in found}


# -- visitors, workers, presence


def name_of(session: Session, visitor: str) -> str | None:
    return session.scalar(select(WebVisitor.name).where(WebVisitor.id == visitor))


def set_name(session: Session, visitor: str, name: str, now: float) -> None:
    session.merge(WebVisitor(id=visitor, name=name, changed=now))


@dataclass(frozen=True, slots=True)
class Roll:
    """Which workers there are."""

    living: list[str]
    dead: dict[str, float]
    """Those that were still known, and when they were last heard of."""
    heard: float = 0.0
    """When anybody at all was last heard of, before this."""
    new: bool = True
    """The one who asks was not on it."""

    @property
    def silent_since(self) -> float | None:
        """When anybody was last heard of, where the one who asks is alone."""
        return max(self.dead.values(), default=None) if len(self.living) == 1 else None


def _is_postgres(session: Session) -> bool:
    return session.get_bind().dialect.name == "postgresql"


def wait_for_roll(session: Session) -> None:
    """One worker at a time calls the roll; on SQLite the transaction sees to that."""
    if _is_postgres(session):
        wait_for(session, LOCK)


def life_key(worker: str) -> tuple[int, int]:
    """The lock by which PostgreSQL knows at once that a worker's process is gone."""
    return LIFE, crc32(worker.encode()) & 0x7FFF_FFFF


def _is_connected(session: Session, worker: str) -> bool:
    """Whether a worker's process is still there; nobody else has a file of SQLite."""
    return _is_postgres(session) and not session.scalar(select(func.pg_try_advisory_xact_lock(*life_key(worker))))


def beat(session: Session, worker: str, now: float, stale: float, first: bool = False) -> Roll:
    """Say that the worker is alive, and forget those that are not.

    One that has only just come asks of everybody else whether he is still there, however lately he was heard of.
    """
    rows = session.execute(select(WebWorker.id, WebWorker.alive, WebWorker.left)).all()
    others = [row for row in rows if row.id != worker]
    heard = max((row.alive for row in rows), default=0.0)
    dead = {
        row.id: row.alive
        for row in others
        if row.left or row.alive < stale or (first and not _is_connected(session, row.id))
    }
    session.execute(delete(WebWorker).where(WebWorker.id.in_(dead)))
    # Who was heard of at a time that is yet to come was so before the clock went back.
    session.execute(update(WebWorker).where(WebWorker.alive > now).values(alive=now))
    session.merge(WebWorker(id=worker, alive=now, left=False))
    living = [worker, *(row.id for row in others if row.id not in dead)]
    return Roll(living, dead, heard, len(others) == len(rows))


def absent(session: Session, worker: str, since: float) -> None:
    """Whoever was connected at a worker is gone since then."""
    theirs = update(WebPresence).where(WebPresence.worker == worker, WebPresence.online)
    session.execute(theirs.values(online=False, changed=since))


def forgive_absence(session: Session, seconds: float) -> None:
    """Count some seconds to nobody's absence; fewer than none where the clock went back."""
    if seconds:
        later = update(WebPresence).where(WebPresence.online.is_(False))
        session.execute(later.values(changed=WebPresence.changed + seconds))


def retire(session: Session, worker: str, now: float) -> None:
    """The worker stops in good order."""
    absent(session, worker, now)
    session.execute(update(WebWorker).where(WebWorker.id == worker).values(alive=now, left=True))


def set_presence(session: Session, game: str, visitor: str, worker: str, online: bool, now: float) -> None:
    session.merge(WebPresence(game=game, visitor=visitor, worker=worker, online=online, changed=now))


@dataclass(frozen=True, slots=True)
class Presence:
    """Whether a visitor has the game open, and since when or until when."""

    online: bool
    changed: float


def presence_in(session: Session, game: str) -> dict[str, Presence]:
    """Everybody who has, or had, a game open."""
    return presences_in(session, [game]).get(game, {})


def presences_in(session: Session, games: Collection[str]) -> dict[str, dict[str, Presence]]:
    """The same of several games; those that nobody ever had open are left out."""
    found: dict[str, dict[str, Presence]] = {}
    for row in session.scalars(select(WebPresence).where(WebPresence.game.in_(games))):
        there = found.setdefault(row.game, {})
        known = there.get(row.visitor, Presence(False, 0.0))
        there[row.visitor] = Presence(known.online or row.online, max(known.changed, row.changed))
    return found


def forget_absent(session: Session, before: float) -> None:
    """Drop what nobody asks about any more: who left long ago."""
    session.execute(delete(WebPresence).where(WebPresence.online.is_(False), WebPresence.changed < before))
