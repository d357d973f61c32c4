"""Die-roll poker: the sizes of Lanctot 2013, Table 5.1, what each line of betting pays, what is forgotten."""

import itertools

import numpy as np
import pytest
from positions import after

import fogspiel as fs
from fogspiel.games.die_roll_poker import CALL, FOLD, RAISE


@pytest.mark.parametrize(("open_fold", "pairs", "abstract"), [("yes", 2610, 860), ("no", 2604, 854)])
def test_die_roll_poker_has_the_sizes_of_table_5_1(open_fold, pairs, abstract):
    """With the fold before the first bet as printed; the rules as they are worded have six pairs less."""
    full = fs.unroll(f"die_roll_poker(open_fold={open_fold})")
    assert (full.pairs, full.abstract_pairs, full.infosets) == (pairs, pairs, 1116)
    forgetful = fs.unroll(f"die_roll_poker(open_fold={open_fold},recall=sum)")
    assert (forgetful.pairs, forgetful.abstract_pairs, forgetful.abstract_infosets) == (pairs, abstract, 366)
    assert full.utility == (-13, 13)
    assert full.zero_sum


def test_with_recall_of_the_sum_the_first_die_is_known_in_the_first_round_only():
    game = fs.load("die_roll_poker(recall=sum)")
    low, high = after(game, 1, 3), after(game, 5, 3)
    assert low.situation(0) != high.situation(0)
    for state, second in ((low, 5), (high, 1)):
        for move in (CALL, CALL, second, 2):
            state.play(move)
    assert low.situation(0) == high.situation(0)
    assert low.key(0) != high.key(0)
    assert low.situation(0) != after(game, 1, 3, CALL, CALL, 4, 2).situation(0)
    assert low.situation(0) != after(game, 1, 3, RAISE, CALL, 5, 2).situation(0)
    full = fs.load("die_roll_poker")
    for line in ((1, 3), (1, 3, CALL, CALL, 5, 2)):
        assert after(full, *line).situation(0) == after(full, *line).key(0)


# The betting of a round: a letter a move, and what each player has put in when it is over, counted in raises.
CALLED = {"cc": 0, "rc": 1, "crc": 1, "rrc": 2, "crrc": 2}
FOLDED = {"rf": (1, 0), "crf": (0, 1), "rrf": (1, 2), "crrf": (2, 1)}


def lines_of_betting():
    """All betting as strings of moves by round, with what both have paid at the end and who folded, if anyone."""
    yield ("f",), (1, 1), 0
    for first, a in CALLED.items():
        for second, b in CALLED.items():
            yield (first, second), (1 + 2 * a + 4 * b,) * 2, None
        for second, paid in FOLDED.items():
            folded = int(paid[1] < paid[0])
            yield (first, second), tuple(1 + 2 * a + 4 * p for p in paid), folded
    for first, paid in FOLDED.items():
        yield (first,), tuple(1 + 2 * p for p in paid), int(paid[1] < paid[0])


def test_every_line_of_betting_pays_as_the_rules_say():
    game = fs.load("die_roll_poker(faces=3,skew=0.25)")
    ends = 0
    for dice in itertools.product((1, 2, 3), repeat=4):
        for rounds, paid, folded in lines_of_betting():
            if folded is not None and len(rounds) == 1 and dice[2:] != (1, 1):
                continue  # the second dice are not rolled
            moves = [[FOLD if c == "f" else CALL if c == "c" else RAISE for c in line] for line in rounds]
            line = [*dice[:2], *moves[0], *(itertools.chain(dice[2:], moves[1]) if len(moves) > 1 else ())]
            won = -paid[0] if folded == 0 else paid[1]
            if folded is None:
                mine, yours = dice[0] + dice[2], dice[1] + dice[3]
                won = paid[0] * np.sign(mine - yours) + (0.25 * sum(paid) if dice[2] == 2 else 0)
            assert after(game, *line).payoff() == [won, -won]
            ends += 1
    assert ends == fs.unroll(game).terminals


def test_folding_before_the_first_bet_never_pays():
    values = [fs.solve(f"die_roll_poker(faces=3,open_fold={word})", "lp").value[0] for word in ("yes", "no")]
    assert values[0] == pytest.approx(values[1], abs=1e-9)
