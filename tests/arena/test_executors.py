"""Where games are played: processes that die are replaced, and none outlives whom it plays for."""

import contextlib
import errno
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from processes import alive, children, workers

import metatac
from metatac import arena
from metatac.arena import games
from metatac.arena.executors import Jobs, _shares, here, spread
from metatac.arena.games import Job, Played, Setup
from metatac.errors import IsolationError
from metatac.match import TimeControl
from metatac.players.bots import launch

PATIENCE = 120.0


def setup_of(*players: str, game: str = "tic-tac-toe", **settings: object) -> Setup:
    both, _ = arena.contestants(players[0], players[1])
    return Setup(metatac.load_rules(game), both, **settings)  # type: ignore[arg-type]


def matches(*sizes: int) -> Callable[[], Jobs | None]:
    """So many games in each match, given out one match after the other."""
    pairs = iter(range(len(sizes)))

    def take() -> Jobs | None:
        pair = next(pairs, None)
        return None if pair is None else tuple(Job(10 * pair + n // 2, n % 2, (), 1) for n in range(sizes[pair]))

    return take


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited for too long"
        time.sleep(0.02)


def essence(played: list[Played]) -> list[tuple[int, int, str]]:
    return sorted((p.job.pair, p.job.game, " ".join(map(str, p.record.moves))) for p in played)


def test_a_process_that_dies_is_replaced_and_its_game_played_again(tmp_path: Path) -> None:
    """`mortal` dies the first times that it is asked, until a file has so many lines."""
    setup = setup_of("first", f"mortal:{tmp_path / 'deaths'}")
    found = list(spread(setup, matches(2, 2, 2), 2, retries=2))
    assert essence(found) == essence(list(here(setup, matches(2, 2, 2))))
    assert sum(played.tries - 1 for played in found) == 2
    assert all(played.result.reason != "aborted" for played in found)


def test_a_game_that_kills_every_process_is_given_up_with_the_reason() -> None:
    found = list(spread(setup_of("first", "dying"), matches(1, 1), 2, retries=1))
    assert [played.tries for played in found] == [2, 2]
    for played in found:
        assert played.result.text == "*" and "died 2 times (exit status 3)" in played.result.detail
        assert played.record.result == "*"


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setup:
    """Two bots, and games that are begun again at once."""
    (tmp_path / "bot.py").write_text("def choose(position, clock): return position.legal_moves[0]\n")
    monkeypatch.setattr(games, "AGAIN", (0.0, 0.0))
    return setup_of(*[f"bot:{tmp_path / 'bot.py'},isolation=none,startup=60"] * 2)


def test_where_bots_cannot_be_started_the_run_ends_and_no_game_is_counted(
    bots: Setup, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))  # as where the disk is full
    with pytest.raises(IsolationError, match=r"could not be started: .*/missing.*tried 3 times.*run it again"):
        list(here(bots, matches(1)))


def test_so_it_ends_where_games_are_played_in_other_processes() -> None:
    with pytest.raises(IsolationError, match=r"no processes left .*tried 2 times.*run it again"):
        list(spread(setup_of("first", "unstartable"), matches(1), 1))


def test_a_bot_is_waited_for_as_long_as_the_referee_forgives(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "import time\nlate = [0.8]\n"
        "def choose(position, clock):\n"
        "    time.sleep(clock.limit + late.pop() if late else 0)\n"
        "    return position.legal_moves[0]\n"
    )
    bot = f"bot:{tmp_path / 'bot.py'},isolation=none,startup=60"
    (played,) = here(setup_of(bot, "first", limits=TimeControl(move=1), margin=60.0), matches(1))
    assert played.result.reason == "line"


def test_a_game_is_begun_again_when_a_bot_could_not_be_started(bots: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    starts = iter([True, False, True, True])
    start = launch._launch

    def sometimes(*arguments: object) -> launch.Launched:
        if not next(starts):
            raise BlockingIOError(errno.EAGAIN, "no more processes")
        return start(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(launch, "_launch", sometimes)
    (played,) = here(bots, matches(1))
    assert (played.result.reason, played.tries) == ("line", 2)


def test_the_rest_of_a_match_goes_on_without_the_game_that_is_given_up() -> None:
    """As O the first player lets it live; in the second game of the match `dying` has X and moves first."""
    setup = setup_of("dying_as_x", "first", keep="match")
    (second, first) = sorted(spread(setup, matches(2), 1, retries=0), key=lambda p: -p.job.game)
    assert first.result.text == "*" and second.result.text != "*"


def test_killed_workers_lose_nothing() -> None:
    """Every worker is killed once, from outside, in the middle of its game."""
    setup = setup_of("patient", "patient", game="ultimate")
    killed: list[int] = []
    found = []
    for played in spread(setup, matches(1, 1, 1), 2, retries=3):
        found.append(played)
        if not killed:
            for child in workers():
                killed.append(child.pid)
                child.kill()
    assert killed and len({(p.job.pair, p.job.game) for p in found}) == len(found) == 3


def test_closing_ends_the_processes() -> None:
    games = spread(setup_of("patient", "patient", game="ultimate"), matches(*[1] * 50), 2)
    next(games)
    started = workers()
    assert started
    games.close()
    assert not any(map(alive, started))


PARENT = """
import sys
sys.path.insert(0, {tests!r})
import seated
from metatac.players import register
for entry in seated.ENTRIES:
    register(entry)
import metatac
from metatac import arena
from metatac.arena.executors import spread
from metatac.arena.games import Job, Setup
if __name__ == "__main__":
    both, _ = arena.contestants("deep:" + {marks!r}, "first")
    setup = Setup(metatac.load_rules("ultimate"), both)
    numbers = iter(range(100))
    for played in spread(setup, lambda: (Job(next(numbers), 0, (), 1),), 2):
        print("played", flush=True)
"""


@contextlib.contextmanager
def parent(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    script = tmp_path / "parent.py"
    script.write_text(PARENT.format(tests=str(Path(__file__).parent), marks=str(tmp_path / "marks")))
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def test_workers_end_by_themselves_when_their_parent_is_killed(tmp_path: Path) -> None:
    """They are deep in thought for minutes, and end all the same."""
    marks = tmp_path / "marks"
    with parent(tmp_path) as process:
        until(lambda: marks.exists() and marks.read_text().count("thinking") == 2)
        family = children(process.pid, recursive=True)
        assert len(family) >= 2
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        until(lambda: not any(map(alive, family)))


def test_a_kept_player_lives_for_a_match_and_no_longer() -> None:
    """`numbered` says on stderr how many games it has begun."""
    for keep, said in (("game", ["1", "1", "1", "1"]), ("match", ["1", "2", "1", "2"])):
        found = list(here(setup_of("numbered", "first", keep=keep), matches(2, 2)))
        assert [played.stderr[played.job.game] for played in found] == said


def test_a_kept_player_that_forfeits_begins_anew() -> None:
    found = list(here(setup_of("numbered:2", "first", keep="match"), matches(4)))
    assert [played.stderr[played.job.game] for played in found] == ["1", "2", "1", "2"]
    assert [played.result.reason == "crash" for played in found] == [False, True, False, True]


def test_players_are_closed_after_each_game() -> None:
    import seated  # type: ignore[import-not-found]

    seated.Numbered.open = 0
    list(here(setup_of("numbered", "numbered"), matches(2, 2)))
    assert seated.Numbered.open == 0
    games = here(setup_of("numbered", "numbered", keep="match"), matches(2, 2))
    next(games)
    games.close()
    assert seated.Numbered.open == 0


def test_who_is_not_ready_in_time_forfeits() -> None:
    (played,) = here(setup_of("first", "sleepy:3", limits=TimeControl(move=60), startup=1.0), matches(1))
    assert (played.result.reason, played.result.detail) == ("overrun", "not ready after 1 s")
    assert played.result.winner == "X"
    (played,) = here(setup_of("first", "sleepy:0.1", startup=0.01, margin=0.0), matches(1))
    assert played.result.reason == "line", "games without time have none for that either"


def test_a_total_clock_is_told_without_the_margin_and_counts_with_it() -> None:
    setup = setup_of("slow", "first", limits=TimeControl(total=0.3), margin=0.5)
    (played,) = here(setup, matches(1))
    assert played.record.tags["TimeControl"] == "0.3s"
    assert played.result.reason == "line" or played.result.reason == "overrun"


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="cores cannot be chosen here")
def test_workers_stay_on_as_many_cores_as_were_asked_for() -> None:
    (played,) = spread(setup_of("confined", "first"), matches(1), 1, cores=1)
    assert played.stderr[0] == "1"


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="cores cannot be chosen here")
@pytest.mark.parametrize(("cores", "processes", "each"), [(4, 4, 1), (4, 2, 2), (3, 1, 3), (5, 2, 2)])
def test_games_at_the_same_time_have_cores_of_their_own(
    monkeypatch: pytest.MonkeyPatch, cores: int, processes: int, each: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(10, 16)))
    shares = _shares(cores, processes)
    dealt = [core for share in shares if share is not None for core in share]
    assert len(dealt) == len(set(dealt)) == processes * each and set(dealt) <= set(range(10, 16))
    assert [len(share or ()) for share in shares] == [each] * processes
    assert _shares(7, processes) == [None] * processes, "more than there are cannot be dealt"


def test_asking_a_player_whether_it_plays_a_game_leaves_nothing_open() -> None:
    import seated  # type: ignore[import-not-found]

    seated.Numbered.open = 0
    arena.contestants("numbered", "numbered", rules=metatac.load_rules("ultimate"))
    assert seated.Numbered.open == 0
