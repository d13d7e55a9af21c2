"""What only one process may do at a time, and what is said where that cannot be known."""

from pathlib import Path

import pytest

from metatac.errors import StoreError
from metatac.store.locks import file_lock

TAKEN = StoreError("another has it")


def test_who_comes_second_is_refused_until_the_first_has_gone(tmp_path: Path) -> None:
    path = str(tmp_path / "a.lock")
    with file_lock(path, TAKEN), pytest.raises(StoreError, match="another has it"), file_lock(path, TAKEN):
        pass
    with file_lock(path, TAKEN):
        pass
    assert not list(tmp_path.iterdir())


def test_what_is_left_of_a_lock_locks_nobody_out(tmp_path: Path) -> None:
    (tmp_path / "a.lock").touch()  # as after kill -9
    with file_lock(str(tmp_path / "a.lock"), TAKEN):
        pass


def test_a_lock_that_cannot_be_had_is_not_said_to_be_taken(tmp_path: Path) -> None:
    (tmp_path / "a.lock").mkdir()
    with pytest.raises(StoreError, match=r"a\.lock: Is a directory"), file_lock(str(tmp_path / "a.lock"), TAKEN):
        pass
