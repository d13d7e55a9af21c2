"""Files of many records: one at a time, damage kept to the record it is in, and bounded by limits."""

import contextlib
import io
import itertools
import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metatac
from metatac.errors import InvalidRecord, MetatacError
from metatac.notation import (
    Limits,
    Ply,
    Record,
    count_records,
    foreign_forms,
    read_foreign,
    read_records,
    write_record,
    write_records,
)

GOOD = '[Rules "ultimate"]\n[Result "*"]\n\n1. ee 2. ea *\n\n'
JSON = '{"rules":"ultimate","result":"*","moves":["ee"]}\n'


def record_of(*moves):
    game = metatac.Game("ultimate")
    for move in moves:
        game.push(move)
    return Record.from_game(game)


@pytest.mark.parametrize(
    "damaged",
    [
        '[Rules "ultimate"]\n[Result "*"]\n\n1. ee 2. ee *\n\n',
        '[Rules "ultimate"]\n[Result "*"]\n\n1. ee {never closed\n\n',
        '[Rules "ultimate"]\n[Result "*"]\n\n',
        '[Rules "ultimate"]\n[Result "*"\n\n1. ee *\n',
        "chatter\n\nmore of it\n",
        '[Rules "ultimate"]\n[Result "*"]\n\n1. ee (((\n',
    ],
)
def test_damage_stays_in_its_record(damaged):
    errors = []
    text = GOOD + damaged + GOOD
    assert len(list(read_records(text, on_error=errors.append))) == 2 or "chatter" in damaged
    assert len(errors) == 1 and isinstance(errors[0], InvalidRecord)
    line = int(str(errors[0]).split()[1].rstrip(":"))
    assert line <= text.count("\n")
    assert list(read_records(text, on_error="skip"))[-1] == record_of("ee", "ea")
    with pytest.raises(InvalidRecord):
        list(read_records(text))


def test_damage_in_json_lines():
    errors = []
    text = JSON + "{broken\n\n" + JSON + '{"rules":1}\n' + JSON
    assert len(list(read_records(text, on_error=errors.append))) == 3
    assert count_records(text) == 5
    assert [str(error).split(":")[0] for error in errors] == ["line 2", "line 5"]


def test_a_path_is_opened_and_closed(tmp_path):
    path = tmp_path / "games.mtr"
    with path.open("w", encoding="utf-8") as file:
        assert write_records(file, [record_of("ee"), record_of()]) == 2
    assert list(read_records(path)) == [record_of("ee"), record_of()]


def test_bytes_that_are_no_text_cost_one_record():
    data = (GOOD + GOOD.replace("*\n\n", "{\xff} *\n\n") + GOOD).encode("latin-1")
    errors = []
    assert len(list(read_records(io.BytesIO(data), on_error=errors.append))) == 2
    assert "line 6: no valid UTF-8" in str(errors[0])
    text = io.TextIOWrapper(io.BytesIO(data), "utf-8")
    with pytest.raises(InvalidRecord, match="no valid utf-8"):
        list(read_records(text))


@pytest.mark.parametrize("source", [[1], [None], iter([GOOD.encode(), 3.5])])
def test_what_is_no_line_is_refused(source):
    with pytest.raises(InvalidRecord, match="lines of text are wanted"):
        list(read_records(source))


def test_nothing_holds_no_records():
    for source in ("", "\n\n \n", [], io.BytesIO(b"\xef\xbb\xbf")):
        assert list(read_records(source)) == []


def test_a_byte_order_mark_is_passed_over():
    assert list(read_records("\ufeff" + GOOD)) == list(read_records("\ufeff" + GOOD.replace("\n", "\r\n")))
    assert len(list(read_records(io.BytesIO(b"\xef\xbb\xbf" + JSON.encode())))) == 1


def test_an_unknown_form_is_refused():
    with pytest.raises(ValueError, match="neither 'text' nor 'json'"):
        write_record(io.StringIO(), record_of(), form="xml")


def test_an_unknown_way_with_errors_is_refused_at_once():
    with pytest.raises(ValueError, match="neither 'raise' nor 'skip'"):
        read_records("", on_error="ignore")


def test_what_could_not_be_read_is_not_written():
    move = metatac.start("ultimate").parse("ee")
    comments = tuple((Ply(move, comment="x" * 65_000),) for _ in range(70))
    record = Record(metatac.start("ultimate"), (Ply(move, variations=comments),))
    for form in ("text", "json"):
        with pytest.raises(InvalidRecord, match="characters"):
            write_record(io.StringIO(), record, form=form)


def test_a_stream_is_not_loaded_whole():
    records = read_records(itertools.cycle(GOOD.splitlines()))
    assert len(list(itertools.islice(records, 100))) == 100
    tracemalloc.start()
    lines = (
        line for _ in range(5_000) for line in (f'[Rules "ultimate"]\n[X "{"x" * 2000}"]', '[Result "*"]', "", "*")
    )
    for _ in read_records(itertools.chain.from_iterable(line.split("\n") for line in lines)):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


HEAD = '[Rules "ultimate"]\n[Result "*"]\n\n'
SMALL = Limits(chars=10_000, plies=100)


@pytest.mark.parametrize(
    "hostile",
    [
        "x" * 1_000_000,
        HEAD + "{" + "a" * 1_000_000,
        HEAD + "{" + "\\n" * 500_000,
        HEAD + "1. ee" + "(" * 1_000_000,
        HEAD + "1. ee" + "(1. ee" * 100_000,
        HEAD + "1. ee " + "(ee)" * 100_000 + "*",
        HEAD + "1. ee " + "$1 " * 100_000 + "*",
        HEAD + "1. ee " + "{a}" * 100_000 + "*",
        HEAD + "1" * 1_000_000,
        HEAD.replace("\n\n", '\n[Start "ultimate X - 99999999999/9/9/9/9/9/9/9/9"]\n\n') + "*",
        HEAD.replace("\n\n", f'\n[Start "ultimate X - {"1" * 60}z/9/9/9/9/9/9/9/9"]\n\n') + "*",
        HEAD.replace("ultimate", f"ultimate{{win_points={'9' * 400}}}") + "*",
        '[A ""]\n' * 100_000,
        "".join(f'[A{i} ""]\n' for i in range(50_000)),
        '[Rules "' + "\\a" * 500_000,
        "\n" * 300_000 + "?",
        '{"rules":' + "[" * 1_000_000,
        '{"rules":"ultimate","result":"*","moves":' + '[{"move":"ee","variations":[' * 400 + "]}]" * 400 + "}",
        '{"rules":"ultimate","result":"*","moves":[' + '"ee",' * 100_000 + '"ee"]}',
        '{"rules":"ultimate","result":"*","points":[' + "9" * 4000 + ',1],"moves":[]}',
        '{"rules":"ultimate","result":"*","points":[' + "9" * 100_000 + ',1],"moves":[]}',
        "{" + ",".join(f'"a{i}":1' for i in range(50_000)) + "}",
    ],
)
def test_hostile_input_is_refused_quickly(hostile):
    for limits in (Limits(), SMALL):
        begun = time.process_time()
        try:
            list(read_records(hostile, limits=limits))
        except InvalidRecord as error:
            assert len(str(error)) < 1000
        assert time.process_time() - begun < 5


def test_one_endless_line_is_passed_in_pieces():
    class Endless(io.RawIOBase):
        left, widest = 50, 0

        def readline(self, size=-1):
            assert 0 < size <= 100_000
            self.left -= 1
            return b"x" * size if self.left >= 0 else (b"\n" + GOOD.encode() if self.left == -1 else b"")

    with pytest.raises(InvalidRecord, match="longer than 10000 characters"):
        list(read_records(Endless(), limits=SMALL))


SIGNS = [*'[]{}()"\\$*!?%/-;:,.@# \n\r\t\x00', "1-0", "1/2-1/2", "1. ", "ee ", "ea ", "swap ", "\\u"]
PHRASES = [
    "[%clk ",
    "[%eval ",
    "0:00:01]",
    '[Rules "ultimate"]\n',
    '[Result "*"]\n',
    '[Start "ultimate X - ',
    "9/",
]
JSON_PHRASES = ['"rules":"ultimate",', '"result":"*",', '"moves":[', '{"move":"ee",', '"variations":[[', "X8"]
PIECES = st.sampled_from(SIGNS + PHRASES + JSON_PHRASES)
NOISE = st.lists(PIECES | st.text(max_size=4), max_size=40).map("".join)


@settings(max_examples=500, deadline=2000)
@given(NOISE | st.builds(lambda head, noise: head + noise, st.sampled_from([HEAD, JSON[:-3], "{", "["]), NOISE))
def test_noise_gives_records_or_errors_of_ours(noise):
    for source in (
        io.StringIO(noise),
        noise.splitlines(keepends=True),
        io.BytesIO(noise.encode("utf-8", "surrogatepass")),
    ):
        errors = []
        for record in read_records(source, on_error=errors.append, limits=SMALL):
            assert Record.from_text(record.to_text()) == record
        assert all(isinstance(error, InvalidRecord) for error in errors)
    for read in (
        Record.from_text,
        Record.from_json,
        *(lambda text, f=form: read_foreign(text, f) for form in (None, *foreign_forms())),
    ):
        with contextlib.suppress(MetatacError):
            read(noise)


@settings(max_examples=300, deadline=2000)
@given(st.binary(max_size=200), st.integers(0, 300), st.integers(0, 255))
def test_random_bytes_and_flipped_ones(data, place, byte):
    good = bytearray(record_of("ee", "ea", "ac").to_text().encode())
    good[place % len(good)] = byte
    for source in (data, bytes(good), bytes(good[: place % len(good)])):
        for record in read_records(io.BytesIO(source), on_error="skip"):
            assert list(record.positions())


def test_a_path_is_a_path_also_as_a_string(tmp_path):
    path = tmp_path / "games.txt"
    with path.open("w") as file:
        file.write(GOOD + GOOD)
    assert list(read_records(str(path))) == list(read_records(path)) == [Record.from_text(GOOD)] * 2
    with pytest.raises(InvalidRecord, match=r"'no-such-file.txt' cannot be read: No such file"):
        list(read_records("no-such-file.txt", on_error="skip"))
