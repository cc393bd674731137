import re

import pytest

import engine
from analysis.cli import new_study
from analysis.study import load_study


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("game", engine.games())
@pytest.mark.parametrize("kind", new_study.KINDS)
def test_new_study__writes_a_file_that_is_right_for_every_game_and_variant(call, tmp_path, game, kind):
    for variant in engine.variants(engine.load_game(game)):
        file = tmp_path / f"{variant}.toml"
        status, out, err = call("new-study", file, "--game", game, "--question", kind, "--players", 2, 3, "--variant",
                                variant)  # fmt: skip
        assert (status, err) == (0, "")
        study = load_study(file)
        assert {cell.players for cell in study.cells} == {2, 3}
        assert {cell.variant for cell in study.cells} == {variant}
        assert study.document.question == new_study.KINDS[kind]
        assert f"{len(study.cells)} cells" in out
        assert file.read_text().count("#") >= 4


def test_new_study__runs_as_it_is(call, tmp_path):
    assert call("new-study", "--game", "draftosaurus", "--question", "change", "--players", 2)[0] == 0
    file = tmp_path / "draftosaurus_change.toml"
    file.write_text(file.read_text().replace("games = 50_000", "games = 400"))
    status, out, _ = call("study", file, "--jobs", 1)
    assert status == 0
    assert "Report: results/draftosaurus_change/report.html" in out


def test_new_study__asks_what_was_not_given(call, answers, tmp_path):
    answers("7", "sauros", "", "9 wintr", "2 4 plain")
    status, out, _ = call("new-study")
    assert status == 0
    assert "answer '7' is not known" in out
    assert "not possible: 9, wintr" in out
    study = load_study(tmp_path / "sauros_fair.toml")
    assert {cell.players for cell in study.cells} == {2, 4}
    assert {cell.variant for cell in study.cells} == {"plain"}


def test_new_study__offers_all_players_and_the_games_own_variant(call, answers, tmp_path):
    answers("1", "1", "")
    assert call("new-study")[0] == 0
    study = load_study(tmp_path / "draftosaurus_fair.toml")
    assert {cell.players for cell in study.cells} == {2, 3, 4, 5}
    assert {cell.variant for cell in study.cells} == {"summer"}


def test_new_study__writes_nothing_if_the_input_ends(call, answers, tmp_path):
    answers("1")
    status, _, err = call("new-study")
    assert status == 2
    assert "the input ended before every question was answered; nothing is written" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--game", "sauro"], "game 'sauro' is not known; did you mean 'sauros'?"),
        (["--question", "fai"], "question 'fai' is not known; did you mean 'fair'?"),
        (["--players", "9"], "draftosaurus takes 2 to 5 players, not 9"),
        (["--variant", "wintr"], "did you mean 'winter'?"),
        (["x.txt"], "FILE must end in .toml, not 'x.txt'"),
        (["nowhere/x.toml"], "nowhere/x.toml: its folder does not exist"),
    ],
)
def test_new_study__says_what_is_wrong_and_writes_nothing(call, tmp_path, arguments, says):
    options = {"--game": ["draftosaurus"], "--question": ["fair"], "--players": ["2"]}
    rest = [x for name, value in options.items() if name not in arguments for x in (name, *value)]
    status, _, err = call("new-study", *arguments, *rest)
    assert status == 2
    assert says in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_new_study__does_not_write_over_a_file(call, tmp_path):
    asked = ["new-study", "mine.toml", "--game", "draftosaurus", "--question", "fair", "--players", "2"]
    (tmp_path / "mine.toml").write_text("precious")
    assert call(*asked)[0] == 2
    assert (tmp_path / "mine.toml").read_text() == "precious"
    assert call(*asked, "--force", "--variant", "wintr")[0] == 2
    assert (tmp_path / "mine.toml").read_text() == "precious"
    assert call(*asked, "--force")[0] == 0


def test_new_study__says_that_a_file_is_there_before_it_asks(call, answers, tmp_path):
    (tmp_path / "mine.toml").write_text("precious")
    (tmp_path / "sauros_fair.toml").write_text("precious")
    answers()
    status, out, err = call("new-study", "mine.toml")
    assert (status, out) == (2, "")
    assert "mine.toml: is there already; take another name, or --force" in err
    answers("sauros", "fair")
    status, out, err = call("new-study")
    assert status == 2
    assert "How many players" not in out
    assert "sauros_fair.toml: is there already" in err


# ---------------------------------------------------------------------------------------------------------
# check
# ---------------------------------------------------------------------------------------------------------
SMALL = """title = "A test"
question = "Does it work?"
game = "draftosaurus"
games = 200
seed = 7

[[grid]]
players = [2, 4]
lineup = ["random", { focus = "greedy", field = "random" }]
"""


def test_check__says_what_a_study_will_do_and_plays_nothing(call, tmp_path):
    (tmp_path / "small.toml").write_text(SMALL)
    status, out, _ = call("check", "small.toml")
    assert status == 0
    assert "4 cells, 800 games" in out
    assert re.search(r"summer, 4 players, greedy against random +200 +under 1 s", out)
    assert re.search(r"Estimate: .* on \d+ threads", out)
    assert "Run it: meeplecarlo study small.toml" in out
    assert [path.name for path in tmp_path.iterdir()] == ["small.toml"]


def test_check__knows_what_is_there_already(call, tmp_path):
    (tmp_path / "small.toml").write_text(SMALL)
    call("study", "small.toml", "--jobs", "1")
    (tmp_path / "small.toml").write_text(SMALL.replace("[2, 4]", "[2, 4, 5]"))
    status, out, _ = call("check", "small.toml")
    assert status == 0
    assert out.count("there already") == 4 + 1
    assert "4 cells are there already" in out
    (tmp_path / "small.toml").write_text(SMALL)
    assert "Nothing is left to play" in call("check", "small.toml")[1]


def test_check__warns_of_a_folder_that_cannot_be_written_to(call, tmp_path):
    (tmp_path / "small.toml").write_text(SMALL)
    (tmp_path / "taken").write_text("a file")
    assert "Warning: results cannot be written to taken/small" in call("check", "small.toml", "--results", "taken")[1]
    assert "Warning" not in call("check", "small.toml", "--results", "new/folder")[1]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty; a study needs"),
        (SMALL.replace('"random", {', '"randm", {'), "did you mean 'random'"),
        (SMALL.replace("[2, 4]", "[2, 9]"), "takes 2 to 5 players, not 9"),
        ("games = ", "not valid TOML"),
    ],
)
def test_check__says_what_is_wrong_with_a_study(call, tmp_path, text, says):
    (tmp_path / "bad.toml").write_text(text)
    status, _, err = call("check", "bad.toml")
    assert status == 2
    assert says in err
    assert "Traceback" not in err


def test_check__says_that_a_policy_does_not_compile(call, tmp_path):
    (tmp_path / "bad.py").write_text(
        'import engine\n@engine.policy("draftosaurus")\ndef wrong(state, rules, legal, weights):\n    return state.x\n'
    )
    (tmp_path / "s.toml").write_text(SMALL.replace('"random", {', '"bad.py:wrong", {'))
    status, _, err = call("check", "s.toml")
    assert status == 2
    assert "does not compile" in err
