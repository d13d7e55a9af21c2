"""The players that search: every game, perfect where that is easy, and each better than the one before."""

import random
import threading
import time

import pytest
from strategies import some_position

import metatac
from metatac import arena
from metatac.engine import mcts
from metatac.engine.alphabeta import minimax
from metatac.engine.analysis import analyze
from metatac.errors import IllegalMove, UnknownPlayer
from metatac.game import Position
from metatac.match import Clock, Player, new_match, run
from metatac.players import load_player
from metatac.players.analysts import load_analyst
from metatac.players.searchers import MinimaxPlayer

ALL = ["greedy", "heurist:200", "uct:300n,hash=8", "mcts:300n,hash=8"]
PRESETS = metatac.preset_names()


def play(position: metatac.Position, x: Player, o: Player) -> metatac.Position:
    while position.outcome is None:
        position = position.play((x if position.turn == "X" else o).choose(position))
    return position


def score(game: str, a: str, b: str, pairs: int) -> float:
    """The mean score of A, both colours from each of some random openings."""
    total = 0.0
    for pair in range(pairs):
        chance, first = random.Random(pair), metatac.start(game)
        for _ in range(3):
            first = first.play(chance.choice(first.legal_moves))
        for seat in "XO":
            players = {seat: load_player(a, seed=pair), "XO"["OX".index(seat)]: load_player(b, seed=pair + 100)}
            outcome = play(first, players["X"], players["O"]).outcome
            assert outcome is not None
            total += 0.5 if outcome.winner is None else float(outcome.winner == seat)
    return total / (2 * pairs)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("spec", ALL)
def test_every_preset_is_played(name: str, spec: str) -> None:
    chance, player = random.Random(1), load_player(spec, seed=1)
    position = metatac.start(name)
    for _ in range(6):
        move = player.choose(position)
        assert move in position.legal_moves
        position = position.play(move)
        if position.outcome is None:
            position = position.play(chance.choice(position.legal_moves))
        if position.outcome is not None:
            break


@pytest.mark.parametrize("spec", ALL)
def test_the_same_seed_plays_the_same_game(spec: str) -> None:
    first = metatac.start("ultimate", swap=True)
    games = [play(first, load_player(spec, seed=4), load_player("random", seed=seed)) for seed in (5, 5, 6)]
    assert games[0] == games[1] != games[2]


@pytest.mark.parametrize("spec", ["uct:4kn,hash=2", "mcts:1kn,hash=2"])
def test_tic_tac_toe_is_never_lost(spec: str) -> None:
    """Against every reply there is, on either side."""
    player, chosen = load_player(spec, seed=1), dict[metatac.Position, metatac.Move]()

    def follow(position: metatac.Position, seat: str) -> None:
        if position.outcome is not None:
            assert position.outcome.winner in (seat, None), position.text
        elif position.turn != seat:
            for move in position.legal_moves:
                follow(position.play(move), seat)
        elif position not in chosen:
            chosen[position] = player.choose(position)
            follow(position.play(chosen[position]), seat)

    for seat in "XO":
        follow(metatac.start("tic-tac-toe"), seat)


@pytest.mark.parametrize("name", [name for name in PRESETS if name not in ("sudoku", "ultimate-ultimate")])
@pytest.mark.parametrize("spec", ["greedy", "mcts:100n,hash=1"])
def test_a_win_is_taken(name: str, spec: str) -> None:
    found, seed = 0, 0
    while found < 4:
        seed += 1
        chance, position = random.Random(seed), metatac.start(name)
        while position.outcome is None:
            mover, before = position.turn, position
            position = position.play(chance.choice(position.legal_moves))
        if position.outcome.winner == mover and position.outcome.reason in ("line", "boards"):
            outcome = before.play(load_player(spec, seed=seed).choose(before)).outcome
            assert outcome is not None and outcome.winner == mover, before.text
            found += 1
        elif name == "misere-ultimate" and seed > 300:
            break


@pytest.mark.parametrize(
    ("a", "b", "pairs", "least"),
    [
        ("greedy", "random", 20, 0.75),
        ("heurist:1000", "greedy", 12, 0.6),
        ("uct:3kn,hash=4", "heurist:500", 8, 0.65),
        ("mcts:4kn,hash=4", "uct:4kn,hash=4", 10, 0.6),
    ],
)
def test_each_beats_the_one_before(a: str, b: str, pairs: int, least: float) -> None:
    assert score("ultimate", a, b, pairs) >= least


UNHURRIED = ["heurist:100000000", "uct:60s,hash=16", "mcts:60s,hash=16", "mcts:900Mn,hash=16", "minimax:12"]


@pytest.mark.parametrize("spec", UNHURRIED)
def test_the_clock_is_kept(spec: str) -> None:
    position, player = metatac.start("ultimate"), load_player(spec)
    getattr(player, "game_started")(position, "X")  # noqa: B009
    took = []
    for _ in range(4):
        begin = time.process_time()  # never more than has passed, however busy the machine is
        player.choose(position, Clock(limit=0.2))
        took.append(time.process_time() - begin)
    assert min(took) < 0.2


@pytest.mark.parametrize("clock", [Clock(limit=0.0), Clock(limit=0.001), Clock(own=0.05), Clock(limit=1.0, own=1.0)])
def test_minimax_moves_however_little_time_there_is(clock: Clock) -> None:
    position = metatac.start("ultimate")
    assert load_player("minimax:12").choose(position, clock) in position.legal_moves


@pytest.mark.parametrize("clock", [Clock(), Clock(limit=1e30)])
def test_minimax_with_time_enough_looks_as_far_as_it_should(clock: Clock) -> None:
    for name in ("ultimate", "sudoku"):
        position = some_position(name, 12, 3)
        found = minimax(position, 3).moves
        best = [one.move for one in found if one.value_x == found[0].value_x]
        chosen = [load_player("minimax:3", seed=seed).choose(position, clock) for seed in range(4)]
        assert chosen == [random.Random(seed).choice(sorted(best)) for seed in range(4)]


@pytest.mark.parametrize("name", ["ultimate", "sudoku", "extreme"])
def test_minimax_chooses_in_a_game_what_it_would_choose_without_it(name: str) -> None:
    """What it remembers of moves before is true of later ones, too."""
    position, player = some_position(name, 8, 2), MinimaxPlayer(4, seed=1)
    player.game_started(position, "X")
    for _ in range(12):
        player._random.seed(7)
        fresh = MinimaxPlayer(4)
        fresh._random.seed(7)
        move = player.choose(position)
        assert move == fresh.choose(position), position.text
        position = position.play(move)
        if position.outcome is not None:
            break


def test_minimax_does_not_take_one_game_for_another() -> None:
    """The same marks are of one key in games with the same boards, whatever a line does there."""
    player = MinimaxPlayer(3)
    for seed in range(5):
        position = some_position("ultimate", 12, seed)
        player.choose(position)
        parts = (position.cells, position.owners, position.tallies, position.send, position.turn, position.bonus)
        other = Position(metatac.load_rules("misere-ultimate"), *parts)
        player._random.seed(seed)
        fresh = MinimaxPlayer(3, seed=seed)
        assert player.choose(other) == fresh.choose(other), other.text


def test_minimax_can_be_interrupted() -> None:
    position, player = metatac.start("ultimate"), MinimaxPlayer(12)
    timer = threading.Timer(0.1, player.interrupt)
    timer.start()
    assert player.choose(position) in position.legal_moves


OF_THEIR_OWN = ["mcts:1s", "uct:1s,hash=16", "heurist:100000000", "engine:depth=40,hash=8,threads=1", "minimax:12"]


@pytest.mark.parametrize("spec", OF_THEIR_OWN)
def test_a_clock_for_the_whole_game_binds_a_player_with_a_limit_of_its_own(spec: str) -> None:
    """By the time that the processor worked, which is never more than has passed, however busy the machine is."""
    players = (load_player(spec, seed=1), load_player("random", seed=1))
    match = run(new_match("ultimate", time="2s+0.01s"), players, clock=time.process_time)
    assert match.result is not None
    assert match.result.reason in ("draw", "line", "boards")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mcts:fast", ["fast", "50kn"]),
        ("uct:2s,hash=0", ["hash is from 1 to 1,048,576"]),
        ("mcts:2s,c=-1", ["c is from 0 to 100"]),
        ("uct:2s,c=1", ["no option 'c'"]),
        ("heurist:0", ["games"]),
        ("heurist:x", ["whole number"]),
        ("tiger:3", ["nothing right after the colon"]),
    ],
)
def test_wrong_options_are_named(text: str, words: list[str]) -> None:
    with pytest.raises(UnknownPlayer) as caught:
        load_player(text)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("spec", ALL)
def test_a_finished_game_has_no_move_to_choose(spec: str) -> None:
    position = metatac.start("tic-tac-toe")
    for move in "abeci":
        position = position.play(move)
    with pytest.raises(IllegalMove, match="no move to choose"):
        load_player(spec).choose(position)


@pytest.mark.parametrize("option", ["contempt=0.3", "ponder=yes"])
def test_an_analysis_refuses_what_only_a_player_heeds(option: str) -> None:
    with pytest.raises(UnknownPlayer, match="means nothing to an analysis"):
        load_analyst(f"engine:time=1s,{option}")


def test_flat_monte_carlo_shares_its_games_equally() -> None:
    result = analyze(metatac.start("ultimate"), load_analyst("heurist:1000,seed=1"))
    shares = sorted(move.nodes for move in result.moves)
    assert sum(shares) == 1000
    assert shares[-1] - shares[0] <= 1
    result = analyze(metatac.start("ultimate"), load_analyst("heurist:30,seed=1"))
    assert sum(move.nodes for move in result.moves) == 30
    assert result.best.nodes == 1


def test_a_proven_win_is_known_as_one() -> None:
    position = metatac.start("tic-tac-toe")
    for move in "abe":
        position = position.play(move)
    result = analyze(position, load_analyst("mcts:1kn,hash=1,seed=1"))
    assert result.value_x == 1  # X threatens i and g
    assert all(move.proven for move in result.moves)
    assert len(result.best.line) >= 2


@pytest.mark.parametrize(("name", "trees"), [("uct", 0), ("mcts", 1)])
def test_more_memory_than_there_is_is_refused_before_the_game(
    name: str, trees: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that keeps its tree needs memory for two, and a second move is too late to say so."""
    room = ["for a tree"] * trees

    def made(capacity: int, keen: bool, tree: type[mcts._Tree] = mcts._Tree) -> mcts._Tree:
        if not room:
            raise MemoryError("no room")
        room.pop()
        return tree(1000, keen)

    monkeypatch.setattr(mcts, "_Tree", made)
    with pytest.raises(UnknownPlayer, match=f"{name}: there is no memory for hash=9000: no room"):
        arena.contestants(f"{name}:10n,hash=9000", "random", rules=metatac.load_rules("tic-tac-toe"))
