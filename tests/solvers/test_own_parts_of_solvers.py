"""Learners, schedules, sampling parts and solvers of a person's own, in what they may do and in what they may get
wrong."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import fogspiel as fs
from fogspiel.app.cli import app
from fogspiel.experiment import Curves, Scale, Tuning
from fogspiel.experiment.execution import Execution
from fogspiel.experiment.tuning import carry_out
from fogspiel.game.parts import versions
from fogspiel.solvers.cfr.variants import CFR, VARIANTS
from fogspiel.solvers.registry import SOLVERS, read_solver

S = {"small": Scale(2)}


def written(folder, name, text):
    path = folder / name
    path.write_text(text)
    return path


def learned(form, spec, **parts):
    _, _, values = read_solver(spec, **parts)
    return CFR(form, VARIANTS[spec.partition("(")[0]], values)


def uniform(step, learned, i, first, count, value, expected):
    for a in range(first, first + count):
        learned.strategy[a] = 1.0 / count


# --- parts


def test_other_values_of_parameters_are_the_same_kernel():
    form = fs.sequence_form("kuhn")
    for name, specs in (
        ("cfr", ("cfr(learner=hedge(eta=0.1))", "cfr(learner=hedge(eta=3))", "cfr(learner=hedge)")),
        ("cfr", ("cfr(learner=lagrangian(degree=2))", "cfr(learner=lagrangian(degree=5))")),
        ("dcfr", ("dcfr", "dcfr(gamma=5,alpha=1)")),
    ):
        assert len({learned(form, spec).loop for spec in specs}) == 1, name
    # a schedule is none of the kernel's business, and a preset is what it stands for
    assert learned(form, "dcfr").loop is learned(form, "cfr").loop
    assert learned(form, "pcfr+").loop is learned(form, "cfr(learner=prm+)").loop


@pytest.mark.parametrize(
    ("named", "general"),
    [
        ("cfr+", "cfr(learner=rm+,schedule=polynomial)"),
        ("linear-cfr", "cfr(schedule=discounted(alpha=1,beta=1,gamma=1))"),
        ("dcfr(alpha=2)", "cfr(schedule=discounted(alpha=2))"),
        ("pcfr+(gamma=3)", "cfr(learner=prm+,schedule=polynomial(gamma=3))"),
        ("hs-dcfr(horizon=30)", "cfr(schedule=hs-discounted(horizon=30))"),
        ("hs-pcfr+", "cfr(learner=prm+,schedule=hs-polynomial)"),
    ],
)
def test_a_variant_with_a_name_is_cfr_with_its_parts(named, general):
    ours, theirs = (fs.solve("leduc", spec, iterations=25) for spec in (named, general))
    np.testing.assert_array_equal(ours.strategy.prob, theirs.strategy.prob)


def test_the_horizon_of_a_nested_schedule_is_the_iterations_unless_it_is_given():
    assert fs.solve("kuhn", "cfr(schedule=hs-discounted)", iterations=70).algorithm == (
        "cfr(schedule=hs-discounted(horizon=70))"
    )
    assert "horizon=9" in fs.solve("kuhn", "cfr(schedule=hs-discounted(horizon=9))", iterations=70).algorithm


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("    learned.strategy[first + 10**9] = 1.0", r"update \(.*, line 2\) failed: .*outside"),
        ("    learned.strategy[first] = value[first] / 0", r"line 2\) failed: ZeroDivisionError"),
        ("    learned.strategy[first] = 2.0", r"line 1\) must leave probabilities that sum to one"),
        ("    learned.regret[first] = float('nan')", r"leaves regrets at an information set of 2 actions"),
        ("    learned.last[first] = 1.0", r"line 2\) failed: there is no learned.last"),
        ("    while True:\n        pass", r"line [23]\) does not return"),
    ],
)
def test_a_learner_that_fails_is_told_with_its_line(tmp_path, body, told):
    file = written(tmp_path, "wrong.py", f"def update(step, learned, i, first, count, value, expected):\n{body}\n")
    with pytest.raises(fs.PartError, match=told):
        fs.solve("kuhn", f"cfr(learner={file})", iterations=3)


def test_a_learner_that_cannot_be_compiled_is_told_with_its_line(tmp_path):
    file = written(
        tmp_path,
        "listing.py",
        "def update(step, learned, i, first, count, value, expected):\n"
        "    weights = {str(a): 1.0 / count for a in range(count)}\n"
        "    for a in range(count):\n"
        "        learned.strategy[first + a] = weights[str(a)]\n",
    )
    with pytest.raises(fs.PartError, match=r"update \(.*listing.py, line \d\) cannot be compiled"):
        fs.solve("kuhn", f"cfr(learner={file})", iterations=3)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def update(step, learned):\n    pass\n", "must take .step, learned, i, first"),
        ("def choose(search, here, n):\n    return 0\n", "has no learner: it needs the function update"),
        ("x = 1 / 0\n", "line 1: the file cannot be imported"),
    ],
)
def test_a_file_that_is_no_learner_is_refused(tmp_path, text, told):
    with pytest.raises(fs.PartError, match=told):
        fs.solve("kuhn", f"cfr(learner={written(tmp_path, 'none.py', text)})", iterations=3)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return -t", "must return factors of at least 0; at t = 1 one is not"),
        ("return t[:2]", "must return a factor for each t"),
        ("return t[1000]", r"positive \(.*, line 2\) failed: "),
    ],
)
def test_a_schedule_that_fails_is_told_with_its_line(tmp_path, body, told):
    file = written(tmp_path, "schedule.py", f"def positive(t, own):\n    {body}\n")
    with pytest.raises(fs.PartError, match=told):
        fs.solve("kuhn", f"cfr(schedule={file})", iterations=3)


def test_memory_of_a_learner_that_hides_what_is_there_is_refused():
    def memory(game, room):
        return {"regret": np.zeros(3)}

    with pytest.raises(fs.PartError, match="learned.regret is there already"):
        fs.solve("kuhn", "cfr", learner={"update": uniform, "memory": memory}, iterations=1)


def test_memory_of_a_learner_is_a_part_of_checkpoints(tmp_path):
    text = (
        "import numpy as np\n"
        "def memory(game, room):\n"
        "    return {'met': np.zeros(room.form.sequences)}\n"
        "def update(step, learned, i, first, count, value, expected):\n"
        "    total = 0.0\n"
        "    for a in range(first, first + count):\n"
        "        learned.met[a] += 1.0\n"
        "        learned.regret[a] = max(learned.regret[a] + (value[a] - expected) / learned.met[a], 0.0)\n"
        "        learned.strategy[a] = learned.regret[a] + 1e-6\n"
        "        total += learned.strategy[a]\n"
        "    for a in range(first, first + count):\n"
        "        learned.strategy[a] /= total\n"
    )
    spec, kept = f"cfr(learner={written(tmp_path, 'slowing.py', text)})", tmp_path / "kept.fog"
    whole = fs.solve("leduc", spec, iterations=30)
    fs.solve("leduc", spec, iterations=12, checkpoint=kept)
    np.testing.assert_array_equal(
        fs.solve("leduc", spec, iterations=30, resume=kept).strategy.prob, whole.strategy.prob
    )


@pytest.mark.parametrize(
    ("spec", "stub", "body", "told"),
    [
        ("os-mccfr(average={})", "average(run, place, own, picked)", "run.table.reals[10**9] = 1.0", "outside"),
        ("es-mccfr(average={})", "average(run, place, own, picked)", "run.mass[0] = 1.0", "there is no run.mass"),
        ("mccfr(chance={})", "sample_chance(game, run, place, me)", "return 99", "returns 99 where a position from 0"),
        ("mccfr(sampling={})", "at_decision(game, run, at, free, me)", "return None", "returns None where a finite"),
        ("vr-mccfr(baseline={})", "baseline(run, place, a)", "return 1e400", "returns inf where a finite number"),
    ],
)
def test_a_part_of_a_sampling_scheme_that_fails_is_told_with_its_line(tmp_path, spec, stub, body, told):
    file = written(tmp_path, "wrong.py", f"def {stub}:\n    {body}\n")
    with pytest.raises(fs.PartError, match=rf"{stub.partition('(')[0]} \(.*wrong.py, line [12]\).*{told}"):
        fs.solve("kuhn", spec.format(file), iterations=3)


def test_external_sampling_in_a_file_is_external_sampling(tmp_path):
    text = (
        "from fogspiel.solvers.mccfr.sampling import branch, by_action\n"
        "def at_decision(game, run, at, free, me):\n"
        "    return branch(game, run, at, free, me, by_action)\n"
    )
    ours = fs.solve("leduc", f"mccfr(sampling={written(tmp_path, 'mine.py', text)})", iterations=50, seed=2)
    np.testing.assert_array_equal(
        ours.strategy.prob, fs.solve("leduc", "es-mccfr", iterations=50, seed=2).strategy.prob
    )


def test_a_baseline_in_a_file_has_a_column_and_parameters(tmp_path):
    text = (
        "from fogspiel.game import Number\n"
        "from fogspiel.solvers.mccfr.arena import EXTRA, column\n"
        "PARAMETERS = (Number('rate', 0.5, 0, 1, ''),)\n"
        "COLUMNS = EXTRA + 1\n"
        "def baseline(run, place, a):\n"
        "    return float(run.table.reals[column(run.table, place.node, EXTRA, place.n) + a])\n"
        "def learn_baseline(run, place, a, found):\n"
        "    at = column(run.table, place.node, EXTRA, place.n) + a\n"
        "    run.table.reals[at] = (1 - run.baseline.rate) * run.table.reals[at] + run.baseline.rate * found\n"
    )
    file = written(tmp_path, "mine.py", text)
    for rate in (0.25, 1.0):
        ours = fs.solve("kuhn", f"vr-mccfr(words=64,baseline={file}(rate={rate}))", iterations=300, seed=2)
        theirs = fs.solve("kuhn", f"vr-mccfr(words=64,baseline=learned(rate={rate}))", iterations=300, seed=2)
        assert ours.strategy.prob == pytest.approx(theirs.strategy.prob, abs=1e-9)


def test_updates_in_a_file_are_tried_and_compiled(tmp_path):
    text = (
        "from fogspiel.solvers.cfr.loop import evaluate, follow, learn\n"
        "def learn_all(step, form, payoffs, learned, scratch):\n"
        "    for p in range(form.facts.players):\n"
        "        evaluate(p, form, payoffs, learned, scratch)\n"
        "        learn(p, step, form, learned, scratch)\n"
        "        follow(p, step, form, learned)\n"
    )
    ours = fs.solve("leduc", f"cfr(updates={written(tmp_path, 'mine.py', text)})", iterations=20)
    np.testing.assert_array_equal(ours.strategy.prob, fs.solve("leduc", "cfr", iterations=20).strategy.prob)
    wrong = written(tmp_path, "wrong.py", text.replace("follow(p, step", "follow(p + 10**6, step"))
    with pytest.raises(fs.PartError, match=r"learn_all.* \(.*wrong.py, line 6\) failed"):
        fs.solve("leduc", f"cfr(updates={wrong})", iterations=20)


def test_an_average_of_cfr_in_a_file_answers_with_a_plan(tmp_path):
    last = written(tmp_path, "last.py", "def plan(cfr):\n    return cfr.current\n")
    found = fs.solve("kuhn", f"cfr(average={last})", iterations=20)
    form = fs.sequence_form("kuhn")
    solver = learned(form, "cfr")
    solver.advance(20)
    assert found.strategy.on(form) == pytest.approx(form.behaviour(solver.current))
    for body, told in (("return cfr.regret", "must return a plan, an array of 26"), ("return cfr.nothing", "line 2")):
        none = written(tmp_path, "none.py", "def plan(cfr):\n    " + body)
        with pytest.raises(fs.PartError, match=told):
            fs.solve("kuhn", f"cfr(average={none})", iterations=2)


class Held:
    def __init__(self, x):
        self.x = x


def holding(thing):
    def update(step, learned, i, first, count, value, expected):
        for a in range(first, first + count):
            learned.strategy[a] = 1.0 / count

    def memory(game, room):
        return {"held": np.full(3, float(thing.x if isinstance(thing, Held) else thing))}

    return {"update": update, "memory": memory}


def test_what_nothing_tells_from_others_can_be_solved_with_but_not_kept():
    one, other, again = (read_solver("cfr", learner=holding(k))[2] for k in (1, 2, 1))
    assert versions(one) == versions(again) != versions(other)
    assert fs.solve("kuhn", "cfr", learner=holding(Held(1)), iterations=2).iterations == 2
    with pytest.raises(fs.PartError, match="thing, which .*memory holds, is an object of Held, which nothing tells"):
        versions(read_solver("cfr", learner=holding(Held(1)))[2])


# --- whole solvers

COUNTING = """
class Counting:
    \"\"\"plays the first move\"\"\"

    FORM = {form!r}

    def __init__(self, given, weight=1.0, seed=0, memory=None):
        self.given, self.weight, self.seed, self.t = given, weight, seed, 0

    def iterate(self{n}):
        self.t += {one}

    def strategy(self):
        {strategy}
"""
FIRST_OF = {
    "sequence form": "import numpy as np; w = np.zeros(self.given.sequences); w[self.given.first] = 1; return w",
    "tree": "import numpy as np; w = np.zeros(len(self.given.move)); w[self.given.first] = 1; return w",
    "rules": "return {(0, self.given.start().copy().key(0)): {1: 1.0}} if False else {}",
}


def counting(folder, form, strategy="", n=""):
    text = COUNTING.format(form=form, strategy=strategy or FIRST_OF[form], n=n, one="n" if n else "1")
    return written(folder, "counting.py", text)


@pytest.mark.parametrize("n", ["", ", n"])
@pytest.mark.parametrize("form", ["sequence form", "tree"])
def test_a_solver_is_given_the_form_that_it_declares(tmp_path, form, n):
    found = fs.solve("kuhn", counting(tmp_path, form, n=n), iterations=7)
    assert found.iterations == 7
    assert set(found.strategy.prob) == {0.0, 1.0}
    unrolled = fs.sequence_form("kuhn")
    behaviour = found.strategy.on(unrolled)
    assert np.all(behaviour[unrolled.first] == 1)
    assert found.exploitability == pytest.approx(fs.exploitability("kuhn", found.strategy))


def test_a_solver_of_rules_needs_no_tree(tmp_path):
    found = fs.solve("kuhn", counting(tmp_path, "rules"), iterations=3)
    assert found.exploitability == pytest.approx(fs.exploitability("kuhn", found.strategy))
    huge = fs.solve("phantom_tic_tac_toe", counting(tmp_path, "rules"), iterations=3, measure=False)
    assert huge.exploitability is None
    with pytest.raises(fs.TooLarge, match="unrolls the game"):
        fs.solve("phantom_tic_tac_toe", counting(tmp_path, "tree"), iterations=3)


def test_a_solver_answers_with_a_dictionary(tmp_path):
    strategy = (
        "s = self.given.start(); s.play(s.chance()[0][0]); s.play(s.chance()[0][0]); "
        "return {(0, s.key(0)): {s.moves()[0]: 3, s.moves()[1]: 1}}"
    )
    found = fs.solve("kuhn", counting(tmp_path, "rules", strategy), iterations=1)
    assert sorted(found.strategy.prob) == [0.25, 0.75]


@pytest.mark.parametrize(
    ("form", "strategy", "told"),
    [
        ("sequence form", "return [1.0, 2.0]", r"an array of 26 weights, one for each sequence, not"),
        ("tree", "return None", "an array of 24 weights, one for each action, not None"),
        ("rules", "return 3", "a Strategy, or a dictionary"),
        ("sequence form", "return -self.given.uniform()", "an array of 26 weights"),
        ("tree", "return self.nothing", r"strategy.* \(.*counting.py, line 14\) failed: AttributeError"),
    ],
)
def test_an_answer_that_is_none_is_refused(tmp_path, form, strategy, told):
    with pytest.raises(fs.PartError, match=told):
        fs.solve("kuhn", counting(tmp_path, form, strategy), iterations=1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1\n", "has no solver: it needs a class with FORM and the methods iterate and strategy"),
        ("class A:\n    def iterate(self): pass\n    def strategy(self): pass\n", "FORM must say what A works on"),
        (
            "class A:\n    FORM = 'tree'\n    def iterate(self): pass\n    def strategy(self): pass\n"
            "class B(A): pass\n",
            "several solvers .A, B.",
        ),
        (
            "class A:\n    FORM = 'tree'\n    def __init__(self, tree, k): pass\n    def iterate(self): pass\n"
            "    def strategy(self): pass\n",
            "the argument k needs a default",
        ),
    ],
)
def test_a_file_that_is_no_solver_is_refused(tmp_path, text, told):
    with pytest.raises(fs.PartError, match=told):
        fs.solve("kuhn", written(tmp_path, "none.py", text), iterations=1)


def test_parameters_of_a_solver_are_checked(tmp_path):
    file = counting(tmp_path, "tree")
    assert fs.solve("kuhn", f"{file}(weight=2)", iterations=1).algorithm == f"{file}(weight=2)"
    with pytest.raises(fs.SpecError, match=r"has no parameter wieght; did you mean weight\?"):
        fs.solve("kuhn", f"{file}(wieght=2)", iterations=1)
    with pytest.raises(fs.SpecError, match="weight must be a number"):
        fs.solve("kuhn", f"{file}(weight=much)", iterations=1)


def test_without_a_state_there_are_no_checkpoints(tmp_path):
    with pytest.raises(fs.SpecError, match="has no checkpoints: give it the methods state and restore"):
        fs.solve("kuhn", counting(tmp_path, "tree"), iterations=1, checkpoint=tmp_path / "c.fog")


STATEFUL = """
import numpy as np

class Perceptible:
    FORM = "sequence form"

    def __init__(self, form, seed=0):
        self.form, self.rng, self.total = form, np.random.default_rng(seed), np.zeros(form.sequences)

    def iterate(self):
        self.total += self.rng.random(self.form.sequences)

    def strategy(self):
        return self.total

    def state(self):
        bits = self.rng.bit_generator.state["state"]
        words = [bits[name] >> shift & 2**64 - 1 for name in ("state", "inc") for shift in (0, 64)]
        return {"total": self.total, "rng": np.array(words, np.uint64)}

    def restore(self, state):
        self.total = state["total"].copy()
        words = [int(w) for w in state["rng"]]
        whole = self.rng.bit_generator.state
        whole["state"] = {"state": words[0] | words[1] << 64, "inc": words[2] | words[3] << 64}
        self.rng.bit_generator.state = whole
"""


def test_a_solver_that_tells_its_state_goes_on_from_a_checkpoint(tmp_path):
    file, kept = written(tmp_path, "stateful.py", STATEFUL), tmp_path / "kept.fog"
    whole = fs.solve("leduc", file, iterations=30, seed=4)
    fs.solve("leduc", file, iterations=11, seed=4, checkpoint=kept)
    went_on = fs.solve("leduc", file, iterations=30, resume=kept)
    np.testing.assert_array_equal(went_on.strategy.prob, whole.strategy.prob)
    assert (went_on.iterations, went_on.resumed) == (30, 11)
    with pytest.raises(AssertionError):
        np.testing.assert_array_equal(fs.solve("leduc", file, iterations=30).strategy.prob, whole.strategy.prob)


def test_own_solvers_are_compared_on_the_command_line(tmp_path):
    file = counting(tmp_path, "sequence form")
    out = CliRunner().invoke(app, ["solve", "kuhn", "-a", "cfr+", "-a", str(file), "--iterations", "5", "--json"])
    assert out.exit_code == 0, out.output
    told = json.loads(out.stdout)
    assert [run["algorithm"] for run in told["runs"]] == ["cfr+", str(file)]
    assert told["runs"][1]["exploitability"] > told["runs"][0]["exploitability"]


def test_every_solver_of_the_table_is_none_of_a_persons_own():
    assert all(entry.own is None for entry in SOLVERS.values())


def test_own_solvers_and_learners_are_run_and_tuned_by_experiments(tmp_path, monkeypatch):
    text = FIRST_OF["sequence form"].replace("w[self.given.first] = 1", "w[self.given.first] = self.weight + self.t")
    counting(tmp_path, "sequence form", text)
    uniformly = "def update(step, learned, i, first, count, value, expected):\n    pass\n"
    written(tmp_path, "resting.py", uniformly)
    monkeypatch.chdir(tmp_path.parent)  # files are those beside the experiments
    curves = Curves(about="x", games="kuhn", players=["counting.py", "cfr(learner=resting.py)"], budgets=[3], scales=S)
    found = carry_out(curves, "own", tmp_path / "s.sqlite", Execution(folder=str(tmp_path)))
    assert [row.key[0] for row in found.table] == ["counting.py", "cfr(learner=resting.py)"]
    assert found.played == 4
    assert carry_out(curves, "own", tmp_path / "s.sqlite", Execution(folder=str(tmp_path))).played == 0
    # both are a part of the versions
    written(tmp_path, "resting.py", uniformly.replace("pass", "learned.spread[i] = 1.0"))
    assert carry_out(curves, "own", tmp_path / "s.sqlite", Execution(folder=str(tmp_path))).played == 2
    counting(tmp_path, "sequence form", text.replace("self.t", "2 * self.t"))
    assert carry_out(curves, "own", tmp_path / "s.sqlite", Execution(folder=str(tmp_path))).played == 2
    of = Curves(about="x", games="kuhn", players="counting.py(weight={w})", budgets=[2], scales=S)
    tuned = Tuning(about="y", of=of, parameters={"w": [0.5, 1]}, method="grid")
    assert len(carry_out(tuned, "tuned", tmp_path / "s.sqlite", Execution(folder=str(tmp_path))).table) == 2


def test_experiments_take_no_objects():
    class Mine:
        FORM = "tree"

    with pytest.raises(fs.SpecError, match="each of players must be text"):
        Curves(about="x", games="kuhn", players=[Mine], budgets=[3], scales=S)
