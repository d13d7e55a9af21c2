"""Doubles, each in a session of its own, so that no group holds them. Ends by itself at a thousand."""

import contextlib
import os
import time

for _ in range(10):
    with contextlib.suppress(OSError):
        if os.fork() == 0:
            os.setsid()
time.sleep(600)
