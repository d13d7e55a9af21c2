"""What must not be possible: to be somebody else, to come from elsewhere, to send too much, to read what is private."""

import contextlib
import json
import socket
import stat
from pathlib import Path

import httpx
import pytest
from serving import PATIENCE, Line, Person, Service, connect_to, friends, serving, wait_for
from websockets.exceptions import ConnectionClosed, InvalidStatus

from metatac.errors import ServiceError
from metatac.server.identity import Signer, secret_key
from metatac.server.settings import host_name

SCRIPT = "<script>alert(1)"


def test_a_forged_cookie_is_nobodys_seat(alone: Service) -> None:
    x, o, id = friends(alone)
    with x, o:
        visitor, _, signature = x.cookie.partition(".")
        swapped = signature[:-2] + ("AA" if signature[-2:] != "AA" else "BB")
        other_key = Signer(b"k" * 32).cookie(visitor)
        for forged in (f"{visitor}.{swapped}", visitor, f"{visitor}.", other_key, "é.é", "x" * 5000):
            answer = httpx.get(
                f"{alone.url}/api/games/{id}", headers={"Cookie": f"metatac={forged}".encode()}, timeout=PATIENCE
            )
            assert answer.json()["you"]["seats"] == []
            assert "metatac=" in answer.headers["set-cookie"]
        with connect_to(alone.url, f"/api/games/{id}/socket", other_key) as line:
            line.send(json.dumps({"type": "move", "move": "ee"}))
            while (message := json.loads(line.recv(PATIENCE)))["type"] != "error":
                pass
            assert message["code"] == "forbidden"


def test_the_cookie_cannot_be_read_by_scripts_nor_sent_from_other_sites(alone: Service) -> None:
    answer = httpx.get(f"{alone.url}/api/me", timeout=PATIENCE)
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_an_answer_with_somebodys_cookie_is_kept_for_nobody_else(alone: Service) -> None:
    for path in ("/", "/static/app.js", "/static/nowhere.js", "/join/game/secret"):
        answer = httpx.get(alone.url + path, timeout=PATIENCE)
        assert "set-cookie" in answer.headers
        assert answer.headers.get_list("cache-control") == ["private, no-cache"], path
    with alone.person() as x:
        assert x.http.get("/").headers.get_list("cache-control") == ["no-cache"]
        assert x.http.get("/api/me").headers.get_list("cache-control") == ["no-store"]
    assert httpx.get(f"{alone.url}/api/me", timeout=PATIENCE).headers.get_list("cache-control") == ["no-store"]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://[", "//"])
def test_a_socket_from_another_site_is_refused(alone: Service, origin: str) -> None:
    x, o, id = friends(alone)
    with x, o, pytest.raises(InvalidStatus) as refused:
        connect_to(alone.url, f"/api/games/{id}/socket", x.cookie, origin=origin)
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}, {"Origin": "http://["}],
)
def test_a_change_from_another_site_is_refused(alone: Service, headers: dict[str, str]) -> None:
    answer = httpx.put(f"{alone.url}/api/me", json={"name": "evil"}, headers=headers, timeout=PATIENCE)
    assert (answer.status_code, answer.json()["code"]) == (403, "cross_origin")


def test_another_name_for_this_machine_is_not_answered(alone: Service) -> None:
    answer = httpx.get(f"{alone.url}/api/me", headers={"Host": "evil.example"}, timeout=PATIENCE)
    assert answer.status_code == 400


def asked(service: Service, host: str) -> int:
    return httpx.get(f"{service.url}/api/me", headers={"Host": host}, timeout=PATIENCE).status_code


def called(service: Service, host: str, origin: str) -> int:
    """The status of a websocket that is asked for by a page of a site, under a name of ours."""
    place, _, port = service.url.removeprefix("http://").partition(":")
    with socket.create_connection((place, int(port)), PATIENCE) as raw:
        raw.sendall(
            f"GET /api/lobby/socket HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        return int(raw.recv(12)[9:12])


def test_a_server_that_was_given_names_answers_to_no_others(tmp_path: Path) -> None:
    names = ("--allow-host", "Play.example.org", "--allow-host", "192.0.2.7")
    with serving(str(tmp_path / "games.db"), tmp_path, "--host", "0.0.0.0", *names) as service:
        for host in ("play.example.org", "play.example.org.:8000", "192.0.2.7:80", "localhost"):
            assert asked(service, host) == 200, host
        for host in ("evil.example", "example.org", "play.example.org.evil.example", "[::2]", "["):
            assert asked(service, host) == 400, host
        assert called(service, "play.example.org", "http://play.example.org") == 101
        assert called(service, "play.example.org", "http://evil.example") == 403
        assert called(service, "evil.example", "http://evil.example") == 403


def test_a_server_without_names_of_its_own_has_pages_of_its_own_all_the_same(tmp_path: Path) -> None:
    with serving(str(tmp_path / "games.db"), tmp_path, "--host", "0.0.0.0") as service:
        assert asked(service, "school.example") == 200
        assert called(service, "school.example", "http://school.example") == 101
        for origin in ("http://evil.example", "http://school.example:81", "null"):
            assert called(service, "school.example", origin) == 403


def test_what_is_no_name_of_a_host_is_refused() -> None:
    for name in ("https://play.example.org", "play.example.org:80", "b:1", "", "a b"):
        with pytest.raises(ServiceError, match="host's name"):
            host_name(name)
    assert host_name("[2001:DB8::1]") == "2001:db8::1"


def test_what_is_too_large_is_not_read(alone: Service) -> None:
    with alone.person() as x:
        assert x.refused("/positions", text="x" * 70_000) == (413, "too_large")
        assert x.refused("/records/import", text="x" * 1_100_000)[0] == 413
        assert x.refused("/rules/check", toml="#" * 5000)[0] == 422

        def endless() -> "list[bytes]":
            return [b"x" * 10_000] * 20

        answer = x.http.post("/api/positions", content=iter(endless()))
        assert answer.status_code == 413


def test_a_request_that_never_ends_keeps_nobody(alone: Service) -> None:
    host, _, port = alone.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), PATIENCE) as slow:
        slow.sendall(b"POST /api/positions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
        with alone.person() as x:
            assert x.get("/me")["games"] == []


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", '{"type": 7}', '{"type":"fly"}', '{"type":"move","move":7}', "[" * 5000]
)
def test_nonsense_on_a_socket_is_answered_and_nothing_happens(alone: Service, text: str) -> None:
    x, o, id = friends(alone)
    with x, o, x.sit(id) as line:
        line.game()
        line.connection.send(text)
        assert line.error()["code"] == "invalid"
        line.send("move", move="ee")
        line.after(1)


@pytest.mark.parametrize("message", ["x" * 20_000, b"bytes"])
def test_a_message_that_is_too_long_or_no_text_closes_the_socket(alone: Service, message: str | bytes) -> None:
    x, o, id = friends(alone)
    with x, o, x.sit(id) as line:
        line.connection.send(message)
        with pytest.raises(ConnectionClosed):
            while True:
                line.connection.recv(PATIENCE)


def test_a_flood_of_messages_closes_the_socket(alone: Service) -> None:
    x, o, id = friends(alone)
    with x, o, x.sit(id) as line, pytest.raises(ConnectionClosed) as closed:
        for number in range(1000):
            line.send("ping", t=number)
        while True:
            line.connection.recv(PATIENCE)
    # The answers may pile up before it is too much: then it is too slow a reader.
    assert closed.value.rcvd is None or closed.value.rcvd.code in (1008, 1013)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/%00",
        "/api/games/..%2f..%2fme",
        "/api/games/%00",
    ],
)
def test_no_path_leads_out_of_the_house(alone: Service, path: str) -> None:
    host, _, port = alone.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), PATIENCE) as raw:
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            while part := raw.recv(65536):
                answer += part
    assert answer.split()[1] in (b"404", b"400", b"307"), answer[:200]


def test_script_in_names_and_rules_stays_text(alone: Service) -> None:
    with alone.person() as x:
        x.http.put("/api/me", json={"name": SCRIPT}).raise_for_status()
        toml = f'inherits = "tic-tac-toe"\ntitle = "{SCRIPT}</script>"\ntext = "{SCRIPT}"\n'
        id = x.post("/games", toml=toml, opponent="self")["id"]
        assert x.get(f"/games/{id}")["seats"]["X"]["name"] == SCRIPT
        for form in ("svg", "html", "film"):
            answer = x.http.get(f"/api/games/{id}/record", params={"format": form})
            assert answer.status_code == 200 and SCRIPT not in answer.text
            assert answer.headers["content-disposition"].startswith("attachment")
        assert x.http.get(f"/api/games/{id}").headers["content-type"] == "application/json"


def test_rules_with_what_no_database_takes_are_refused(alone: Service) -> None:
    with alone.person() as x:
        for character in ("\\u0000", "\\u0007", "\\u202e"):
            toml = f'inherits = "tic-tac-toe"\ntitle = "a{character}b"\n'
            assert x.refused("/games", toml=toml, opponent="self") == (422, "RulesError")


@pytest.mark.parametrize("form", ["txt", "json", "svg", "film", "html"])
def test_what_is_imported_writes_to_nobodys_terminal_and_runs_in_nobodys_page(alone: Service, form: str) -> None:
    evil = f"\x1b[31m\x07\x9b{SCRIPT}</script>"
    with alone.person() as x:
        wish = {"start": "tic-tac-toe", "tree": [{"move": "e", "comment": evil, "parent": -1}], "tags": {"X": evil}}
        file = x.http.post("/api/records/export", json=wish | {"format": form}).raise_for_status().text
        assert all(letter == "\n" or letter.isprintable() for letter in file)
        if form in ("txt", "json"):  # nothing is lost on the way there and back
            read = x.post("/records/import", text=file)["records"][0]
            assert read["tags"]["X"] == evil and read["tree"][0]["comment"] == evil
        else:
            assert SCRIPT not in file


def test_a_private_game_is_given_to_nobody_who_does_not_name_it(alone: Service) -> None:
    x, o, id = friends(alone, game="tic-tac-ku")
    with x, o, alone.person() as stranger:
        with x.sit(id) as line:
            line.send("resign")
            line.until(lambda game: game["result"])
        pages = ["/me", "/lobby", "/archive?limit=100", f"/archive?player={x.get('/me')['name']}", "/tournaments"]
        for page in pages:
            assert id not in stranger.http.get(f"/api{page}").raise_for_status().text, page
        assert id not in stranger.http.get("/metrics").text
        with stranger.socket("/lobby/socket") as lobby:
            assert id not in json.dumps(lobby.until(lambda _: True, "lobby"))
        for near in (id[:-1], id.swapcase(), f"{id}a", "%"):
            for path in (f"/games/{near}", f"/games/{near}/record?format=svg", f"/analysis/game/{near}"):
                assert stranger.http.get(f"/api{path}").status_code in (400, 404), path
            assert stranger.refused("/analysis/game", game_id=near)[0] in (404, 422)


def test_boards_have_a_largest_size_which_is_said(alone: Service) -> None:
    with alone.person() as x:
        for wish in ({"game": "sudoku", "options": {"side": 7}}, {"toml": 'inherits = "sudoku"\nside = 7\n'}):
            for path, more in (("/games", {"opponent": "self"}), ("/positions", {})):
                answer = x.http.post(f"/api{path}", json=wish | more)
                assert answer.status_code == 422
                assert answer.json()["error"] == "2401 cells are too many here; 729 is the most"
        largest = x.post("/positions", game="ultimate-ultimate")
        assert sum(len(board["cells"]) for board in largest["boards"]) == 729
        id = x.post("/games", game="sudoku", options={"side": 5}, opponent="self")["id"]
        with x.sit(id) as line:
            line.send("move", move=line.game()["position"]["legal"][-1])
            assert len(line.after(1)["position"]["boards"]) == 25


def test_a_player_may_be_called_as_a_part_of_a_page_is(alone: Service) -> None:
    with alone.person() as x:
        tags = {"X": "BOARDS MOVES", "O": "TITLE"}
        wish = {"start": "tic-tac-toe", "moves": ["e"], "tags": tags, "format": "html"}
        page = x.http.post("/api/records/export", json=wish).text
        assert "<h1>BOARDS MOVES – TITLE</h1>" in page


@pytest.mark.parametrize("name", ["", " ", "x" * 25, "a\x00b", "\ud800", "\u202e", "a\nb\x07"])
def test_a_name_is_visible_characters(alone: Service, name: str) -> None:
    with alone.person() as x:
        answer = x.http.put(
            "/api/me", content=json.dumps({"name": name}).encode(), headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 422


def test_a_private_game_is_in_no_list(alone: Service) -> None:
    x, o, id = friends(alone, game="ultimate-open")
    with x, o, alone.person() as stranger:
        assert id not in json.dumps(stranger.get("/lobby"))
        with x.sit(id) as line:
            line.send("resign")
            line.until(lambda game: game["result"])
        assert id not in json.dumps(stranger.get("/archive", limit=100))
        assert id in json.dumps(o.get("/archive", limit=100))
        assert stranger.http.get("/api/games/aaaaaaaaaaaaaaaa").status_code == 404


def shake_hands(service: Service, id: str, cookie: str, open_sockets: contextlib.ExitStack) -> bytes:
    """Ask for a websocket as cheaply as can be; the status."""
    host, _, port = service.url.removeprefix("http://").partition(":")
    raw = open_sockets.enter_context(socket.create_connection((host, int(port)), PATIENCE))
    raw.sendall(
        f"GET /api/games/{id}/socket HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: metatac={cookie}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    return raw.recv(12)[9:12]


def test_a_thousand_idle_sockets_of_one_visitor_are_refused(tmp_path: Path) -> None:
    with serving(str(tmp_path / "games.db"), tmp_path, "--requests-per-second", "10000") as service:
        x, o, id = friends(service)
        with x, o, contextlib.ExitStack() as open_sockets:
            answers = [shake_hands(service, id, x.cookie, open_sockets) for _ in range(1000)]
            assert answers[:100] == [b"101"] * 50 + [b"403"] * 50
            # Whoever answers no ping is let go after a while, which makes room where this takes long.
            assert set(answers) == {b"101", b"403"} and answers.count(b"403") >= 500
            with o.sit(id) as line:  # the others are served as ever
                line.game()
        # The server notices that they are closed one after the other.
        with wait_for(lambda: _sits(x, id), "a free socket") as again:
            again.send("move", move="ee")
            again.after(1)


def _sits(person: Person, id: str) -> Line | None:
    try:
        return person.sit(id)
    except InvalidStatus:
        return None


def test_too_many_requests_are_refused_and_then_served_again(tmp_path: Path) -> None:
    with serving(str(tmp_path / "games.db"), tmp_path, "--requests-per-second", "1") as service, service.person() as x:
        codes = [x.http.get("/api/me").status_code for _ in range(200)]
        assert set(codes) == {200, 429}


def test_the_key_is_for_its_owner_alone_and_stays_the_same(tmp_path: Path) -> None:
    key = secret_key(tmp_path / "new")
    file = tmp_path / "new" / "server.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o644)
    assert secret_key(tmp_path / "new") == key
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [entry.name for entry in file.parent.iterdir()] == ["server.key"]


def test_the_invitation_is_not_in_the_database(alone: Service, tmp_path: Path) -> None:
    with serving(str(tmp_path / "games.db"), tmp_path) as service, Person(service.url) as x:
        token = x.post("/games", game="ultimate", opponent="friend")["invite"].rsplit("/", 1)[1]
        assert token.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
