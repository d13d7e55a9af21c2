"""System call filters for bots, as programs of the kernel's small machine (classic BPF).

A filter sees the number of each call and its plain arguments, and lets it pass, fail or end the process. One that
ends it (SIGSYS) is how a forbidden call becomes a forfeit.
"""

import errno
import platform
import struct
from collections.abc import Iterable

from metatac.players.bots.syscalls import FORBIDDEN, NEEDED, NUMBERS, REFUSED

SELF, PARENT = 0x7FFFFFF1, 0x7FFFFFF2
"""Stand for the bot's own process and its parent until `confine` puts their numbers in: no process has these."""

_LOAD, _EQUAL, _ABOVE, _COMMON, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_KILL, _FAIL, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000

# Where struct seccomp_data has them; of an argument the lower half, which comes first on all machines named here.
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_X32 = 0x40000000
_NEWEST = 500
"""Calls with larger numbers are younger than our tables: a program that tries one is told that there is none."""

_NEW_NAMESPACES = 0x7E020000
_CLONE_THREAD = 0x00010000
_UNIX, _INET, _INET6, _NETLINK = 1, 2, 10, 16
_STREAM = 1
_EVERYBODY = 0xFFFFFFFF

Instruction = tuple[int, int, int, int]
"""Operation, how many to skip if true, how many if false, operand."""


def machine_known() -> bool:
    return platform.machine() in NUMBERS


def bot_filter(*, strict: bool, namespaces: bool, forks: bool = True) -> bytes:
    """The filter for bots. In namespaces of their own they reach nobody; without them signals and sockets must fail.

    Without ``forks`` threads are still allowed, if not strict: they end with their process.
    """
    architecture, numbers = NUMBERS[platform.machine()]
    program: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture),
        _give(_KILL),
        (_LOAD, 0, 0, _NUMBER),
        *_when(_ABOVE, _X32 - 1, [_give(_KILL)]),
    ]
    for name, block in _rules(strict, namespaces, forks).items():
        if name in numbers:
            program += _when(_EQUAL, numbers[name], block)
    if strict:
        for name in sorted(NEEDED & numbers.keys()):
            program += _when(_EQUAL, numbers[name], [_give(_ALLOW)])
        program += _when(_ABOVE, _NEWEST, [_give(_FAIL | errno.ENOSYS)])
    program.append(_give(_KILL if strict else _ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _rules(strict: bool, namespaces: bool, forks: bool) -> dict[str, list[Instruction]]:
    """What is done with each call that is not simply let pass. Every block ends with a verdict."""
    rules = {name: [_give(_KILL)] for name in FORBIDDEN}
    if not strict:  # where a strict bot may not make a call, there is nothing to refuse
        rules |= {name: [_give(_FAIL | errno.ENOSYS)] for name in REFUSED}
    else:
        # The C library tries these before the older ways that it has.
        rules |= {name: [_give(_FAIL | errno.ENOSYS)] for name in ("clone3", "memfd_create", "timer_create")}
    rules["sched_setaffinity"] = [_give(_FAIL | errno.EPERM)]
    unix = _ALLOW if namespaces else _FAIL | errno.EACCES
    rules["socket"] = _sockets(unix)
    if not strict:
        thread = _when(_COMMON, _CLONE_THREAD, [_give(_ALLOW)])
        process = _ALLOW if forks else _FAIL | errno.EPERM
        rules["clone"] = [_argument(0), *_when(_COMMON, _NEW_NAMESPACES, [_give(_KILL)]), *thread, _give(process)]
        rules["fork"] = rules["vfork"] = [_give(process)]
        # A bot is one session and one group of processes: the kernel may share the processor among sessions, and the
        # warden stops the group while it is not the bot's turn. It is told that it got its own, for daemons ask.
        rules["setsid"] = rules["setpgid"] = [_give(_FAIL)]
    return rules | _signals(namespaces)


def _sockets(unix: int) -> list[Instruction]:
    """To reach for the network is forbidden. Java's first look whether there is one, a plain stream, is told no."""
    none = _FAIL | errno.EAFNOSUPPORT
    look = [_argument(1), *_when(_EQUAL, _STREAM, [_give(none)]), _give(_KILL)]
    block = [_argument(0), *_when(_EQUAL, _UNIX, [_give(unix)]), *_when(_EQUAL, _NETLINK, [_give(none)])]
    return [*block, *_when(_EQUAL, _INET, look), *_when(_EQUAL, _INET6, look), _give(_KILL)]


def _signals(namespaces: bool) -> dict[str, list[Instruction]]:
    """To signal the first process of all, one's parent or everybody is an attack; others are refused if reachable."""
    if namespaces:
        allow = [_give(_ALLOW)]
        return {"kill": _cases({1: _KILL, _EVERYBODY: _KILL}, otherwise=_ALLOW), "tkill": allow, "tgkill": allow}
    refuse = _FAIL | errno.EPERM
    victims = {1: _KILL, _EVERYBODY: _KILL, PARENT: _KILL}
    rules = {"kill": _cases({**victims, SELF: _ALLOW, 0: _ALLOW}, otherwise=refuse)}
    rules["tgkill"] = _cases({SELF: _ALLOW}, otherwise=refuse)
    for name in ("tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal", "setpriority"):
        rules[name] = [_give(refuse)]
    rules["prlimit64"] = _cases({SELF: _ALLOW, 0: _ALLOW}, otherwise=refuse)  # a limit of no time kills too
    return rules


# -- the assembler


def _give(verdict: int) -> Instruction:
    return (_RETURN, 0, 0, verdict)


def _argument(index: int) -> Instruction:
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * index)


def _when(test: int, operand: int, block: list[Instruction]) -> list[Instruction]:
    """The block if the test holds, else what follows it."""
    return [(test, 0, len(block), operand), *block]


def _cases(verdicts: dict[int, int], *, otherwise: int) -> list[Instruction]:
    """A verdict by the value of the first argument."""
    cases: Iterable[list[Instruction]] = (_when(_EQUAL, value, [_give(give)]) for value, give in verdicts.items())
    return [_argument(0), *(instruction for case in cases for instruction in case), _give(otherwise)]
