import shutil

import pytest
from study_samples import HEAD, SMALL, small, write

from analysis import cells
from analysis.study import load_study, shipped_studies
from analysis.studyfile import StudyError
from engine import jit

ONE = """
[[grid]]
players = [4]
lineup = ["random"]
"""
POLICY = '''
import engine
{imports}

@engine.heuristic("draftosaurus", weights={{"river": 0.5}})
def bold(state, rules, action, weights):
    """{doc}"""
    return {value}
'''


def errors_of(path):
    with pytest.raises(StudyError) as caught:
        load_study(path)
    return caught.value.lines


def grid_errors(tmp_path, grid, head=HEAD):
    return errors_of(write(tmp_path, grid, head))


def test_study__expands_its_grid_to_every_combination(tmp_path):
    grid = """
[[grid]]
variant = ["summer", "winter"]
players = [2, 3]
rules = [{}, {river_points = 2, name = "wet"}]
lineup = ["random", {focus = "greedy", field = "random"}]
"""
    found = small(tmp_path, grid)
    assert len(found.cells) == 16
    first, last = found.cells[0], found.cells[-1]
    assert (first.title, first.kind, first.games) == ("summer, 2 players, random", "self-play", 200)
    assert (last.title, last.kind) == ("winter, wet, 3 players, greedy against random", "focus")
    assert [e.label for e in last.entries] == ["greedy", "random", "random"]
    assert last.rules.values["river_points"] == 2
    assert last.games == 201  # rounded up to whole deals of three rotations
    assert found.games == sum(cell.games for cell in found.cells)


def test_study__gives_each_line_up_its_form(tmp_path):
    grid = """
[policies.sloppy]
base = "greedy"
random = 0.25
ban = ["river"]
weights = {parked = 0.5}
[[grid]]
players = [3]
games = 30
seats = "permute"
lineup = [["greedy", "sloppy", "random"], "sloppy"]
"""
    mixed, alike = small(tmp_path, grid).cells
    assert (mixed.kind, mixed.lineup_label, mixed.seats, mixed.per_deal, mixed.games) == (
        "mixed", "greedy, sloppy, random", "permute", 6, 30
    )  # fmt: skip
    sloppy = mixed.entries[1]
    assert (sloppy.label, sloppy.policy.name, sloppy.ban, sloppy.random) == ("sloppy", "greedy", ("river",), 0.25)
    assert (alike.kind, alike.per_deal) == ("self-play", 1)


def test_study__finds_variants_and_policies_beside_its_file(tmp_path, monkeypatch):
    (tmp_path / "wet.toml").write_text('extends = "winter"\nriver_points = 3\n')
    (tmp_path / "mine.py").write_text(POLICY.format(imports="", doc="", value="1.0"))
    grid = """
[policies.braver]
base = "mine.py:bold"
weights = {river = 2.0}
[[grid]]
variant = ["wet.toml"]
players = [2]
lineup = ["braver", {focus = "mine.py:bold", field = "braver"}]
"""
    path = write(tmp_path, grid)
    monkeypatch.chdir("/")
    first, second = load_study(path).cells
    assert (first.variant, first.rules.values["river_points"], first.focus) == ("wet", 3, "braver")
    assert (second.focus, second.field) == ("bold", "braver")


@pytest.mark.parametrize(("games", "keep"), [(200_000, "playouts"), (200_001, "tallies")])
def test_study__decides_by_games_what_is_kept(tmp_path, games, keep):
    assert small(tmp_path, ONE, HEAD.replace("games = 200", f"games = {games}")).cells[0].keep == keep
    told = HEAD.replace("games = 200", f'games = {games}\nkeep = "tallies"')
    assert small(tmp_path, ONE, told).cells[0].keep == "tallies"


@pytest.mark.parametrize(("cells", "keep"), [(50, "playouts"), (51, "tallies")])
def test_study__decides_by_all_games_what_is_kept(tmp_path, cells, keep):
    rules = ", ".join(f"{{river_points = {i % 20}, trio_points = {i // 20}}}" for i in range(cells))
    head = HEAD.replace("games = 200", "games = 200_000")
    assert {cell.keep for cell in small(tmp_path, f"{ONE}rules = [{rules}]\n", head).cells} == {keep}


def test_shipped_studies__are_right():
    for name in shipped_studies():
        assert load_study(name).games


# Errors
@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("games = 200", "games = -5", "small.toml: games: must be at least 1, not -5"),
        ("games = 200", 'games = "ten"', "small.toml: games: must be a whole number, not 'ten'"),
        ("games = 200", "games = true", "small.toml: games: must be a whole number, not True"),
        ("seed = 7", "seed = 7.5", "small.toml: seed: must be a whole number, not 7.5"),
        ("seed = 7", "", "small.toml: seed: missing; every study needs it"),
        ('title = "A test"', 'title = ""', "small.toml: title: must not be empty"),
        ("seed = 7", "seed = 7\nsede = 8", "small.toml: sede: unknown key; did you mean 'seed'?"),
        ("seed = 7", 'seed = 7\nkeep = "all"', "small.toml: keep: must be 'playouts' or 'tallies', not 'all'"),
        ("draftosaurus", "draftosaurs", "small.toml: game: game 'draftosaurs' is not known; did you mean"),
    ],
)
def test_study__names_a_wrong_key_of_its_head(tmp_path, before, after, line):
    found = grid_errors(tmp_path, ONE, HEAD.replace(before, after))
    assert found[0].startswith(line)
    assert len(found) == 1


@pytest.mark.parametrize(
    ("block", "line"),
    [
        ("playrs = [4]", "grid[0].playrs: unknown key; did you mean 'players'?"),
        ("players = 4", "grid[0].players: must be a list in [ ], not 4"),
        ("players = []", "grid[0].players: must not be empty"),
        ("players = [2, 9]", "grid[0].players[1]: draftosaurus takes 2 to 5 players, not 9"),
        ('players = ["4"]', "grid[0].players[0]: must be a whole number, not '4'"),
        ('variant = ["sumer"]', "grid[0].variant[0]: draftosaurus: variant 'sumer' is not known; did you mean"),
        ('variant = ["no.toml"]', "grid[0].variant[0]: draftosaurus: variant file"),
        ("rules = [{trio_ponts = 6}]", "grid[0].rules[0]: draftosaurus: rule 'trio_ponts' is not known; did you"),
        ('rules = [{}, {trio_points = "a"}]', "grid[0].rules[1]: draftosaurus: rule 'trio_points' must be a whole"),
        ("rules = [{name = 3}]", "grid[0].rules[0].name: must be text in quotes, not 3"),
        ('lineup = ["gredy"]', "grid[0].lineup[0]: policy 'gredy' is not known; did you mean 'greedy'?"),
        ("lineup = [3]", "grid[0].lineup[0]: must be a policy's name, a list of names"),
        ("lineup = []", "grid[0].lineup: must not be empty"),
        ('lineup = [["random", "random"]]', "grid[0].lineup[0]: names 2 policies, one a seat, but players has 4"),
        ('lineup = [{focus = "random"}]', "grid[0].lineup[0].field: missing"),
        ('lineup = [{focus = "random", field = 2}]', "grid[0].lineup[0].field: must be text in quotes, not 2"),
        ('lineup = ["gone.py:x"]', "grid[0].lineup[0]: policy file"),
        ('seats = "rotat"', "grid[0].seats: must be 'fixed', 'rotate' or 'permute', not 'rotat'"),
    ],
)
def test_study__names_a_wrong_key_of_a_block(tmp_path, block, line):
    keys = {"players": "players = [4]", "lineup": 'lineup = ["random"]', block.split()[0]: block}
    found = grid_errors(tmp_path, "\n[[grid]]\n" + "\n".join(keys.values()))
    assert found[0].startswith(f"small.toml: {line}")
    assert len(found) == 1


@pytest.mark.parametrize(
    ("style", "line"),
    [
        ('base = "greedy"\nban = ["rivver"]', "policies.odd: policy 'greedy': ban 'rivver' is not known; did you"),
        ('base = "greedy"\nweights = {foo = 1}', "policies.odd: policy 'greedy': weight 'foo' is not known"),
        ('base = "greedy"\nrandom = 2', "policies.odd: policy 'greedy': random must be from 0 to 1, not 2"),
        ('base = "greedy"\nrandom = "x"', "policies.odd.random: must be a number, not 'x'"),
        ("random = 0.5", "policies.odd.base: missing"),
        ('base = "greedier"', "policies.odd: draftosaurus: policy 'greedier' is not known; did you mean"),
    ],
)
def test_study__names_a_wrong_policy(tmp_path, style, line):
    found = grid_errors(tmp_path, f"\n[policies.odd]\n{style}\n{ONE}")
    assert found[0].startswith(f"small.toml: {line}")
    assert len(found) == 1


def test_study__refuses_a_ban_that_the_variant_does_not_have(tmp_path):
    grid = '[policies.odd]\nbase = "greedy"\nban = ["pyramid"]\n' + ONE.replace('"random"', '"odd"')
    assert "variant 'summer' has no source 'pyramid' to ban" in grid_errors(tmp_path, grid)[0]


def test_study__refuses_one_name_for_two_things(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.py").write_text(POLICY.format(imports="", doc=folder, value="1.0"))
        (tmp_path / folder / "wet.toml").write_text(f'extends = "summer"\nriver_points = {len(folder) + ord(folder)}\n')
    policies = ONE.replace('["random"]', '["a/mine.py:bold", "b/mine.py:bold"]')
    assert grid_errors(tmp_path, policies) == [
        "small.toml: grid[0].lineup[1]: another policy is called 'bold' too; name one of them under [policies]"
    ]
    variants = ONE + 'variant = ["a/wet.toml", "b/wet.toml"]'
    assert "other rules of 'wet' are called 'as printed' too" in grid_errors(tmp_path, variants)[0]
    rules = ONE + 'rules = [{trio_points = 5, name = "x"}, {trio_points = 6, name = "x"}]'
    assert grid_errors(tmp_path, rules) == ["small.toml: grid[0].rules[1]: other rules of 'summer' are called 'x' too"]


def test_study__reports_all_errors_at_once(tmp_path):
    grid = """
[policies.greedy]
base = "random"
[[grid]]
players = [4, 7]
lineup = ["ranom"]
[[grid]]
lineup = ["random"]
"""
    places = [line.split(": ")[1] for line in grid_errors(tmp_path, grid, HEAD.replace("seed = 7", "seed = -1"))]
    assert sorted(places) == ["grid[0].lineup[0]", "grid[0].players[1]", "grid[1].players", "policies.greedy", "seed"]


def test_study__says_in_one_line_that_a_file_is_no_study(tmp_path):
    for name, content, says in [
        ("empty.toml", b"", "is empty; a study needs title, question, game, games, seed, grid"),
        ("broken.toml", b"title = \n", "not valid TOML: Invalid value (at line 1, column 9)"),
        ("binary.toml", b"a\xff\xfe", "is not a text file in UTF-8 (byte 1)"),
    ]:
        (tmp_path / name).write_bytes(content)
        lines = errors_of(tmp_path / name)
        assert len(lines) == 1
        assert lines[0].startswith(f"{name}: {says}")
    assert "there is no such file; did you mean" in errors_of(tmp_path / "empti.toml")[0]
    assert "is a folder" in errors_of(tmp_path)[0]
    assert "did you mean 'first_look'" in errors_of("first_lok")[0]
    assert "study must be the path of a .toml file or a name, not ''" in errors_of("")[0]


@pytest.mark.parametrize(
    ("block", "line"),
    [
        (ONE.replace("[[grid]]", "[grid]"), "grid: write [[grid]], not [grid]: there may be several"),
        (f"{ONE}[compare]\nplayers = [2]\n", "compare: write [[compare]], not [compare]: there may be several"),
        (f"{ONE}[[sensitivity]]\nplayers = 2\n", "sensitivity: write [sensitivity], not [[sensitivity]]: there is one"),
    ],
)
def test_study__says_how_many_brackets_a_block_has(tmp_path, block, line):
    assert grid_errors(tmp_path, block)[0] == f"small.toml: {line}"


# Keys
def test_key__covers_what_determines_the_result(tmp_path):
    plain = small(tmp_path, ONE).cells[0].key
    for head, grid in [
        (HEAD.replace("seed = 7", "seed = 8"), ONE),
        (HEAD.replace("games = 200", "games = 201"), ONE),
        (HEAD.replace("seed = 7", 'seed = 7\nkeep = "tallies"'), ONE),
        (HEAD, ONE.replace("[4]", "[5]")),
        (HEAD, ONE.replace('"random"', '"greedy"')),
        (HEAD, ONE + "rules = [{trio_points = 6}]"),
        (HEAD, ONE + 'variant = ["winter"]'),
    ]:
        assert small(tmp_path, grid, head).cells[0].key != plain


def test_key__does_not_cover_names_in_the_study(tmp_path):
    plain = small(tmp_path, ONE).cells[0]
    for head, grid in [
        (HEAD.replace("A test", "Another"), ONE),
        (HEAD + "# comment\n", ONE),
        (HEAD, ONE + 'rules = [{name = "usual"}]'),
        (HEAD, ONE + "rules = [{trio_points = 7}]"),  # as printed
        (HEAD, ONE + 'seats = "fixed"\n'),
    ]:
        other = small(tmp_path, grid, head).cells[0]
        assert (other.key == plain.key) == (other.seats == plain.seats)


def test_key__follows_a_designers_file_and_its_imports(tmp_path):
    def key(value, doc="", helper="x = 1\n"):
        (tmp_path / "helper.py").write_text(helper)
        (tmp_path / "mine.py").write_text(POLICY.format(imports="import helper", doc=doc, value=value))
        return small(tmp_path, ONE.replace("random", "mine.py:bold")).cells[0].key

    plain = key("1.0")
    assert key("1.0", doc="Says more.", helper="# comment\nx  =  1\n") == plain
    assert key("2.0") != plain
    assert key("1.0", helper="x = 2\n") != plain


def test_engine_digest__sees_code_and_no_comments(tmp_path):
    package = tmp_path / "engine"
    shutil.copytree(jit.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    game, other = package / "games/draftosaurus", package / "games/other"
    shutil.copytree(game, other)

    def changed(path, change):
        text = path.read_text()
        path.write_text(change(text))
        digest = cells.engine_digest_of(package, game)
        path.write_text(text)
        return digest

    def code(text):
        return text + "\nvalue = 1\n"

    plain = cells.engine_digest_of(package, game)
    assert plain == cells.engine_digest("draftosaurus")
    assert changed(game / "scoring.py", lambda text: text.replace('"""', '"""More words. ', 1)) == plain
    assert changed(game / "scoring.py", lambda text: "# a comment\n\n" + text) == plain
    assert changed(other / "scoring.py", code) == plain
    assert changed(game / "text.py", code) == plain
    assert changed(game / "scoring.py", code) != plain
    assert changed(package / "rng.py", code) != plain


def test_plain_code__drops_comments_docstrings_and_layout():
    assert cells.plain_code(b'"""Doc."""\ndef f( a ):\n    "doc"\n    return (a)  # why\n') == cells.plain_code(
        b"def f(a):\n    return a\n"
    )
    assert cells.plain_code(b"def f():\n    'doc'\n") == cells.plain_code(b"def f(): pass")


def test_samples__are_a_study(tmp_path):
    assert len(small(tmp_path, SMALL).cells) == 4
