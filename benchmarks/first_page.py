"""How soon the browser shows something: from `metatac serve` to the first page, and from an address to a usable board.

    python benchmarks/first_page.py [--runs 5]

The page counts as usable when its board takes moves. Needs the system's Chromium and Playwright (the extra `dev`).
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

USABLE = "() => document.querySelector('main[data-page]:not([aria-busy]) svg [tabindex=\"0\"]') && performance.now()"


@contextmanager
def service() -> Iterator[tuple[str, float]]:
    """A server of its own: its address, and the seconds from its start to the first page."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "metatac", "serve", "--port", "0", "--db", f"{folder}/games.db"],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"METATAC_DATA_DIR": folder},
        )
        try:
            assert process.stdout is not None
            address = re.search(r"http://\S+", process.stdout.readline())
            assert address is not None
            httpx.get(address[0]).raise_for_status()
            yield address[0], time.perf_counter() - began
        finally:
            process.terminate()
            process.wait()


def usable(address: str, runs: int) -> list[float]:
    """Milliseconds from the address to a board that takes moves, each in a browser's window of its own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        times = []
        for _ in range(runs + 1):
            context = browser.new_context()
            page = context.new_page()
            page.goto(address, wait_until="commit")
            times.append(float(page.wait_for_function(USABLE, polling="raf").json_value()))
            context.close()
        browser.close()
    return times[1:]  # the first warms the browser up


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    starts = []
    for _ in range(runs):
        with service() as (_, seconds):
            starts.append(seconds)
    print(f"first page after {statistics.median(starts):.2f} s, {max(starts):.2f} at most (wanted: 2)")
    with service() as (address, _):
        time.sleep(5)  # the engines load meanwhile
        times = usable(address, runs)
    print(f"page usable after {statistics.median(times):.0f} ms, {max(times):.0f} at most (wanted: 300)")


if __name__ == "__main__":
    main()
