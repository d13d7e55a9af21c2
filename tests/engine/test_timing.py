"""The share of the clock that a move gets."""

from hypothesis import given
from hypothesis import strategies as st

from metatac.engine.timing import MARGIN, allotted

seconds = st.floats(0, 100_000, allow_subnormal=False)
small = st.floats(0, 60)


@given(seconds, small, st.integers(0, 7000), st.integers(1, 7000), st.none() | small)
def test_no_move_takes_more_than_there_is(
    left: float, increment: float, plies: int, whole: int, limit: float | None
) -> None:
    share = allotted(left, increment, plies, whole, limit)
    assert 0 <= share <= max(0.0, left - MARGIN)
    assert limit is None or share <= max(0.0, limit - MARGIN)


@given(st.floats(0.05, 3600), small, st.integers(1, 2000), st.integers(1, 3), st.floats(0, 1))
def test_no_game_outlasts_the_clock(total: float, increment: float, whole: int, plies_a_move: int, late: float) -> None:
    """However long the game and however late each move, up to the margin that is kept back."""
    left, plies = total, whole
    while plies > 0:
        share = allotted(left, increment, plies, whole)
        spent = share + min(late * MARGIN, left / 100)  # who has no time left answers at once, without a search
        assert spent <= left
        left += increment - spent
        plies -= plies_a_move
    assert left > 0


def test_the_middle_of_a_game_gets_more_than_its_beginning_and_end() -> None:
    left, spent, shares = 300.0, 0.0, list[float]()
    for plies in range(81, 21, -2):  # a game of `ultimate`: the other one's moves cost nothing here
        shares.append(allotted(left, 0, plies, 81))
        left -= shares[-1]
        spent += shares[-1]
    assert max(shares) == max(shares[3:15])
    assert 0.75 * 300 < spent < 300


def test_an_increment_is_used_and_kept() -> None:
    left = 10.0
    for plies in [*range(200, 20, -2), *[20] * 300]:
        left += 5 - allotted(left, 5, plies, 200)
        assert left > 5
    assert left < 100
