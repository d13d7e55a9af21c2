"""Where metatac keeps its files: the platform's user folders, unless the environment says otherwise."""

import os
from pathlib import Path


def data_dir() -> Path:
    """The folder of what must not be lost (saved games, databases); METATAC_DATA_DIR overrides it."""
    return _folder("METATAC_DATA_DIR", "user_data_path")


def cache_dir() -> Path:
    """The folder of what can be made again (compiled code); METATAC_CACHE_DIR overrides it."""
    return _folder("METATAC_CACHE_DIR", "user_cache_path")


def _folder(variable: str, finder: str) -> Path:
    """The folder's path; nothing is created, since asking where it is must not leave traces."""
    if override := os.environ.get(variable):
        return Path(override).expanduser().absolute()
    import platformdirs

    path: Path = getattr(platformdirs, finder)("metatac", appauthor=False)
    return path
