"""Takes a gigabyte in ten processes that share nothing."""

import os
import time

for _ in range(10):
    if os.fork() == 0:
        hoard = [bytearray(b"x" * (1 << 20)) for _ in range(100)]
        time.sleep(600)
time.sleep(600)
