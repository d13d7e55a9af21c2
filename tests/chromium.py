"""The system's Chromium, driven by Playwright, for tests of pages."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest


@contextlib.contextmanager
def browser() -> Iterator[Any]:
    """A browser; the test is skipped where there is none, but not on CI."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is not installed, and on CI it must be")
        pytest.skip("Chromium is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=program, args=["--no-sandbox"], timeout=180_000)
        try:
            yield opened
        finally:
            opened.close()
