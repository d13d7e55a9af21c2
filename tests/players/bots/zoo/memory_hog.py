"""Takes a gigabyte, and touches it."""

import time

hoard = [bytearray(b"x" * (1 << 20)) for _ in range(1024)]
time.sleep(600)
