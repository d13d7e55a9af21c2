"""Plays in full-width letters, with a terminal's escape and a smile."""

import sys

input()
sys.stdout.buffer.write("ａａ \x1b[2J ☺\n".encode())
sys.stdout.flush()
input()
