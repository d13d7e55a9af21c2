"""Writes zero bytes before its move."""

import sys

input()
sys.stdout.buffer.write(b"\0\0aa\n")
sys.stdout.flush()
input()
