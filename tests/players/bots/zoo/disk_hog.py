"""Fills the disk, file by file, as far as it goes."""

import os

for number in range(1024):
    with open(f"{os.environ['TMPDIR']}/{number}", "wb") as file:
        file.write(b"x" * (1 << 20))
input()
