"""Scoring: the rulebook's worked examples, and research against brute force over random museums."""

import random

import numpy as np
import pytest
from oracles.dino_museum import CLASSES, SOURCES, default_rules, score, spaces

import engine
from engine.games.dino_museum import scoring

GAME = engine.load_game("dino_museum")
SPECIES = {s["name"]: k for k, s in enumerate(default_rules()["species"])}


def filled(museums, rules):
    """A state record with these museums: by seat, space name -> species, class or tile."""
    record = rules.record[0]
    state = np.zeros(1, GAME.state)[0]
    state.seats = len(museums)
    codes = {name: (code, kind) for code, (kind, name, _) in enumerate(spaces(rules.values))}
    first = {"dinosaurs": 0, "visitors": 0, "fossils": record.first_code[1], "research": record.first_code[2]}
    for s, museum in enumerate(museums):
        state.free[s] = np.uint64((1 << len(codes)) - 1)
        for name, what in museum.items():
            code, kind = codes[name]
            state.free[s] &= ~np.uint64(1 << code)
            state.museum[s, code] = first[kind] + what + 1
    return state


def points(museum, rules=None):
    """Points by source of one museum, from the kernel."""
    rules = rules or engine.load_rules("dino_museum")
    out = np.zeros((2, 4), np.int64)
    GAME.functions["score"](filled([museum, {}], rules), rules.record[0], out)
    assert not out[1].any()
    found = dict(zip(SOURCES, (int(x) for x in out[0]), strict=True))
    assert found == score(museum, rules.values)
    return found


def dinosaurs(**names):
    return {space: SPECIES[name.replace("_", " ")] for space, name in names.items()}


GIANT, CARNIVORE = CLASSES.index("giant"), CLASSES.index("carnivore")


def test_rulebook__crichton_has_a_giant_fossil_between_two_giants():
    museum = dinosaurs(D1="Brontosaurus", D2="Triceratops") | {"F1": GIANT}
    assert points(museum)["fossils"] == 2
    assert points(museum | dinosaurs(D2="Velociraptor"))["fossils"] == 0
    assert points(dinosaurs(D1="Brontosaurus") | {"F1": GIANT})["fossils"] == 0


def test_rulebook__huxley_still_needs_a_giant():
    museum = dinosaurs(D0="Triceratops", D1="Velociraptor") | {"R0": SPECIES["Triceratops"]}
    assert points(museum)["research"] == 0
    assert points(museum | dinosaurs(D5="Tyrannosaurus Rex"))["research"] == 3
    assert points(museum | dinosaurs(D7="Tyrannosaurus Rex"))["research"] == 0


def test_rulebook__paulina_sees_her_tyrannosaurus():
    museum = dinosaurs(D5="Brontosaurus", D1="Tyrannosaurus Rex") | {"V1": SPECIES["Tyrannosaurus Rex"]}
    assert points(museum)["visitors"] == 1
    assert points(museum | dinosaurs(D5="Tyrannosaurus Rex"))["visitors"] == 1
    assert points(dinosaurs(D1="Tyrannosaurus Rex") | {"V1": SPECIES["Tyrannosaurus Rex"]})["visitors"] == 1
    assert points(museum | dinosaurs(D1="Carnotaurus"))["visitors"] == 0


def test_rulebook__anning_makes_nineteen():
    museum = dinosaurs(D0="Tyrannosaurus Rex", D1="Brontosaurus", D2="Carnotaurus")
    museum |= dinosaurs(D4="Velociraptor", D5="Dryosaurus", D6="Psittacosaurus")
    museum |= {"F0": GIANT, "F1": GIANT, "F2": CARNIVORE}
    museum |= {"R0": SPECIES["Tyrannosaurus Rex"], "R1": SPECIES["Brontosaurus"]}
    museum |= {"V0": SPECIES["Tyrannosaurus Rex"], "V1": SPECIES["Brontosaurus"]}
    museum |= {"V2": SPECIES["Carnotaurus"], "V3": SPECIES["Triceratops"]}
    found = points(museum)
    assert found == {"dinosaurs": 6, "visitors": 3, "fossils": 4, "research": 6}
    assert sum(found.values()) == 19


def test_research__fossil_evidence_counts_scored_or_not():
    museum = dinosaurs(D1="Carnotaurus", D5="Velociraptor") | {"R0": 8, "F0": CARNIVORE}
    assert points(museum) == {"dinosaurs": 2, "visitors": 0, "fossils": 0, "research": 3}


def test_research__one_specimen_for_two_tiles_is_the_switch():
    museum = dinosaurs(D1="Brontosaurus", D2="Triceratops", D5="Dryosaurus", D0="Carnotaurus", D4="Velociraptor")
    museum |= {"R0": SPECIES["Brontosaurus"], "R1": SPECIES["Brontosaurus"]}
    assert points(museum)["research"] == 6
    once = engine.load_rules("dino_museum", rules={"one_tile_per_specimen": True})
    assert points(museum, once)["research"] == 3


def random_layout(rng):
    """A museum crowded enough that tiles compete."""
    n = rng.randint(3, 7)
    around = [f"D{i}" for i in range(n)]
    fossils = [{"name": f"F{i}", "between": rng.sample(around, 2)} for i in range(rng.randint(0, 3))]
    near = around + [f["name"] for f in fossils]
    touches = [rng.sample(near, rng.randint(2, min(6, len(near)))) for _ in range(4)]
    return {
        "dinosaurs": around,
        "fossils": fossils,
        "research": [{"name": f"R{i}", "touches": near_it} for i, near_it in enumerate(touches)],
        "visitors": [{"name": "V0", "looks_at": rng.sample(around, 2)}],
    }


@pytest.mark.parametrize("once", [False, True])
def test_research__agrees_with_brute_force_over_random_museums(once):
    rng = random.Random(32)
    words = [*CLASSES, *(f"{c} fossil" for c in CLASSES), *SPECIES]
    seen = np.zeros(5, int)
    for case in range(1500):
        if case % 30 == 0:
            tiles = [rng.choices(words[:8] * 2 + words, k=rng.randint(1, 4)) for _ in range(14)]
            changes = {"museum": random_layout(rng), "research_tiles": tiles, "one_tile_per_specimen": once}
            rules = engine.load_rules("dino_museum", rules=changes)
        most = {"dinosaurs": 8, "visitors": 8, "fossils": 4, "research": 14}
        museum = {name: rng.randrange(most[kind]) for kind, name, _ in spaces(rules.values) if rng.random() < 0.85}
        seen[points(museum, rules)["research"] // 3] += 1
    assert (seen[:3] > 50).all(), seen
    assert seen[3:].sum() > 5, seen


def test_add_evidence__finds_matchings_that_greedy_choice_misses():
    one_or_two, only_one = np.uint64(0b11), np.uint64(0b01)
    for order in ([one_or_two, only_one], [only_one, one_or_two]):
        reached = np.uint64(1)
        for needs in order:
            reached = np.uint64(scoring.add_evidence(reached, needs))
        assert int(reached) >> 0b11 & 1
    assert not int(scoring.add_evidence(np.uint64(scoring.add_evidence(np.uint64(1), only_one)), only_one)) >> 0b11 & 1


@pytest.mark.parametrize(
    ("museums", "shares"),
    [
        ([dinosaurs(D0="Carnotaurus"), {}, {}], [1, 0, 0]),
        ([{}, {}, {}], [1 / 3] * 3),
        # four points each: four dinosaurs, or one that serves a tile
        ([dict.fromkeys(("D2", "D3", "D6", "D7"), 2), {"R0": 14} | dinosaurs(D0="Brontosaurus")], [1, 0]),
        ([dinosaurs(D0="Carnotaurus"), dinosaurs(D7="Dryosaurus")], [0.5, 0.5]),
    ],
)
def test_rank__most_points_then_most_dinosaurs_then_shared(museums, shares):
    tiles = [*default_rules()["research_tiles"], ["giant"]]
    rules = engine.load_rules("dino_museum", rules={"research_tiles": tiles})
    state, out, share = filled(museums, rules), np.zeros((4, 4), np.int64), np.zeros(len(museums))
    GAME.functions["score"](state, rules.record[0], out)
    GAME.functions["rank"](state, rules.record[0], out, share)
    assert np.allclose(share, shares)


def test_rank__dinosaurs_break_a_tie_of_points():
    rules = engine.load_rules("dino_museum", rules={"dinosaur_points": 0})
    state = filled([dinosaurs(D0="Carnotaurus"), dinosaurs(D0="Carnotaurus", D3="Dryosaurus")], rules)
    out, share = np.zeros((4, 4), np.int64), np.zeros(2)
    GAME.functions["score"](state, rules.record[0], out)
    GAME.functions["rank"](state, rules.record[0], out, share)
    assert list(share) == [0, 1]
