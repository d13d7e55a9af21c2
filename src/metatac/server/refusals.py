"""What visitors are told when something cannot be done."""


class Refusal(Exception):
    """A sentence for people, a word for programs and the status of HTTP."""

    def __init__(self, message: str, code: str = "invalid", status: int = 422) -> None:
        super().__init__(message)
        self.message, self.code, self.status = message, code, status


def not_found(what: str) -> Refusal:
    return Refusal(f"There is no such {what} here.", "not_found", 404)


def not_yours(message: str) -> Refusal:
    return Refusal(message, "forbidden", 403)


def too_late(message: str) -> Refusal:
    return Refusal(message, "conflict", 409)


def too_many(message: str) -> Refusal:
    return Refusal(message, "too_many", 429)


def out_of_order() -> Refusal:
    """The database does not do its part; what is wrong with it is for the log."""
    return Refusal("Nothing can be kept at the moment; try again later.", "unavailable", 503)
