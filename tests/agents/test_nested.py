"""Agents are asked for by specs that nest: what belongs to a part is asked of the part, from text or from Python."""

import copy
import json
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents.registry import KINDS
from fogspiel.belief.belief import BELIEFS
from fogspiel.game.parts import PartOf, version_of
from fogspiel.search.bandits import Ucb
from fogspiel.search.kinds import BANDIT


@pytest.mark.parametrize(
    ("flat", "nested"),
    [
        ("mo-ismcts(exploration=0.5)", "mo-ismcts(bandit=ucb(exploration=...))"),
        ("mo-ismcts(gamma=0.2)", "mo-ismcts(bandit=exp3(gamma=...))"),
        ("is-mcts(k=3)", "is-mcts(belief=tracked(k=...))"),
        ("is-mcts(pending=random)", "is-mcts(belief=usual(pending=...))"),
        ("mo-ismcts(boost=2)", "mo-ismcts(belief=inferred(boost=...))"),
        ("sm-mcts(unplayed=zero)", "sm-mcts(bandit=rm(unplayed=...))"),
        ("mcts(after=3)", "mcts(evaluation=rule(after=...))"),
        ("mcts(alpha=0.3)", "mcts(widening=progressive(alpha=...))"),
        ("mcts(coefficient=1)", "mcts(control=covariate(coefficient=...))"),
        ("mcts(begin_at=each)", "mcts(streams=common(begin_at=...))"),
        ("bluffing-ismcts(selves=0.3)", "bluffing-ismcts(determinize=bluffing(selves=...))"),
        ("oos(belief=replay)", "oos(progress=target(belief=...))"),
    ],
)
def test_what_is_asked_of_the_agent_and_is_a_parts_is_told_where_it_belongs(flat, nested):
    with pytest.raises(fs.SpecError) as refused:
        fs.agent(flat)
    assert str(refused.value).endswith(nested)
    asked = flat.partition("=")[2][:-1]
    assert fs.agent(nested.replace("...", asked))


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("sm-mcts(bandit=duct(gamma=0.2))", "bandit=duct has no parameter gamma"),
        ("mo-ismcts(belief=resample(replays=5))", "belief=resample has no parameter replays"),
        ("gib(belief=replay(replays=5))", "belief=replay has no parameter replays"),
        ("oos(progress=root(belief=replay))", "progress=root has no parameter belief"),
        ("mcts(evaluation=none(after=2))", "evaluation=none has no parameter after"),
        ("bluffing-ismcts(determinize=pure(selves=0.3))", "determinize=pure has no parameter selves"),
        ("mo-ismcts(bandit=ucb(ties=near(within=2)))", "within=2 is out of range"),
        ("mo-ismcts(bandit=ucb(ties=nearest))", "ties must be one of random, first, near, or a file, not 'nearest'"),
        ("is-mcts(bandit=ucb)", "parameter bandit must be one of uct, ruct, tuned, .*, or a file, not 'ucb'"),
        ("mo-ismcts(belief=inferred,view=observer)", "what a search has others do .*, and with view=observer"),
        ("mo-ismcts(belief=inferred,view=trail)", "and with view=trail it has no node for each"),
        ("mcts(belief=inferred,view=open-loop)", "and with view=open-loop it has no node for each"),
        ("so-ismcts-pom(belief=inferred)", "with view=searcher it has no node for each of these; mo-ismcts has"),
        ("gib(belief=inferred)", "and gib has no node for each of these; mo-ismcts has"),
        ("mcts(seconds=1,simulations=5)", "give simulations or seconds, not both"),
        ("mcts(bandit=3)", "parameter bandit must be one of"),
    ],
)
def test_a_part_takes_its_own_parameters_alone(spec, told):
    with pytest.raises(fs.SpecError, match=told):
        fs.agent(spec)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("is-expectimax", "it looks at every state that is possible, and draws none"),
        ("pimc-minimax", "it looks at every state that is possible, and draws none"),
        ("ist-minimax", "it looks at every state that is possible, and draws none"),
        ("ist-mcts", "it looks at every state that is possible, and draws none"),
        ("cheating-minimax", "it is shown the true state"),
        ("cheating-uct", "it is shown the true state"),
    ],
)
def test_who_takes_no_belief_says_why(name, reason):
    with pytest.raises(fs.SpecError, match=f"^{name} has no parameter belief: {reason}$"):
        fs.agent(f"{name}(belief=replay)")


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("sm-mcts(bandit=rm(gamma=0.1))", "sm-mcts"),
        ("is-mcts(bandit=ruct)", "is-mcts"),
        ("is-mcts(bandit=uct(exploration=1))", "is-mcts(bandit=uct)"),
        ("is-mcts(belief=tracked(consecutive=yes, k=3))", "is-mcts(belief=tracked(k=3,consecutive=yes))"),
        ("mcts(bandit=ucb(ties=near(within=0.005)))", "mcts(bandit=ucb(ties=near))"),
        ("mcts( evaluation = rule( after = 3 ) )", "mcts(evaluation=rule(after=3))"),
        ("mcts(streams=common+antithetic(begin_at=each),control=covariate)",) * 1
        + ("mcts(control=covariate,streams=common+antithetic(begin_at=each))",),
    ],
)
def test_the_name_of_an_agent_is_the_shortest_spec_of_it(asked, name):
    assert fs.agent(asked).name == name
    assert fs.agent(name).name == name


def test_every_agent_is_made_with_its_usual_parts():
    for name, kind in KINDS.items():
        assert fs.agent(name).name == name
        for parameter in kind.parameters:
            if isinstance(parameter, PartOf):
                assert all(fs.agent(name, **{parameter.name: word}) for word in parameter.words if word != "inferred")


def test_the_same_is_asked_for_from_python():
    asked = fs.agent("mo-ismcts(simulations=50,bandit=exp3(gamma=0.2))")
    for given in (
        "exp3(gamma=0.2)",
        fs.part("exp3", gamma=0.2),
        fs.part("exp3(gamma=0.2)"),
        fs.part(fs.part("exp3"), gamma=0.2),
    ):
        assert fs.agent("mo-ismcts", simulations=50, bandit=given).name == asked.name
    nested = fs.part("target", belief=fs.part("tracked", k=3))
    assert fs.agent("oos", progress=nested).name == "oos(progress=target(belief=tracked(k=3)))"
    with pytest.raises(fs.SpecError, match="bandit=ucb has no parameter gamma"):
        fs.agent("mo-ismcts", bandit=fs.part("ucb", gamma=1))
    with pytest.raises(fs.SpecError, match="give it once"):
        fs.agent("mo-ismcts(bandit=exp3)", bandit="rm")


class Greedy:
    """Tries each move once, and then the best so far."""

    def choose(search, here, n):
        best, most = 0, -1.0
        for i in range(n):
            s = search.slots[search.slot[i]]
            mean = 2.0 if s.tries == 0 else s.total / s.tries
            if mean > most:
                best, most = i, mean
        return best

    def learn(search, d, reward, utility):
        """The means are enough."""


FILE = """
def choose(search, here, n):
    best, most = 0, -1.0
    for i in range(n):
        s = search.slots[search.slot[i]]
        mean = 2.0 if s.tries == 0 else s.total / s.tries
        if mean > most:
            best, most = i, mean
    return best


def learn(search, d, reward, utility):
    pass
"""


def test_a_part_of_ones_own_may_be_a_file_a_class_a_module_or_functions(tmp_path):
    path = tmp_path / "greedy.py"
    path.write_text(FILE)
    functions = {"choose": Greedy.choose, "learn": Greedy.learn}
    thoughts = [
        fs.think("leduc", fs.agent("mo-ismcts", simulations=200, bandit=given), seed=2)
        for given in (str(path), path, Greedy, fs.part(Greedy), functions)
    ]
    visits = [[m.visits for m in thought.moves] for thought in thoughts]
    assert all(v == visits[0] for v in visits)
    assert fs.agent("mo-ismcts", bandit=Greedy).name == "mo-ismcts(bandit=Greedy)"


class FirstOfAll(Ucb):
    """UCB1 that takes the first of the moves that it has tried least."""

    def choose(search, here, n):
        fewest = 0
        for i in range(n):
            if search.slots[search.slot[i]].tries < search.slots[search.slot[fewest]].tries:
                fewest = i
        return fewest


def test_a_class_may_take_over_the_functions_and_parameters_of_another():
    evenly = fs.agent("mo-ismcts", simulations=200, bandit=fs.part(FirstOfAll, ties="first", exploration=0.3))
    visits = [m.visits for m in fs.think("leduc", evenly, seed=2).moves]
    assert max(visits) - min(visits) <= 1
    assert evenly.parameters["bandit"].settings["ties"].name == "first"


def test_a_class_is_another_where_what_it_takes_over_is():
    versions = set()
    for learn in (lambda search, d, reward, utility: None, lambda search, d, reward, utility: 1):
        base = type("Base", (), {"learn": learn})
        bandit = type("Mine", (base,), {"choose": Greedy.choose})
        versions.add(version_of(fs.agent("mo-ismcts", bandit=bandit).parameters["bandit"]))
    assert len(versions) == 2


def test_what_is_no_part_is_refused_in_a_sentence():
    with pytest.raises(fs.PartError, match="Lacking has no bandit: it needs the functions choose and learn"):
        fs.agent("mo-ismcts", bandit=type("Lacking", (), {"choose": Greedy.choose}))
    with pytest.raises(fs.PartError, match=r"<lambda> .* must take \(search, here, n\), and takes \(search\)"):
        fs.agent("mo-ismcts", bandit={"choose": lambda search: 0, "learn": Greedy.learn})
    with pytest.raises(fs.PartError, match="is no bandit: give a module, a class"):
        fs.agent("mo-ismcts", bandit=object())


def test_a_part_is_the_same_in_copies_and_in_other_processes():
    made = fs.agent("mo-ismcts(simulations=20,bandit=exp3(gamma=0.2),belief=resample)")
    for other in (copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert other.name == made.name
        assert other.parameters["bandit"] == made.parameters["bandit"]
    one, two = (fs.match("kuhn", [made, "random"], games=20, seed=3, workers=n) for n in (1, 2))
    assert np.array_equal(one.utility, two.utility)


def test_another_value_of_a_parameter_compiles_nothing_anew(tmp_path):
    code = (
        "import json, sys, fogspiel as fs\n"
        "for gamma in (0.1, 0.2, 0.35):\n"
        "    fs.think('kuhn', f'mo-ismcts(simulations=50,bandit=exp3(gamma={gamma}),belief=resample)', seed=1)\n"
        "import pathlib, os\n"
        "kept = [p.name for p in pathlib.Path(os.environ['FOGSPIEL_CACHE']).rglob('*') if 'exp3' in p.name]\n"
        "print(json.dumps(len([n for n in kept if n.endswith('.o')])))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "FOGSPIEL_CACHE": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == 1


def test_who_may_infer_has_a_tree_of_information_sets():
    game = fs.load("kuhn")
    for name, kind in KINDS.items():
        if not any(p.name == "belief" for p in kind.parameters) or name in ("gib", "sm-mcts"):
            continue
        player = fs.agent(name)
        player.begin(game, 0, 1)
        searched = player.search.by_infoset and player.search.grows
        assert kind.searches_by_infoset(player.parameters) == searched, name


def test_a_belief_says_itself_that_it_needs_a_model_of_the_others(monkeypatch):
    assert {name for name, belief in BELIEFS.items() if getattr(belief, "NEEDS_MODEL", False)} == {"inferred"}
    monkeypatch.setattr(BELIEFS["replay"], "NEEDS_MODEL", True, raising=False)
    with pytest.raises(fs.SpecError, match="belief=replay infers from what .*, and with view=history"):
        fs.agent("so-ismcts(belief=replay)")
    assert fs.agent("mo-ismcts(belief=replay)").name == "mo-ismcts(belief=replay)"


def test_a_kind_of_parts_knows_its_parts():
    taken = PartOf("bandit", "ucb", BANDIT)
    assert taken.read("exp3") == taken.read("exp3")
    assert taken.read("exp3") != taken.read("exp3(gamma=0.2)")
    assert taken.read("exp3(gamma=0.2)").settings["gamma"] == 0.2
    assert taken.default.settings["ties"].name == "random"
