"""The games and their rules: pages with pictures, lessons, and rules of one's own."""

from starlette.responses import JSONResponse

from metatac.game import start
from metatac.rules import load_rules, preset_names
from metatac.server import models
from metatac.server.lessons import lesson_of, sections_of, summary_of
from metatac.server.positions import pasted_rules, title_of, view
from metatac.server.refusals import not_found
from metatac.server.web import reply, router

routes = router()


@routes.get("/rules", response_model=list[models.RulesSummary])
def games() -> JSONResponse:
    """Every game there is, the plainest first."""
    found = []
    for name in preset_names():
        rules = load_rules(name)
        sizes = {"side": rules.side, "depth": rules.depth, "marks": rules.marks, "move_time": rules.move_time}
        found.append({"name": name, "title": rules.title, "summary": summary_of(name), "lesson": True} | sizes)
    return reply(found)


@routes.get("/rules/{name}", response_model=models.Rules)
def rules(name: str) -> JSONResponse:
    """The rules of a game, with pictures, and its lesson."""
    if name not in preset_names():
        raise not_found("game")
    found = load_rules(name)
    about = {"name": name, "title": found.title, "text": found.text.strip(), "toml": found.to_toml()}
    return reply(about | {"sections": sections_of(name), "lesson": lesson_of(name)})


@routes.post("/rules/check", response_model=models.RulesChecked)
def check(body: models.RulesCheck) -> JSONResponse:
    """Whether rules of one's own are any, and how their game begins."""
    found = pasted_rules(body.toml)
    return reply({"ok": True, "title": title_of(found), "spec": found.spec, "position": view(start(found))})
