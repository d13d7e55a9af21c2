"""People play: by link, in the lobby, alone, against engines; the same on SQLite and on PostgreSQL with two workers."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from serving import Service, friends, wait_for


def test_a_game_between_friends_from_the_invitation_to_the_rematch(service: Service) -> None:
    with service.person() as x, service.person() as o:
        made = x.post("/games", game="ultimate", opponent="friend", side="X", time="5m+3s")
        token = made["invite"].rsplit("/", 1)[1]
        assert o.refused(f"/games/{made['id']}/join") == (403, "forbidden")
        assert o.refused(f"/games/{made['id']}/join", token="guessed") == (403, "forbidden")
        joined = o.post(f"/games/{made['id']}/join", token=token)
        assert joined["phase"] == "running" and joined["you"]["seats"] == ["O"]
        with service.person() as late:
            assert late.refused(f"/games/{made['id']}/join", token=token)[0] in (403, 409)
        with x.sit(made["id"]) as one, o.sit(made["id"]) as two:
            one.send("move", move="ee", version=one.game()["version"])
            seen = two.after(1)
            assert seen["position"]["send"]["board"] == "e" and seen["clock"]["running"] == "O"
            assert seen["position"]["targets"]["ea"] == "a"
            two.send("move", move="aa")
            assert "must play in board e" in two.error("refused")["message"]
            one.send("move", move="ea")
            assert "out of turn" in one.error()["message"]
            two.send("move", move="ea")
            one.after(2)
            one.send("request_takeback")
            assert two.until(lambda game: game["takeback"])["takeback"] == "X"
            two.send("accept_takeback")
            one.after(0)
            one.send("offer_draw")
            two.until(lambda game: game["draw_offer"] == "X")
            two.send("decline_draw")
            one.until(lambda game: game["draw_offer"] is None)
            one.send("resign")
            over = two.until(lambda game: game["result"])
            assert over["result"]["winner"] == "O" and over["result"]["text"] == "X resigned: O wins."
            one.send("rematch")
            two.send("rematch")
            new = one.until(lambda game: game["rematch"]["id"])["rematch"]["id"]
        assert x.get(f"/games/{new}")["you"]["seats"] == ["O"]
        record = x.http.get(f"/api/games/{made['id']}/record")
        assert 'Termination "resignation"' in record.text


def test_both_offer_a_rematch_at_once_and_one_game_comes_of_it(service: Service) -> None:
    x, o, id = friends(service, game="tic-tac-toe")
    with x, o, x.sit(id) as one, o.sit(id) as two:
        one.send("resign")
        two.until(lambda game: game["result"])
        with ThreadPoolExecutor(2) as both:
            list(both.map(lambda line: line.send("rematch"), (one, two)))
        ids = {line.until(lambda game: game["rematch"]["id"])["rematch"]["id"] for line in (one, two)}
        assert len(ids) == 1 and x.get(f"/games/{ids.pop()}")["phase"] == "running"


def test_an_answer_that_comes_too_late_changes_nothing(service: Service) -> None:
    x, o, id = friends(service, game="tic-tac-toe")
    with x, o, x.sit(id) as one, o.sit(id) as two:
        one.send("move", move="a")
        two.after(1)
        one.send("request_takeback")
        two.until(lambda game: game["takeback"])
        two.send("move", move="b")
        one.after(2)
        two.send("accept_takeback")
        assert two.error()["code"] == "conflict"
        assert len(x.get(f"/games/{id}")["moves"]) == 2


def test_a_move_for_an_older_position_is_refused(service: Service) -> None:
    x, o, id = friends(service, game="tic-tac-toe")
    with x, o, x.sit(id) as one, o.sit(id) as two:
        old = one.game()["version"]
        one.send("move", move="a", version=old)
        two.after(1)
        two.send("move", move="b")
        one.after(2)
        one.send("move", move="c", version=old)
        assert "changed" in one.error("refused")["message"]


def test_two_tabs_and_a_spectator_see_the_same_and_only_players_move(service: Service) -> None:
    x, o, id = friends(service)
    with x, o, service.person() as watcher:
        with x.sit(id) as tab, x.sit(id) as other_tab, watcher.sit(id) as watching:
            tab.send("move", move="ec")
            assert other_tab.after(1)["you"]["seats"] == ["X"]
            seen = watching.after(1)
            assert seen["you"] == {"seats": [], "can_join": False, "owner": False}
            watching.send("move", move="ca")
            assert watching.error()["code"] == "forbidden"
            watching.send("move", move="ca", seat="O")
            assert watching.error()["code"] == "forbidden"
            tab.send("move", move="ca", seat="O")
            assert tab.error()["code"] == "forbidden"
        assert len(x.get(f"/games/{id}")["moves"]) == 1


def test_a_move_that_is_sent_twice_is_made_once(service: Service) -> None:
    x, o, id = friends(service)
    with x, o, x.sit(id) as tab, x.sit(id) as other_tab, o.sit(id) as two:
        version = tab.game()["version"]
        other_tab.game()
        with ThreadPoolExecutor(2) as both:  # the same in one tab, something else in the other, all at once
            wishes = ((tab, "ee"), (other_tab, "aa"))
            list(both.map(lambda wish: wish[0].send("move", move=wish[1], version=version), wishes))
        tab.send("move", move="ee", version=version)
        tab.send("move", move="ee")
        assert "out of turn" in tab.error()["message"]
        game = two.after(1)
        assert len(x.get(f"/games/{id}")["moves"]) == 1 and game["moves"][0]["move"] in ("ee", "aa")


def test_a_takeback_while_the_engine_thinks_leaves_nothing_of_its_move(service: Service) -> None:
    with service.person() as x:
        id = x.post("/games", game="tic-tac-toe", opponent="engine", level=3, side="X")["id"]
        with x.sit(id) as line:
            for _ in range(3):
                line.send("move", move="e")
                line.send("request_takeback")
            line.send("move", move="a")
            line.until(lambda game: len(game["moves"]) == 2 and game["moves"][0]["move"] == "a")
        assert [ply["by"] for ply in x.get(f"/games/{id}")["moves"]] == ["X", "O"]


def test_who_comes_back_finds_the_game_and_the_clock_as_they_are(service: Service) -> None:
    x, o, id = friends(service, time="10m+0s")
    with x, o:
        with x.sit(id) as one:
            before = one.game()["clock"]["X"]
        wait_for(lambda: not o.get(f"/games/{id}")["seats"]["X"]["online"], "X to be gone")
        with o.sit(id) as two:
            assert two.game()["claim_in"] is not None
            two.send("claim", what="win")
            assert "wait" in two.error()["message"]
            with x.sit(id) as again:
                game = again.game()
                assert game["clock"]["X"] < before and game["clock"]["running"] == "X"
                two.until(lambda note: note["seats"]["X"]["online"], "presence")
                again.send("move", move="ee")
                assert two.after(1)["moves"][0]["left"] <= before


def test_an_overrun_loses_even_if_nobody_watches(service: Service) -> None:
    x, o, id = friends(service, game="tic-tac-toe", time="1/move")
    with x, o:
        over = wait_for(lambda: (game := o.get(f"/games/{id}"))["result"] and game, "the flag")
        assert over["result"]["reason"] == "overrun" and over["result"]["winner"] == "O"


def test_an_overrun_is_told_to_who_watches(service: Service) -> None:
    x, o, id = friends(service, game="tic-tac-toe", time="2/move")
    with x, o, o.sit(id) as two:
        assert two.until(lambda game: game["result"])["result"]["winner"] == "O"


def test_the_lobby_shows_a_challenge_until_it_is_taken(service: Service) -> None:
    with service.person() as x, service.person() as o, o.socket("/lobby/socket") as lobby:
        id = x.post("/games", game="sudoku", opponent="open", side="O")["id"]
        shown = lobby.until(lambda view: any(one["id"] == id for one in view["open"]), "lobby")
        offer = next(one for one in shown["open"] if one["id"] == id)
        assert offer["side"] == "X" and offer["title"] == "Sudoku tic-tac-toe"
        assert o.post(f"/games/{id}/join")["you"]["seats"] == ["X"]
        gone = lobby.until(lambda view: all(one["id"] != id for one in view["open"]), "lobby")
        assert any(one["id"] == id for one in gone["playing"])


def test_only_one_of_many_gets_the_seat(service: Service) -> None:
    with service.person() as x:
        id = x.post("/games", game="tic-tac-toe", opponent="open", side="toss")["id"]
        people = [service.person() for _ in range(6)]
        with ThreadPoolExecutor(6) as all_at_once:
            found = list(all_at_once.map(lambda one: one.http.post(f"/api/games/{id}/join", json={}), people))
        assert sorted(answer.status_code for answer in found) == [200, 409, 409, 409, 409, 409]
        for person in people:
            person.http.close()


def test_a_game_against_the_engine_to_its_end(service: Service) -> None:
    with service.person() as x:
        id = x.post("/games", game="tic-tac-toe", opponent="engine", level=2, side="X")["id"]
        with x.sit(id) as line:
            game = line.game()
            line.send("offer_draw")
            while game["phase"] == "running":
                if game["position"]["turn"] == "X" and game["draw_offer"] is None:
                    line.send("move", move=game["position"]["legal"][0], version=game["version"])
                known = len(game["moves"])
                game = line.until(lambda new, known=known: len(new["moves"]) > known or new["result"])
            line.send("rematch")
            new = line.until(lambda game: game["rematch"]["id"])["rematch"]["id"]
        with x.sit(new) as line:
            # The engine has X now, and begins.
            assert line.after(1)["you"]["seats"] == ["O"]
            line.send("move", move=line_of_choice(x, new))
            line.after(3)
            line.send("request_takeback")
            line.until(lambda game: len(game["moves"]) == 1)


def line_of_choice(person, id: str) -> str:  # type: ignore[no-untyped-def]
    legal: list[str] = person.get(f"/games/{id}")["position"]["legal"]
    return legal[-1]


def test_two_engines_play_for_who_watches(service: Service) -> None:
    with service.person() as x:
        id = x.post("/games", game="tic-tac-toe", opponent="engines", levels=[1, 2])["id"]
        with x.sit(id) as line:
            over = line.until(lambda game: game["phase"] == "over")
        assert over["you"]["seats"] == [] and over["seats"]["O"]["level"] == 2


def test_alone_at_one_screen_both_seats_are_mine(service: Service) -> None:
    with service.person() as x:
        id = x.post("/games", game="tic-tac-toe", opponent="self")["id"]
        with x.sit(id) as line:
            for number, move in enumerate("abdce", 1):
                line.send("move", move=move, seat="XO"[(number - 1) % 2])
                line.after(number)
            line.send("request_takeback")
            line.after(4)
            line.send("move", move="e")
            line.after(5)
            line.send("move", move="f")
            line.after(6)
            line.send("move", move="g")
            assert line.until(lambda game: game["result"])["result"]["winner"] == "X"


@pytest.mark.parametrize("game", ["extreme", "ultimate-ultimate", "sudoku"])
def test_every_kind_of_game_can_be_played(service: Service, game: str) -> None:
    with service.person() as x:
        id = x.post("/games", game=game, opponent="self")["id"]
        with x.sit(id) as line:
            view = line.game()["position"]
            for number in range(1, 4):
                if view["marks"] == 2:
                    board, cells = next(iter(view["choices"].items()))
                    own, others = next(iter(cells.items()))
                    move = board + own + others[0]
                else:
                    move = view["legal"][number]
                line.send("move", move=move)
                view = line.after(number)["position"]


def test_rules_of_ones_own_are_played_like_any_others(service: Service) -> None:
    toml = 'inherits = "ultimate"\ntitle = "Small and quick"\nside = 2\npatterns = ["diagonals"]\n'
    with service.person() as x:
        id = x.post("/games", toml=toml, opponent="engine", level=1, side="X")["id"]
        with x.sit(id) as line:
            line.send("move", move=line.game()["position"]["legal"][0])
            assert line.after(2)["title"] == "Small and quick"
        for toml, title in (
            ('inherits = "ultimate"\nside = 2\ntitle = "Mine"', "Mine"),
            ('inherits = "ultimate"\nside = 2', "Ultimate tic-tac-toe, changed"),
            ('inherits = "tic-tac-toe"\ntitle = "Ultimate tic-tac-toe"', "Ultimate tic-tac-toe, changed"),
            ('inherits = "ultimate"', "Ultimate tic-tac-toe"),
        ):
            made = x.post("/games", toml=toml, opponent="self")["id"]
            checked = x.post("/rules/check", toml=toml)
            assert x.get(f"/games/{made}")["title"] == checked["title"] == checked["position"]["title"] == title
        ultimate, other = "ultimate X - 9/9/9/9/9/9/9/9/9", "tic-tac-toe X - 9"
        for wish, name in (
            ({"toml": 'inherits = "tic-tac-toe"\ntitle = "ultimate"'}, "custom"),  # the title is anybody's
            ({"game": "ultimate", "position": other}, "custom"),
            ({"position": ultimate}, "ultimate"),
            ({"position": "ultimate{line=loses} X - 9/9/9/9/9/9/9/9/9"}, "custom"),
            ({"game": "ultimate", "position": ultimate}, "ultimate"),
        ):
            made = x.post("/games", **wish, opponent="self")["id"]
            assert x.get(f"/games/{made}")["game"] == name
        assert x.refused("/games", toml='inherits = "/etc/passwd"', opponent="self") == (422, "RulesError")
        assert x.refused("/games", toml="side = 7\ndepth = 3", opponent="self") == (422, "RulesError")


def test_finished_games_are_found_and_deleted(service: Service) -> None:
    x, o, id = friends(service, game="tic-tac-ku", private=False)
    with x, o:
        x.http.put("/api/me", json={"name": "Ada_L"})
        with x.sit(id) as line:
            line.send("resign")
            line.until(lambda game: game["result"])
        with service.person() as stranger:
            found = stranger.get("/archive", game="tic-tac-ku", result="0-1", reason="resignation", limit=1)
            assert found["games"][0]["id"] == id
            assert stranger.get("/archive", player="nobody_of_that_name")["games"] == []
            assert stranger.refused(f"/games/{id}/delete") == (403, "forbidden")
        assert x.get("/me")["name"] == "Ada_L"
        x.post(f"/games/{id}/delete")
        assert x.http.get(f"/api/games/{id}").status_code == 404


def test_pages_of_the_archive_follow_each_other(service: Service) -> None:
    with service.person() as x:
        ids = set()
        for _ in range(3):
            id = x.post("/games", game="misere-ultimate", opponent="self")["id"]
            with x.sit(id) as line:
                line.send("resign")
                line.until(lambda game: game["result"])
            ids.add(id)
        first = x.get("/archive", game="misere-ultimate", limit=2)
        rest = x.get("/archive", game="misere-ultimate", limit=2, before=first["next"])
        assert {game["id"] for game in (*first["games"], *rest["games"])} == ids
        with service.person() as stranger:
            assert stranger.get("/archive", game="misere-ultimate")["games"] == []


def test_the_service_says_that_it_is_well_and_counts(service: Service) -> None:
    with service.person() as x:
        assert x.http.get("/healthz").json()["ok"]
        assert "metatac_move_seconds_bucket" in x.http.get("/metrics").text
