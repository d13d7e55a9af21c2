"""Whatever text comes in, only the package's own errors come out, and soon."""

import contextlib
import random
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from strategies import random_game, rule_sets

import metatac
from metatac.errors import IllegalMove, InvalidMove, InvalidPosition, RulesError
from metatac.rules import load_spec

SECONDS = 60.0
"""No single input may take longer, even on a busy machine; the runaways that this found took many times that."""
fuzz = settings(
    deadline=SECONDS * 1000, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)

POSITIONS = [
    "tic-tac-toe X - OXOOOXX1X",
    "ultimate O e 4X4/9/9/9/9/9/9/9/9",
    "extreme X+ d 16/XO14/16/16/16/16/16/16/16/16/16/16/16/16/16/16",
    "sudoku{side=2} X b OXOX/X1O#/#OXX/XO#O",
    "custom=ultimate-ultimate{side=2} X - " + "|".join(["4/4/4/4:21"] * 4),
    "ultimate-ultimate O de " + "|".join(["/".join(["9:12"] * 9)] * 9),
]
SPECS = [
    "ultimate",
    "ultimate{side=4;first=center}",
    "mine=sudoku{komi=0.5}",
    'ultimate{patterns={"game":["rows"],"small":[[0,1,2]]}}',
    "ultimate-ultimate{tallies=2;marks=1}",
]
TOML = metatac.load_rules("extreme").to_toml()
ALPHABET = "XO#.+-/|:= {}[];,\"'abcdeXYZ0123456789\n\t\\é☃\x00\x7f"


def mutated(text: str, chance: random.Random) -> str:
    """The text with a few places changed: replaced, inserted, dropped, doubled, exchanged."""
    for _ in range(chance.randrange(1, 6)):
        place, end = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        end = min(end, place + chance.choice([1, 1, 1, 2, 8, 50]))
        kind = chance.randrange(5)
        if kind == 0:
            text = text[:place] + chance.choice(ALPHABET) + text[place + 1 :]
        elif kind == 1:
            text = text[:place] + chance.choice(ALPHABET) + text[place:]
        elif kind == 2:
            text = text[:place] + text[end:]
        elif kind == 3:
            text = text[:end] + text[place:]
        else:
            text = text[:place] + chance.choice(["99", "-1", "true", "[]", "1e400", "nan", "any", "::X"]) + text[end:]
    return text


def damaged(texts: list[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda text, seed: mutated(text, random.Random(seed)), st.sampled_from(texts), st.integers(0, 2**32)
    )


@given(st.one_of(st.text(), damaged(POSITIONS)))
@settings(fuzz, max_examples=1500)
def test_position_texts(text: str) -> None:
    try:
        position = metatac.position(text)
    except InvalidPosition as error:
        assert len(str(error)) < 1500
    else:
        assert metatac.position(position.text) == position
        assert (position.outcome is None) == bool(position.legal_moves)
        for move in position.legal_moves[:3]:
            after = position.play(move)
            assert metatac.position(after.text) == after


@given(st.one_of(st.text(), damaged(SPECS)))
@settings(fuzz, max_examples=1000)
@example("ultimate{side=" + "9" * 5000 + "}")
@example("ultimate{patterns=" + "[" * 100_000 + "}")
@example("x" * 100_000)
@example("x=ultimate{" + ";" * 100_000 + "}")
def test_specs(text: str) -> None:
    try:
        rules = load_spec(text)
    except RulesError as error:
        assert len(str(error)) < 3000
    else:
        assert load_spec(rules.spec) == rules
    with contextlib.suppress(RulesError):
        metatac.load_rules(text)


@given(st.one_of(st.text(), damaged([TOML])))
@settings(fuzz, max_examples=800)
@example("patterns = [" + "[0, 1], " * 6000 + "]")
@example("side = " + "1" * 60_000)
@example("a" * 60_000 + " = 1")
@example('title = "' + "x" * 60_000 + '"')
@example("patterns = {" + "x" * 60_000 + ' = ["rows"]}')
@example('patterns = ["' + "x" * 60_000 + '"]')
@example("patterns = [[" + "9, " * 20_000 + "]]")
@example("[a" + ".a" * 30_000 + "]")
@example("a" + ".a" * 30_000 + " = 1")
@example('"a"' + " . 'a'" * 10_000 + " = 1")
@example('"' * 60_000)
@example("'" * 60_001)
@example("\\" + '"' * 60_000)
@example('text = """' + '"" ' * 20_000 + '"""\nside = 9')
def test_rules_files(text: str) -> None:
    try:
        rules = metatac.parse_rules(text)
    except RulesError as error:
        assert len(str(error)) < 3000
    else:
        assert metatac.parse_rules(rules.to_toml()) == rules


@given(data=st.binary(max_size=300))
@settings(fuzz, max_examples=200)
def test_bytes_as_a_rules_file(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "noise.toml"
    path.write_bytes(data)
    try:
        metatac.load_rules(path)
    except RulesError as error:
        assert "noise.toml" in str(error)


@given(rule_sets(most_side=4), st.integers(0, 2**32), st.lists(st.text(max_size=6), min_size=1, max_size=8))
@settings(deadline=None, max_examples=150)
def test_move_texts(rules: metatac.RuleSet, seed: int, texts: list[str]) -> None:
    chance = random.Random(seed)
    position = random_game(rules, chance, chance.randrange(20)).position
    letters = metatac.rules.LETTERS[: rules.size + 1]
    length = rules.depth + rules.marks - 1
    guesses = ["".join(chance.choice(letters) for _ in range(length)) for _ in range(20)]
    for text in [*texts, *guesses, "swap", "", "é" * length]:
        for attempt in (position.parse, position.play):
            try:
                attempt(text)
            except InvalidMove as error:
                assert repr(text.strip()) in str(error)
            except IllegalMove as error:
                assert repr(text) in str(error) and position.text in str(error)
            else:
                assert text.strip() in {str(move) for move in position.legal_moves}


NUMBERS = [(), (0,), (0, 0, 0), (-1, 0), (0, 9), (0.0, 0), ("a", "b"), (True, 0), (None, None), (10**30, 0), [0, 0, 0]]


@pytest.mark.parametrize("numbers", NUMBERS, ids=str)
def test_numbers_that_are_no_move(numbers: tuple[object, ...]) -> None:
    position = metatac.start("ultimate")
    with pytest.raises(InvalidMove):
        position.play(numbers)  # type: ignore[arg-type]


def test_huge_texts_are_refused_at_once() -> None:
    begin = time.perf_counter()
    for text in ("X" * 10**7, "ultimate X - " + "9/" * 10**6, "ultimate X - " + "X" * 90_000, "a " * 10**6):
        with pytest.raises(InvalidPosition) as caught:
            metatac.position(text)
        assert len(str(caught.value)) < 1000
    for text in ("a" * 10**7, " " * 10**7):
        with pytest.raises(InvalidMove) as wrong:
            metatac.start("ultimate").parse(text)
        assert len(str(wrong.value)) < 1000
    with pytest.raises(RulesError):
        metatac.parse_rules("#" * 10**7)
    with pytest.raises(RulesError):
        load_spec("ultimate" * 10**6)
    assert time.perf_counter() - begin < SECONDS
