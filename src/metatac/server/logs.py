"""Log lines: for people, or one JSON object a line."""

import json
import logging
import sys
import time
from typing import Any


class JsonLines(logging.Formatter):
    """One object a line: when, how grave, who, what, and the fields of a request."""

    def format(self, record: logging.LogRecord) -> str:
        data: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        data |= getattr(record, "fields", {})
        if record.exc_info:
            data["error"] = self.formatException(record.exc_info)
        return json.dumps(data)


class Lines(logging.Formatter):
    """A line for people."""

    def format(self, record: logging.LogRecord) -> str:
        fields = getattr(record, "fields", None)
        if fields is not None:
            return f"{fields['method']} {fields['path']} {fields['status']} {fields['ms']} ms"
        text = f"{record.levelname.lower()}: {record.getMessage()}"
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


def set_up_logs(as_json: bool, requests: bool) -> None:
    """Everything goes to stderr; requests only where they are wanted."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if as_json else Lines())
    for name in ("metatac", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(logging.INFO if name == "metatac" else logging.WARNING)
        logger.propagate = False
    logging.getLogger("metatac.server.access").setLevel(logging.INFO if requests else logging.WARNING)
