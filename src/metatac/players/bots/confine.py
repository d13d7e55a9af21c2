"""Shuts itself in by Landlock and a system call filter, and becomes the bot. A program of its own, as the warden is.

Arguments: the descriptor that the filter is read from, what may be read and written (JSON), the bot's command.
"""

import ctypes
import json
import os
import signal
import struct
import sys

_SET_NO_NEW_PRIVS, _SET_SECCOMP, _DROP_FROM_BOUNDS, _FILTER = 38, 22, 24, 2
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION, _PATH_BENEATH = 1, 1
_READY, _IN, _OUT = 7, 8, 9
_SELF, _PARENT = 0x7FFFFFF1, 0x7FFFFFF2

# Rights on files by the Landlock version that brought them; a right that is handled and not granted is denied.
_RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
_READ = 1 << 0 | 1 << 2 | 1 << 3
"""Execute, read a file, read a folder."""
_LIST = 1 << 3
_OF_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15
"""What a single file can grant: execute, write, read, truncate, and the calls of devices."""
_TCP, _SCOPES = 3, 3
"""Bind and connect (version 4); abstract sockets and signals beyond the sandbox (version 6)."""

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def main() -> None:
    rules = _program(int(sys.argv[1]))
    paths = json.loads(sys.argv[2])
    command = sys.argv[3:]
    _check("no_new_privs", _libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    if os.geteuid() == 0:
        for capability in range(64):  # those that the kernel does not know are refused, and that is well
            _libc.prctl(_DROP_FROM_BOUNDS, capability, 0, 0, 0)
    _restrict(paths)
    os.write(_READY, b"\n")
    for fd, place in ((_IN, 0), (_OUT, 1)):
        os.dup2(fd, place)
    os.closerange(_READY, _OUT + 1)
    # Python ignores these two, and what is ignored stays so in the program that follows.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    _filter(rules)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"cannot run {command[0]}: {error.strerror}\n".encode())
    os._exit(127)


def _program(fd: int) -> bytes:
    """The filter, with the numbers of the processes that it speaks of."""
    with os.fdopen(fd, "rb") as file:
        rules = file.read()
    for sign, pid in ((_SELF, os.getpid()), (_PARENT, os.getppid())):
        rules = rules.replace(struct.pack("=I", sign), struct.pack("=I", pid))
    return rules


def _restrict(paths: dict[str, list[str]]) -> None:
    version = _system(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))
    handled = sum(rights for since, rights in _RIGHTS.items() if since <= version)
    network, scopes = (_TCP if version >= 4 else 0), (_SCOPES if version >= 6 else 0)
    attributes = struct.pack("=QQQ", handled, network, scopes)[: 24 if version >= 6 else 16 if version >= 4 else 8]
    ruleset = _system(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    proc = [f"/proc/{name}" for name in (os.getpid(), *paths["proc"])]
    for path in (*paths["read"], *proc):
        _grant(ruleset, path, _READ & handled)
    for path in paths["list"]:
        _grant(ruleset, path, _LIST & handled)
    _grant(ruleset, "/dev/null", (_READ | 1 << 1) & handled)
    for path in paths["write"]:
        _grant(ruleset, path, handled)
    _system(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    os.close(ruleset)


def _grant(ruleset: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # not there, then there is nothing to grant
        return
    if not os.path.isdir(path):
        rights &= _OF_FILES
    beneath = struct.pack("=Qi", rights, fd)
    _system(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(_PATH_BENEATH), beneath, ctypes.c_uint32(0))
    os.close(fd)


def _filter(rules: bytes) -> None:
    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))

    program = Program(len(rules) // 8, rules)
    _check("seccomp", _libc.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0))


def _system(number: int, *arguments: object) -> int:
    return _check(f"system call {number}", _libc.syscall(ctypes.c_long(number), *arguments))


def _check(what: str, result: int) -> int:
    if result < 0:
        sys.exit(f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


if __name__ == "__main__":
    main()
