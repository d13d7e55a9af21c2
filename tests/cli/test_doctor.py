"""metatac doctor."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import metatac
from metatac.cli.app import app


def test_the_report_is_json(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("METATAC_CACHE_DIR", str(tmp_path))
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "file").write_bytes(b"12345")
    done = CliRunner().invoke(app, ["doctor", "--json"])
    assert done.exit_code == 0
    report = json.loads(done.output)
    assert report["metatac"] == metatac.__version__
    assert report["folders"]["cache"] == {"path": str(tmp_path), "exists": True, "bytes": 5}
    assert set(report["extras"]) == {"dev", "postgres", "ray", "rl"}
    assert report["extras"]["dev"]["installed"]
    assert report["extras"]["rl"]["install"] == 'pip install "metatac[rl]"'


def test_the_report_for_people_says_what_a_missing_extra_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    from metatac.cli import doctor

    monkeypatch.setattr(doctor, "_version", lambda name: None if name == "ray" else "1.0")
    output = CliRunner().invoke(app, ["doctor"]).output
    assert 'ray      lacks ray: pip install "metatac[ray]"' in output
    assert "postgres installed" in output
    assert "Landlock" in output
