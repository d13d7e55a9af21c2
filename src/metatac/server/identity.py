"""Who a visitor is: a random name in a signed cookie. The key is kept beside the database, never in it."""

import base64
import contextlib
import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path

from metatac.errors import ServiceError

COOKIE = "metatac"
YEAR = 365 * 86_400
_VISITOR = re.compile(r"[A-Za-z0-9_-]{22}")
_LEAST = 16
"""Characters of a secret that is given by the environment."""


def secret_key(folder: Path) -> bytes:
    """The key that signs cookies: METATAC_SECRET, which machines may share, or a file that only its owner can read."""
    given = os.environ.get("METATAC_SECRET")
    if given is not None:
        if len(given) < _LEAST:
            raise ServiceError(f"METATAC_SECRET is too short to be a secret: {_LEAST} characters at least are wanted")
        return hashlib.sha256(given.encode()).digest()
    path = folder / "server.key"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            _write_key(path)
        if os.name == "posix" and path.stat().st_mode & 0o077:
            path.chmod(0o600)
        key = path.read_bytes()
    except OSError as error:
        raise ServiceError(f"{path}: the key that signs cookies cannot be kept there: {error.strerror}") from error
    if len(key) != 32:
        raise ServiceError(f"{path}: a key is 32 bytes, not {len(key)}; delete it to have a new one made")
    return key


def _write_key(path: Path) -> None:
    """Make the file, whole and with its rights, or find that another process has just done so."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(file, secrets.token_bytes(32))
        os.fsync(file)
        os.close(file)
        os.link(draft, path)
    finally:
        draft.unlink()


class Signer:
    """Makes and checks what visitors carry."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def new_visitor(self) -> str:
        return secrets.token_urlsafe(16)

    def cookie(self, visitor: str) -> str:
        return f"{visitor}.{self._sign(visitor)}"

    def visitor(self, cookie: str | None) -> str | None:
        """The visitor that a cookie names, if we have signed it."""
        visitor, dot, signature = (cookie or "").partition(".")
        if not dot or not _VISITOR.fullmatch(visitor):
            return None
        known = hmac.compare_digest(signature.encode("utf-8", "replace"), self._sign(visitor).encode())
        return visitor if known else None

    def _sign(self, visitor: str) -> str:
        digest = hmac.new(self._key, f"visitor {visitor}".encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def new_token() -> str:
    """A secret for an invitation."""
    return secrets.token_urlsafe(18)


def hashed(token: str) -> str:
    """What is kept of an invitation: who reads the database cannot accept it."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def new_id() -> str:
    """The name of a game, which nobody can guess: to know it is to be allowed to watch."""
    letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
    return "".join(secrets.choice(letters) for _ in range(16))


def guest_name(visitor: str) -> str:
    """What somebody is called who has not said."""
    number = int(hashlib.sha256(visitor.encode()).hexdigest()[:8], 16)
    return f"Guest {1000 + number % 9000}"
