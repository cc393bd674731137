"""The driver, shards, checkpoints and merging, without killing anything."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from study_samples import HEAD, POISON, SMALL, file_bytes, small

import engine
from analysis.store import Store, StoreError
from analysis.sweep import backends, parts, run_study, warm, work
from analysis.sweep.driver import Driver, Part
from analysis.sweep.merge import merge_results
from analysis.sweep.progress import Progress
from analysis.sweep.shards import read_shard
from engine import PolicyError
from engine.run import default_threads

TALLIED = HEAD.replace("seed = 7", 'seed = 7\nkeep = "tallies"')
CHEAT = """import engine

@engine.policy("draftosaurus")
def cheat(state, rules, legal, weights):
    return 63
"""


def run(study, folder, **how):
    return run_study(study, folder, progress=False, **how)


class Task:
    """Work of one part, which calls a function."""

    n_parts = games = 1

    def __init__(self, name, function, *arguments):
        self.key = self.title = name
        self.call, self.result = (function, arguments), None

    def parts(self):
        yield Part(self, 0, 1, *self.call)

    def keep(self, part, result, seconds):
        self.result = result

    def finish(self):
        pass


def drive(tasks, jobs=2):
    done, failed = [], {}
    pool = backends.Pool("threads", jobs)
    with Progress(len(tasks), len(tasks), False) as bar:
        driver = Driver(pool, bar, done.append, lambda what, why: failed.update({what.title: why}))
        driver.run(tasks)
    pool.close(False)
    return driver, done, failed


# Failures
def test_driver__tries_again_what_may_pass_and_not_what_cannot():
    tried = {"flaky": 0, "broken": 0, "lost": 0, "wrong": 0}

    def play(name, error, times):
        tried[name] += 1
        if tried[name] <= times:
            raise error
        return name, 0.0

    tasks = [
        Task("flaky", play, "flaky", OSError("busy"), 2),
        Task("broken", play, "broken", OSError("gone"), 99),
        Task("lost", play, "lost", ValueError("not enough values to unpack"), 1),  # Dask's, of a dead worker
        Task("wrong", play, "wrong", PolicyError("illegal action"), 99),
    ]
    _, done, failed = drive(tasks)
    assert sorted(task.result for task in done) == ["flaky", "lost"]
    assert tried == {"flaky": 3, "broken": 3, "lost": 2, "wrong": 1}
    assert failed == {"broken": "OSError: gone (3 times)", "wrong": "illegal action"}


def test_driver__costs_less_than_two_percent_of_small_parts_and_keeps_nothing():
    n = 3_000
    tasks = [Task(str(i), lambda: (0, 0.0)) for i in range(n)]
    began = time.process_time()
    driver, done, _ = drive(tasks, jobs=8)
    assert (time.process_time() - began) / n < 0.02 * 0.2
    assert len(done) == n
    assert not (driver.flying or driver.saving or driver.left or driver.again or driver.suspects)


def test_outcome__summarises_failures(tmp_path):
    for name in ("a", "b"):  # the same code in another file, as a copy of a project has it
        (tmp_path / name).mkdir()
        (tmp_path / name / "bad.py").write_text(CHEAT)
        study = small(tmp_path / name, SMALL.replace('"random",', '"random", "bad.py:cheat",'))
        outcome = run(study, tmp_path / name / "r")
        assert not outcome.is_good
        assert len(outcome.failed) == 2
        (line,) = outcome.failures()
        assert line.startswith(
            f"cell failed: summer, 2 players, cheat, and 1 more: policy 'cheat' ({tmp_path / name / 'bad.py'}:3)"
        )


@pytest.mark.slow
def test_loky__a_cell_that_kills_its_worker_fails_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("DRIVER", str(os.getpid()))
    (tmp_path / "poison.py").write_text(POISON)
    study = small(tmp_path, '[[grid]]\nplayers = [2, 3]\nlineup = ["random", "poison.py:poison", "greedy"]\n')
    outcome = run(study, tmp_path / "r", jobs=2, backend="loky")
    assert [cell.lineup_label for cell, _ in outcome.failed] == ["poison", "poison"]
    assert "its worker process died" in outcome.failed[0][1]
    assert len(outcome.computed) == 4


def test_worker__with_other_code_refuses(tmp_path):
    task = parts.Task.of(small(tmp_path).cells[0])
    other = task._replace(key="other", code=("0" * 64, *task.code[1:]))
    with pytest.raises(parts.OtherCodeError, match="has other code of draftosaurus"):
        parts.play_part(other, 0, 10)


# Runs and shards beside one another
@pytest.mark.parametrize("given", ["0/3", "4/3", "3", "a/b", "1/0"])
def test_shard__refuses_what_is_none(given):
    with pytest.raises(ValueError, match="shard must be i/n"):
        read_shard(given)


def test_shards__in_any_order_make_the_whole(tmp_path):
    study = small(tmp_path)
    run(study, tmp_path / "whole")
    for shard in ("3/3", "1/3", "2/3", "1/2"):  # the last overlaps
        outcome = run(study, tmp_path / "r", shard=shard)
        assert outcome.is_good
    assert outcome.computed == []
    assert file_bytes(tmp_path / "r") == file_bytes(tmp_path / "whole")
    assert list(Store(study, tmp_path / "r").manifest()["cells"]) == [cell.key for cell in study.cells]


def test_shards__play_the_rule_sets_of_a_design_too(tmp_path, monkeypatch):
    from analysis.sobol.design import Table

    monkeypatch.setattr(Table, "chunk", 10)
    study = small(
        tmp_path,
        '[sensitivity]\nnumbers = { trio_points = [5, 9] }\nmetric = "seat_advantage"\nplayers = 2\n'
        'lineup = ["random", "random"]\nbase_points = 16\ngames = 200\n',
    )
    whole = run(study, tmp_path / "whole")
    counts = [run(study, tmp_path / "r", shard=f"{i}/2", backend=b).rule_sets for i, b in ((2, "loky"), (1, "threads"))]
    assert sum(counts) == whole.rule_sets
    assert file_bytes(tmp_path / "r") == file_bytes(tmp_path / "whole")


def test_store__reports_a_conflict_and_keeps_both(tmp_path):
    study = small(tmp_path)
    cell, store = study.cells[0], Store(study, tmp_path / "r")
    play = engine.simulate("draftosaurus", cell.wanted, cell.games, cell.seed)
    store.save(cell, play)
    store.save(cell, play)  # agrees
    before = store.path(cell).read_bytes()
    play.score[0, 0] += 1
    with pytest.raises(StoreError, match=rf"{cell.key}.*different result; this one is kept as _conflict_"):
        store.save(cell, play)
    assert store.path(cell).read_bytes() == before
    assert len(list(store.path(cell).parent.glob("_conflict_*"))) == 1


def test_store__replaces_a_damaged_file_that_another_run_left(tmp_path):
    study = small(tmp_path)
    cell, store = study.cells[0], Store(study, tmp_path / "r")
    for _ in range(2):
        store.path(cell).parent.mkdir(parents=True, exist_ok=True)
        store.path(cell).write_bytes(b"PAR1")
        store.save(cell, engine.simulate("draftosaurus", cell.wanted, cell.games, cell.seed))
        assert store.load(cell) is not None
    assert len(list(store.path(cell).parent.glob("_damaged_*"))) == 2, "evidence was overwritten"


def test_merge__in_any_order_makes_the_whole_and_reports_what_disagrees(tmp_path):
    study = small(tmp_path)
    run(study, tmp_path / "whole")
    for i in (1, 2):
        run(study, tmp_path / f"part{i}", shard=f"{i}/2")
    for folders in (("part1", "part2"), ("part2", "part1", "whole")):
        store = Store(study, tmp_path / "-".join(folders))
        merged = merge_results(store, [tmp_path / name for name in folders])
        assert (merged.added, merged.problems) == (4, [])
        assert file_bytes(store.root.parent) == file_bytes(tmp_path / "whole")
        assert all(cell["seconds"] > 0 for cell in store.manifest()["cells"].values())
    cell, odd = study.cells[0], Store(study, tmp_path / "odd")
    odd.save(cell, engine.simulate("draftosaurus", cell.wanted, cell.games, cell.seed + 1))
    odd.path(study.cells[1]).parent.mkdir(parents=True, exist_ok=True)
    odd.path(study.cells[1]).write_bytes(b"PAR1")
    merged = merge_results(Store(study, tmp_path / "whole"), [tmp_path / "odd"])
    assert [cell.key in problem for cell, problem in zip(study.cells, merged.problems, strict=False)] == [True, True]
    with pytest.raises(StoreError, match="has no results of 'small'"):
        merge_results(Store(study, tmp_path / "whole"), [tmp_path / "nowhere"])


# Checkpoints
def test_checkpoint__goes_on_however_parts_are_cut(tmp_path, monkeypatch):
    study = small(
        tmp_path, '[[grid]]\nplayers = [3]\nlineup = ["random", {focus = "greedy", field = "random"}]\n', TALLIED
    )
    run(study, tmp_path / "whole")
    keep, kept = work.CellWork.keep, []

    def interrupt(self, part, *result):
        keep(self, part, *result)
        kept.append(part.games)
        if len(kept) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(work.CellWork, "keep", interrupt)
    cell, store = study.cells[0], Store(study, tmp_path / "r")
    for size, most in ((18, 160), (33, 80)):
        kept.clear()
        monkeypatch.setattr(work, "PART", {"tallies": size})
        assert run(study, tmp_path / "r", checkpoint=40, jobs=1).interrupted
        assert 0 < work.CellWork(cell, store, 40, pytest.fail).games <= most
    monkeypatch.undo()
    run(study, tmp_path / "r", checkpoint=40)
    assert file_bytes(tmp_path / "r") == file_bytes(tmp_path / "whole")
    assert not list((tmp_path / "r").rglob("_checkpoint_*"))


def test_checkpoint__that_is_damaged_is_reported_and_not_used(tmp_path):
    study = small(tmp_path, head=TALLIED)
    store, said = Store(study, tmp_path / "r"), []
    path = store.checkpoint_path(study.cells[0])
    path.parent.mkdir(parents=True)
    path.write_bytes(b"PAR1")
    run(study, tmp_path / "r", checkpoint=40, say=said.append)
    assert len(said) == 1
    assert path.name in said[0]
    run(study, tmp_path / "whole")
    assert file_bytes(tmp_path / "r") == file_bytes(tmp_path / "whole")


@pytest.mark.parametrize(
    ("done", "missing"),
    [([], [(0, 100)]), ([(0, 100)], []), ([(50, 10), (10, 5), (15, 5)], [(0, 10), (20, 30), (60, 40)])],
)
def test_missing_ranges__are_what_is_not_done(done, missing):
    assert work.missing_ranges(done, 100) == missing
    with pytest.raises(ValueError, match="is in two ranges"):
        work.merged([(0, 10), (9, 2)])


# Threads, processes and the first compilation
@pytest.mark.parametrize(("per_task", "on_node", "threads"), [("3", "8", 3), ("", "5", 5)])
def test_default_threads__are_those_that_slurm_granted(monkeypatch, per_task, on_node, threads):
    monkeypatch.setenv("SLURM_CPUS_PER_TASK", per_task)
    monkeypatch.setenv("SLURM_CPUS_ON_NODE", on_node)
    assert default_threads() == threads


def test_first_compile__is_done_by_one_and_waited_for_by_the_others(tmp_path, monkeypatch):
    monkeypatch.setattr(warm.jit, "cache_path", lambda folder: tmp_path)
    monkeypatch.setattr(warm.jit, "UNCOMPILED", False)
    ready, together, most = [], [], []

    def compile_now(i):
        with warm.first_compile("draftosaurus", ["a"]):
            together.append(i)
            most.append((len(together), bool(ready)))
            time.sleep(0.05)
            ready.append(i)
            together.remove(i)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(compile_now, range(4)))
    assert [alone for alone, was_ready in most if not was_ready] == [1]


def test_sigterm__is_an_interrupt_only_during_a_run(tmp_path):
    before = signal.getsignal(signal.SIGTERM)
    run(small(tmp_path), tmp_path / "r")
    assert signal.getsignal(signal.SIGTERM) == before
