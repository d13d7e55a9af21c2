"""Writes half a line, and leaves."""

import sys

input()
sys.stdout.write("a")
