"""Where a bot is, how it is started, and how it is built."""

import os
import sys
from pathlib import Path

import pytest

from metatac.errors import BotError
from metatac.players import load_player
from metatac.players.bots.build import built
from metatac.players.bots.isolation import Level
from metatac.players.bots.manifest import RUNNER, bots_in, find_bot
from metatac.players.bots.template import LANGUAGES, new_bot

CHOOSE = "def choose(position, clock):\n    return position.legal_moves[0]\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("METATAC_CACHE_DIR", str(folder))
    return folder


def folder_with(path: Path, **files: str) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (path / name.replace("_", ".")).write_text(text)
    return path


def test_a_python_file_is_run_by_our_runner(tmp_path: Path) -> None:
    folder_with(tmp_path, anna_py=CHOOSE)
    bot = find_bot(str(tmp_path / "anna.py"))
    assert (bot.name, bot.protocol, bot.home) == ("anna", "python", tmp_path / "anna.py")
    assert bot.command == (sys.executable, "-P", "-m", RUNNER, "anna.py", "choose")


def test_a_python_script_that_is_said_to_speak_a_protocol_is_run_itself(tmp_path: Path) -> None:
    folder_with(tmp_path, anna_py=CHOOSE)
    bot = find_bot(str(tmp_path / "anna.py"), protocol="codingame", args="--fast 'a b'")
    assert bot.command == (sys.executable, "anna.py", "--fast", "a b")


def test_a_manifest_says_everything(tmp_path: Path) -> None:
    manifest = """
        name = "Tiger"
        author = "Ada"
        protocol = "ugi"
        build = "cc -o tiger tiger.c"
        run = ["./tiger", "a word"]
        [options]
        Hash = 16
        Ponder = false
    """
    bot = find_bot(str(folder_with(tmp_path, bot_toml=manifest)))
    assert (bot.name, bot.author, bot.protocol) == ("Tiger", "Ada", "ugi")
    assert (bot.build, bot.command) == (("cc", "-o", "tiger", "tiger.c"), ("./tiger", "a word"))
    assert bot.options == (("Hash", "16"), ("Ponder", "false"))


def test_a_manifest_may_name_a_python_file_and_its_class(tmp_path: Path) -> None:
    source = "class A:\n    def choose(self, position, clock): ...\nclass B(A): pass"
    folder_with(tmp_path, bot_toml='run = "brain.py"\nentry = "B"', brain_py=source)
    bot = find_bot(str(tmp_path))
    assert bot.command[-2:] == ("brain.py", "B")
    assert bot.home == tmp_path


def test_our_own_engine_is_known(tmp_path: Path) -> None:
    bot = find_bot(str(folder_with(tmp_path, bot_toml='run = "metatac engine"')))
    assert (bot.protocol, bot.is_ours) == ("ugi", True)
    assert bot.command == (sys.executable, "-m", "metatac", "engine")


def test_a_folder_without_a_manifest_is_its_one_bot(tmp_path: Path) -> None:
    folder_with(tmp_path / "anna", bot_py=CHOOSE, helper_py="x = 1")
    assert find_bot(str(tmp_path / "anna")).name == "anna"
    folder_with(tmp_path / "bob", a_py=CHOOSE, b_py=CHOOSE)
    with pytest.raises(BotError, match="which file is the bot"):
        find_bot(str(tmp_path / "bob"))


@pytest.mark.parametrize(
    ("manifest", "words"),
    [
        ("name = ", "bot.toml"),
        ('name = "x"', "run says how the bot is started"),
        ('run = "./x"\ncolour = "red"', "'colour' is no key"),
        ("run = 3", "run is a text"),
        ('run = "./x"\nname = "a\\nb"', "name is one line"),
        ("x = " + "[" * 30_000, "bot.toml"),
        ('run = "./x\'"', "run: No closing quotation"),
        ('run = "./x"\nprotocol = "uci"', r"bot\.toml: 'uci' is no protocol known here; there are python, ugi"),
        ('run = "./x"\noptions = 3', "options"),
        ('run = "./\\u0000x"', "run: a zero byte"),
        ('build = ["./x\\u0000"]\nrun = "x"', "build: a zero byte"),
    ],
)
def test_what_is_wrong_with_a_manifest(tmp_path: Path, manifest: str, words: str) -> None:
    with pytest.raises(BotError, match=words):
        find_bot(str(folder_with(tmp_path, bot_toml=manifest)))


def test_what_is_no_bot_says_so(tmp_path: Path) -> None:
    with pytest.raises(BotError, match="no such file or folder"):
        find_bot(str(tmp_path / "nobody"))
    folder_with(tmp_path, notes_txt="hello")
    with pytest.raises(BotError, match="is no bot"):
        find_bot(str(tmp_path / "notes.txt"))
    with pytest.raises(BotError, match="no Python file with a function or class choose"):
        find_bot(str(tmp_path / "notes.txt"), protocol="python")


@pytest.mark.parametrize("link", ["bot.py", "bot.toml", "mine.py"])
def test_nothing_that_a_link_leads_to_is_read(tmp_path: Path, link: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("root:hunter2: = (")
    folder = folder_with(tmp_path / "anna")
    if link == "mine.py":
        (folder / "bot.toml").write_text('run = "mine.py"')
    (folder / link).symlink_to(secret)
    with pytest.raises(BotError, match="leads out of the bot's folder") as error:
        find_bot(str(folder))
    assert "hunter2" not in str(error.value)


def test_a_path_with_a_comma_is_written_with_two(tmp_path: Path) -> None:
    folder_with(tmp_path / "a,b", bot_py=CHOOSE)
    player = load_player(f"bot:{tmp_path}/a,,b,isolation=none")
    assert player.name == "a,b"


def test_the_bots_of_a_folder(tmp_path: Path) -> None:
    folder_with(tmp_path / "anna", bot_toml='run = "./x"')
    folder_with(tmp_path / "bob", bot_py=CHOOSE)
    folder_with(tmp_path, carl_py=CHOOSE, notes_txt="hello", dora_js="bestmove")
    names = [path.name for path in bots_in(tmp_path)]
    assert names == ["anna", "bob", "carl.py", "dora.js"]
    for name in ("anna", "bob", "carl.py"):
        assert bots_in(tmp_path / name) == [tmp_path / name]


def test_nobody_s_file_makes_a_folder_of_bots_his_own(tmp_path: Path) -> None:
    folder_with(tmp_path, carl_py=CHOOSE, main_py=CHOOSE, bot_toml='run = "./x"')
    assert bots_in(tmp_path) == [tmp_path]
    assert [path.name for path in bots_in(tmp_path, several=True)] == ["carl.py", "main.py"]


# -- building


COPY = 'build = "cp a.sh made.sh"\nrun = "sh made.sh"\nprotocol = "ugi"'


def test_a_build_is_done_once_for_the_same_contents(tmp_path: Path, cache: Path) -> None:
    folder = folder_with(tmp_path / "bot", bot_toml=COPY, a_sh="echo 1")
    first = built(find_bot(str(folder)), Level.NONE)
    assert (first.home / "made.sh").read_text() == "echo 1"
    assert not (folder / "made.sh").exists()
    (first.home / "mark").write_text("kept")
    assert (built(find_bot(str(folder)), Level.NONE).home / "mark").exists()
    (folder / "a.sh").write_text("echo 2")
    second = built(find_bot(str(folder)), Level.NONE)
    assert second.home != first.home
    assert (second.home / "made.sh").read_text() == "echo 2"


def test_a_build_that_fails_is_quoted_and_leaves_nothing(tmp_path: Path, cache: Path) -> None:
    manifest = "build = ['sh', '-c', 'echo one; echo line 3: no semicolon >&2; exit 4']\nrun = './x'\nprotocol = 'ugi'"
    folder = folder_with(tmp_path / "bot", bot_toml=manifest)
    with pytest.raises(BotError, match=r"(?s)failed \(exit status 4\):\none\nline 3: no semicolon"):
        built(find_bot(str(folder)), Level.NONE)
    assert list((cache / "bots").iterdir()) == []


def test_a_pipe_among_the_files_holds_no_build_up(tmp_path: Path, cache: Path) -> None:
    folder = folder_with(tmp_path / "anna", bot_toml='run = "./bot"\nbuild = "touch bot"\nprotocol = "ugi"\n')
    os.mkfifo(folder / "notes")
    assert sorted(os.listdir(built(find_bot(str(folder)), Level.NONE).home)) == ["bot", "bot.toml"]


def test_files_that_are_too_large_are_refused_unread(tmp_path: Path, cache: Path) -> None:
    folder = folder_with(tmp_path / "anna", bot_toml='run = "./bot"\nbuild = "touch bot"\nprotocol = "ugi"\n')
    with (folder / "data").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(BotError, match="too many for a bot that is built"):
        built(find_bot(str(folder)), Level.NONE)
    with (folder / "bot.py").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(BotError, match="too large for a bot in Python"):
        find_bot(str(folder / "bot.py"))


def test_a_compiler_that_is_not_there(tmp_path: Path, cache: Path) -> None:
    folder = folder_with(tmp_path / "bot", bot_toml="build = 'no-such-compiler x'\nrun = './x'\nprotocol = 'ugi'")
    with pytest.raises(BotError, match="no-such-compiler"):
        built(find_bot(str(folder)), Level.NONE)


# -- templates


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_is_found(tmp_path: Path, language: str) -> None:
    file = new_bot(tmp_path / "mine", language)
    assert "{name}" not in file.read_text()
    bot = find_bot(str(tmp_path / "mine"))
    assert (bot.name, bot.protocol) == ("mine", LANGUAGES[language].protocol)


def test_what_is_there_already_is_left_as_it_is(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "mine", bot_py="mine")
    with pytest.raises(BotError, match="left as it is"):
        new_bot(folder)
    with pytest.raises(BotError, match=r"no template in 'cobol'; there are python, javascript"):
        new_bot(tmp_path / "other", "cobol")
    assert [path.name for path in folder.iterdir()] == ["bot.py"]
