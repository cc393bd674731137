"""The compiled game against the plain reference, at every ply."""

import random
from collections import Counter

import numpy as np
import pytest
from oracles.dino_museum import CLASSES, COLUMNS, KINDS, SOURCES, DinoMuseum, default_rules

import engine
from engine import rng as streams_of
from engine.run import make_plan
from engine.transcript import legal_actions, record_game

GAME = "dino_museum"
BONE, TAKE, PUT, VISITOR = range(4)


def bag_of(word):
    return [colour for colour in range(5) for _ in range(int(word) >> 8 * colour & 0xFF)]


def oracle_of(plan, index, state):
    """The reference game with the same stacks, its bones from the same streams."""
    seats = len(plan.entries)
    fresh = np.zeros(1, plan.game.state)[0]
    deal, arrangement = divmod(index, len(plan.seating))
    streams_of.key_streams(fresh, np.uint64(plan.seed), deal, plan.seating[arrangement])

    def draw_bone(seat, bag):
        return bag[streams_of.draw_below(fresh.chance[4 + seat], len(bag))]

    total = plan.rules.record[0].stack_total
    stacks = [[int(e) for e in state.order[k, : total[k]]] for k in range(4)]
    return DinoMuseum(seats, plan.rules.values, *stacks, draw_bone)


def seen_in(state, rules, seats):
    """What the record says, in the words of the oracle."""
    n_spaces, n_species = int(rules.n_spaces), int(rules.n_species)
    first = [int(x) for x in rules.first_code]
    kinds = [next(k for k in range(4) if int(rules.space_bits[k]) >> m & 1) for m in range(museum_size(rules))]
    return {
        "legal": legal_actions(state.options),
        "round": int(state.round_index),
        "bags": [bag_of(state.bag[s]) for s in range(seats)],
        "boards": [
            {x: int(state.placed[s, x]) for x in range(n_spaces) if int(state.filled[s]) >> x & 1} for s in range(seats)
        ],
        "museums": [
            {m: int(state.museum[s, m]) - 1 - first[kinds[m]] for m in range(len(kinds)) if state.museum[s, m]}
            for s in range(seats)
        ],
        "free": [
            legal_actions(state.free[s]) == list(np.flatnonzero(state.museum[s][: len(kinds)] == 0))
            for s in range(seats)
        ],
        "market": {c: int(n) for c, n in enumerate(state.market) if n},
        "market_left": int(state.market_left),
        "market_bits": legal_actions(state.market_bits),
        "stacks": [[int(e) for e in state.order[k, state.drawn[k] : rules.stack_total[k]]] for k in range(4)],
        "left": [{e: int(n) for e, n in enumerate(state.left[k]) if n} for k in range(4)],
        "turns": [int(x) for x in state.turns[:seats]],
        "bones": [int(x) for x in state.bones[:seats]],
        "completed": [[int(x) for x in state.completed[s]] for s in range(seats)],
        "idle": int(state.idle),
        "n_species": n_species,
    }


def museum_size(rules):
    return max(int(b).bit_length() for b in rules.space_bits)


def seen_by(oracle):
    """The same from the oracle."""
    codes = {name: code for code, (_, name, _) in enumerate(oracle.museum_spaces)}
    market = Counter(oracle.code(e) for e in oracle.market)
    stacks = [oracle.stacks[kind] for kind in KINDS[:3]] + [oracle.deck]
    return {
        "legal": oracle.legal(),
        "round": oracle.round,
        "bags": [sorted(bag) for bag in oracle.bags],
        "boards": [dict(sorted(board.items())) for board in oracle.boards],
        "museums": [dict(sorted((codes[n], e) for n, e in museum.items())) for museum in oracle.museums],
        "free": [True] * oracle.seats,
        "market": dict(sorted(market.items())),
        "market_left": len(oracle.market),
        "market_bits": sorted(market),
        "stacks": stacks,
        "left": [dict(sorted(Counter(stack).items())) for stack in stacks],
        "turns": oracle.turns,
        "bones": oracle.bones_placed,
        "completed": [[done[c] for c in COLUMNS] for done in oracle.completed],
        "idle": oracle.idle_turns,
        "n_species": len(oracle.rules["species"]),
    }


def compare(plan, index):
    """Play a game of the plan beside the oracle; the oracle's log."""
    told = record_game(plan, index)
    rules, seats = plan.rules.record[0], len(plan.entries)
    oracle = oracle_of(plan, index, told.states[0])
    for i, row in enumerate(told.rows):
        state, where = told.states[i], f"game index {index}, ply {i}"
        assert seen_in(state, rules, seats) == seen_by(oracle), where
        assert legal_actions(told.legal[i]) == oracle.legal(), where
        assert (row["phase"], row["seat"]) == (oracle.phase, oracle.mover), where
        if oracle.phase == BONE:
            assert state.bone == oracle.bone, where
        elif oracle.phase == PUT:
            assert state.taken == oracle.code(oracle.taken), where
        elif oracle.phase == VISITOR:
            assert state.taken == oracle.taken[1], where
        oracle.apply(int(row["action"]))
    assert oracle.over
    assert seen_in(told.states[-1], rules, seats) == seen_by(oracle)
    check_result(told.result, oracle)
    return oracle.log


def check_result(result, oracle):
    for s in range(oracle.seats):
        assert list(result.points[0, s]) == [oracle.points()[s][name] for name in SOURCES]
        assert list(result.pieces[0, s]) == [oracle.pieces()[s][name] for name in SOURCES]
    assert result.facts[0].tolist() == oracle.facts()
    assert np.allclose(result.share[0], [float(x) for x in oracle.shares()])


def lineups(seats):
    """Random and every other policy, each against itself, and all of them mixed."""
    names = list(engine.policies(GAME))
    return [[name] * seats for name in names] + [((names[1:] + names) * seats)[:seats]]


SWITCHES = {"must": True, "may": False}, {"each tile": False, "one tile": True}
CASES = [("reference", m, o) for m in SWITCHES[0] for o in SWITCHES[1]]
CASES += [(v, "must", "each tile") for v in sorted(engine.variants(engine.load_game(GAME))) if v != "reference"]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(("variant", "must", "once"), CASES)
def test_kernel__agrees_with_the_oracle(variant, must, once, seats):
    rules = {"must_take": SWITCHES[0][must], "one_tile_per_specimen": SWITCHES[1][once]}
    log = Counter()
    for lineup in lineups(seats):
        plan = make_plan(GAME, lineup, 7, variant=variant, rules=rules, seats="fixed")
        for index in range(2):
            log.update(compare(plan, index))
    assert {"M9", "M11", "M20", "reinforced", "market"} <= set(log)


def random_rules(rng):
    """Another game of the same kind: other bones, columns, species, tiles, museum and markets."""
    colours = ["pink", "yellow", "white", "light blue", "any"]
    n_species, d, f = rng.randint(1, 12), rng.randint(2, 12), rng.randint(0, 5)
    species = [
        {
            "name": f"S{k}",
            "diet": rng.choice(CLASSES[:2]),
            "build": rng.choice(CLASSES[2:]),
            "copies": rng.randint(0, 6),
            "visitors": rng.randint(0, 2),
        }
        for k in range(n_species)
    ]
    words = [*CLASSES, *(f"{c} fossil" for c in CLASSES), *(s["name"] for s in species)]
    dinosaurs = [f"D{i}" for i in range(d)]
    fossils = [{"name": f"F{i}", "between": rng.sample(dinosaurs, 2)} for i in range(f)]
    around = dinosaurs + [x["name"] for x in fossils]
    columns = {c: [rng.choice(colours) for _ in range(rng.randint(1, 3))] for c in COLUMNS}
    columns["fossil"] = ["same"] * rng.randint(1, 3) + rng.choice([[], ["any"], ["pink"]])
    markets = {
        f"{last}market_{n}": [rng.randint(1, 6), rng.randint(1, 3), rng.randint(1, 3)]
        for last in ("", "last_")
        for n in (2, 3, 4)
    }
    return {
        "rounds": rng.randint(1, 6),
        "market_end": rng.randint(0, 2),
        "must_take": rng.random() < 0.5,
        "one_tile_per_specimen": rng.random() < 0.5,
        "view_depth": rng.randint(1, 3),
        "bones": [rng.randint(0, 4) for _ in range(4)] + [rng.randint(1, 4)],
        "columns": columns,
        "species": species,
        "fossil_copies": [rng.randint(0, 5) for _ in CLASSES],
        "research_tiles": [
            rng.choices(words, k=rng.randint(1, 4)) for _ in range(rng.randint(0, min(20, 59 - n_species)))
        ],
        "museum": {
            "dinosaurs": dinosaurs,
            "fossils": fossils,
            "research": [
                {"name": f"R{i}", "touches": rng.sample(around, rng.randint(1, min(6, len(around))))}
                for i in range(rng.randint(0, 5))
            ],
            "visitors": [
                {"name": f"V{i}", "looks_at": rng.sample(dinosaurs, rng.randint(1, min(3, d)))}
                for i in range(rng.randint(0, 5))
            ],
        },
        **{f"{p}_points": rng.randint(-2, 5) for p in ("dinosaur", "visitor", "fossil", "research")},
        **markets,
    }


def test_kernel__agrees_with_the_oracle_on_other_components():
    rng = random.Random(20)
    log = Counter()
    for case in range(100):
        seats = rng.choice([2, 3, 4])
        lineup = rng.choices(list(engine.policies(GAME)), k=seats)
        plan = make_plan(GAME, lineup, case, rules=random_rules(rng), seats="fixed")
        for index in range(2):
            log.update(compare(plan, index))
    rulings = {f"M{i}" for i in (8, 9, 10, 11, 13, 14, 17, 20, 22, 46)}
    assert rulings | {"reinforced", "market"} <= set(log)


def test_rules__are_those_of_the_oracle():
    values = dict(engine.load_rules(GAME).values)
    values["museum"] = {k: v for k, v in values["museum"].items() if k != "picture"}
    assert values == default_rules()
