"""Games in files of records: each once, whole, and never at the cost of another."""

import os
import signal
from pathlib import Path

import pytest

from metatac.match import Match, new_match
from metatac.notation import read_records
from metatac.table.records import RecordFile, check_writable, last_game


def after(*moves: str, game: str = "tic-tac-toe") -> Match:
    return new_match(game, names=("Ann", "Bob"), opening=moves)


def test_a_game_stands_in_a_file_only_once(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    for _ in range(2):
        game = RecordFile()
        for match in (after("a"), after("a", "b"), after("c")):
            game.save(match, str(file))
    records = list(read_records(file))
    assert [list(map(str, record.moves)) for record in records] == [["c"]] * 2
    assert records[0].tags["X"] == "Ann"


def test_a_game_that_others_wrote_behind_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    one, other = RecordFile(), RecordFile()
    for game, match in ((one, after("a")), (other, after("b", "c")), (one, after("a")), (one, after("a"))):
        game.save(match, str(file))
    assert [len(record.plies) for record in read_records(file)] == [1, 2, 1]


def test_without_a_name_it_goes_to_the_data_folder_and_is_the_last_game(data: Path) -> None:
    assert last_game() is None
    first, second = RecordFile().save(after("a")), RecordFile().save(after("b"))
    assert first.parent == second.parent == data / "games" and first != second
    assert last_game() in (first, second)


def test_a_file_that_got_no_game_is_not_the_last_game(data: Path) -> None:
    kept = RecordFile().save(after("a"))
    empty = kept.with_name("empty.txt")
    empty.touch()
    os.utime(kept, (1000, 1000))
    assert last_game() == kept


@pytest.mark.parametrize("name", ["../../../up", "x" * 300])
def test_a_name_of_a_game_that_is_no_file_name_is_saved_all_the_same(data: Path, name: str) -> None:
    assert RecordFile().save(after("aa", game=f"{name}=ultimate{{side=4}}")).parent == data / "games"


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="limits of files are a thing of Unix")
    game = RecordFile()
    file = game.save(after("a"), str(tmp_path / "games.txt"))
    before = file.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 9, limits[1]))
    try:
        with pytest.raises(OSError) as caught:
            game.save(after("a", "b"), str(file))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert caught.value.filename == str(file) and file.read_bytes() == before


def test_a_place_that_takes_nothing_is_named(tmp_path: Path) -> None:
    with pytest.raises(OSError) as caught:
        check_writable(str(tmp_path))
    assert caught.value.filename == str(tmp_path)
    check_writable(str(tmp_path / "new" / "file"))
    assert (tmp_path / "new" / "file").read_text() == ""
