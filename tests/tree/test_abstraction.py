"""Abstractions join the information sets that they should, and are told apart by what their definition keeps."""

from collections import defaultdict

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.reproduce.lanctot_2013.sizes import bluff_sizes

TABLE_5_1 = {1: 12_600, 2: 97_608, 3: 543_900, 4: 2_329_068, 6: 22_518_468, 8: 108_323_418, 10: 295_534_218}
"""Lanctot 2013: (information set, action) pairs of Bluff(2,2) when the last r bids are remembered."""


@pytest.mark.parametrize("r", TABLE_5_1)
def test_the_count_of_bluff_abstractions_is_the_published_one(r):
    assert bluff_sizes((2, 2), 6, r)[1] == TABLE_5_1[r]


@pytest.mark.parametrize(
    ("dice", "faces", "r"),
    [((1, 1), 6, 1), ((1, 1), 6, 4), ((1, 1), 6, 8), ((2, 2), 2, 2), ((2, 1), 3, 3), ((1, 2), 3, 1), ((2, 1), 3, 60)],
)
def test_bluff_forgets_all_but_the_last_bids(dice, faces, r):
    tree = fs.unroll(f"bluff(dice1={dice[0]},dice2={dice[1]},faces={faces},remember={r})")
    full = fs.unroll(f"bluff(dice1={dice[0]},dice2={dice[1]},faces={faces})")
    bids = faces * sum(dice)
    assert (tree.abstract_infosets, tree.abstract_pairs) == bluff_sizes(dice, faces, min(r, bids))
    assert (tree.infosets, tree.pairs, tree.perfect_recall) == (full.infosets, full.pairs, True)
    assert full.tied is None
    assert (full.abstract_infosets, full.abstract_pairs) == (full.infosets, full.pairs)


@pytest.mark.parametrize("debug", [False, True])
def test_information_sets_are_tied_as_the_abstraction_says(debug):
    tree = fs.unroll(fs.load("bluff(faces=2,remember=1)", debug=debug), histories=True)
    h, groups, seen = tree.histories, defaultdict(set), np.zeros(len(tree.player), int)
    states = [tree.game.start()]
    for i in range(1, tree.size):
        state = states[h.parent[i]].copy()
        state.force(int(h.move[i]))
        states.append(state)
    for i, state in enumerate(states):
        if h.actor[i] >= 0:
            groups[int(h.actor[i]), state.situation(int(h.actor[i]))].add(int(h.infoset[i]))
            seen[h.infoset[i]] += 1
    assert {s: min(group) for group in groups.values() for s in group} == dict(enumerate(tree.tied.tolist()))
    assert seen.tolist() == tree.members.tolist()
    assert len(groups) == tree.abstract_infosets < tree.infosets


def phantom(abstraction):
    """Phantom tic-tac-toe from a position on, so that all of it can be walked: X has a1 and c3, O has the centre and
    c1."""
    game = fs.load(f"phantom_tic_tac_toe(abstraction={abstraction})")
    state = game.start()
    for square in (0, 0, 4, 4, 8, 8, 2):
        state.play(square)
    game.root[:] = state.data
    return game


REMEMBERED = {
    "none": lambda tries, turn: tuple(tries),
    "fosf": lambda tries, turn: tuple(
        (frozenset(t for t in tries if t[0] == n), *(t for t in tries if t[0] == n and n == turn))
        for n in range(turn + 1)
    ),
    "foi": lambda tries, turn: tuple(tuple(s for _, s, good in tries if good == kind) for kind in (0, 1)),
    "fos": lambda tries, turn: (
        tuple(None if good else s for _, s, good in tries),
        frozenset(s for _, s, good in tries if good),
    ),
    "foe": lambda tries, turn: frozenset((s, good) for _, s, good in tries),
}
"""What each abstraction keeps of a player's tries, (turn, square, whether it succeeded) each, in the words of Lanctot
2013, sec. 5.5; the order within the turn in progress is kept by all that keep the order of failures."""


@pytest.mark.parametrize("abstraction", REMEMBERED)
def test_phantom_tic_tac_toe_forgets_the_order_that_it_should(abstraction):
    tree = fs.unroll(phantom(abstraction), histories=True)
    h = tree.histories
    first = {0: ((0, 0, 1), (2, 4, 0), (2, 8, 1)), 1: ((1, 0, 0), (1, 4, 1), (3, 8, 0), (3, 2, 1))}
    tries, boards, turns, known = [(first[0], first[1])], [{0: 0, 4: 1, 8: 0, 2: 1}], [4], set()
    for i in range(tree.size):
        if i > 0:
            before, square = int(h.parent[i]), int(h.move[i])
            player, good = int(h.actor[before]), square not in boards[before]
            mine = list(tries[before])
            mine[player] = (*mine[player], (turns[before], square, int(good)))
            tries.append(tuple(mine))
            boards.append({**boards[before], square: player} if good else boards[before])
            turns.append(turns[before] + good)
        who = int(h.actor[i])
        if who >= 0:
            known.add((who, REMEMBERED[abstraction](tries[i][who], turns[i]), int(tree.count[h.infoset[i]])))
    assert len(known) == tree.abstract_infosets
    assert sum(count for *_, count in known) == tree.abstract_pairs
    assert (abstraction == "none") == (tree.tied is None)


# Lanctot 2013, sec. 5.2, 5.3 and 5.5: which abstractions are well-formed, and what the others break
VERDICTS = {
    "kuhn": (True, True, ()),
    "leduc": (True, True, ()),
    "die_roll_poker(faces=3)": (True, True, ()),
    "die_roll_poker(faces=3,recall=sum)": (True, True, ()),
    "die_roll_poker(faces=3,recall=sum,skew=0.1)": (False, True, ("i",)),
    "bluff(faces=3,remember=2)": (False, False, ("iii",)),
    "bluff(faces=3,dice1=2,remember=4)": (False, False, ("iii",)),
    "deadlock": (False, False, ("iii",)),
}


@pytest.mark.parametrize("spec", VERDICTS)
def test_abstractions_are_well_formed_as_published(spec):
    report = fs.well_formed(spec)
    assert (report.well_formed, report.skew_well_formed, report.violated) == VERDICTS[spec]
    assert report.k == report.ell == (1, 1)


@pytest.mark.parametrize("abstraction", ["fosf", "foi", "fos", "foe"])
def test_of_the_abstractions_of_phantom_tic_tac_toe_only_fosf_is_well_formed(abstraction):
    report = fs.well_formed(fs.unroll(phantom(abstraction)))
    assert report.well_formed == (abstraction == "fosf")
    assert ("iii" in report.violated) == (abstraction != "fosf")
    assert report.skew_well_formed == report.well_formed


def test_the_skew_of_die_roll_poker_is_the_published_one():
    # sec. 5.3: the skew times the largest pot that can be reached; 2 antes and 2 + 2 raises from each: 2 (1 + 4 + 8)
    # chips
    report = fs.well_formed("die_roll_poker(recall=sum,skew=0.1)")
    assert report.delta == pytest.approx(0.1 * 2 * (1 + 2 * 2 + 2 * 4))
    assert report.sets == (183, 183)
    assert report.factor == (183, 183)
    assert report.penalty[0] > 0
    assert report.penalty[1] == 0


def test_a_game_in_which_one_can_be_twice_in_an_information_set_is_not_strictly_informative():
    report = fs.well_formed("absent_minded_driver")
    assert (report.strictly_informative, report.well_formed, report.skew_well_formed) == (False, False, False)
    assert "strictly informative" in str(report)


SCALED = """
import numpy as np
from fogspiel.game import CHANCE, OVER, About, Number, mix

PARAMETERS = (Number("p", 0.25, 0, 1, ""), Number("scale", 3, 0, 9, ""), Number("skew", 0, 0, 9, ""))
State = np.dtype([("p", "f8"), ("scale", "f8"), ("skew", "f8"), ("coin", "i8"), ("said", "i8"), ("answer", "i8")])

def about(p, scale, skew):
    return About(players=2)

def start(s):
    s.coin = -1
    s.said = -1
    s.answer = -1

def actor(s):
    return CHANCE if s.coin < 0 else 0 if s.said < 0 else 1 if s.answer < 0 else OVER

def moves(s, out):
    out[0] = 0
    out[1] = 1
    return 2

def chance(s, out, prob):
    prob[0] = s.p
    prob[1] = 1 - s.p
    return moves(s, out)

def play(s, move):
    if s.coin < 0:
        s.coin = move
    elif s.said < 0:
        s.said = move
    else:
        s.answer = move

def payoff(s, out):
    won = 1.0 if s.said == s.answer else -2.0
    out[0] = won * s.scale + (s.skew if s.said == 0 else 0.0) if s.coin else won
    out[1] = -out[0]

def infoset(s, player):
    return mix(mix(0, s.coin if player == 0 else 9), s.said if player == 0 else (s.answer + 5))

def abstract(s, player):
    return mix(0, s.said if player == 0 else 7)
"""


def test_the_factors_of_utilities_and_probabilities_are_found(tmp_path):
    path = tmp_path / "scaled.py"
    path.write_text(SCALED)
    report = fs.well_formed(fs.load(path))
    assert report.well_formed
    assert report.k == pytest.approx((1 / 3, 3))
    assert report.ell == pytest.approx((1 / 3, 3))
    # K of theorem 6: player 0's one abstract set counts the largest k times ell of its two ordered pairs
    assert report.factor == pytest.approx((9.0, 1.0))
    report = fs.well_formed(fs.load(f"{path}(scale=1,skew=0.5,p=0.5)"))
    assert (report.well_formed, report.skew_well_formed, report.violated) == (False, True, ("i",))
    assert report.delta == pytest.approx(0.5)
    assert report.penalty == pytest.approx((2 * 0.5, 0.0))


def test_chance_that_is_not_proportional_breaks_the_second_condition(tmp_path):
    # after heads another coin falls evenly, after tails not; the player forgets the first coin
    source = SCALED.replace('("coin", "i8")', '("coin", "i8"), ("other", "i8")').replace(
        "    s.coin = -1\n", "    s.coin = -1\n    s.other = -1\n"
    )
    source = source.replace("CHANCE if s.coin < 0 else", "CHANCE if s.coin < 0 or s.other < 0 else")
    source = source.replace(
        "    prob[0] = s.p\n    prob[1] = 1 - s.p\n",
        "    prob[0] = 0.5 if s.coin <= 0 else 0.2\n    prob[1] = 1 - prob[0]\n",
    )
    source = source.replace(
        "        s.coin = move\n", "        s.coin = move\n    elif s.other < 0:\n        s.other = move\n"
    )
    path = tmp_path / "uneven.py"
    path.write_text(source)
    report = fs.well_formed(fs.load(f"{path}(scale=1)"))
    assert report.violated == ("ii",)
    assert not report.skew_well_formed
    with pytest.raises(fs.Unsuitable, match="nothing bounds the regret"):
        report.regret_bound(0, 2, 2, 100)


def test_well_formed_is_defined_for_two_players():
    with pytest.raises(fs.Unsuitable, match="needs at most two players; .* has 3"):
        fs.well_formed("kuhn(players=3)")
