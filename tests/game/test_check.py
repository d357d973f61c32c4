"""The conformance check passes a sound game, and names each kind of mistake with the moves that show it."""

import re
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import fogspiel as fs
from fogspiel.game import check_report as names
from fogspiel.game.check import FAILED, NOTED, PASSED
from fogspiel.game.check_report import Findings
from fogspiel.game.check_resample import Consistent
from fogspiel.game.watch import CallWatch, Endless
from fogspiel.games import kuhn

KUHN = Path(kuhn.__file__).read_text()

PENNIES = '''
"""Matching pennies: two players choose at once."""
import numpy as np
from fogspiel.game import OVER, PUBLIC, About, mix, pick

State = np.dtype([("choice", "i1", 2), ("made", "i1")])

def about():
    return About(players=2, utility=(-1, 1), simultaneous=True)

def start(s):
    s.choice[0] = -1
    s.choice[1] = -1
    s.made = 0

def actor(s):
    return OVER if s.made == 2 else s.made

def moves(s, out):
    out[0] = 0
    out[1] = 1
    return 2

def play(s, move):
    s.choice[s.made] = move
    s.made += 1

def payoff(s, out):
    out[0] = 1 if s.choice[0] == s.choice[1] else -1
    out[1] = -out[0]

def infoset(s, player):
    return mix(0, s.choice[player] + 2) if player >= 0 else mix(0, 0)

def resample(s, player, rng):
    if player != 0 and s.made > 0:
        s.choice[0] = pick(rng, 2)
    if player != 1 and s.made > 1:
        s.choice[1] = pick(rng, 2)
'''

ENDLESS = """
import numpy as np
from fogspiel.game import About

State = np.dtype([("side", "i1")])

def about():
    return About(players=1, zero_sum=False, perfect_recall=False)

def start(s):
    s.side = 0

def actor(s):
    return 0

def moves(s, out):
    out[0] = 0
    return 1

def play(s, move):
    s.side = 1 - s.side

def payoff(s, out):
    out[0] = 0

def infoset(s, player):
    return s.side
"""

CHANCE_RULE = """

def chance(s, out, prob):
    n = moves(s, out)
    for i in range(n):
        prob[i] = 1.0 / n
    return n
"""


@pytest.fixture
def variant(tmp_path, request):
    """A game file made from a source by replacing texts in it, each of which must be there, loaded and checked;
    un-compiled unless `compiled`."""

    def make(*replacements, source=KUHN, debug=False, more="", histories=200_000, compiled=False):
        for old, new in replacements:
            assert old in source
            source = source.replace(old, new)
        path = tmp_path / "variant.py"
        path.write_text(source + more)
        if not compiled:
            request.getfixturevalue("uncompiled")
        return fs.check(fs.load(path, debug=True) if debug else path, playouts=40, histories=histories)

    return make


def assert_failed(report, name, fragment, histories):
    """The finding failed with a text that holds the fragment and with so many histories of named moves."""
    finding = report.finding(name)
    assert finding.status == FAILED, str(report)
    assert not report.ok
    assert fragment in finding.text
    assert len(finding.histories) == histories
    assert all(step.name for history in finding.histories for step in history)
    return finding


HAND = "out[0] = PASS\n        out[1] = BET\n        return 2"
KEY = "public = mix(s.betting, s.dealt)\n    return public if player == PUBLIC else mix(public, s.card[player])"
REDRAW = "            while held(s, card):\n                card = pick(rng, s.players + 1)\n"
BODY = KUHN[KUHN.index("def resample") : KUHN.index("def private")]
GUIDE = (
    "\n\n\ndef guide(s, out, prob):\n    out[0] = PASS\n    out[1] = BET\n    prob[0] = 0.25\n    prob[1] = "
    "0.75\n    return 2"
)
COVARIATE = "\n\n\ndef covariate(s, move):\n    return 0.0 if s.dealt > 0 else move - 1.0"
EPISODE = "\n\n\ndef episode(s):\n    if s.dealt == 0:\n        return 0\n    return 1 if s.dealt == 2 else -1"
MIRROR = "\n\n\ndef mirror(s, move):\n    return 2 - move if s.dealt == 0 else 3 - move - s.card[0]"
HOLD = "    s.card[player] = outcome\n"
GUESS = "\n\n\ndef evaluate(s, out):\n    out[0] = 0.5\n    out[1] = -0.5"
ODDS = """


def chance(s, out, prob):
    n = moves(s, out)
    for i in range(n):
        prob[i] = 1.0 / n
    if s.dealt == 0:
        prob[0] = 0.2
        prob[1] = 0.5
        prob[2] = 0.3
    return n"""

MISTAKES = {
    "a field is indexed out of its range": (
        [("s.card[s.dealt] = move", "s.card[s.dealt + 10] = move")],
        names.RUN,
        "rule play (",
        1,
    ),
    "resample fails": (
        [("card = pick(rng, s.players + 1)\n            while", "card = s.card[i - 20]\n            while")],
        names.RUN,
        "rule resample (",
        1,
    ),
    "the actor is nobody": (
        [("    return turn(s)\n", "    return turn(s) + 5\n")],
        names.ACTOR,
        "returned 5",
        1,
    ),
    "a state has no moves": (
        [(HAND, HAND.replace("return 2", "return 2 if s.first_bet < 0 else 0"))],
        names.SOME,
        "returns 0",
        1,
    ),
    "more moves are written than have room": (
        [("MOST = 10", "MOST = 10\nMAX_MOVES = 2")],
        names.LIMIT,
        "set MAX_MOVES",
        1,
    ),
    "more moves are announced than have room": (
        [(HAND, HAND.replace("return 2", "return 300"))],
        names.LIMIT,
        "wrote 300 moves",
        1,
    ),
    "a move is listed twice": ([("out[1] = BET", "out[1] = PASS")], names.ONCE, "the move 0 more than once", 1),
    "a move is not written": ([("        out[1] = BET\n", "")], names.BUFFERS, "place 1", 1),
    "there are more payoffs than players": (
        [("out[winner] += pot", "out[winner] += pot\n    out[s.players] = 0")],
        names.RUN,
        "rule payoff (",
        1,
    ),
    "a look changes the state": ([("winner = -1", "winner = -1\n    s.dealt = 0")], names.LOOK, "changed its bytes", 1),
    "a payoff is missing": ([("out[i] = -1 - s.bet[i]", "out[0] = -1 - s.bet[i]")], names.FINITE, "player 1", 1),
    "a payoff is infinite": ([("out[winner] += pot", "out[winner] = np.inf")], names.FINITE, "it is inf", 1),
    "a payoff is out of the declared range": (
        [("utility=(-2, 2 * players - 2)", "utility=(-2, 1)")],
        names.RANGE,
        "utility=(-2, 1)",
        1,
    ),
    "a payoff is out of its player's range": (
        [("utility=(-2, 2 * players - 2)", "ranges=((-2, 2), (-1, 2))")],
        names.RANGE,
        "gives player 1 -2, and about declares for player 1 the range (-1, 2)",
        1,
    ),
    "payoffs do not sum to zero": ([("out[winner] += pot", "out[winner] += pot - 1")], names.ZERO_SUM, "sum to -1", 1),
    "a rule counts on unbounded whole numbers": (
        [(KEY, KEY.replace("s.card[player])", "((s.card[player] + 1) * (1 << 62) * 4) >> 62)"))],
        names.AGREE,
        "the key of player 0",
        1,
    ),
    "the next state counts on unbounded whole numbers": (
        [("mix(s.betting, move)", "mix(s.betting, ((move + 1) * (1 << 62) * 4) >> 62)")],
        names.AGREE,
        "the state after the last move",
        1,
    ),
    "resample counts on unbounded whole numbers": (
        [("s.card[i] = card\n", "s.card[i] = ((card + 1) * (1 << 62) * 4 >> 64) - 1\n")],
        names.AGREE,
        "the state that resample draws",
        1,
    ),
    "legal moves depend on what is hidden": (
        [(HAND, HAND.replace("return 2", "return 1 if s.card[1 - s.acted % 2] == 0 else 2"))],
        names.MOVES,
        "with the moves",
        2,
    ),
    "a player cannot tell that it is its turn": (
        [
            (
                KEY,
                KEY.replace(
                    "mix(s.betting, s.dealt)",
                    "mix(s.betting, s.dealt)\n    if s.acted < 2:\n        public = mix(0, s.dealt)",
                ),
            )
        ],
        names.TURN,
        "where it is to move",
        2,
    ),
    "a player forgets its card after its first move": (
        [(KEY, KEY.replace("s.card[player])", "s.card[player] if s.acted < 2 else 9)"))],
        names.RECALL,
        "own earlier keys",
        2,
    ),
    "a player's key loses what it has seen": (
        [(KEY, KEY.replace("s.card[player])", "s.card[player] if s.acted == 0 else 9)"))],
        names.COLLISION,
        "the keys it had before",
        2,
    ),
    "the public key tells a card": (
        [("return public if player == PUBLIC", "return mix(public, s.card[0]) if player == PUBLIC")],
        names.PUBLIC_KEY,
        "the public key differs",
        2,
    ),
    "the abstraction tells the other's card": (
        [(KEY, KEY + "\n\n\ndef abstract(s, player):\n    return s.acted * 16 + s.card[1 - player]")],
        names.COARSER,
        "abstract gives two",
        2,
    ),
    "the abstraction joins sets with different moves": (
        [
            (KEY, KEY + "\n\n\ndef abstract(s, player):\n    return s.card[player]"),
            (HAND, HAND.replace("return 2", "return 2 if s.acted < 2 else 1")),
        ],
        names.ALIKE,
        "with the moves",
        2,
    ),
    "the abstraction counts on unbounded whole numbers": (
        [(KEY, KEY + "\n\n\ndef abstract(s, player):\n    return ((s.card[player] + 1) * (1 << 62) * 4) >> 62")],
        names.AGREE,
        "the key of the abstraction",
        1,
    ),
    "a picture shows the other's card": (
        [("if player in (None, i)", "if True")],
        names.PICTURE,
        "two different pictures",
        2,
    ),
    "a name tells the other's card": (
        [('"bet" if move == BET', 'f"bet {s.card[1 - s.acted]}" if move == BET')],
        names.PICTURE,
        "names of its moves",
        2,
    ),
    "a name cannot be made": ([('"call" if move == BET', '"call"[9] if move == BET')], names.PICTURE, "IndexError", 1),
    "resample redraws the player's own card": (
        [(BODY, BODY.replace("if i != player", "if i >= 0"))],
        names.KEEPS,
        "its key",
        1,
    ),
    "resample changes whose turn it is": (
        [(BODY, BODY.rstrip() + "\n    s.acted = 0\n\n\n")],
        names.KEEPS,
        "the actor",
        1,
    ),
    "resample changes the player's legal moves": (
        [(HAND, HAND.replace("return 2", "return 1 if s.card[1 - s.acted % 2] == 0 else 2"))],
        names.KEEPS,
        "its legal moves",
        1,
    ),
    "resample changes a parameter": (
        [(BODY, BODY.rstrip() + "\n    s.players = 3\n\n\n")],
        names.KEEPS,
        "parameters or tables",
        1,
    ),
    "resample changes the public key": (
        [
            (BODY, BODY.rstrip() + "\n    s.first_bet = 1\n\n\n"),
            (KEY, KEY.replace("return public if", "return mix(public, s.first_bet) if")),
        ],
        names.KEEPS,
        "the public key",
        1,
    ),
    "resample keeps what it should redraw": (
        [(BODY, "def resample(s, player, rng):\n    pick(rng, 2)\n\n\n")],
        names.BLIND,
        "the same key after these two histories",
        2,
    ),
    "resample starts from what it should not see": (
        [
            (
                BODY,
                BODY.replace("            s.card[i] = -1\n", "            s.card[i] += 20\n").replace(
                    "card = pick(rng, s.players + 1)\n            while",
                    "card = (pick(rng, 3) + s.card[i]) % 3\n            while",
                ),
            )
        ],
        names.BLIND,
        "another after a draw from it",
        1,
    ),
    "resample deals a card twice": ([(REDRAW, "")], names.REACHED, "not a state that any history", 1),
    "resample deals the lowest card only": (
        [
            (
                BODY,
                BODY.replace(
                    "card = pick(rng, s.players + 1)\n            while", "card = 0\n            while"
                ).replace("card = pick(rng, s.players + 1)", "card += 1"),
            )
        ],
        names.COVERS,
        "never gave the state",
        2,
    ),
    "guide lists a move that is not legal": (
        [(KEY, KEY + GUIDE.replace("out[1] = BET", "out[1] = 7"))],
        names.GUIDE,
        "not legal",
        1,
    ),
    "the probabilities of guide do not sum to one": (
        [(KEY, KEY + GUIDE.replace("0.75", "0.5"))],
        names.GUIDE,
        "sum to 0.75",
        1,
    ),
    "the covariate is not zero on average": (
        [(KEY, KEY + COVARIATE.replace("0.0 if", "0.5 if"))],
        names.COVARIATE,
        "0.5 on average",
        1,
    ),
    "mirror names what is no outcome": (
        [(KEY, KEY + MIRROR.replace("2 - move", "3 - move"))],
        names.MIRROR,
        "no outcome of chance",
        1,
    ),
    "mirror does not pair": (
        [(KEY, KEY + MIRROR.replace("2 - move", "(move + 1) % 3"))],
        names.MIRROR,
        "the partner of 1 is 2",
        1,
    ),
    "mirror pairs what is not as likely": ([(KEY, KEY + MIRROR + ODDS)], names.MIRROR, "of probability 0.2 and 0.3", 1),
    "no episode begins with the game": (
        [(KEY, KEY + EPISODE.replace("return 0", "return -1"))],
        names.EPISODE,
        "no episode begins",
        1,
    ),
    "position forgets the cards on the table": (
        [(KEY, KEY + "\n\n\ndef position(s):\n    return 0")],
        names.POSITION,
        "a state with other moves",
        2,
    ),
    "a move can be made in no way": (
        [(KEY, KEY + "\n\n\ndef copies(s, move):\n    return move")],
        names.COPIES,
        "the move 0 can be made in 0 ways",
        1,
    ),
    "what is ignored takes moves with it": (
        [(KEY, KEY + "\n\n\ndef ignore(s, player, most):\n    s.dealt = 0 if most == 0 else s.dealt")],
        names.IGNORE,
        "who moves, or the legal moves",
        1,
    ),
    "what is ignored takes the turn with it of another who does not ignore it": (
        [(KEY, KEY + "\n\n\ndef ignore(s, player, most):\n    s.dealt = s.dealt if player == actor(s) else 0")],
        names.IGNORE,
        "who moves, or the legal moves",
        1,
    ),
    "what is ignored depends on what is hidden": (
        [(KEY, KEY + "\n\n\ndef ignore(s, player, most):\n    s.card[player] = s.card[1 - player]")],
        names.IGNORE,
        "other keys where it ignores",
        2,
    ),
    "episode returns no label": (
        [(KEY, KEY + EPISODE.replace("else -1", "else -3"))],
        names.EPISODE,
        "neither a label",
        1,
    ),
    "evaluate guesses more than can be won": (
        [(KEY, KEY + GUESS.replace("0.5", "99"))],
        names.GUESS,
        "guesses 99 for player 0",
        1,
    ),
    "evaluate guesses for one player only": (
        [(KEY, KEY + GUESS.replace("out[1]", "out[0]"))],
        names.GUESS,
        "no finite guess for player 1",
        1,
    ),
    "evaluate writes for more players than there are": (
        [(KEY, KEY + GUESS.replace("out[1]", "out[2]"))],
        names.RUN,
        "rule evaluate (",
        1,
    ),
    "private weighs cards as chance does not deal them": (
        [("weight[card] = 1", "weight[card] = 1 + card")],
        names.PRIVATE,
        "times as often",
        2,
    ),
    "both may hold the same card": (
        [(", deck=True", "")],
        names.PRIVATE,
        "of a weight of 9 that private gives to all pairs, chance deals 6",
        1,
    ),
    "private forgets a card": (
        [("    return s.players + 1\n\n\ndef hold", "    return s.players\n\n\ndef hold")],
        names.HOLD,
        "holds none of what private lists",
        1,
    ),
    "private lists other outcomes later": (
        [("    return s.players + 1\n\n\ndef hold", "    return s.players + (s.acted == 0)\n\n\ndef hold")],
        names.PRIVATE,
        "other outcomes after the second",
        2,
    ),
    "a weight is negative": (
        [("weight[card] = 1", "weight[card] = 1 - card")],
        names.PRIVATE,
        "weighs what player 0 may hold",
        1,
    ),
    "hold changes the betting": (
        [(HOLD, "    if s.card[player] != outcome:\n        s.betting = 7\n" + HOLD)],
        names.HOLD,
        "what the other or everybody knows",
        1,
    ),
    "hold changes the legal moves": (
        [(HOLD, "    if s.card[player] != outcome:\n        s.dealt = 0\n" + HOLD)],
        names.HOLD,
        "who moves, or the legal moves",
        1,
    ),
    "hold makes a state that cannot be": (
        [(HOLD, "    if s.card[player] != outcome:\n        s.bet[player] = 5\n" + HOLD)],
        names.HOLD,
        "no state that the game can come to",
        1,
    ),
    "hold fails": ([(HOLD, "    s.card[player + 20] = outcome\n")], names.RUN, "rule hold (", 1),
    "the stronger does not always win": (
        [
            (
                "def strength(s, player):\n    return s.card[player]",
                "def strength(s, player):\n    return s.card[player] // 2",
            )
        ],
        names.STRENGTH,
        "the same player is the stronger",
        1,
    ),
    "a key is a real number": (
        [(KEY, KEY.replace("s.card[player])", "s.card[player]) / 3.0"))],
        names.RUN,
        "returns the real number",
        1,
    ),
    "a rule does not return": (
        [("s.acted += 1", "while s.acted == 1:\n        s.bet[0] = 0\n    s.acted += 1")],
        names.RUN,
        "does not return",
        1,
    ),
    "start does not return": (
        [("s.acted = 0", "while s.acted == 0:\n        s.bet[0] = 0")],
        names.RUN,
        "rule start (",
        1,
    ),
    "mirror counts on unbounded whole numbers": (
        [(KEY, KEY + MIRROR.replace("2 - move", "2 - move + ((move + 1) * (1 << 62) * 4 >> 66)"))],
        names.AGREE,
        (
            "what guide, covariate, mirror, evaluate, episode, position, copies, ignore, private, hold, strength, "
            "markov, cut, lump or observe says"
        ),
        1,
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_names_the_mistake_and_the_moves_that_show_it(variant, mistake):
    replacements, name, fragment, histories = MISTAKES[mistake]
    report = variant(*replacements, compiled=name in (names.AGREE, names.BUFFERS, names.LIMIT))
    assert_failed(report, name, fragment, histories)


@pytest.mark.parametrize(
    ("replacement", "name", "fragment"),
    [
        ((BODY, BODY.replace("if i != player", "if i >= 0")), names.KEEPS, "its key"),
        (("out[winner] += pot", "out[winner] += pot - s.bet[0]"), names.ZERO_SUM, "sum to -1"),
    ],
)
def test_what_compiled_rules_are_stopped_for_is_told_once_in_a_report(variant, replacement, name, fragment):
    report = variant(replacement, compiled=True)
    assert_failed(report, name, fragment, 1)
    assert {finding.name for finding in report.failures} <= {name, names.REACHED}


def test_kuhn_passes_every_check_that_applies():
    report = fs.check(fs.load("kuhn"), playouts=200)
    assert report.ok
    unasked = {
        names.COARSER,
        names.ALIKE,
        names.PENDING,
        names.GUIDE,
        names.COVARIATE,
        names.MIRROR,
        names.GUESS,
        names.EPISODE,
        names.POSITION,
        names.COPIES,
        names.IGNORE,
        names.MARKOV,
        names.CUT,
        names.OBSERVE,
    }
    assert {f.name for f in report.findings if f.status != PASSED} == unasked
    assert tuple(f.name for f in report.findings) == names.NAMES


def test_a_game_loaded_for_debugging_is_checked_in_the_same_way():
    assert str(fs.check(fs.load("kuhn", debug=True), playouts=50)) == str(fs.check(fs.load("kuhn"), playouts=50))


def test_learns_facts_of_kuhn():
    report = fs.check(fs.load("kuhn"), playouts=200)
    assert report.whole_tree
    assert (report.histories, report.playouts) == (58, 200)
    assert (report.zero_sum, report.perfect_recall, report.utility) == (True, True, (-2.0, 2.0))


def test_the_moves_of_a_failure_have_numbers_and_names_and_can_be_replayed(variant, tmp_path):
    report = variant(("out[winner] += pot", "out[winner] += pot - s.bet[0]"))
    (history,) = assert_failed(report, names.ZERO_SUM, "sum to -1", 1).histories
    assert history[0].name == f"deal {history[0].move + 1} to player 0"
    state = fs.load("kuhn").start()
    for step in history:
        state.play(step.move)
    assert state.over
    assert state.view.bet[0] == 1
    assert f"{history[0].name} [{history[0].move}]" in str(report)


def test_an_error_in_a_rule_is_found_before_compiled_code_runs_it(variant):
    bet = "s.bet[turn(s)] = 1"
    report = variant((bet, "s.bet[turn(s) + 100] = 1"), debug=True)
    finding = assert_failed(report, names.RUN, "an index outside its buffer", 1)
    assert f"variant.py, line {1 + KUHN[: KUHN.index(bet)].count(chr(10))})" in finding.text
    assert [step.name for step in finding.histories[0]][-1] in ("bet", "call")
    assert report.playouts == 0
    assert report.finding(names.AGREE).status == NOTED


def test_an_error_in_start_is_a_finding_at_the_start_of_the_game(variant):
    report = variant(("s.card[i] = -1\n        s.bet[i] = 0", "s.card[i] = -1\n        s.bet[i + 10] = 0"))
    finding = assert_failed(report, names.RUN, "rule start (", 1)
    assert finding.histories == ((),)


def test_a_write_before_the_list_of_moves_fails(variant):
    report = variant(("out[1] = BET", "out[1] = BET\n        out[-1] = 7"), compiled=True)
    finding = next(f for f in report.failures if f.name in (names.RUN, names.BUFFERS))
    assert [step.name for step in finding.histories[0]][1].endswith("to player 1")


def test_a_move_with_a_random_effect_fails(variant):
    report = variant(("mix(s.betting, move)", "mix(s.betting, int(np.random.random() * 1000))"), debug=True)
    assert_failed(report, names.SAME, "two different states", 1)


def test_probabilities_of_chance_that_fit_pass(variant):
    assert variant(more=CHANCE_RULE, compiled=True).finding(names.CHANCES).status == PASSED


@pytest.mark.parametrize(
    ("odds", "fragment"),
    [
        ("0.9 / n", "sum to 0.9"),
        ("i / (n * (n - 1) / 2)", "the probability 0"),
        ("-1.0 if i == 0 else 2.0 / (n - 1)", "the probability -1"),
    ],
)
def test_probabilities_of_chance_that_do_not_fit_fail(variant, odds, fragment):
    report = variant(more=CHANCE_RULE.replace("1.0 / n", odds))
    assert_failed(report, names.CHANCES, fragment, 1)


def test_a_probability_that_is_not_written_fails(variant):
    report = variant(more=CHANCE_RULE.replace("range(n)", "range(1, n)"))
    assert_failed(report, names.CHANCES, "the probability nan", 1)


def test_a_move_that_changes_a_parameter_fails(variant):
    report = variant(
        ('"how many players"),)', '"how many players"), Whole("spare", 3, 0, 9, "unused"))'),
        ('("players", "i1"),', '("players", "i1"), ("spare", "i1"),'),
        ("def about(players):", "def about(players, spare):"),
        ("s.acted += 1", "s.acted += 1\n    s.spare = s.acted"),
    )
    finding = assert_failed(report, names.CONSTANT, "the field spare", 1)
    assert finding.histories[0][-1].name in ("bet", "pass")


def test_a_move_that_changes_the_address_of_a_table_is_refused(variant):
    with pytest.raises(fs.GameError, match="rule play .* writes to worth, the field of a table"):
        variant(
            ('("players", "i1"),', '("worth", "i8"), ("players", "i1"),'),
            ("utility=(-2, 2 * players - 2)", "utility=(-2, 2 * players - 2), tables={'worth': [1, 2]}"),
            ("s.acted += 1", "s.acted += 1\n    s.worth += 8"),
        )


def test_tables_at_different_addresses_do_not_count_as_a_difference(variant):
    report = variant(
        ('("players", "i1"),', '("worth", "i8"), ("players", "i1"),'),
        ("utility=(-2, 2 * players - 2)", "utility=(-2, 2 * players - 2), tables={'worth': [1, 2]}"),
    )
    assert report.ok


def test_imperfect_recall_that_is_declared_is_noted_with_an_example(variant):
    report = variant(
        (KEY, KEY.replace("s.card[player])", "s.card[player] if s.acted < 2 else 9)")),
        ("2 * players - 2)", "2 * players - 2), perfect_recall=False"),
        (BODY, ""),
    )
    assert report.ok
    assert report.perfect_recall is False
    finding = report.finding(names.RECALL)
    assert finding.status == NOTED
    cards = [history[0].move for history in finding.histories]
    assert len(set(cards)) == 2
    assert [step.name for step in finding.histories[0][2:]] == ["pass", "bet"]


def test_a_collision_is_told_from_the_loss_of_own_moves(variant):
    replacements, *_ = MISTAKES["a player's key loses what it has seen"]
    report = variant(*replacements, histories=10)
    assert report.finding(names.COLLISION).status == FAILED
    replacements, *_ = MISTAKES["a player forgets its card after its first move"]
    report = variant(*replacements)
    assert report.finding(names.COLLISION).status == FAILED
    assert report.finding(names.RECALL).status == FAILED


def test_the_order_in_which_a_hand_was_dealt_may_be_forgotten(tmp_path):
    source = """
import numpy as np
from fogspiel.game import CHANCE, OVER, About, mix
State = np.dtype([("hand", "i1"), ("dealt", "i1"), ("guess", "i1")])
def about():
    return About(players=1, utility=(0, 1), zero_sum=False)
def start(s):
    s.hand, s.dealt, s.guess = 0, 0, -1
def actor(s):
    return CHANCE if s.dealt < 2 else OVER if s.guess >= 0 else 0
def moves(s, out):
    n = 0
    for card in range(3):
        if s.dealt == 2 or not s.hand & (1 << card):
            out[n] = card
            n += 1
    return n
def play(s, move):
    if s.dealt < 2:
        s.hand |= 1 << move
        s.dealt += 1
    else:
        s.guess = move
def payoff(s, out):
    out[0] = 1 if s.hand & (1 << s.guess) else 0
def infoset(s, player):
    return mix(mix(0, s.guess), s.hand) if player >= 0 else mix(0, s.guess)
"""
    path = tmp_path / "hand.py"
    path.write_text(source)
    report = fs.check(fs.load(path), playouts=100)
    assert report.ok, str(report)
    assert report.finding(names.COLLISION).status == PASSED


def test_a_simultaneous_game_passes_when_moves_are_hidden(variant):
    report = variant(source=PENNIES, compiled=True)
    assert report.ok, str(report)
    assert report.finding(names.PENDING).status == PASSED


def test_a_pending_move_that_is_seen_fails(variant):
    seen = ("mix(0, s.choice[player] + 2)", "mix(mix(0, s.choice[player] + 2), s.choice[0])")
    finding = assert_failed(variant(seen, source=PENNIES), names.PENDING, "player 1 has different keys", 2)
    assert finding.text.endswith("if others move after it here, and not at once, tell so by the rule pending.")
    assert [step.move for history in finding.histories for step in history] == [0, 1]


def test_a_pending_move_that_decides_who_is_asked_fails(variant):
    ends = ("    s.made += 1", "    s.made += 1 + (s.made == 0 and move == 1)")
    finding = assert_failed(variant(ends, source=PENNIES), names.PENDING, "depends on the pending move of player 0", 2)
    assert [step.move for history in finding.histories for step in history] == [0, 1]


TOSSED = (
    ("    return OVER if s.made == 2 else s.made", "    return s.made % 2 if s.made < 3 else OVER"),
    ('("choice", "i1", 2)', '("choice", "i1", 3)'),
    (
        "    return mix(0, s.choice[player] + 2) if player >= 0 else mix(0, 0)",
        """    key = mix(s.made, s.choice[0] if s.made > 0 else 5)
    return mix(key, s.choice[1 + player] if player >= 0 and s.made > 1 + player else 5)""",
    ),
)
"""Player 0 moves in the open, and then player 1 moves and player 0."""


def test_a_player_who_is_asked_before_a_lower_one_is_not_of_its_stage(variant):
    wrong = ("def moves(s, out):", "def pending(s):\n    return s.made == 2\n\ndef moves(s, out):")
    finding = assert_failed(variant(*TOSSED, wrong, source=PENNIES), names.PENDING, "asked in their order", 1)
    assert finding.text.startswith("pending says that player 0 moves at once with who moved before; that was player 1")


def test_a_stage_begins_with_a_decision_and_ends_where_chance_moves(variant):
    first = ("def moves(s, out):", "def pending(s):\n    return s.made == 0\n\ndef moves(s, out):")
    assert_failed(variant(first, source=PENNIES), names.PENDING, "that was nobody.", 1)
    tossed = (
        ("    return OVER if s.made == 2 else s.made", "    return OVER if s.made == 3 else (0, CHANCE, 1)[s.made]"),
        ("import OVER", "import CHANCE, OVER"),
        ('("choice", "i1", 2)', '("choice", "i1", 3)'),
        ("s.choice[0] == s.choice[1]", "s.choice[0] == s.choice[2]"),
        (
            "    return mix(0, s.choice[player] + 2) if player >= 0 else mix(0, 0)",
            """    key = mix(s.made, s.choice[1] if s.made > 1 else 5)
    return mix(key, s.choice[2 * player] if player >= 0 and s.made > 2 * player else 5)""",
        ),
        ("def moves(s, out):", "def pending(s):\n    return s.made == 2\n\ndef moves(s, out):"),
    )
    assert_failed(variant(*tossed, source=PENNIES), names.PENDING, "that was chance, which ends a stage.", 1)


def test_the_rule_pending_is_for_players_who_move_at_once(tmp_path):
    path = tmp_path / "in_turn.py"
    path.write_text(PENNIES.replace(", simultaneous=True", "") + "\ndef pending(s):\n    return 1\n")
    with pytest.raises(
        fs.GameError, match=r"rule pending \(.*\) is for players who move at once: About needs simultaneous=True"
    ):
        fs.load(path)


def test_a_game_that_never_ends_fails(variant):
    report = variant(source=ENDLESS, compiled=True)
    finding = assert_failed(report, names.ENDS, "did not end", 1)
    assert len(finding.histories[0]) > 0
    assert not report.whole_tree


def test_payoffs_that_need_not_sum_to_zero_are_noted(variant):
    general = ("2 * players - 2)", "2 * players - 2), zero_sum=False")
    assert "though" in variant(general).finding(names.ZERO_SUM).text
    report = variant(general, ("out[winner] += pot", "out[winner] += pot - 1"))
    assert report.ok
    assert report.zero_sum is False
    assert report.finding(names.ZERO_SUM).status == NOTED


def test_a_game_without_resample_or_utility_passes_with_notes(variant):
    report = variant((BODY, ""), ("utility=(-2, 2 * players - 2), ", ""))
    assert report.ok
    noted = {f.name for f in report.findings if f.status == NOTED}
    assert noted == {
        *(names.RANGE, names.COARSER, names.ALIKE, names.PENDING),
        *(names.KEEPS, names.BLIND, names.REACHED, names.COVERS, names.FAIR),
        *(names.GUIDE, names.COVARIATE, names.MIRROR, names.GUESS, names.EPISODE, names.POSITION, names.COPIES),
        *(names.MARKOV, names.CUT, names.OBSERVE, names.IGNORE),
    }


def test_sound_hints_for_searches_pass(variant):
    report = variant((KEY, KEY + GUIDE + COVARIATE + MIRROR + EPISODE), compiled=True)
    assert report.ok, str(report)
    assert {report.finding(name).status for name in (names.GUIDE, names.COVARIATE, names.MIRROR, names.EPISODE)} == {
        PASSED
    }


def test_an_svg_that_tells_more_than_its_player_knows_is_found(variant):
    leak = "\n\n\ndef svg(s, player):\n    return f'<svg>{s.card[0]}</svg>'"
    assert_failed(variant(more=leak), names.PICTURE, "sees two different pictures", 2)


def test_an_abstraction_that_forgets_a_card_passes_and_is_what_chooses_the_strategy(variant, tmp_path):
    report = variant((KEY, KEY + "\n\n\ndef abstract(s, player):\n    return mix(s.betting, s.card[player] // 2)"))
    assert report.ok, str(report)
    assert {report.finding(name).status for name in (names.COARSER, names.ALIKE)} == {PASSED}
    assert report.perfect_recall
    dealt = []
    for deal in ([0, 1], [1, 0], [2, 0]):
        state = fs.load(tmp_path / "variant.py").start()
        for card in deal:
            state.play(card)
        dealt.append((state.key(0), state.situation(0)))
    assert len({key for key, _ in dealt}) == 3
    assert dealt[0][1] == dealt[1][1] != dealt[2][1]
    assert fs.load("kuhn").start().situation(0) == fs.load("kuhn").start().key(0)


def test_a_tree_that_is_too_large_is_not_walked():
    report = fs.check(fs.load("kuhn"), playouts=50, histories=57)
    assert report.ok
    assert (report.whole_tree, report.histories) == (False, 0)
    assert {report.finding(name).status for name in (names.REACHED, names.COVERS)} == {NOTED}
    assert fs.check(fs.load("kuhn"), playouts=50, histories=58).whole_tree


def test_peeking_is_found_in_random_play_alone(variant):
    report = variant((BODY, "def resample(s, player, rng):\n    pick(rng, 2)\n\n\n"), histories=10)
    assert_failed(report, names.BLIND, "the same key", 2)


def test_a_state_that_resample_spoils_is_found_by_playing_on(variant):
    report = variant(
        (BODY, BODY.replace("s.card[i] = card\n", "s.card[i] = card\n    s.bet[1 - player] = 100\n")), histories=10
    )
    finding = report.finding(names.RANGE)
    assert finding.status == FAILED
    assert any(step.move is None and "redrawn with seed" in step.name for step in finding.histories[0])


def test_fields_that_start_leaves_at_zero_are_named(variant):
    """Not those that are only counted up from there, or made of what was in them."""
    told = "\n\n\ndef one_more(s):\n    return s.dealt + 1\n"
    forgotten = variant(("    s.dealt = 0\n", ""), ("s.dealt += 1", "s.dealt = one_more(s)"), more=told)
    assert forgotten.ok, str(forgotten)
    finding = forgotten.finding(names.START)
    assert finding.status == NOTED
    assert re.search(r"rule start \(.*variant\.py, line \d+\) leaves dealt at 0", finding.text)
    for counts in ("s.dealt += 1", "s.dealt = 1 + s.dealt"):
        assert variant(("    s.dealt = 0\n", ""), ("s.dealt += 1", counts)).finding(names.START).status == PASSED
    assert variant().finding(names.START).status == PASSED


def test_a_file_is_checked_without_being_loaded_before(tmp_path):
    path = tmp_path / "variant.py"
    path.write_text(KUHN.replace("s.card[s.dealt] = move", "s.card[s.dealt + 3000000] = move"))
    assert_failed(fs.check(path, playouts=50), names.RUN, "an index outside its buffer", 1)
    assert fs.check("kuhn(players=3)", playouts=20).game == "kuhn(players=3)"


def test_failures_come_first_and_passes_in_a_line(variant):
    replacements, *_ = MISTAKES["a payoff is out of the declared range"]
    head, first, *rest, last = str(variant(*replacements)).splitlines()
    assert head.startswith("variant: 1 of 48 checks failed")
    assert first.startswith(f"failed  {names.RANGE}")
    assert all(line.startswith("        ") for line in rest)
    assert re.fullmatch(r"passed: \d+ checks; not reached or not applicable: \d+ checks", last)


def test_the_same_seed_gives_the_same_report(variant):
    mistake = (BODY, "def resample(s, player, rng):\n    pick(rng, 2)\n\n\n")
    assert str(variant(mistake)) == str(variant(mistake))


def test_progress_is_told():
    told = []
    fs.check(fs.load("kuhn"), playouts=50, progress=lambda what, done, total: told.append((what, done, total)))
    assert ("playouts", 50, 50) in told
    assert ("un-compiled playouts", 5, 5) in told


def test_a_state_that_resample_draws_seldom_is_waited_for():
    """As long as users wait: the last of 200,000 draws still counts, and the next one would not."""

    other = {b"here": b"there", b"there": b"here"}

    def covered(draws):
        """A player cannot tell two states apart, and gets the other one at the last draw."""
        left = iter(range(draws - 1, -1, -1))
        rules = SimpleNamespace(players=1, resample=lambda state, *_: state if next(left) else other[state])
        findings, look, memory = Findings(), SimpleNamespace(keys=[7, 7], actor=0), SimpleNamespace(chance=1, play=1)
        consistent = Consistent(rules, findings)
        for state in other:
            consistent.visit(state, look, memory, None)
        consistent.cover(0, 1, lambda *_: None)
        return names.COVERS not in findings

    assert covered(200_000)
    assert not covered(200_001)


def test_a_rule_that_takes_long_may_end_and_one_that_does_not_is_ended():
    """After as many seconds of processor time as for users."""

    def busy(seconds):
        until = time.thread_time() + seconds
        while time.thread_time() < until:
            pass
        return "done"

    rule = CallWatch().watched(busy)
    assert rule(0.5) == "done"
    with pytest.raises(Endless):
        rule(60)


def test_a_key_that_is_a_plain_number_in_one_place_and_mixed_in_another_is_told_with_the_cure(variant):
    """In compiled code the variable is a real number, which is not exact for large keys."""
    mixed = (
        "key = s.dealt\n    if player != PUBLIC:\n        key = mix(mix(s.betting, s.dealt), s.card[player])\n   "
        " return key"
    )
    report = variant((KEY, mixed), compiled=True)
    finding = assert_failed(report, names.AGREE, "another compiled: it may be a plain number in one place", 1)
    assert finding.text.endswith("let every return give what mix returns.")


def test_a_question_at_the_end_of_a_finding_gets_no_full_stop(variant):
    report = variant(("return public if", "s.beting\n    return public if"))
    assert report.finding(names.RUN).text.endswith("there is no field beting; did you mean betting?")


def test_draws_that_favour_a_state_are_found(variant):
    """Two cards are as likely; of ten draws nine are the lower."""
    biased = BODY.replace(
        "pick(rng, s.players + 1)", "min(max(0, pick(rng, 10 * (s.players + 1)) - 9 * s.players), s.players)"
    )
    assert biased != BODY
    report = variant((BODY, biased))
    finding = assert_failed(report, names.FAIR, "by the deal it is as likely as 50%", 2)
    assert "draws for player" in finding.text
    assert [one.name for one in report.failures] == [names.FAIR]
    assert variant().finding(names.FAIR).status == PASSED
    assert variant((BODY, biased), histories=10).finding(names.FAIR).status == NOTED


PRIEST = '''
"""Of six cards each is dealt one; player 0 may look at the other's, then says which is higher."""
import numpy as np
from fogspiel.game import CHANCE, OVER, PUBLIC, About, mix

State = np.dtype([("card", "i1", 2), ("step", "i1"), ("peeked", "i1"), ("said", "i1")], align=True)

def about():
    return About(utility=(-1, 1))

def start(s):
    s.card[0], s.card[1], s.peeked, s.said = -1, -1, 0, -1

def actor(s):
    return CHANCE if s.step < 2 else 0 if s.step < 4 else OVER

def moves(s, out):
    if s.step >= 2:
        out[0], out[1] = 0, 1
        return 2
    n = 0
    for card in range(6):
        if card != s.card[0]:
            out[n] = card
            n += 1
    return n

def play(s, move):
    if s.step < 2:
        s.card[s.step] = move
    elif s.step == 2:
        s.peeked = move
    else:
        s.said = move
    s.step += 1

def payoff(s, out):
    out[0] = 1 if (s.card[0] > s.card[1]) == (s.said == 1) else -1
    out[1] = -out[0]

def infoset(s, player):
    key = mix(mix(mix(0, s.step if s.step > 2 else 0), s.peeked), s.said)
    if player == PUBLIC:
        return key
    key = mix(key, s.card[player])
    return mix(key, s.card[1] if player == 0 and s.peeked else -1)

def move_name(s, move):
    return f"deal {move} to player {s.step}" if s.step < 2 else ("no", "yes")[move]

def show(s, player):
    return f"you hold {s.card[player]}, {s.step}, {s.peeked}" if player is not None else str(s.card)
'''


@pytest.mark.parametrize("histories", [10_000, 10])
def test_what_a_player_was_told_and_can_see_nowhere_is_noted(variant, histories):
    """By all histories, or by random games alone. A picture that shows it is enough, and so is a move that is named."""
    found = variant(source=PRIEST, histories=histories).finding(names.READ)
    assert found.status == NOTED
    assert "player 0 has different keys" in found.text
    assert [[step.name for step in history][2:] for history in found.histories] == [["yes"], ["yes"]]
    assert found.histories[0][0] == found.histories[1][0]
    shown = (
        "you hold {s.card[player]}",
        "you hold {s.card[player]}, the other {s.card[1] if player == 0 and s.peeked else '?'}",
    )
    assert variant(shown, source=PRIEST, histories=histories).finding(names.READ).status == PASSED
    named = (
        "s.step if s.step > 2 else 0",
        "s.step",
    )  # the deal is seen to happen, and which it was is known after the peek
    assert variant(named, source=PRIEST, histories=histories).finding(names.READ).status == PASSED


def test_what_nothing_was_met_of_is_not_said_to_hold(variant):
    report = variant(source=ENDLESS)
    assert "no end of the game was reached" in report.finding(names.FINITE).text
    assert report.finding(names.FINITE).status == NOTED
    assert "never chance's turn" in report.finding(names.CHANCES).text
    assert not report.finding(names.CHANCES).applies


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [("resample", "resmaple", "resample(s, player, rng)"), ("move_name", "movename", "move_name(s, move)")],
)
def test_a_rule_that_is_misspelt_is_an_error_when_the_game_is_loaded(tmp_path, old, new, rule):
    path = tmp_path / "misspelt.py"
    path.write_text(KUHN.replace(f"def {old}(", f"def {new}("))
    with pytest.raises(
        fs.GameError,
        match=(
            rf"function {new} \(.*misspelt\.py, line \d+\) looks like {old}, and nothing calls it: write "
            rf"{re.escape(rule)}"
        ),
    ):
        fs.load(path, debug=True)


@pytest.mark.parametrize(
    ("declared", "meant"),
    [
        ("MAX_MOVE = 300", "MAX_MOVES"),
        ("max_moves: int = 300", "MAX_MOVES"),
        ("PARAMETRES = ()", "PARAMETERS"),
        ("PLAYER = 2", "PLAYERS"),
    ],
)
def test_a_declaration_that_is_misspelt_is_an_error_too(tmp_path, declared, meant):
    path = tmp_path / "misspelt.py"
    text = re.sub(r"^PARAMETERS = .*\n(?: .*\n|\)\n)*", "", KUHN, flags=re.MULTILINE) if meant == "PARAMETERS" else KUHN
    if meant == "PLAYERS":
        text = text.replace("def about(", "def _about(")
    path.write_text(f"{text}\n\n{declared}\n")
    name = declared.split()[0].rstrip(":")
    with pytest.raises(
        fs.GameError,
        match=(
            rf"constant {name} \(.*misspelt\.py, line \d+\) looks like {meant}, and nothing reads it: write "
            rf"{meant} = "
        ),
    ):
        fs.load(path, debug=True)


@pytest.mark.parametrize(
    "own", ["MAX_MOVE = 2\nMOST = MAX_MOVE", "_MAX_MOVE = 2", "PARAMETRE = 'a'", "PLAYER = 0", "MOVES = 3"]
)
def test_constants_of_ones_own_are_not_taken_for_declarations(tmp_path, own):
    """Those that are read, that begin with _, that hold something else, or that nobody would ask for."""
    path = tmp_path / "mine.py"
    path.write_text(f"{KUHN}\n\n{own}\n")
    fs.load(path, debug=True)


def test_functions_of_ones_own_are_not_taken_for_rules(variant):
    """Those that are called, that begin with _, or whose arguments are others: of the last, one may be meant as a
    rule."""
    own = (
        "\n\n\ndef held_by(s, card):\n    return 0\n\n\ndef _resamples(s, player, rng):\n    pass\n\n\ndef "
        "mixed(a, b):\n    return a\n"
    )
    assert variant(more=own).finding(names.SPELT).status == PASSED
    called = ("def resample(s, player, rng):\n", "def resample(s, player, rng):\n    resampled(s, player, rng)\n")
    assert variant(called, more="\n\n\ndef resampled(s, player, rng):\n    pass\n").ok
    report = variant(more="\n\n\ndef evaluated(s):\n    return 0\n")
    assert report.finding(names.SPELT).status == NOTED
    assert "looks like evaluate" in report.finding(names.SPELT).text


def test_keys_of_positions_are_no_forgetting_where_everybody_sees_everything():
    report = fs.check(fs.load("breakthrough(rows=3,columns=2)"), playouts=50)
    assert report.perfect_recall is False
    for name in (names.RECALL, names.COLLISION):
        assert "perfect information" in report.finding(name).text
        assert not report.finding(name).applies
    assert fs.check(fs.load("forgetful_player"), playouts=50).finding(names.RECALL).applies
