"""Makes threads; ends by itself at two thousand."""

import threading
import time

for _ in range(2000):
    threading.Thread(target=time.sleep, args=(600,)).start()
