"""What goes in and out over HTTP, as the OpenAPI document describes it. Requests with unknown fields are refused."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints


def storable(text: str) -> str:
    """No database and no file takes a NUL or half a character."""
    if "\x00" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("a character that cannot be stored")
    return text


def _visible(text: str) -> str:
    words = " ".join(text.split())
    if not words or not words.isprintable():
        raise ValueError("1 to 24 visible characters are wanted")
    return words


Text = Annotated[str, AfterValidator(storable)]
Name = Annotated[Text, StringConstraints(min_length=1, max_length=24), AfterValidator(_visible)]
PositionText = Annotated[Text, StringConstraints(max_length=20_000)]
MoveText = Annotated[Text, StringConstraints(max_length=200)]
Toml = Annotated[Text, StringConstraints(max_length=4096)]
GameName = Annotated[Text, StringConstraints(max_length=64)]
MOST_PLIES = 2000
"""Games of 27 × 27 cells have up to some 1,300."""
Moves = Annotated[list[MoveText], Field(max_length=MOST_PLIES)]
Option = bool | int | float | Annotated[Text, StringConstraints(max_length=200)] | list[int]
Options = Annotated[dict[Annotated[Text, StringConstraints(max_length=40)], Option], Field(max_length=30)]
SeatName = Literal["X", "O"]
Level = Annotated[int, Field(ge=1, le=12)] | Literal["full"]


class Request(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Reply(BaseModel):
    """Replies may grow: a client takes no notice of fields that it does not know."""

    model_config = ConfigDict(extra="allow")


class Error(Reply):
    error: str
    code: str


# -- requests


class NameChange(Request):
    name: Name


class RulesCheck(Request):
    toml: Toml


class NewGame(Request):
    game: GameName | None = None
    toml: Toml | None = None
    options: Options = {}
    opponent: Literal["engine", "friend", "open", "self", "engines"]
    level: Level | None = None
    levels: Annotated[list[Level], Field(min_length=2, max_length=2)] | None = None
    side: Literal["X", "O", "toss"] = "toss"
    time: Annotated[Text, StringConstraints(max_length=40)] = "none"
    position: PositionText | None = None
    private: bool | None = None


class Join(Request):
    token: Annotated[Text, StringConstraints(max_length=100)] | None = None


class PositionWanted(Request):
    game: GameName | None = None
    toml: Toml | None = None
    options: Options = {}
    text: PositionText | None = None
    position: PositionText | None = None
    moves: Moves = []


class PositionPlay(Request):
    position: PositionText
    move: MoveText


class PositionGiven(Request):
    position: PositionText


class PositionWalk(Request):
    position: PositionText
    moves: Moves = []


class PositionSetup(Request):
    rules: Annotated[Text, StringConstraints(max_length=4096)]
    boards: Annotated[list[Annotated[Text, StringConstraints(max_length=100)]], Field(max_length=100)]
    turn: SeatName
    send: Annotated[Text, StringConstraints(max_length=4)] | None = None
    owners: Annotated[list[SeatName | None], Field(max_length=100)] | None = None
    groups: Annotated[list[SeatName | None], Field(max_length=100)] | None = None
    tallies: (
        Annotated[
            list[Annotated[list[Annotated[int, Field(ge=0, le=9)]], Field(min_length=2, max_length=2)]],
            Field(max_length=100),
        ]
        | None
    ) = None
    bonus: bool = False


class RecordText(Request):
    text: Annotated[Text, StringConstraints(max_length=1_000_000)]


class TreeNode(Request):
    move: MoveText
    comment: Annotated[Text, StringConstraints(max_length=2000)] | None = None
    parent: Annotated[int, Field(ge=-1, le=5000)]


Tree = Annotated[list[TreeNode], Field(max_length=5000)]


class PositionTree(Request):
    position: PositionText
    tree: Tree


class RecordExport(Request):
    start: PositionText
    moves: Moves | None = None
    tree: Tree | None = None
    tags: Annotated[dict[Annotated[Text, StringConstraints(max_length=64)], MoveText], Field(max_length=20)] = {}
    format: Literal["txt", "json", "svg", "film", "html"] = "txt"


class GameAnalysis(Request):
    record: Annotated[Text, StringConstraints(max_length=1_000_000)] | None = None
    game_id: Annotated[Text, StringConstraints(max_length=32)] | None = None


# -- replies


class Send(Reply):
    free: bool
    board: str | None
    reason: str
    text: str


class Board(Reply):
    board: str
    cells: str
    owner: SeatName | None
    open: bool
    tallies: list[int] | None = None
    lines: list[str] | None = None


class Group(Reply):
    board: str
    owner: SeatName | None
    open: bool


class Outcome(Reply):
    winner: SeatName | None
    points: list[float]
    reason: str
    lines: list[str]


class Position(Reply):
    """A position with everything that may be done in it."""

    rules: str
    title: str
    side: int
    depth: int
    marks: int
    turn: SeatName
    opponent: SeatName
    bonus: bool
    send: Send
    boards: list[Board]
    groups: list[Group] | None = None
    legal: list[str] | None
    targets: dict[str, str] | None
    choices: dict[str, dict[str, str]] | None = None
    counts: dict[str, Any] | None
    last_move: str | None
    outcome: Outcome | None
    features: list[str]
    text: str


class PositionForms(Reply):
    forms: dict[str, str]


class Positions(Reply):
    positions: list[Position]


class PrunedTree(Reply):
    tree: list[TreeNode]
    problem: str | None


class Seat(Reply):
    kind: Literal["person", "engine", "empty"]
    name: str
    level: int | str | None = None
    online: bool
    gone: float | None


class Seats(Reply):
    X: Seat
    O: Seat  # noqa: E741


class MoveMade(Reply):
    move: str
    by: SeatName
    seconds: float | None
    left: float | None = None


class Clock(Reply):
    running: SeatName | None
    X: float | None
    O: float | None  # noqa: E741
    move: float | None
    increment: float


class Rematch(Reply):
    offered: SeatName | None
    id: str | None


class Result(Outcome):
    text: str


class You(Reply):
    seats: list[SeatName]
    can_join: bool
    owner: bool


class Game(Reply):
    id: str
    game: str
    title: str
    rules: str
    options: dict[str, Any]
    time: str
    private: bool
    opponent: str
    phase: Literal["waiting", "running", "over", "aborted"]
    seats: Seats
    you: You
    position: Position
    moves: list[MoveMade]
    start: str
    clock: Clock
    draw_offer: SeatName | None
    takeback: SeatName | None
    rematch: Rematch
    result: Result | None
    spectators: int
    version: int
    claim_in: float | None


class GameMade(Reply):
    id: str
    url: str
    invite: str | None = None


class Names(Reply):
    X: str
    O: str  # noqa: E741


class GameSummary(Reply):
    id: str
    game: str
    title: str
    names: Names
    result: str | None
    phase: str
    moves: int
    ago: float
    your_turn: bool
    you: list[SeatName]


class Me(Reply):
    name: str
    games: list[GameSummary]


class Challenge(Reply):
    id: str
    game: str
    title: str
    time: str
    side: Literal["X", "O", "toss"]
    name: str
    ago: float


class LobbyView(Reply):
    open: list[Challenge]
    playing: list[GameSummary]


class Archive(Reply):
    games: list[GameSummary]
    next: str | None


class RulesSummary(Reply):
    name: str
    title: str
    summary: str
    side: int
    depth: int
    marks: int
    lesson: bool
    move_time: float


class Section(Reply):
    title: str
    text: str
    svg: str | None = None


class Step(Reply):
    title: str
    text: str
    position: Position
    wanted: list[str] | None
    answer: str
    hint: str


class Rules(Reply):
    name: str
    title: str
    text: str
    toml: str
    sections: list[Section]
    lesson: list[Step] | None = None


class RulesChecked(Reply):
    ok: bool
    title: str
    spec: str
    position: Position


class RecordView(Reply):
    title: str
    rules: str
    start: str
    moves: list[str]
    result: str
    tags: dict[str, str]
    tree: list[dict[str, Any]]


class Records(Reply):
    records: list[RecordView]


class JobMade(Reply):
    job: str


class PlyView(Reply):
    ply: int
    move: str
    score_x: float
    best: str
    loss: float
    mark: Literal["", "?!", "?", "??"]


class Accuracy(Reply):
    X: float | None
    O: float | None  # noqa: E741


class JobView(Reply):
    state: Literal["queued", "running", "done", "failed"]
    done: int
    of: int
    plies: list[PlyView]
    accuracy: Accuracy | None
    error: str | None = None


class Done(Reply):
    ok: bool


class Health(Reply):
    ok: bool
    problems: list[str]


class TournamentSummary(Reply):
    id: str
    name: str
    game: str
    state: str
    games: list[int]
    leader: str | None


class Standing(Reply):
    rank: int
    name: str
    points: float
    played: int
    won: int
    drawn: int
    lost: int
    forfeits: int
    rating: float | None = None
    error: float | None = None


class TournamentGame(Reply):
    n: int
    x: str
    o: str
    result: str
    reason: str


class Tournament(TournamentSummary):
    standings: list[Standing]
    crosstable: Any = None
    recent: list[TournamentGame]


class TournamentGames(Reply):
    games: list[TournamentGame]
    pages: int


class TournamentGameView(TournamentGame):
    start: str
    moves: list[str]
    record: str
