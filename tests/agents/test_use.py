"""What an agent is asked for has an effect, or is refused in a sentence."""

from importlib import import_module

import pytest

import fogspiel as fs
from fogspiel.agents.registry import KINDS
from fogspiel.agents.searches import _BANDITS, _BELIEF
from fogspiel.agents.use import USE
from fogspiel.belief.belief import BELIEFS


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("is-mcts(cut_from=root)", "cut_from has no effect without a cut after some moves"),
        ("is-mcts(belief=usual,consecutive=yes)", "consecutive has no effect with belief=usual, only with tracked"),
        ("sm-mcts(selection=duct,gamma=0.2)", "gamma has no effect with selection=duct, only with exp3 or drm or rm"),
        ("sm-mcts(selection=drm,unplayed=zero)", "unplayed has no effect with selection=drm, only with rm"),
        ("sm-mcts(final=max)", "final has no effect with selection=rm, only with duct"),
        ("mo-ismcts(horizon=5)", "horizon has no effect with bandit=ucb, only with exp3p"),
        ("mo-ismcts(belief=resample,replays=5)", "replays has no effect with belief=resample"),
        ("mo-ismcts(boost=2)", "boost has no effect with belief=usual, only with inferred"),
        ("mo-ismcts(belief=inferred,trees=players)", "what a search has others do .*, and with trees=players"),
        ("mo-ismcts(belief=inferred,transpositions=no)", "and with transpositions=no it has no node for each"),
        ("mcts(belief=inferred,chance=open)", "and with chance=open it has no node for each"),
        ("so-ismcts-pom(belief=inferred)", "and so-ismcts-pom has no node for each of these; mo-ismcts has"),
        ("gib(belief=inferred)", "and gib has no node for each of these; mo-ismcts has"),
        ("mcts(widen_alpha=0.3)", "widen_alpha has no effect without widen_c"),
        (
            "bluffing-ismcts(determinize=pure,selves=0.3)",
            "selves has no effect with determinize=pure, only with split or two-step or bluffing",
        ),
        ("is-mcts(bandit=rm)", "its bandit is chosen by selection, which is one of uct, ruct, exp3, rm"),
    ],
)
def test_a_parameter_without_effect_is_refused(spec, told):
    with pytest.raises(fs.SpecError, match=told):
        fs.agent(spec)


@pytest.mark.parametrize(
    "spec",
    [
        "sm-mcts(gamma=0.1,horizon=1000)",
        "is-mcts(consecutive=yes)",
        "mo-ismcts(belief=inferred,boost=2,particles=9,replays=3)",
        "bluffing-ismcts(belief=usual,boost=2)",
        "mcts(final=value)",
        "mo-ismcts(bandit=exp3,gamma=0.2)",
    ],
)
def test_what_is_usual_or_has_an_effect_is_taken(spec):
    assert fs.agent(spec).name.startswith(spec.split("(")[0])


def test_the_table_of_uses_is_that_of_the_parts():
    bandits = {word: import_module(f"fogspiel.search.bandits.{name}") for word, name in _BANDITS.items()}
    for parameter in ("exploration", "gamma", "horizon", "failure", "trials", "eta", "eta_least", "decay"):
        having = {word for word, module in bandits.items() if any(p.name == parameter for p in module.PARAMETERS)}
        assert having == {*USE[parameter][1]} & {*bandits}
    for parameter in ("replays", "k", "particles", "consecutive"):
        having = {word for word, kind in BELIEFS.items() if any(p.name == parameter for p in kind.parameters)}
        assert having == {*USE[parameter][1]} & {*BELIEFS} <= {*_BELIEF.choices}


def test_who_may_infer_has_a_tree_of_information_sets():
    game = fs.load("kuhn")
    for name, kind in KINDS.items():
        asks = any(p.name == "belief" and "inferred" in p.choices for p in kind.parameters)
        if asks and name not in ("gib", "sm-mcts"):
            player = fs.agent(name)
            player.begin(game, 0, 1)
            assert kind.by_infoset == (player.search.by_infoset and player.search.grows), name
        assert asks or not kind.by_infoset


def test_every_agent_is_made_with_its_usual_parameters():
    for name in KINDS:
        assert fs.agent(name).name == name
