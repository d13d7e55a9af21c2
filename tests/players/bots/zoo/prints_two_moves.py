"""Answers twice, to be sure."""

import sys

for line in sys.stdin:
    move = line.split()[0]
    print(f"{move}\n{move}", flush=True)
