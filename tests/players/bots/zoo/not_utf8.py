"""Writes bytes that are no text."""

import sys

input()
sys.stdout.buffer.write(b"\xff\xfe\x80\n")
sys.stdout.flush()
input()
