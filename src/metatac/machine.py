"""What this machine offers to keep a foreign program in bounds; each offer is tried, not guessed.

Every probe answers an `Offer` and never raises: a machine without the thing is an answer too.
"""

import ctypes
import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from math import ceil
from pathlib import Path

PROBE_SECONDS = 60.0
CGROUPS, OWN_CGROUP = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")

# The same number on every Linux architecture that gets new system calls in step (all but alpha).
_LANDLOCK_CREATE_RULESET = 444
_LANDLOCK_CREATE_RULESET_VERSION = 1
_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 22, 2

# Run in a child, for a process cannot leave a namespace again. CLONE_NEW*: user, mount, pid, net, ipc.
_UNSHARE = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
sys.exit(0 if libc.unshare(int(sys.argv[1], 16)) == 0 else os.strerror(ctypes.get_errno()))
"""
_USER, _MOUNT_PID_NET_IPC = 0x10000000, 0x00020000 | 0x20000000 | 0x40000000 | 0x08000000

_LIMITS = ("CPU", "AS", "DATA", "FSIZE", "NPROC", "NOFILE")


@dataclass(frozen=True)
class Offer:
    """One means of isolation: whether it works here, and what was found."""

    name: str
    works: bool
    detail: str


def isolation_offers() -> tuple[Offer, ...]:
    """Every means of isolation that metatac knows, tried on this machine."""
    return (
        user_namespaces(),
        bubblewrap(),
        seccomp(),
        landlock(),
        cgroup_v2(),
        resource_limits(),
        privileges(),
    )


def user_namespaces() -> Offer:
    """A process of ours gets a user namespace, and inside it its own mounts, pids, network and ipc."""
    name = "user namespaces"
    if not sys.platform.startswith("linux"):
        return _linux_only(name)
    for flags, what in ((_USER, "a user namespace"), (_USER | _MOUNT_PID_NET_IPC, "mount, pid, net and ipc")):
        refusal = _try([sys.executable, "-I", "-S", "-c", _UNSHARE, hex(flags)])
        if refusal is not None:
            return Offer(name, False, f"{what} refused: {refusal}")
    return Offer(name, True, "user, mount, pid, net and ipc can be unshared")


def bubblewrap() -> Offer:
    """bwrap is installed and can start a program with everything unshared."""
    name, program = "bubblewrap", shutil.which("bwrap")
    if program is None:
        return Offer(name, False, "bwrap is not installed")
    refusal = _try([program, "--ro-bind", "/", "/", "--unshare-all", "--die-with-parent", "true"])
    return Offer(name, refusal is None, program if refusal is None else f"{program} fails: {refusal}")


def seccomp() -> Offer:
    """The kernel takes system call filters: asked with a null filter, it objects to the address alone."""

    def probe(libc: ctypes.CDLL) -> tuple[bool, str]:
        libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, None, 0, 0)
        code = ctypes.get_errno()
        works = code == errno.EFAULT
        return works, "system call filters" if works else os.strerror(code)

    return _system_call("seccomp", probe)


def landlock() -> Offer:
    """The kernel restricts file access by Landlock; the ABI version says which rights it knows."""

    def probe(libc: ctypes.CDLL) -> tuple[bool, str]:
        libc.syscall.restype = ctypes.c_long
        size, flags = ctypes.c_size_t(0), ctypes.c_uint32(_LANDLOCK_CREATE_RULESET_VERSION)
        version = libc.syscall(ctypes.c_long(_LANDLOCK_CREATE_RULESET), None, size, flags)
        return version > 0, f"ABI {version}" if version > 0 else os.strerror(ctypes.get_errno())

    return _system_call("Landlock", probe)


def cgroup_v2(root: Path = CGROUPS, own: Path = OWN_CGROUP) -> Offer:
    """The unified control groups are mounted, and we may make groups of our own to limit memory and pids."""
    name = "cgroup v2"
    try:
        controllers = (root / "cgroup.controllers").read_text().split()
        folder = _own_group(root, own)
    except OSError as error:
        return Offer(name, False, f"not mounted at {root} ({error.strerror})")
    writable = os.access(folder, os.W_OK)
    listed = ", ".join(controllers) or "no controllers"
    return Offer(name, writable, f"{listed}; {folder} is {'' if writable else 'not '}writable")


def _own_group(root: Path, own: Path) -> Path:
    """The folder of the control group that we are in."""
    # The one line of the unified hierarchy: "0::/the/group".
    group = next((line[3:] for line in own.read_text().splitlines() if line.startswith("0::")), "/")
    return root / group.lstrip("/")


def resource_limits() -> Offer:
    """setrlimit is there; the present soft limits."""
    name = "resource limits"
    try:
        import resource
    except ImportError:
        return Offer(name, False, "no setrlimit on this platform")
    shown = []
    for limit in _LIMITS:
        if (number := getattr(resource, f"RLIMIT_{limit}", None)) is not None:
            soft = resource.getrlimit(number)[0]
            shown.append(f"{limit.lower()} {'unlimited' if soft == resource.RLIM_INFINITY else soft}")
    return Offer(name, True, ", ".join(shown))


def privileges() -> Offer:
    """Running as an ordinary user is itself a bound."""
    name = "ordinary user"
    if not hasattr(os, "geteuid"):
        return Offer(name, False, "unknown on this platform")
    uid = os.geteuid()
    return Offer(name, uid != 0, "this process runs as root" if uid == 0 else f"uid {uid}")


def _linux_only(name: str) -> Offer:
    return Offer(name, False, f"Linux only; this is {sys.platform}")


def _system_call(name: str, probe: Callable[[ctypes.CDLL], tuple[bool, str]]) -> Offer:
    if not sys.platform.startswith("linux"):
        return _linux_only(name)
    ctypes.set_errno(0)
    return Offer(name, *probe(ctypes.CDLL(None, use_errno=True)))


def _try(command: list[str]) -> str | None:
    """Run a command: None when it succeeded, else why not in one line."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PROBE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return None
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1] if lines else f"exit status {done.returncode}"


def usable_cores(root: Path = CGROUPS, own: Path = OWN_CGROUP) -> int:
    """The processors that this process may use: fewer than the machine's in many containers."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, ceil(min(cores, _share_of_time(root, own))))


def _share_of_time(root: Path, own: Path) -> float:
    """How many processors' time our control groups allow us."""
    least = float("inf")
    try:
        group = _own_group(root, own)
    except (OSError, ValueError):  # a name that is no text
        return least
    for folder in (group, *group.parents):
        with suppress(OSError, ValueError):
            allowed, period = (folder / "cpu.max").read_text().split()
            least = min(least, float(allowed) / float(period))  # ValueError: "max"
        if folder == root:
            break
    return least
