"""A key of `infoset` that joins states with other moves is an error in solvers that build no tree, too."""

import numpy as np
import pytest

import fogspiel as fs

GAME = '''
"""Of sixteen deals one gives the first player other moves; by its key it does not know."""
import numpy as np

from fogspiel.game import CHANCE, OVER, About, mix

State = np.dtype([("deal", "i8"), ("step", "i8"), ("choice", "i8", 2)], align=True)


def about():
    return About(utility=(-1, 1))


def start(s):
    s.deal, s.step = -1, 0


def actor(s):
    return CHANCE if s.deal < 0 else OVER if s.step == 2 else s.step


def moves(s, out):
    if s.deal < 0:
        for i in range(16):
            out[i] = i
        return 16
    rare = s.deal == 15 and s.step == 0
    out[0], out[1], out[2] = 0, MOVE if rare else 1, 7
    return COUNT if rare else 2


def play(s, move):
    if s.deal < 0:
        s.deal = move
    else:
        s.choice[s.step] = move
        s.step += 1


def payoff(s, out):
    out[0] = 1 if s.choice[0] == s.choice[1] else -1
    out[1] = -out[0]


def infoset(s, player):
    return mix(mix(0, s.step), s.choice[0] if s.step > 0 and player == 0 else -1)
'''
WRONG = {"another move": ("1 + 1", "2"), "more moves": ("1", "3"), "a forced move": ("1", "1")}


@pytest.fixture(params=WRONG)
def game(request, tmp_path):
    path = tmp_path / "joined.py"
    move, count = WRONG[request.param]
    path.write_text(GAME.replace("MOVE", move).replace("COUNT", count))
    return fs.load(path, debug=True, unchecked=True)


@pytest.mark.parametrize("algorithm", ["es-mccfr", "os-mccfr", "cs-mccfr", "walk-cfr", "as-mccfr", "probing-mccfr"])
def test_sampling_solvers_raise_it_with_both_histories(game, algorithm):
    with pytest.raises(fs.GameError, match="the legal moves differ between two states of one information set") as error:
        fs.solve(game, algorithm, iterations=2_000, measure=False)
    assert "the rule infoset gives player 0 the same key after (" in str(error.value)
    assert "after (15), with the moves 0" in str(error.value)


@pytest.mark.parametrize("game", ["another move", "more moves"], indirect=True)  # forced moves are no decisions there
@pytest.mark.parametrize("method", ["vectors", "passes"])
def test_walks_for_best_responses_raise_it(game, method):
    nothing = fs.Strategy.build(
        game, np.zeros(0, int), np.zeros(0, np.uint64), np.zeros(0, int), np.zeros(0, int), np.zeros(0)
    )
    with pytest.raises(fs.GameError, match="the legal moves differ between two states of one information set"):
        fs.best_response(game, nothing, 0, method=method)
