"""Signals whoever it may reach; a harmless signal, should it ever get through."""

import os
import signal

os.kill(-1, signal.SIGURG)
input()
input()
