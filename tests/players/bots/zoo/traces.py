"""Attaches itself to its parent as a debugger does."""

import ctypes
import os

ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)
input()
input()
