"""Why a bot has no move, as its runner tells the referee."""

LONGEST = 500


class NoMove(Exception):
    """One of the referee's reasons to forfeit, and words on one line."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {' '.join(detail.split())[:LONGEST]}")
