"""Study over HTTP, the analysis socket, tournaments, and the OpenAPI document, which every reply obeys."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from serving import PATIENCE, Service, longest_game, wait_for

from metatac.rules import preset_names


def test_the_longest_games_can_be_walked(alone: Service) -> None:
    moves = longest_game()
    with alone.person() as x:
        begin = x.post("/positions", game="ultimate-ultimate")["text"]
        walked = x.post("/positions/walk", position=begin, moves=moves)["positions"]
    assert len(walked) == len(moves) + 1 > 1000 and walked[-1]["outcome"] is not None


def test_a_position_is_found_walked_and_set_up(alone: Service) -> None:
    with alone.person() as x:
        first = x.post("/positions", game="ultimate")
        walked = x.post("/positions/walk", position=first["text"], moves=["ee", "ea"])["positions"]
        assert [one["last_move"] for one in walked] == [None, "ee", "ea"]
        assert x.post("/positions/play", position=first["text"], move="5 5")["text"] == walked[1]["text"]
        assert x.post("/positions", text="X;.........;" + "/".join(["........."] * 9))["text"] == first["text"]
        for text in x.post("/positions/forms", position=walked[2]["text"])["forms"].values():
            assert x.post("/positions", text=text)["text"] == walked[2]["text"]
        assert x.post("/positions/forms", position="tic-tac-toe X - 9") == {"forms": {}}
        boards = [board["cells"] for board in walked[1]["boards"]]
        built = x.post("/positions/setup", rules="ultimate", boards=boards, turn="O", send="e")
        assert built["text"] == walked[1]["text"]
        assert x.refused("/positions/setup", rules="ultimate", boards=boards, turn="X", send="e")[0] == 422
        assert x.refused("/positions/play", position=first["text"], move="zz") == (422, "InvalidMove")
        assert x.refused("/positions", text="/etc/passwd")[0] == 422


def test_a_record_with_variations_goes_out_and_comes_back(alone: Service) -> None:
    tree = [
        {"move": "ee", "parent": -1},
        {"move": "ea", "parent": 0, "comment": "best"},
        {"move": "eb", "parent": 0},
        {"move": "aa", "parent": 1},
        {"move": "bb", "parent": 2},
    ]
    with alone.person() as x:
        for form in ("txt", "json"):
            text = x.http.post("/api/records/export", json={"start": "ultimate", "tree": tree, "format": form}).text
            back = x.post("/records/import", text=text)["records"][0]
            assert back["moves"] == ["ee", "ea", "aa"]
            assert sorted(node["move"] for node in back["tree"]) == ["aa", "bb", "ea", "eb", "ee"]
            again = {"start": "ultimate", "tree": back["tree"], "format": form}
            assert x.http.post("/api/records/export", json=again).text == text
        assert x.refused("/records/export", start="ultimate", tree=[{"move": "ee", "parent": 0}])[0] == 422


def test_what_is_not_legal_of_a_tree_is_left_out_with_all_that_follows_it(alone: Service) -> None:
    moves = ("ea", -1), ("ae", 0), ("cc", 1), ("ec", 2), ("zz", -1), ("aa", 0), ("ei", 1)
    with alone.person() as x:
        tree = [{"move": move, "parent": parent, "comment": "!"} for move, parent in moves]
        found = x.post("/positions/prune", position="ultimate", tree=tree)
        left = [(node["move"], node["parent"]) for node in found["tree"]]
        assert left == [("ea", -1), ("ae", 0), ("aa", 0), ("ei", 1)]
        assert found["tree"][0]["comment"] == "!" and "'cc'" in found["problem"]
        assert x.post("/positions/prune", position="ultimate", tree=found["tree"]) == found | {"problem": None}
        assert x.refused("/positions/prune", position="ultimate", tree=[{"move": "ea", "parent": 0}])[0] == 422


@pytest.mark.parametrize("game", preset_names())
def test_every_game_has_a_rules_page(alone: Service, game: str) -> None:
    with alone.person() as x:
        page = x.get(f"/rules/{game}")
        assert page["lesson"] and page["sections"] and page["toml"]


def test_an_analysis_deepens_and_is_stopped_by_the_next(alone: Service) -> None:
    with alone.person() as x, x.socket("/analysis/socket") as line:
        line.send("analyse", position="ultimate", lines=3, id=1)
        line.until(lambda message: message["id"] == 1, "analysis")
        line.send("analyse", position="tic-tac-toe X - XX1OO4", lines=2, id=2)
        found = line.until(lambda message: message["id"] == 2 and message["done"], "analysis")["analysis"]
        assert found["best"][0]["move"] == "c" and found["verdict"] == "X wins (proven)" and found["bar"] == 1.0
        line.send("analyse", position="nonsense", id=3)
        assert line.error()["code"] == "invalid"


def test_a_finished_game_is_judged_move_by_move(service: Service) -> None:
    with service.person() as x:
        id = x.post("/games", game="tic-tac-toe", opponent="self")["id"]
        with x.sit(id) as line:
            for number, move in enumerate("abe", 1):
                line.send("move", move=move)
                line.after(number)
            assert x.refused("/analysis/game", game_id=id) == (409, "conflict")
            line.send("resign")
            line.until(lambda game: game["result"])
        job = x.post("/analysis/game", game_id=id)["job"]
        done = wait_for(lambda: (view := x.get(f"/analysis/game/{job}"))["state"] == "done" and view, "the analysis")
        assert [ply["mark"] for ply in done["plies"]] == ["", "??", ""]
        assert done["accuracy"]["X"] > 90 > done["accuracy"]["O"]
        # Whoever of the workers is asked knows it.
        for _ in range(20):
            with service.person() as other:
                assert other.get(f"/analysis/game/{job}")["state"] == "done"


def test_pages_and_files_of_the_client_are_served(alone: Service) -> None:
    with alone.person() as x:
        page = x.http.get("/game/whatever")
        assert page.status_code == 200 and "<script" in page.text
        script = x.http.get("/static/app.js")
        assert "javascript" in script.headers["content-type"]
        again = x.http.get("/static/app.js", headers={"If-None-Match": script.headers["etag"]})
        assert again.status_code == 304
        for path in ("/settings", "/tournaments/0-1/games/1", "/no/such/page"):
            missing = x.http.get(path, headers={"Accept": "text/html"})
            assert missing.status_code == 404 and missing.text == page.text, "the client says so"
            assert x.http.get(path).json()["code"] == "not_found", "and to programs we do"
        for path in ("/api/nothing", "/static/nothing.js"):
            assert x.http.get(path, headers={"Accept": "text/html"}).json()["code"] == "not_found"


def test_no_request_that_the_document_allows_or_forbids_breaks_the_service(alone: Service, tmp_path: Path) -> None:
    program = shutil.which("schemathesis", path=os.path.dirname(sys.executable)) or shutil.which("schemathesis")
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("schemathesis is not installed, and on CI it must be")
        pytest.skip("schemathesis is not installed")
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    command = [program, "run", f"{alone.url}/api/openapi.json", "--checks", checks, "--max-examples", "15"]
    command += ["--phases", "examples,fuzzing", "--generation-deterministic", "--no-color"]
    command += ["--request-timeout", str(PATIENCE), "--suppress-health-check", "all"]  # a busy machine is no fault
    done = subprocess.run(command, capture_output=True, text=True, timeout=10 * PATIENCE, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout[-6000:]
