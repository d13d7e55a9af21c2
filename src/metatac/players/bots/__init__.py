"""Bots: programs of others that play, each in a process of its own and within bounds."""
