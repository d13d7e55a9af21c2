"""The system call filters, run by a small machine of our own: the verdict for each call, on every architecture."""

import errno
import os
import platform
import struct
import sys
from pathlib import Path

import pytest

from metatac.match import Offence
from metatac.players.bots.isolation import Level, obstacle
from metatac.players.bots.limits import Limits
from metatac.players.bots.process import BotProcess
from metatac.players.bots.seccomp import PARENT, SELF, bot_filter
from metatac.players.bots.syscalls import FORBIDDEN, NEEDED, NUMBERS, REFUSED

KILL, ALLOW = 0x80000000, 0x7FFF0000
CLOSE_ON_EXEC = 0x80000
ZOO = Path(__file__).with_name("zoo")


def fail(code: int) -> int:
    return 0x00050000 | code


@pytest.fixture(params=NUMBERS)
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(platform, "machine", lambda: request.param)
    return str(request.param)


def verdict(rules: bytes, machine: str, call: str | int, *arguments: int, architecture: int | None = None) -> int:
    """What the kernel would do: the meaning of classic BPF, as its documentation has it."""
    native, numbers = NUMBERS[machine]
    number = numbers[call] if isinstance(call, str) else call
    padded = [argument & 0xFFFFFFFFFFFFFFFF for argument in (*arguments, 0, 0, 0, 0, 0, 0)][:6]
    data = struct.pack("=IIQ6Q", number, native if architecture is None else architecture, 0, *padded)
    program = list(struct.iter_unpack("=HBBI", rules))
    at = value = 0
    while True:
        code, yes, no, operand = program[at]
        at += 1
        if code == 0x20:  # load a word
            (value,) = struct.unpack_from("=I", data, operand)
        elif code == 0x06:  # return
            return int(operand)
        else:
            holds = {0x15: value == operand, 0x25: value > operand, 0x45: bool(value & operand)}[code]
            at += yes if holds else no


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("namespaces", [False, True])
def test_attacks_end_the_process(machine: str, strict: bool, namespaces: bool) -> None:
    rules = bot_filter(strict=strict, namespaces=namespaces)
    for name in FORBIDDEN & NUMBERS[machine][1].keys():
        assert verdict(rules, machine, name) == KILL, name
    for family in (2, 10, 17, 40):  # internet, packets, virtual machines
        assert verdict(rules, machine, "socket", family, 1 | CLOSE_ON_EXEC) == KILL
        assert verdict(rules, machine, "socket", family, 2) == KILL
    assert verdict(rules, machine, "kill", -1, 9) == verdict(rules, machine, "kill", 1, 9) == KILL
    for flag in (0x10000000, 0x40000000, 0x00020000, 0x20000000):
        assert verdict(rules, machine, "clone", flag | 17) == KILL
    assert verdict(rules, machine, "read", architecture=0x40000003) == KILL
    assert verdict(rules, machine, 0x40000000) == KILL


def test_the_first_look_of_java_for_a_network_is_told_no(machine: str) -> None:
    rules = bot_filter(strict=False, namespaces=True)
    for family in (2, 10):
        assert verdict(rules, machine, "socket", family, 1) == fail(errno.EAFNOSUPPORT)


def test_sessions_are_granted_in_words_only(machine: str) -> None:
    for namespaces in (False, True):
        assert verdict(bot_filter(strict=False, namespaces=namespaces), machine, "setsid") == fail(0)
        assert verdict(bot_filter(strict=True, namespaces=namespaces), machine, "setsid") == KILL


def test_what_a_bot_needs_passes(machine: str) -> None:
    for strict in (False, True):
        rules = bot_filter(strict=strict, namespaces=True)
        for name in NEEDED & NUMBERS[machine][1].keys():
            assert verdict(rules, machine, name) == ALLOW, name


def test_strict_bots_have_no_more(machine: str) -> None:
    loose, strict = (bot_filter(strict=strict, namespaces=True) for strict in (False, True))
    thread, process = 0x003D0F00, 17
    for flags in (thread, process):
        assert verdict(loose, machine, "clone", flags) == ALLOW
        assert verdict(strict, machine, "clone", flags) == KILL
    known = NUMBERS[machine][1]
    for number in range(450):
        if number not in known.values():
            assert verdict(loose, machine, number) == ALLOW
            assert verdict(strict, machine, number) == KILL
    assert verdict(strict, machine, 600) == fail(errno.ENOSYS)  # younger than the table


def test_calls_with_another_way_are_refused(machine: str) -> None:
    rules = bot_filter(strict=False, namespaces=True)
    for name in REFUSED - {"sched_setaffinity"} & NUMBERS[machine][1].keys():
        assert verdict(rules, machine, name) == fail(errno.ENOSYS)
    assert verdict(rules, machine, "sched_setaffinity") == fail(errno.EPERM)


def test_without_namespaces_nobody_else_is_reached(machine: str) -> None:
    rules = bot_filter(strict=False, namespaces=False)
    assert verdict(rules, machine, "kill", SELF, 6) == verdict(rules, machine, "kill", 0, 6) == ALLOW
    assert verdict(rules, machine, "kill", PARENT, 9) == KILL
    assert verdict(rules, machine, "kill", 4711, 9) == verdict(rules, machine, "tkill", 4711, 9) == fail(errno.EPERM)
    assert verdict(rules, machine, "tgkill", 4711, 4711, 9) == fail(errno.EPERM)
    assert verdict(rules, machine, "socket", 1, 1) == fail(errno.EACCES)


def test_forks_can_be_refused_and_threads_not(machine: str) -> None:
    rules = bot_filter(strict=False, namespaces=False, forks=False)
    assert verdict(rules, machine, "clone", 17) == fail(errno.EPERM)
    assert verdict(rules, machine, "clone", 0x003D0F00) == ALLOW


@pytest.mark.parametrize("level", [Level.LIMITED, Level.FULL])
def test_a_thread_forfeits_in_a_strict_game_only(level: Level) -> None:
    if (reason := obstacle(level)) is not None:
        assert "CI" not in os.environ, reason
        pytest.skip(reason)
    file = ZOO / "uses_a_thread.py"

    def play(strict: bool) -> str:
        limits = Limits(strict=strict)
        with BotProcess([sys.executable, "-S", str(file)], folder=file, limits=limits, isolation=level) as process:
            process.send("aa")
            return process.read_line()

    assert play(strict=False) == "aa"
    with pytest.raises(Offence, match="forbidden call"):
        play(strict=True)
