"""Analyses of whole games: one row for each, so that any worker can tell how far one has come or go on with it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Float, Integer, String, Text, delete, insert, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from metatac.store.base import Base


class WebStudy(Base):
    """The analysis of a game. Times are seconds since 1970."""

    __tablename__ = "web_studies"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    visitor: Mapped[str] = mapped_column(String(32))
    record: Mapped[str] = mapped_column(Text)
    length: Mapped[int] = mapped_column(Integer)
    state: Mapped[str] = mapped_column(String(8))
    plies: Mapped[str] = mapped_column(Text)
    accuracy: Mapped[str | None] = mapped_column(Text)
    error: Mapped[str | None] = mapped_column(Text)
    worker: Mapped[str] = mapped_column(String(32))
    changed: Mapped[float] = mapped_column(Float, index=True)


@dataclass(frozen=True, slots=True)
class StoredStudy:
    """A row of ``web_studies`` as a value."""

    id: str
    visitor: str
    record: str
    """The game as JSON."""
    length: int
    """Its moves."""
    worker: str
    """Who has it in hand."""
    changed: float
    state: str = "queued"
    """``queued``, ``running``, ``done`` or ``failed``."""
    plies: str = "[]"
    """What was found of each move, as JSON."""
    accuracy: str | None = None
    error: str | None = None


_COLUMNS = tuple(StoredStudy.__dataclass_fields__)
_SELECT = select(*(getattr(WebStudy, name) for name in _COLUMNS))
_UNFINISHED = ("queued", "running")


def add_study(session: Session, study: StoredStudy) -> None:
    session.execute(insert(WebStudy), asdict(study))


def load_study(session: Session, id: str) -> StoredStudy | None:
    row = session.execute(_SELECT.where(WebStudy.id == id)).mappings().one_or_none()
    return None if row is None else StoredStudy(**row)


def save_study(session: Session, study: StoredStudy, held_by: str) -> bool:
    """Save it if it is still in those hands; False, and nothing is changed, if another worker has taken it over."""
    mine = update(WebStudy).where(WebStudy.id == study.id, WebStudy.worker == held_by)
    return bool(session.execute(mine.values(**asdict(study))).rowcount == 1)  # type: ignore[attr-defined]


def orphaned_studies(session: Session, workers: Sequence[str]) -> list[StoredStudy]:
    """Those that are not finished, and none of the living workers has in hand."""
    wanted = _SELECT.where(WebStudy.state.in_(_UNFINISHED), WebStudy.worker.not_in(workers))
    return [StoredStudy(**row) for row in session.execute(wanted.limit(100)).mappings()]


def prune_studies(session: Session, before: float) -> None:
    """Drop those to which nothing has happened since."""
    session.execute(delete(WebStudy).where(WebStudy.changed < before))
