"""Thinks in a second thread."""

import sys
import threading

for line in sys.stdin:
    thread = threading.Thread(target=print, args=(line.split()[0],), kwargs={"flush": True})
    thread.start()
    thread.join()
