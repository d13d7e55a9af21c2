"""One worker's part of the service: the games that are open here, and every change that is made from here.

A change is: take the game as it is known, decide (``decisions``), save it if its version is still the known one, and
only then tell anybody. If another was faster, look again.
"""

import asyncio
import json
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from sqlalchemy.orm import Session

from metatac.errors import MetatacError, StoreError
from metatac.match import Tick
from metatac.server import decisions
from metatac.server.bus import News, bus_of
from metatac.server.decisions import Live
from metatac.server.desk import Desk
from metatac.server.engines import Pool
from metatac.server.identity import guest_name
from metatac.server.lobby import Lobby
from metatac.server.refusals import Refusal, not_found, too_many
from metatac.server.rooms import MOST_LAG, Room, Socket
from metatac.server.settings import Settings
from metatac.store import Database, open_database
from metatac.store.games import (
    StoredGame,
    add_game,
    changes,
    count_unfinished,
    delete_game,
    load_game,
    load_games,
    name_of,
    presences_in,
    save_game,
    set_presence,
)

KNOWN = 4096
"""Games that are kept in memory with their positions, so that no move has to replay them."""
TRIES = 20
AGAIN = 1.0
"""Seconds before a database that was out of order is tried again."""
UNREADABLE = "unreadable"

T = TypeVar("T")

Decide = Callable[[Live, float], Live]
_log = logging.getLogger(__name__)


class House:
    """Everything that a worker keeps while it runs."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self.settings = settings
        self.worker = secrets.token_urlsafe(8)
        self.desk = Desk(database)
        self.bus = bus_of(database, self.worker)
        self.pool = Pool(settings.engines)
        self.lobby = Lobby(self.desk)
        self.rooms: dict[str, Room] = {}
        self.on_change: Callable[[Live], None] = lambda _: None
        """Called after every change that is made here; the engine seats use it."""
        self.served = time.time()
        """When we were last seen at work: a closed lid, a stopped process or database leaves a gap behind it."""
        self.closed: float | None = None
        """When we began to show everybody out."""
        self.on_waking: Callable[[], Coroutine[Any, Any, None]] | None = None
        """Called after such a gap, before anything is judged; the upkeep uses it."""
        self.moves = 0
        self.arenas = [database, *map(open_database, settings.arenas)]
        """Where tournaments are: our own database, and those that the service was given."""
        self._known: OrderedDict[str, Live] = OrderedDict()
        self._unreadable: set[str] = set()
        self._doubted: set[str] = set()
        """Games of which nobody knows whether their last change was saved."""
        self._turns: dict[str, asyncio.Lock] = {}
        self._asked = 0
        """How often the database was asked who is here."""
        self._waking = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()

    # -- reading

    async def game(self, id: str) -> Live:
        """The game as it is in the database now."""
        return await self.desk.read(lambda session: self._load(session, id))

    def _load(self, session: Session, id: str) -> Live:
        stored = load_game(session, id)
        if stored is None:
            self._known.pop(id, None)
            raise not_found("game")
        return self._live(stored)

    def _load_all(self, session: Session, ids: Collection[str]) -> dict[str, Live | None]:
        """The games that there are; None for one that cannot be read."""
        found: dict[str, Live | None] = {}
        for stored in load_games(session, ids):
            found[stored.id] = None
            with suppress(Refusal):
                found[stored.id] = self._live(stored)
        return found

    def _live(self, stored: StoredGame) -> Live:
        known = self._known.get(stored.id)
        if known is not None and known.stored == stored:
            return known
        try:
            return decisions.live(stored, known)
        except (MetatacError, ValueError) as error:  # one such game must not keep the others waiting
            if stored.id not in self._unreadable:
                self._unreadable.add(stored.id)
                _log.error("game %s cannot be read: %s", stored.id, error)
            raise Refusal("This game cannot be read.", UNREADABLE, 500) from error

    async def name(self, visitor: str) -> str:
        return await self.desk.read(lambda session: name_of(session, visitor)) or guest_name(visitor)

    # -- changing

    async def create(self, wish: decisions.Wish, visitor: str) -> tuple[Live, str | None]:
        name = await self.name(visitor)
        await self.awake()
        game, token = decisions.create(wish, visitor, name, time.time())
        game = self._claimed(game)

        def work(session: Session) -> bool:
            if count_unfinished(session, visitor) >= self.settings.games_per_visitor:
                return False
            add_game(session, game.stored)
            self.bus.tell(session, "lobby", game.stored.id)
            return True

        if not await self._write(game.stored.id, work):
            raise too_many("You have too many unfinished games; finish or delete some first.")
        self._made(game, None)
        return game, token

    async def change(self, id: str, decide: Decide, look: bool = False) -> Live:
        """The game after a change, which is saved; a Refusal where it cannot be made.

        Who wants us to look has nothing decided as long as the database does not answer.
        """
        lock = self._turns.setdefault(id, asyncio.Lock())
        try:
            async with lock:
                return await self._change(id, decide, None if look else self._known.get(id))
        finally:
            if not lock.locked() and self._turns.get(id) is lock:
                del self._turns[id]

    async def _change(self, id: str, decide: Decide, known: Live | None) -> Live:
        fresh = known is None
        for _ in range(TRIES):
            before = await self.game(id) if known is None else known
            await self.awake()
            try:
                after = decide(before, time.time())
            except Refusal:
                # What we know may be old: look before we refuse.
                if fresh:
                    raise
                known, fresh = await self.game(id), True
                if known.stored.version == before.stored.version:
                    raise
                continue
            if after is before:
                self._remember(after)
                return after
            after = self._claimed(after)
            if await self._write(id, lambda session, a=after, b=before: self.save(session, a, b)):  # type: ignore[misc]
                self._made(after, before)
                return after
            known, fresh = await self.game(id), True
            if known.stored == after.stored:  # it was ours that was faster: its answer was lost
                self._made(known, before)
                return known
        raise Refusal("The game is changing too fast; try again.", "conflict", 409)

    async def _write(self, id: str, work: Callable[[Session], T]) -> T:
        try:
            return await self.desk.write(work)
        except StoreError:
            # It may be saved all the same, where only the answer was lost.
            if id not in self._doubted:
                self._doubted.add(id)
                self.spawn(self._look_again(id))
            raise

    async def _look_again(self, id: str) -> None:
        """See what has become of a game, and do what is to be done after a change."""
        try:
            game = await self.surely(lambda: self.game(id))
            self.news(game)
            self.on_change(game)
            if game.stored.rematch_id is not None:
                await self._begin_rematch(game.stored.rematch_id)
        except Refusal as refusal:
            if refusal.code == "not_found":
                self.gone(id)
        finally:
            self._doubted.discard(id)

    def save(self, session: Session, after: Live, before: Live) -> bool:
        """Whether the game was still as before, and is now as after; then the other workers hear of it."""
        changed = changes(after.stored, before.stored)
        if not save_game(session, before.stored, changed):
            return False
        new_rematch = after.stored.rematch_id if before.stored.rematch_id is None else None
        if new_rematch is not None:
            add_game(session, self._claimed(decisions.rematch(after, after.stored.updated)).stored)
        self.bus.tell(session, "game", after.stored.id, changed)
        if _in_lobby(after.stored) or _in_lobby(before.stored):
            self.bus.tell(session, "lobby", after.stored.id)
        return True

    def _claimed(self, game: Live) -> Live:
        """Whoever makes it an engine's turn lets the engine play."""
        if not game.engine_to_move or game.stored.engine_by is not None:
            return game
        return Live(replace(game.stored, engine_by=self.worker), game.match)

    def _made(self, after: Live, before: Live | None) -> None:
        """A change of our own is in the database: tell everybody here."""
        if before is not None and after.stored.plies > before.stored.plies:
            self.moves += 1
        self.news(after)
        if _in_lobby(after.stored) or (before is not None and _in_lobby(before.stored)):
            self.lobby.changed()
        self.on_change(after)
        if before is not None and after.stored.rematch_id is not None and before.stored.rematch_id is None:
            self.spawn(self._begin_rematch(after.stored.rematch_id))

    async def _begin_rematch(self, id: str) -> None:
        with suppress(Refusal):  # it was deleted
            self.on_change(await self.surely(lambda: self.game(id)))

    async def delete(self, id: str, visitor: str) -> None:
        game = await self.game(id)
        if not game.stored.has(visitor):
            raise Refusal("Only who takes part can delete a game.", "forbidden", 403)
        if game.stored.phase == "running" and game.stored.plies:
            raise Refusal("The game is being played; resign first.", "conflict", 409)

        def work(session: Session) -> bool:
            deleted = delete_game(session, game.stored)
            if deleted:
                self.bus.tell(session, "game", id)
                self.bus.tell(session, "lobby", id)
            return deleted

        if not await self.desk.write(work):
            raise Refusal("Somebody has just joined or moved.", "conflict", 409)
        self.lobby.changed()
        self.gone(id)

    # -- telling

    def news(self, game: Live) -> None:
        """A game's newest state is known here."""
        self._remember(game)
        room = self.rooms.get(game.stored.id)
        if room is not None:
            room.show(game, time.time())
            self._set_timer(room)

    def gone(self, id: str) -> None:
        """A game was deleted."""
        self._known.pop(id, None)
        room = self.rooms.get(id)
        for socket in room.sockets if room is not None else ():
            socket.tell(type="error", message="This game was deleted.", code="not_found")
            socket.close(4404, "deleted")

    def _remember(self, game: Live) -> None:
        known = self._known.get(game.stored.id)
        if known is None or known.stored.version <= game.stored.version:
            self._known[game.stored.id] = game
            self._known.move_to_end(game.stored.id)
            while len(self._known) > KNOWN:
                self._known.popitem(last=False)

    async def hear(self, news: News) -> None:
        """Other workers have changed something."""
        if "lobby" in news or "lost" in news:
            self.lobby.changed()
        watched = self.rooms.keys()
        every = dict.fromkeys(watched, "") if "lost" in news else {}
        changed, stirred = news.get("game", {}) | every, news.get("presence", {}) | every
        for id in changed.keys() - watched:
            self._known.pop(id, None)
        await self.refresh({id for id in changed.keys() & watched if not self._follow(id, changed[id])})
        await self.refresh_presence(stirred.keys() & watched)

    def _follow(self, id: str, told: str) -> bool:
        """Show what has become of a game, if what was told of it is enough to know."""
        if not told:
            return False
        room, changed = self.rooms[id], json.loads(told)
        if changed["version"] == room.game.stored.version + 1:
            with suppress(Refusal):
                self.news(self._live(replace(room.game.stored, **changed)))
        return bool(changed["version"] <= room.game.stored.version)

    async def refresh(self, ids: Collection[str]) -> None:
        """Show what these games have become elsewhere."""
        if ids:
            found = await self.desk.read(lambda session: self._load_all(session, ids))
            for id in ids:
                game = found.get(id)
                if game is not None:
                    self.news(game)
                elif id not in found:
                    self.gone(id)

    async def refresh_presence(self, ids: Collection[str]) -> None:
        """Show who is here, and who went, as the database knows it now; an answer that a later one overtook is old."""
        if ids:
            self._asked += 1
            asked = self._asked
            found = await self.desk.read(lambda session: presences_in(session, ids))
            for id in ids:
                if (room := self.rooms.get(id)) is not None:
                    room.show_presence(found.get(id, {}), asked, time.time())

    # -- coming and going

    async def enter(self, id: str, socket: Socket) -> Room:
        """Somebody opens a game."""
        game = await self.game(id)
        room = self.rooms.setdefault(id, Room(game))
        room.sockets.add(socket)
        try:
            if await self._note_presence(id, room, socket.visitor):
                await self.refresh_presence([id])
            # Who moved while we were on our way told everybody but us.
            room.show(await self.game(id), time.time())
        except BaseException:
            self.spawn(self.leave(id, room, socket))
            raise
        socket.send(room.message(time.time())(socket.visitor), "game")
        self._set_timer(room)
        return room

    async def leave(self, id: str, room: Room, socket: Socket) -> None:
        room.sockets.discard(socket)
        if socket.visitor in room.leaving:
            return
        room.leaving.add(socket.visitor)
        try:
            noted = await self.surely(lambda: self._note_presence(id, room, socket.visitor))
        finally:
            room.leaving.discard(socket.visitor)
        if not room.sockets and self.rooms.get(id) is room:
            del self.rooms[id]
            if room.timer is not None:
                room.timer.cancel()
        elif noted:
            await self.surely(lambda: self.refresh_presence([id]))

    async def _note_presence(self, id: str, room: Room, visitor: str) -> bool:
        """Write down whether a visitor is here; whether that was news. Then who is here must be read anew: what another
        worker wrote meanwhile may not have been there to be seen."""
        async with room.lock:
            online = room.count(visitor) > 0
            if online == (visitor in room.noted):
                return False

            def work(session: Session) -> None:
                set_presence(session, id, visitor, self.worker, online, time.time())
                session.flush()
                self.bus.tell(session, "presence", id)

            await self.desk.write(work)
            (room.noted.add if online else room.noted.discard)(visitor)
            return True

    async def note_again(self) -> None:
        """We were taken for dead, and everybody here for gone: say that they are here."""
        for id, room in list(self.rooms.items()):
            room.noted.clear()
            for visitor in {socket.visitor for socket in room.sockets}:
                await self._note_presence(id, room, visitor)
        await self.refresh_presence(list(self.rooms))

    # -- clocks

    def _set_timer(self, room: Room) -> None:
        """Judge an overrun when it happens, if nobody has moved by then; the sweep finds those that nobody watches."""
        if room.timer is not None:
            room.timer.cancel()
            room.timer = None
        stored = room.game.stored
        if stored.phase == "running" and stored.deadline is not None:
            lag = room.lag_of(stored.seats_of[stored.turn])
            wait = max(0.0, stored.deadline - time.time()) + lag + 0.01
            if wait < 86_400:
                loop = asyncio.get_running_loop()
                room.timer = loop.call_later(wait, lambda: self.spawn(self.judge_time(stored.id, lag)))

    async def awake(self) -> None:
        """Come back when nobody is charged any more for a time in which we could not serve."""
        if self.on_waking is not None and self.slept:
            async with self._waking:
                if self.slept:
                    await self.on_waking()

    @property
    def slept(self) -> bool:
        """Whether there is such a time behind us, or the clock is another than it was."""
        return abs(time.time() - self.served) > self.settings.lease

    async def judge_time(self, id: str, lag: float = MOST_LAG) -> None:
        if self.closed is not None:  # who was shown out cannot move
            return

        def decide(game: Live, now: float) -> Live:
            return decisions.tick(game, Tick(lag + game.grace), now)

        try:
            await self.change(id, decide, look=True)
        except Refusal as refusal:
            if refusal.code != UNREADABLE:  # which was said
                _log.info("a clock could not be judged: %s", refusal.message)
        except StoreError as error:  # the sweep will find it
            _log.error("a clock could not be judged: %s", error)

    # -- tasks

    async def surely(self, work: Callable[[], Awaitable[T]]) -> T:
        """What the work comes to, as soon as the database is there for it: for what nobody would ask us to do again."""
        said = False
        while True:
            try:
                return await work()
            except StoreError as error:
                if not said:
                    _log.error("%s; it will be tried again", error)
                said = True
            await asyncio.sleep(AGAIN)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        """Run something beside; what goes wrong in it is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, StoreError):  # it says everything
            _log.error("%s", error)
        elif error is not None:
            _log.error("a task failed", exc_info=error)

    async def stop_tasks(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def close(self) -> None:
        self.desk.close()
        for database in self.arenas[1:]:
            database.close()


def _in_lobby(stored: StoredGame) -> bool:
    """Whether a change of this game can change the lobby: moves do not."""
    return (not stored.private and stored.plies == 0) or stored.phase == "over"
