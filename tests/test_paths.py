"""The user's folders: the platform's, unless the environment says otherwise."""

from pathlib import Path

import platformdirs
import pytest

from metatac import paths


def test_the_platform_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("METATAC_DATA_DIR", raising=False)
    monkeypatch.delenv("METATAC_CACHE_DIR", raising=False)
    assert paths.data_dir() == platformdirs.user_data_path("metatac", appauthor=False)
    assert paths.cache_dir() == platformdirs.user_cache_path("metatac", appauthor=False)


def test_the_environment_overrides_and_nothing_is_created(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("METATAC_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("METATAC_CACHE_DIR", "~/somewhere")
    assert paths.data_dir() == tmp_path / "data"
    assert paths.cache_dir() == Path.home() / "somewhere"
    assert not (tmp_path / "data").exists()
