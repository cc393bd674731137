"""The words and pictures of a replayed game."""

import re

import engine
from engine.games.dino_museum import pictures

GAME = "dino_museum"


def told(lineup, index=0, **options):
    return engine.replay(GAME, lineup, 3, index, seats="fixed", **options)


def test_replay__shows_research_board_market_and_museum():
    text = str(told(["greedy", "visitor_pleaser", "random"]))
    assert "this project's reference, not the published one, for species" in text
    assert re.search(r"board   dinosaur [pywbg.]{4} \| carnivore", text)
    assert re.search(r"market  .*, tile \d+ \(", text)
    assert re.search(r"\[D0 \w+\].*<F0 ", text)
    assert re.search(r"\(V\d loves \w+\)", text)
    assert "Round 5, seat 1 starts" in text


def test_replay__tells_every_turn_that_passes():
    game = told(["random"] * 4, index=2)
    text = str(game)
    passes = sum(int(n or 1) for n in re.findall(r"seat \d  passes(?: (\d+) times)?", text))
    turns = int(game.result.facts[0, :, 0].sum())
    placed = [i for i, row in enumerate(game.rows) if row["phase"] == 0 and game.states[i].acted == 0]
    assert passes == turns - len(placed)
    assert len(re.findall(r"draws ", text)) == int(game.result.facts[0, :, 1].sum())


def test_museum__is_drawn_by_kind_without_a_picture():
    layout = dict(engine.load_rules(GAME).values["museum"])
    del layout["picture"]
    game = told(["greedy"] * 2, rules={"museum": layout})
    lines = pictures.museum(game.states[-1], game.plan.rules, 0)
    assert [line[0] for line in lines] == ["[", "<", "{", "("]


def test_shorts__tell_species_with_one_beginning_apart():
    values = {"species": [{"name": "Tyrannosaurus"}, {"name": "Tyrannotitan"}, {"name": "Iguanodon"}]}
    assert pictures.shorts(values) == ["Tyra0", "Tyra1", "Iguano"]
