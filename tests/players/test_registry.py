"""Players by name."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metatac
from metatac.errors import IllegalMove, MetatacError, UnknownPlayer
from metatac.match import Player
from metatac.players import Entry, Option, PlayerSpec, load_player, player_entries, register
from metatac.players.registry import check_player, options_of

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="="), min_size=1, max_size=12)
NAMES = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("random", PlayerSpec("random")),
        ("random:7", PlayerSpec("random", "7")),
        ("random:seed=7", PlayerSpec("random", None, (("seed", "7"),))),
        ("mcts:2s,seed=1,c=1.4", PlayerSpec("mcts", "2s", (("seed", "1"), ("c", "1.4")))),
        ("bot:./a,,b.py,time=1", PlayerSpec("bot", "./a,b.py", (("time", "1"),))),
        ("bot:path=x=y.py", PlayerSpec("bot", None, (("path", "x=y.py"),))),
        (r"bot:C:\bots\me.py", PlayerSpec("bot", r"C:\bots\me.py")),
    ],
)
def test_specs_parse_and_print(text: str, spec: PlayerSpec) -> None:
    assert PlayerSpec.parse(text) == spec
    assert str(spec) == text


@given(NAMES, st.none() | TEXT, st.dictionaries(NAMES, TEXT, max_size=3))
def test_specs_round_trip(name: str, main: str | None, options: dict[str, str]) -> None:
    if main is not None:
        main = main.strip() or None
    options = {key: value.strip() for key, value in options.items()}
    spec = PlayerSpec(name, main, tuple(options.items()))
    assert PlayerSpec.parse(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["is no player"]),
        ("Random!", ["is no player"]),
        ("randon", ["randon", "did you mean 'random'?"]),
        ("engin:3", ["'engin'", "did you mean 'engine'?"]),
        ("deepblue", ["deepblue", "there are bot, engine, ", "random"]),
        ("random:x", ["seed", "whole number", "'x'"]),
        ("random:1,seed=2", ["twice"]),
        ("random:seed=1,seed=2", ["twice"]),
        ("random:1,2", ["option=value"]),
        ("random:sede=2", ["sede", "its options: seed"]),
        ("r" * 5000, ["too long"]),
        ("minimax:1_0", ["depth", "whole number", "'1_0'"]),
        ("minimax:٣", ["depth", "whole number"]),
        ("minimax:3,margin=nan", ["margin is a number", "'nan'"]),
        ("minimax:3,margin=inf", ["margin is a number"]),
        ("mcts:2s,c=1_0", ["c is a number"]),
        ("mcts:2s,c=٣", ["c is a number"]),
        ("engine:nodes=99999999999999999999999", ["nodes", "at most 18 digits"]),
        ("random:99999999999999999999999", ["seed", "at most 18 digits"]),
    ],
)
def test_errors_name_what_is_wrong_and_what_there_is(text: str, words: list[str]) -> None:
    with pytest.raises(UnknownPlayer) as caught:
        load_player(text)
    for word in words:
        assert word in str(caught.value)


@given(st.text(max_size=40))
def test_any_text_is_a_player_or_an_unknown_one(text: str) -> None:
    try:
        load_player(text)
    except UnknownPlayer as error:
        assert str(error)


def test_every_entry_loads_and_explains_itself() -> None:
    for entry in player_entries():
        if entry.name == "bot":  # nobody in particular
            with pytest.raises(UnknownPlayer, match="which one"):
                load_player("bot")
            continue
        assert isinstance(load_player(entry.name), Player)
        assert entry.help
        assert all(option.help for option in entry.options)
        assert sum(option.main for option in entry.options) <= 1


def test_a_seed_plays_the_same_moves() -> None:
    position = metatac.start("ultimate")
    first, again, other = (metatac.load_player("random", seed=seed) for seed in (7, 7, 8))
    moves = [[player.choose(position) for _ in range(20)] for player in (first, again, other)]
    assert moves[0] == moves[1] != moves[2]
    assert [load_player("random:7").choose(position) for _ in range(1)] == moves[0][:1]
    with pytest.raises(UnknownPlayer):
        load_player("random", sede=3)


def test_a_finished_game_has_no_move_to_choose() -> None:
    position = metatac.start("tic-tac-toe")
    for move in "abeci":
        position = position.play(move)
    for name in ("random", "human"):
        with pytest.raises(IllegalMove, match="no move to choose"):
            load_player(name).choose(position)


def test_players_can_be_added_once() -> None:
    entry = Entry(
        "test-second", "a twin", "metatac.players.random_player:RandomPlayer", (Option("seed", "whole", "s"),)
    )
    register(entry)
    try:
        assert load_player("test-second:seed=3").name == "random"
        with pytest.raises(UnknownPlayer, match="right after the colon"):
            load_player("test-second:3")
        with pytest.raises(UnknownPlayer, match="already"):
            register(entry)
    finally:
        from metatac.players import registry

        del registry._ENTRIES["test-second"]


def test_the_registry_loads_no_player_and_nothing_heavy() -> None:
    code = (
        "import sys, metatac; metatac.load_player; "
        "assert 'metatac.players.human' not in sys.modules; "
        "metatac.load_player('random:1'); "
        "assert not {'numpy', 'numba', 'textual', 'asyncio'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("spec", ["engine:0", "engine:13", "engine:level=99", "minimax:0", "minimax:13"])
def test_what_is_out_of_bounds_is_refused_before_anybody_is_loaded(spec: str) -> None:
    with pytest.raises(UnknownPlayer, match="is from 1 to 12, not"):
        options_of(PlayerSpec.parse(spec))


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("engine:time=0", "at least 0.001"),
        ("engine:nodes=0", "at least 1"),
        ("engine:depth=0", "at least 1"),
        ("engine:hash=0", "from 0.001 to 1,048,576"),
        ("engine:hash=999999999", "from 0.001 to 1,048,576"),
        ("engine:threads=0", "from 1 to 512"),
        ("engine:5,nodes=100", "a fixed strength and takes no nodes"),
        ("engine:level=5,contempt=0.5", "a fixed strength and takes no contempt"),
        ("mcts:abc", "iterations like"),
        ("mcts:0", "iterations like"),
        ("uct:-5kn", "iterations like"),
        ("mcts:c=-1", "from 0 to 100"),
        ("mcts:hash=0", "from 1 to 1,048,576"),
        ("minimax:margin=-1", "at least 0"),
        ("heurist:0", "from 1 to 1,000,000,000"),
        ("engine:nodes=100,threads=2", "with nodes it uses one thread"),
        ("engine:depth=3,contempt=0.5", "a search to a depth takes no contempt"),
        ("tiger", "plays only sudoku"),
        ("bot:/there/is/no.py", "there is no such file or folder"),
        ("bot", "which one"),
        (f"bot:{__file__},memory=much", "much"),
        (f"bot:{__file__},isolation=some", "some"),
        (f'bot:{__file__},args="a', "no command line"),
    ],
)
def test_nobody_sits_down_who_could_not_play(spec: str, words: str) -> None:
    """What a player refuses as soon as it is made is refused when it is named: a game would be begun and stuck."""
    with pytest.raises(MetatacError, match=words):
        check_player(spec, metatac.load_rules("ultimate"))
    with pytest.raises(MetatacError):
        metatac.load_player(spec).choose(metatac.start("ultimate"))


def test_whether_somebody_could_play_is_told_without_loading_anything_heavy() -> None:
    code = (
        "import sys, metatac; from metatac.players.registry import check_player; "
        "check_player('engine:nodes=5', metatac.load_rules('ultimate')); "
        "assert not {'numpy', 'numba', 'textual', 'asyncio'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
