"""Every form gives back the record that was written: random games of all rules, with random notes."""

import io
import pickle
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metatac
import metatac.errors
from metatac.notation import BOARD_REASONS, MAX_DEPTH, Ply, Record, read_records, write_records

GAMES = [
    *metatac.preset_names(),
    "sudoku{side=2}",
    "sudoku{side=4;first=center}",
    "ultimate{swap=true}",
    'levels=ultimate{patterns={"game":["rows"],"small":["columns"]}}',
    "my.game=misere-ultimate{side=4;line=loses}",
]
TEXTS = st.text(max_size=30) | st.text(' {}[]()%\\"\n\r\t;.1ae$*-\x00\x85\u2028\ufeff', max_size=12)
TAGS = st.dictionaries(
    st.sampled_from(["Event", "Site", "Date", "Round", "X", "O", "TimeControl", "Annotator", "x", "Z_9"]),
    TEXTS,
)
SECONDS = st.none() | st.floats(0, 1e7) | st.integers(0, 10**7)
NOTES = st.fixed_dictionaries(
    {},
    optional={
        "comment": TEXTS | st.sampled_from(["[%clk 0:00:01]", "\\[%eval 1]", " [%", "}", "1-0", "[Rules]"]),
        "clock": SECONDS,
        "spent": SECONDS,
        "evaluation": st.floats(-1e300, 1e300),
        "nags": st.lists(st.integers(0, 255), max_size=3).map(tuple),
    },
) | st.fixed_dictionaries({"win_in": st.integers(-500, 500)})


def line_of(random, position, length, notes, depth):
    """A random line of play from a position, with random variations on it, and the position after it."""
    line = []
    while len(line) < length and position.outcome is None:
        variations = []
        while depth < 4 and random.random() < 0.06:
            variations.append(line_of(random, position, 3, notes, depth + 1)[0])
        move = random.choice(position.legal_moves)
        note = random.choice(notes) if random.random() < 0.3 else {}
        line.append(Ply(move, variations=tuple(variations), **note))
        position = position.play(move)
    return tuple(line), position


@st.composite
def records(draw):
    random = Random(draw(st.integers(0, 2**32)))
    notes = draw(st.lists(NOTES, min_size=1, max_size=6))
    start = metatac.start(draw(st.sampled_from(GAMES)))
    if draw(st.booleans()):
        start = line_of(random, start, draw(st.integers(0, 12)), notes, 9)[1]
    plies, end = line_of(random, start, draw(st.sampled_from([0, 1, 5, 40, 400])), notes, 0)
    ending = ("", None, "")
    if end.outcome is None:
        outside = st.sampled_from(["time", "resignation", "agreement", "illegal move", "\\ } \u00fcber \n"])
        points = st.none() | st.sampled_from([(16, 0), (0.5, 0.5), (0, -3), (1e10, 0.125)])
        results = st.sampled_from(["1-0", "0-1", "1/2-1/2"])
        unfinished = st.tuples(st.just("*"), st.none(), st.sampled_from(["", "abandoned"]))
        ending = draw(st.tuples(results, points, outside) | unfinished)
    return Record(start, plies, *ending, draw(TAGS), draw(TEXTS))


@settings(max_examples=250, deadline=None)
@given(records())
def test_text_and_json_give_the_record_back(record):
    assert Record.from_text(record.to_text()) == record
    assert Record.from_json(record.to_json()) == record
    assert list(Record.from_text(record.to_text()).tags.items()) == list(record.tags.items())
    assert record.to_text().splitlines() == record.to_text().split("\n")[:-1], "a line ends only at \\n"
    assert len(record.to_json().splitlines()) == 1
    assert pickle.loads(pickle.dumps(record)) == record


@settings(max_examples=40, deadline=None)
@given(st.lists(records(), max_size=4), st.sampled_from(["text", "json"]))
def test_a_stream_gives_the_records_back(written, form):
    file = io.StringIO()
    assert write_records(file, written, form=form) == len(written)
    text = file.getvalue()
    assert list(read_records(text)) == written
    assert list(read_records(io.StringIO(text))) == written
    assert list(read_records(io.BytesIO(text.encode()))) == written
    assert list(read_records(text.splitlines())) == written
    assert list(read_records(iter(text.replace("\n", "\r\n").split("\n")))) == written


@settings(max_examples=30, deadline=None)
@given(records())
def test_the_game_and_its_positions_are_rebuilt(record):
    game = record.game()
    assert game.start == record.start and game.moves == record.moves
    assert list(record.positions()) == list(game.positions)
    assert Record.from_game(game, result=record.result, points=record.points, termination=record.termination) == (
        Record(record.start, tuple(map(Ply, record.moves)), record.result, record.points, record.termination)
    )


@settings(max_examples=150, deadline=None)
@given(records(), st.data())
def test_a_damaged_copy_is_refused_or_is_another_sound_record(record, data):
    for text, read in ((record.to_text(), Record.from_text), (record.to_json(), Record.from_json)):
        place = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 5))
        damaged = text[:place] + data.draw(st.text('[]{}()"\\\n $*0123.aeX,:', max_size=4)) + text[place + cut :]
        try:
            found = read(damaged)
        except metatac.errors.InvalidRecord as error:
            assert str(error).startswith("line ")
        else:
            assert Record.from_text(found.to_text()) == Record.from_json(found.to_json()) == found


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_random_game(name):
    game, random = metatac.Game(metatac.start(name)), Random(7)
    while game.outcome is None:
        game.push(random.choice(game.legal_moves))
    record = Record.from_game(game, clocks=[0.1 * ply for ply in range(len(game))])
    assert record.points == game.outcome.points and record.termination == game.outcome.reason
    assert record.termination in BOARD_REASONS
    again = Record.from_text(record.to_text())
    assert again == record and again.rules.spec == record.rules.spec
    assert again.game().position == game.position


def test_variations_nest_as_deep_as_allowed():
    start = metatac.start("ultimate")
    ply = Ply(start.parse("ee"))
    for _ in range(MAX_DEPTH):
        ply = Ply(start.parse("ee"), variations=((ply,),))
    record = Record(start, (ply,))
    assert hash(Record.from_text(record.to_text())) == hash(Record.from_json(record.to_json())) == hash(record)
    with pytest.raises(metatac.errors.InvalidRecord, match="nest deeper than"):
        Record(start, (Ply(start.parse("ee"), variations=((ply,),)),))
