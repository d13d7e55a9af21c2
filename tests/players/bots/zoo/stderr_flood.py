"""Never stops complaining."""

import sys

while True:
    sys.stderr.write("oh dear! " * 1000)
