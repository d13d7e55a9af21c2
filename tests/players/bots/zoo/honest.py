"""Plays the first legal move."""

import sys

for line in sys.stdin:
    print(line.split()[0], flush=True)
