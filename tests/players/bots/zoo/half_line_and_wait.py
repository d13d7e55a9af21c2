"""Writes half a line, and waits."""

import sys
import time

input()
sys.stdout.write("a")
sys.stdout.flush()
time.sleep(600)
