"""Writes a line without an end."""

import sys

while True:
    sys.stdout.write("a" * 1000)
