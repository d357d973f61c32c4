"""Agents refuse games that lack what their rows declare, in one wording, and name an agent that plays them."""

import pytest

import fogspiel as fs
from fogspiel.agents.registry import KINDS
from fogspiel.game.needs import suits
from fogspiel.search.expectimax import check
from fogspiel.search.lookahead import Minimax
from fogspiel.search.outcome_sampling import OutcomeSampling

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
        'star1 needs a game of perfect information; kuhn hides moves such as "deal 1 to player 0" from player 1: try '
        "mo-ismcts"
    )


@pytest.mark.parametrize(
    ("spec", "agent", "told"),
    [
        (
            "matrix(game=chicken)",
            "sm-mcts",
            (
                "sm-mcts(bandit=rm) needs a zero-sum game; matrix(game=chicken) is not one: try bandit=duct, exp3, "
                "exp3p, drm, tuned, ucb+exp3, smooth or uniform"
            ),
        ),
        (
            "matrix(game=chicken)",
            "oos(baselines=yes)",
            "oos(baselines=yes) needs a zero-sum game; matrix(game=chicken) is not one: try baselines=no",
        ),
        (
            "kuhn",
            "mcts(proven=yes)",
            (
                'mcts(proven=yes) needs a game of perfect information; kuhn hides moves such as "deal 1 to player 0" '
                "from player 1: try proven=no"
            ),
        ),
        (
            "goofspiel(cards=3,bids=open)",
            "mcts(proven=yes)",
            (
                "mcts(proven=yes) needs a game of perfect information; goofspiel(cards=3,bids=open) lets players move "
                "at once: try proven=no"
            ),
        ),
        (
            "kuhn",
            "oos(progress=reach)",
            (
                "oos(progress=reach) needs a game in which nothing is hidden but pending moves; kuhn hides moves "
                "such as "
                '"deal 1 to player 0" from player 1: try progress=target'
            ),
        ),
    ],
)
def test_a_setting_is_refused_with_those_that_the_game_suits(spec, agent, told):
    assert refusal(spec, agent) == told


SEARCHES = {
    "alpha-beta": lambda game: Minimax(game, "alpha-beta"),
    "expectimax": lambda game: Minimax(game, "nothing"),
    "star1": lambda game: Minimax(game, "star1"),
    "star2": lambda game: Minimax(game, "star2"),
    "is-expectimax": check,
    "oos": OutcomeSampling,
}


@pytest.mark.parametrize("spec", LACKING)
def test_a_search_by_itself_refuses_in_the_words_of_its_agent(spec):
    game = fs.load(spec)
    for name, search in SEARCHES.items():
        if not suits(game, KINDS[name].needs):
            with pytest.raises(fs.Unsuitable) as caught:
                search(game)
            assert str(caught.value).split(": try ")[0] == refusal(spec, name).rsplit(": try ", 1)[0]


def test_what_is_proven_of_a_determinization_needs_nothing_of_the_game():
    for name in ("pimc(simulations=20,determinizations=2,proven=yes)", "cheating-uct(proven=yes)"):
        player = fs.agent(name)
        player.begin(fs.load("kuhn"), 0, 0)
        assert player.parameters["proven"] == "yes"


@pytest.mark.parametrize(("spec", "name"), [("nim", "star1ss(nodes=3)"), ("stacked_matrix", "do-alpha-beta(nodes=2)")])
def test_a_game_without_an_evaluation_is_refused_where_its_end_is_out_of_reach(spec, name):
    game, player = fs.load(spec), fs.agent(name)
    with pytest.raises(fs.Unsuitable) as caught:
        fs.think(game, player)
    row = name.split("(")[0]
    told = (
        f"{row} needs the rule evaluate; {game.spec} has none, and the budget does not allow a search to the end "
        "of the game"
    )
    assert str(caught.value) == f"{told}: try {row}(evaluation=my_evaluation.py)"
    assert caught.value.rule == "evaluate"


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        *[("nim", name) for name in ("alpha-beta", "expectimax", "star1", "star2", "do-alpha-beta")],
        ("hex(size=3)", "alpha-beta"),
        ("leduc", "ist-minimax"),
        ("liars_dice", "ist-minimax"),
    ],
)
@pytest.mark.parametrize("table", [1 << 16, 1 << 20])
def test_a_search_to_the_end_of_a_small_game_is_finished_however_short_the_time(spec, name, table):
    """Without an evaluation there is nothing to go by before that."""
    thought = fs.think(spec, f"{name}(seconds=1e-9,table={table})")
    unhurried = fs.think(spec, f"{name}(nodes=100000000,table={table})")
    assert thought.statistics.complete
    assert thought.statistics.nodes == unhurried.statistics.nodes > 0
    assert thought.choice == unhurried.choice


@pytest.mark.parametrize(
    ("spec", "name"), [("hex", "alpha-beta"), ("hex", "do-alpha-beta"), ("phantom_tic_tac_toe", "ist-minimax")]
)
def test_too_little_time_for_a_search_to_the_end_of_a_large_game_is_told(spec, name):
    with pytest.raises(fs.Unsuitable, match="has none, and the budget does not allow a search to the end of the game"):
        fs.think(spec, f"{name}(seconds=1e-9)")


@pytest.mark.parametrize(("spec", "name"), [("nim", "alpha-beta"), ("leduc", "ist-minimax"), ("nim", "do-alpha-beta")])
def test_no_game_is_forfeited_for_want_of_time_to_search_to_its_end(spec, name):
    fs.match(spec, [f"{name}(seconds=1e-9)", "random"], games=4, seed=1, strict=True)
