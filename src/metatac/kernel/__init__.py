"""The fast twin of ``game``, compiled by Numba: one compiled program for every rule set."""

from metatac.kernel.runs import Playouts, cores, divide, perft, playouts
from metatac.kernel.state import Batch, State, ready

__all__ = ["Batch", "Playouts", "State", "cores", "divide", "perft", "playouts", "ready"]
