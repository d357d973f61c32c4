"""Agents refuse games that lack what their rows declare, in one wording, and name an agent that plays them."""

import pytest

import fogspiel as fs
from fogspiel.agents.registry import KINDS
from fogspiel.game.needs import suits

LACKING = ["kuhn", "kuhn(players=3)", "matrix(game=chicken)", "goofspiel(cards=3)"]


def refusal(spec, agent):
    with pytest.raises(fs.Unsuitable) as caught:
        fs.agent(agent).begin(fs.load(spec), 0, 0)
    return str(caught.value)


@pytest.mark.parametrize("spec", LACKING)
def test_every_agent_refuses_what_lacks_something_that_it_declares(spec):
    game = fs.load(spec)
    for name, kind in KINDS.items():
        faults = [(need.what, need.fault(game)) for need in kind.needs if need.fault(game)]
        if faults:
            what, fault = faults[0]
            told, advice = refusal(spec, name).rsplit(": try ", 1)
            assert told == f"{name} needs {what}; {spec} {fault}"
            assert suits(game, KINDS[advice].needs)


def test_perfect_information_is_refused_by_the_name_of_something_hidden():
    assert refusal("kuhn", "star1(depth=2)") == (
        'star1 needs a game of perfect information; kuhn hides moves such as "deal 1 to player 0" from player 1: try mo-ismcts'
    )


@pytest.mark.parametrize(
    ("spec", "agent", "told"),
    [
        ("matrix(game=chicken)", "sm-mcts", "sm-mcts(bandit=rm) needs a zero-sum game; matrix(game=chicken) is not one: try bandit=duct, exp3, exp3p, drm, tuned, ucb+exp3, smooth or uniform"),
        ("matrix(game=chicken)", "oos(baselines=yes)", "oos(baselines=yes) needs a zero-sum game; matrix(game=chicken) is not one: try baselines=no"),
        ("kuhn", "oos(progress=reach)", 'oos(progress=reach) needs a game in which nothing is hidden but pending moves; kuhn hides moves such as "deal 1 to player 0" from player 1: try progress=target'),
    ],
)  # fmt: skip
def test_a_setting_is_refused_with_those_that_the_game_suits(spec, agent, told):
    assert refusal(spec, agent) == told
