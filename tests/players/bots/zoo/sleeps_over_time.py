"""Knows the move, and oversleeps."""

import time

line = input()
time.sleep(600)
print(line.split()[0], flush=True)
