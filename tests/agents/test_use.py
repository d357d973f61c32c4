"""What an agent is asked for has an effect, or is refused in a sentence."""

from importlib import import_module

import pytest

import fogspiel as fs
from fogspiel.agents.bandits import BANDITS
from fogspiel.agents.kind import Kind
from fogspiel.agents.registry import KINDS
from fogspiel.agents.searches import EXPLORATION
from fogspiel.agents.use import require_use
from fogspiel.belief.belief import BELIEFS, BeliefKind
from fogspiel.game import Choice, Number
from fogspiel.game.menu import Menu, Word


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("is-mcts(cut_from=root)", "cut_from has no effect without a cut after some moves"),
        ("is-mcts(belief=usual,consecutive=yes)", "consecutive has no effect with belief=usual, only with tracked"),
        ("sm-mcts(selection=duct,gamma=0.2)", "gamma has no effect with bandit=duct, only with exp3 or drm or rm"),
        ("sm-mcts(selection=drm,unplayed=zero)", "unplayed has no effect with bandit=drm, only with rm"),
        ("sm-mcts(final=max)", "final has no effect with bandit=rm, only with duct or tuned or ucb.exp3 or smooth"),
        ("is-mcts(pending=random)", "pending has no effect with belief=tracked, only with usual or resample or replay"),
        ("pomcp(bandit=rm,eta=0.5)", "eta has no effect with bandit=rm, only with smooth"),
        ("bluffing-ismcts(determinize=true,belief=usual,boost=2)", "boost has no effect with belief=usual"),
        ("mo-ismcts(horizon=5)", "horizon has no effect with bandit=ucb, only with exp3p"),
        ("mo-ismcts(belief=resample,replays=5)", "replays has no effect with belief=resample"),
        ("mo-ismcts(boost=2)", "boost has no effect with belief=usual, only with inferred"),
        ("mo-ismcts(belief=inferred,trees=players)", "what a search has others do .*, and with trees=players"),
        ("mo-ismcts(belief=inferred,transpositions=no)", "and with transpositions=no it has no node for each"),
        ("mcts(belief=inferred,chance=open)", "and with chance=open it has no node for each"),
        ("so-ismcts-pom(belief=inferred)", "and so-ismcts-pom has no node for each of these; mo-ismcts has"),
        ("gib(belief=inferred)", "and gib has no node for each of these; mo-ismcts has"),
        ("mcts(widen_alpha=0.3)", "widen_alpha has no effect without widen_c"),
        ("mcts(coefficient=1)", "coefficient has no effect with variates=none, only with control"),
        ("mcts(variates=common,online=5)", "online has no effect with variates=common, only with control"),
        ("mcts(variates=control,streams=each)", "streams has no effect with variates=control, only with common"),
        ("oos(delta=0,target=public)", "oos: target has no effect with delta=0, where no iteration is targeted"),
        ("mcts(seconds=1,simulations=5)", "mcts: simulations has no effect with seconds, which counts instead"),
        (
            "bluffing-ismcts(determinize=pure,selves=0.3)",
            "selves has no effect with determinize=pure, only with split or two-step or bluffing",
        ),
        ("oos(progress=root,belief=replay)", "oos: belief has no effect with progress=root, only with target"),
        ("oos(progress=reach,replays=3)", "oos: replays has no effect with progress=reach, only with target"),
        ("oos(boost=2)", "oos: boost has no effect with belief=usual, only with inferred"),
        ("pimc(replays=5)", "pimc: replays has no effect with belief=usual, only with tracked or inferred"),
        (
            "gib(belief=replay,replays=5)",
            "gib: replays has no effect with belief=replay, only with tracked or inferred",
        ),
        ("is-mcts(bandit=ucb)", "parameter bandit must be one of uct, ruct, tuned, .*, or a file, not 'ucb'"),
    ],
)
def test_a_parameter_without_effect_is_refused(spec, told):
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
    "spec",
    [
        "sm-mcts(gamma=0.1,horizon=1000)",
        "is-mcts(consecutive=yes)",
        "mo-ismcts(belief=inferred,boost=2,particles=9,replays=3)",
        "bluffing-ismcts(belief=usual,boost=2)",
        "mcts(final=value)",
        "mo-ismcts(bandit=exp3,gamma=0.2)",
        "oos(belief=inferred,boost=2)",
        "pimc(belief=tracked,replays=9)",
        "mcts(variates=control+common,coefficient=1,streams=each)",
    ],
)
def test_what_is_usual_or_has_an_effect_is_taken(spec):
    assert fs.agent(spec).name.startswith(spec.split("(")[0])


def test_parameters_are_those_of_the_parts_that_an_agent_may_be_made_of():
    for kind in KINDS.values():
        names = [p.name for p in kind.parameters]
        assert len(set(names)) == len(names)
        for menu in kind.menus:
            assert {*names} >= {p.name for word in menu.words.values() for p in word.parameters}
            assert menu.choice.choices == tuple(menu.words)
    for word, name in (("tuned", "tuned"), ("ucb+exp3", "staged"), ("rm", "regret_matching")):
        own = getattr(import_module(f"fogspiel.search.bandits.{name}"), "PARAMETERS", ())
        assert BANDITS[word].parameters == own
    offered = next(menu for menu in KINDS["is-mcts"].menus if menu.choice.name == "belief")
    assert all(offered.words[word].parameters == kind.parameters for word, kind in BELIEFS.items())


def test_a_new_bandit_is_its_file_and_a_word():
    """Its parameters are the agent's, and have an effect with it alone."""
    word = Word((Number("temperature", 0.1, 0, 1, "how little means count"),))
    menu = Menu(Choice("bandit", "ucb", ("ucb", "softmax"), ""), {"ucb": BANDITS["ucb"], "softmax": word})
    kind = Kind("", (EXPLORATION, menu), lambda name, p: None)
    assert [p.name for p in kind.parameters] == ["exploration", "bandit", "temperature"]
    given = {"exploration": 0.7, "bandit": "ucb", "temperature": 0.5}
    with pytest.raises(fs.SpecError, match="temperature has no effect with bandit=ucb, only with softmax"):
        require_use("it", kind, given)
    require_use("it", kind, given | {"bandit": "softmax"})
    with pytest.raises(fs.SpecError, match="exploration has no effect with bandit=softmax, only with ucb"):
        require_use("it", kind, given | {"bandit": "softmax", "exploration": 1})


def test_bandit_and_selection_are_one_parameter_and_names_stay_what_they_were():
    for spec in ("is-mcts(selection=rm,gamma=0.2)", "sm-mcts(selection=duct,exploration=2,near=0.1)"):
        for asked in (spec, spec.replace("selection", "bandit")):
            assert fs.agent(asked).name == spec
    assert fs.agent("is-mcts(bandit=ruct)").name == fs.agent("is-mcts").name == "is-mcts"
    with pytest.raises(fs.SpecError, match="is-mcts: selection is another name of bandit, and both are given"):
        fs.agent("is-mcts(selection=rm)", bandit="rm")


def test_who_may_infer_has_a_tree_of_information_sets():
    game = fs.load("kuhn")
    for name, kind in KINDS.items():
        asks = any(p.name == "belief" and "inferred" in p.choices for p in kind.parameters)
        if asks and name not in ("gib", "sm-mcts"):
            player = fs.agent(name)
            player.begin(game, 0, 1)
            assert kind.by_infoset == (player.search.by_infoset and player.search.grows), name
        assert asks or not kind.by_infoset


def test_a_belief_says_itself_that_it_needs_a_model_of_the_others(monkeypatch):
    wanted = {name for name, kind in BELIEFS.items() if kind.needs_model}
    assert wanted == {"inferred"}
    monkeypatch.setitem(
        BELIEFS, "replay", BeliefKind("", BELIEFS["replay"].parameters, BELIEFS["replay"].holder, needs_model=True)
    )
    with pytest.raises(fs.SpecError, match="belief=replay infers from what .*, and so-ismcts has no node for each"):
        fs.agent("so-ismcts(belief=replay)")
    assert fs.agent("mo-ismcts(belief=replay)").name == "mo-ismcts(belief=replay)"


def test_every_agent_is_made_with_its_usual_parameters():
    for name in KINDS:
        assert fs.agent(name).name == name
