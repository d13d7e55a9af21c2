"""The client as files: its size, that nothing comes from elsewhere, and its types."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src/metatac/server/static"
TEXTS = sorted(path for path in STATIC.rglob("*") if path.suffix in (".js", ".css", ".html"))
LIMIT = 150_000


def test_the_client_is_small():
    assert 0 < sum(path.stat().st_size for path in TEXTS) < LIMIT


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(STATIC)))
def test_nothing_is_loaded_from_elsewhere_and_no_data_becomes_markup(path):
    text = path.read_text("utf-8").replace('"http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?://|[\"'(]//\w", text)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)


def test_the_document_has_no_inline_script_or_style():
    text = (STATIC / "index.html").read_text("utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    assert not re.search(r"<style|\sstyle=|\son\w+=", text)


def test_the_types_hold():
    compiler = shutil.which("tsc", path=f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ.get('PATH', '')}")
    if compiler is None:
        if os.environ.get("CI"):
            pytest.fail("no tsc in .venv/bin or on the path")
        pytest.skip("no tsc in .venv/bin or on the path")
    command = [compiler, "--project", "jsconfig.json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
