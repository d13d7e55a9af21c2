"""The self-check of rule sets passes what works, measures it, and finds what does not."""

import itertools

import pytest

import metatac
from metatac.errors import InvalidPosition
from metatac.kernel import selfcheck
from metatac.kernel.selfcheck import check_rules, longest_game


@pytest.mark.parametrize("name", [name for name in metatac.preset_names() if name != "ultimate-ultimate"])
def test_every_preset_passes(name: str) -> None:
    report = check_rules(metatac.load_rules(name), games=4)
    assert report.passed, report.to_dict()["findings"]
    assert report.games == 4
    many = report.results
    assert many.games == many.x_wins + many.o_wins + many.nobody >= 500


def test_the_largest_preset_passes() -> None:
    assert check_rules(metatac.load_rules("ultimate-ultimate"), games=1).passed


@pytest.mark.parametrize("options", [{"swap": True}, {"side": 2}, {"depth": 3, "side": 2}, {"first": "center"}])
def test_variations_pass(options: dict[str, object]) -> None:
    report = check_rules(metatac.load_rules("ultimate", **options), games=10)
    assert report.passed, report.to_dict()["findings"]


def test_the_measures_are_those_of_the_games() -> None:
    report = check_rules(metatac.load_rules("tic-tac-toe"), games=200)
    low, middle, high = report.lengths
    assert 5 <= low <= middle <= high == 9
    assert report.branching[1] == 9 and 4 < report.branching[0] < 7
    assert report.results.x_wins > report.results.o_wins > report.results.nobody > 0


def test_the_seed_decides() -> None:
    rules = metatac.load_rules("ultimate")
    first, again, other = (check_rules(rules, games=5, seed=seed).to_dict() for seed in (1, 1, 2))
    assert first == again != other


def test_time_runs_out_after_a_game() -> None:
    seconds = itertools.count()
    report = check_rules(metatac.load_rules("tic-tac-toe"), seconds=2, clock=lambda: float(next(seconds)))
    assert report.games == 3
    assert report.results.games == selfcheck.PLAYOUTS_AT_ONCE


@pytest.mark.parametrize("name", metatac.preset_names())
def test_no_game_is_longer_than_the_longest(name: str) -> None:
    rules = metatac.load_rules(name)
    assert check_rules(rules, games=1).lengths[2] <= longest_game(rules)


def faults(name: str = "ultimate") -> set[str]:
    report = check_rules(metatac.load_rules(name), games=2)
    return {found.name for found in report.findings if not found.passed}


def test_a_game_without_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfcheck, "longest_game", lambda rules: 10)
    assert "every game ends" in faults()


def test_text_that_reads_as_another_position_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfcheck, "position", lambda text: metatac.start("ultimate"))
    assert faults() == {"text reads back"}


def test_a_kernel_that_plays_another_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    twin = selfcheck.State
    monkeypatch.setattr(selfcheck, "State", lambda here: twin(metatac.start("ultimate-open")))
    assert faults() == {"the kernel agrees"}


def test_a_kernel_that_forgets_in_undo_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfcheck.State, "pop", lambda self: None)
    assert faults() == {"the kernel agrees"}


def test_a_kernel_with_another_hash_for_equal_positions_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfcheck.State, "key", property(id))
    assert faults() == {"the kernel agrees"}


def test_an_error_on_the_way_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str) -> metatac.Position:
        raise InvalidPosition("not today")

    monkeypatch.setattr(selfcheck, "position", refuse)
    report = check_rules(metatac.load_rules("tic-tac-toe"), games=1)
    (fault,) = (found.fault for found in report.findings if not found.passed)
    assert fault.startswith("InvalidPosition: not today; moves: ")


def test_undo_that_restores_something_else_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgetful(metatac.Game):
        def copy(self) -> metatac.Game:
            twin = super().copy()
            twin._positions[0] = metatac.start("ultimate").play("aa")
            return twin

    monkeypatch.setattr(selfcheck, "Game", Forgetful)
    assert "undo restores" in faults()
