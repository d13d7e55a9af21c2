"""The compiled code of our own engine, for processes that see little of this machine.

A bot that is ``metatac engine`` runs shut in like any other: it cannot write to the user's cache, and compiling takes
longer than a bot may take to get ready. So all is compiled before, out here, and the engine is shown where it is.
"""

import subprocess
import sys
from functools import lru_cache
from pathlib import Path

from metatac.errors import BotError

FROM = "METATAC_CACHE_FROM"
"""The variable that names a folder of compiled code to begin with."""


@lru_cache(maxsize=1)
def compiled_code() -> Path:
    """The folder of everything that the engine needs, compiled by now. Numba stays in a process of its own."""
    done = subprocess.run([sys.executable, "-m", __name__], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise BotError(f"metatac engine cannot be compiled here: exit status {done.returncode}")
    return Path(done.stdout.strip())


def main() -> None:
    from metatac.engine.best_first import best_first_ready
    from metatac.engine.prover import ready_to_prove
    from metatac.engine.worker import engine_ready
    from metatac.kernel import ready
    from metatac.kernel.compiled import cache_folder

    for prepare in (ready, engine_ready, best_first_ready, ready_to_prove):
        prepare()
    print(cache_folder())


if __name__ == "__main__":
    main()
