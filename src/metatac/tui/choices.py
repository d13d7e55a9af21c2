"""What the dialog of a new game offers."""

from metatac.rules import RuleSet, load_rules, preset_names

PLAYERS = (
    ("a person at this keyboard", "human"),
    *((f"engine, level {level} of 12", f"engine:{level}") for level in (1, 2, 3, 4, 5, 6, 8, 10, 12)),
    ("engine, full strength", "engine"),
    ("tree search, 1 s a move", "mcts:1s"),
    ("looks 4 moves ahead", "minimax:4"),
    ("looks 8 moves ahead", "minimax:8"),
    ("takes what it can, blocks what it must", "greedy"),
    ("at random, any legal move", "random"),
    ("the tiger (sudoku only)", "tiger"),
)


def game_choices(rules: RuleSet) -> list[tuple[str, str]]:
    """The words and the text of every built-in game; first the present one if it is another."""
    names = list(preset_names())
    known = [(f"{name}: {load_rules(name).title}", name) for name in names]
    if rules.spec not in names:
        known.insert(0, (rules.title or rules.name, rules.spec))
    return known


def player_choices() -> list[tuple[str, str]]:
    return list(PLAYERS)
