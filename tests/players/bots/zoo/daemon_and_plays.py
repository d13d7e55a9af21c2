"""Leaves daemons behind, which hold on to its output, and plays on honestly."""

import os
import sys
import time

for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
for line in sys.stdin:
    print(line.split()[0], flush=True)
