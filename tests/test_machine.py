"""What the machine offers: every probe answers, and the answers follow what is there."""

import sys
from pathlib import Path

import pytest

from metatac import machine


def test_every_probe_answers_in_words() -> None:
    offers = machine.isolation_offers()
    assert len({offer.name for offer in offers}) == len(offers) == 7
    assert all(offer.detail and "\n" not in offer.detail for offer in offers)


def test_a_missing_bubblewrap_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert machine.bubblewrap() == machine.Offer("bubblewrap", False, "bwrap is not installed")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell script on PATH")
@pytest.mark.parametrize(("script", "works"), [("exit 0", True), ("echo no such luck >&2; exit 1", False)])
def test_bubblewrap_is_tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, works: bool) -> None:
    program = tmp_path / "bwrap"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    offer = machine.bubblewrap()
    assert offer.works is works
    assert works or offer.detail.endswith("no such luck")


def test_a_control_group_may_allow_less_than_there_is(tmp_path: Path) -> None:
    """Its own or one that it is in, down to a part of one processor."""
    own, group = tmp_path / "own", tmp_path / "outer" / "inner"
    own.write_text("0::/outer/inner\n")
    group.mkdir(parents=True)
    whole = machine.usable_cores(tmp_path, own)
    assert whole >= 1
    (group / "cpu.max").write_text("max 100000\n")
    assert machine.usable_cores(tmp_path, own) == whole
    (group.parent / "cpu.max").write_text("150000 100000\n")
    assert machine.usable_cores(tmp_path, own) == min(whole, 2)
    (group / "cpu.max").write_text("50000 100000\n")
    assert machine.usable_cores(tmp_path, own) == 1


def test_control_groups_are_read_from_the_mount(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.write_text("0::/ours\n")
    assert not machine.cgroup_v2(tmp_path, own).works
    (tmp_path / "cgroup.controllers").write_text("cpu memory pids\n")
    (tmp_path / "ours").mkdir()
    offer = machine.cgroup_v2(tmp_path, own)
    assert offer.works and offer.detail.startswith("cpu, memory, pids;")
