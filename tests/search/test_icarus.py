"""ICARUSes (Whitehouse 2014, ch. 8): what each captures and how it acts, by hand on a tree of three moves; their
combinations and guarantee."""

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from icarus_searches import TREE, averages, search_for, uncompiled

import fogspiel as fs
from fogspiel.agents.searches import KINDS
from fogspiel.belief.roots import Roots
from fogspiel.game import mix, pick
from fogspiel.game.spec import read_parameters
from fogspiel.search import sharing
from fogspiel.search.icarus import names, read_icarus
from fogspiel.search.icaruses import policies
from fogspiel.search.icaruses.averages import LONG, Fast, Mast, Nast, Past, ToMast, by_move, of_predicate
from fogspiel.search.icaruses.epic import Epic, by_position, note, upper
from fogspiel.search.icaruses.replies import Contextual, Lgr, Lgrf, by_move_before, by_tile
from fogspiel.search.icaruses.tree import Amaf, History, Rave, share, unpruned
from fogspiel.search.maxilinear import maxilinear, plus
from fogspiel.search.plain import PlainSearch
from fogspiel.search.records import FEWEST, NONE, found, made
from fogspiel.search.traces import HIDDEN, MIXED, OPEN, UNSEEN, Line, seen, visibility

THREE_MOVES = "[0,0,[[1,0,[[0,0,[10,-10]],[0,0,[-10,10]]]],[1,0,[[0,0,[-10,-10]],[0,0,[10,0]]]]]]"
"""Player 0, player 1, player 0, two moves each; it ends in a win, a loss or, once, a draw of player 0."""
WON, LOST = (10, -10), (-10, 10)


def tree_search(expression, **how):
    return search_for(f"{TREE}(tree={THREE_MOVES})", expression, **how)


def plain(expression, **how):
    """What the functions of an ICARUS are given, un-compiled."""
    return PlainSearch(tree_search(expression, **how).search)


def captured(search, module, moves, pay, in_the_tree=0):
    """Have an ICARUS capture a simulation: moves as (player, move), the first of them in the tree."""
    for i, (who, move) in enumerate(moves):
        row = search.moved[i]
        row.who, row.move, row.veiled, row.step = who, move, 0, i if i < in_the_tree else -1
    search.line.length = len(moves)
    search.pay[0], search.pay[1] = pay
    table = fs.load("tic_tac_toe").table.tolist()  # of any game for two
    Line.capture(table, search, 0)
    module.capture(table, search, 0)


def at_move(search, moves, who, legal):
    """Have a playout come to a decision: moves as (player, move), then a player has these legal moves."""
    for i, (player, move) in enumerate(moves):
        row = search.moved[i]
        row.who, row.move, row.veiled = player, move, 0
    search.line.length = len(moves)
    search.facts.who = who
    for i, move in enumerate(legal):
        search.moves[i] = move


def frequencies(search, module, n, draws=4000):
    counts = np.zeros(n)
    for _ in range(draws):
        counts[module.policy(None, search, 0, n)] += 1
    return counts / draws


# --- each by hand
# --------------------------------------------------------------------------------------


def test_mast_by_hand():
    """Every move counts for its player, wherever it was made; values are averages, and 1 for a move that was never
    made."""
    search = plain("mast")
    captured(search, Mast, [(0, 0), (1, 1), (0, 1)], WON)
    captured(search, Mast, [(0, 1), (1, 1), (0, 1)], LOST)
    about = {(who, move): mix(who, move) for who in (0, 1) for move in (0, 1, 2)}
    assert averages(search, "mast", about) == {
        (0, 0): (1, 1),
        (0, 1): (1, 3),
        (0, 2): None,
        (1, 0): None,
        (1, 1): (1, 2),
        (1, 2): None,
    }
    at_move(search, [(0, 0), (1, 0)], 0, [0, 1, 2])
    gibbs = np.exp([1, 1 / 3, 1])
    assert frequencies(search, Mast, 3) == pytest.approx(gibbs / gibbs.sum(), abs=0.03)


@pytest.mark.parametrize(
    ("policy", "want"),
    [
        ("gibbs,temperature=0.25", np.exp([4 * 1, 4 / 3, 0])),
        ("roulette", [1, 1 / 3, 0]),
        ("greedy", [0.8 + 0.2 / 3, 0.2 / 3, 0.2 / 3]),
        ("ucb1", [1, 0, 0]),  # 1.66, 0.87 and 0.94
    ],
)
def test_the_policies_of_mast(policy, want):
    """Move 0 won twice, move 1 won once of three times, move 2 lost once."""
    search = plain(f"mast(policy={policy})")
    for moves, pay in (([(0, 0)] * 2, WON), ([(0, 1)], WON), ([(0, 1)] * 2, LOST), ([(0, 2)], LOST)):
        captured(search, Mast, moves, pay)
    at_move(search, [], 0, [0, 1, 2])
    assert frequencies(search, Mast, 3) == pytest.approx(np.array(want, float) / sum(want), abs=0.03)


def test_a_playout_that_may_go_in_circles_goes_on_at_random():
    search = plain("mast(policy=ucb1)")
    captured(search, Mast, [(0, 0)] * 2, WON)
    captured(search, Mast, [(0, 1)], LOST)
    at_move(search, [], 0, [0, 1])
    assert frequencies(search, Mast, 2, 100) == pytest.approx([1, 0])
    search.line.length = LONG + 1
    assert frequencies(search, Mast, 2) == pytest.approx([0.5, 0.5], abs=0.03)


def test_tree_only_mast_learns_in_the_tree_alone():

    search = plain("to_mast")
    captured(search, ToMast, [(0, 0), (1, 1), (0, 1)], WON, in_the_tree=1)
    assert averages(search, "to_mast", {"in": mix(0, 0), "out": mix(0, 1), "other": mix(1, 1)}) == {
        "in": (1, 1),
        "out": None,
        "other": None,
    }


def test_nast_by_hand():
    """Two moves in a row, with the player of the second; the first has nothing before it."""
    search = plain("nast(n=2,policy=roulette)")
    captured(search, Nast, [(0, 0), (1, 1), (0, 1)], WON)
    captured(search, Nast, [(0, 1), (1, 1), (0, 1)], LOST)
    captured(search, Nast, [(0, 0), (1, 0), (0, 1)], LOST)
    grams = {(a, b, who): mix(mix(mix(0, who), a), b) for a in (0, 1) for b in (0, 1) for who in (0, 1)}
    assert averages(search, "nast", grams | {"first": mix(mix(0, 0), 0)}) == {
        (0, 1, 1): (0, 1),
        (1, 1, 1): (1, 1),
        (1, 1, 0): (1, 2),
        (0, 0, 1): (1, 1),
        (0, 1, 0): (0, 1),
        (0, 0, 0): None,
        (1, 0, 0): None,
        (1, 0, 1): None,
        "first": (1, 2),
    }
    at_move(search, [(0, 0), (1, 1)], 0, [1])
    assert Nast.policy(None, search, 0, 1) == 0
    at_move(search, [(0, 0), (1, 0)], 0, [0, 1])  # after 0, move 1 never won
    assert frequencies(search, Nast, 2, 200) == pytest.approx([1, 0])


def test_nast_of_one_move_is_mast_with_ucb1():
    """Whitehouse 2014, sec. 8.5.3."""
    one, other = plain("nast(n=1)"), plain("mast(policy=ucb1)")
    random = np.random.default_rng(3)
    for _ in range(50):
        moves = [(i % 2, int(random.integers(4))) for i in range(6)]
        pay = WON if random.random() < 0.5 else LOST
        captured(one, Nast, moves, pay)
        captured(other, Mast, moves, pay)
        at_move(one, moves, 0, [0, 1, 2, 3])
        at_move(other, moves, 0, [0, 1, 2, 3])
        one.rng[0] = other.rng[0] = random.integers(1 << 60)
        assert Nast.policy(None, one, 0, 4) == Mast.policy(None, other, 0, 4)


def reply(search, name, key):
    record = found(getattr(search, name), getattr(search, f"{name}_index"), getattr(search, f"{name}_records"), key)
    theta = getattr(search, f"{name}_records")[max(record, 0)]
    return theta.reply if record >= 0 and theta.known else None


def test_lgr_and_lgrf_by_hand():
    """The reply that won last; LGRF forgets it when it loses, and not when another reply loses."""
    kept, forgetting = plain("lgr"), plain("lgrf")
    steps = [  # what is known of player 1's answer to 0, and of player 0's to 1, afterwards
        ([(0, 0), (1, 1), (0, 1)], LOST, (1, None), (1, None)),
        ([(0, 0), (1, 0), (0, 1)], WON, (1, None), (1, None)),
        ([(0, 0), (1, 1), (0, 0)], WON, (1, 0), (None, 0)),
        ([(0, 0), (1, 1), (0, 0)], LOST, (1, 0), (1, None)),
    ]
    for moves, pay, of_lgr, of_lgrf in steps:
        captured(kept, Lgr, moves, pay)
        captured(forgetting, Lgrf, moves, pay)
        assert (reply(kept, "lgr", mix(0, 1)), reply(kept, "lgr", mix(1, 0))) == of_lgr
        assert (reply(forgetting, "lgrf", mix(0, 1)), reply(forgetting, "lgrf", mix(1, 0))) == of_lgrf
    at_move(forgetting, [(0, 0)], 1, [2, 1, 3])
    assert frequencies(forgetting, Lgrf, 3, 100).tolist() == [0, 1, 0]
    at_move(forgetting, [(0, 0)], 1, [2, 3])  # the reply is not legal
    assert frequencies(forgetting, Lgrf, 2, 1000) == pytest.approx([0.5, 0.5], abs=0.06)


def test_lgrf_never_keeps_a_reply_that_lost_its_last_trial():
    """Whitehouse 2014, Specification 4."""
    search, random, last = plain("lgrf"), np.random.default_rng(1), {}
    for _ in range(300):
        moves, won = [(i % 2, int(random.integers(3))) for i in range(6)], random.random() < 0.5
        captured(search, Lgrf, moves, WON if won else LOST)
        for (_, before), (who, move) in pairwise(moves):
            last[before, who, move] = won == (who == 0)
        for before, who in {(b, w) for b, w, _ in last}:
            known = reply(search, "lgrf", mix(before, who))
            assert known is None or last[before, who, known]


def test_rave_by_hand():
    """At a node the move made there and those that its player made later count, if they could have been made there."""
    search = plain("rave")
    for slot, (move, offered) in enumerate([(0, 1), (1, 1), (2, 0), (0, 1), (1, 1)]):
        search.slots[slot].move, search.slots[slot].offered = move, offered
    for node, (owner, first, used) in enumerate([(0, 0, 3), (1, 3, 2)]):
        here = search.nodes[node]
        here.owner, here.first, here.used = owner, first, used
        search.path[node].node, search.path[node].slot = node, (0, 4)[node]
        search.selecting[node] = 1
    search.walk.depth = 2
    captured(search, Rave, [(0, 0), (1, 1), (0, 1), (1, 1), (0, 2)], WON, in_the_tree=2)
    assert [(search.slots[k].amaf_total, search.slots[k].amaf_tries) for k in range(5)] == [
        (1, 1),
        (1, 1),
        (0, 0),
        (0, 0),
        (0, 2),
    ]
    # move 2 could not be made at the root; player 1 made move 1 twice and lost
    search.selecting[0] = 0
    search.counts.done = 1
    captured(search, Rave, [(0, 0), (1, 1), (0, 1)], WON, in_the_tree=2)
    assert search.slots[1].amaf_tries == 1


def test_rave_goes_from_amaf_to_the_tree():
    """Whitehouse 2014, eq. 8.3: lambda is 1 at first, 1/2 after k visits, and falls to 0."""
    shares = [share(250, n) for n in range(0, 100_000, 25)]
    assert shares[0] == 1
    assert share(250, 250) == 0.5
    assert all(a > b for a, b in pairwise(shares))
    assert share(250, 1e12) < 1e-4
    search = plain("rave(k=30)")
    here = search.nodes[0]
    here.visits = 30
    for i, (total, tries, amaf_total, amaf_tries) in enumerate([(6, 10, 9, 12), (8, 20, 20, 25)]):
        slot = search.slots[i]
        slot.total, slot.tries, slot.amaf_total, slot.amaf_tries = total, tries, amaf_total, amaf_tries
        search.slot[i], search.prob[i] = i, total / tries + 0.7 * math.sqrt(math.log(30) / tries)
    tree = [search.prob[0], search.prob[1]]
    Rave.bound(search, here, 2)
    of_amaf = [q / n + 0.7 * math.sqrt(math.log(37) / n) for q, n in ((9, 12), (20, 25))]
    assert [search.prob[0], search.prob[1]] == pytest.approx([(a + b) / 2 for a, b in zip(tree, of_amaf, strict=True)])


def test_epic_by_hand():
    """A tree for each episode: what the player saw of it, and a move; captured in the whole simulation, with what else
    was available."""
    search = PlainSearch(search_for("mini_dou_di_zhu", "epic").search)

    def simulated(rows, pay):
        """Rows of (player, label or None, move, legal moves), all in the playout."""
        search.walk.playing = 1
        Epic.begin(None, search)
        moves, seen = [], 0
        for i, (who, begins, move, legal) in enumerate(rows):
            if begins is not None:
                seen = mix(1, begins)
            search.positions[i] = seen
            for k, m in enumerate(legal):
                search.moves[k] = m
            search.walk.moves, search.line.length = len(legal), i + 1
            Epic.trace(None, search, None, who, move)
            moves.append((who, move))
            seen = mix(seen, move)
        captured(search, Epic, moves, pay)

    lead, follow = mix(1, 0), mix(mix(1, 0), 5)
    simulated([(0, 0, 5, [5, 6]), (1, None, 7, [7, 8]), (0, 0, 5, [5, 6])], (1, -1))
    simulated([(0, 0, 5, [5, 6]), (1, None, 8, [7, 8])], (-1, 1))
    simulated([(0, 0, 6, [6])], (-1, 1))

    def theta(position, who, move):
        record = found(search.epic, search.epic_index, search.epic_records, by_position(position, who, move))
        row = search.epic_records[max(record, 0)]
        return (row.total, row.tries, row.chances) if record >= 0 else None

    # the lead 5 was made three times, twice of them won; 6 was available earlier, but had no record yet
    assert theta(lead, 0, 5) == (2, 3, 3)
    assert theta(lead, 0, 6) == (0, 1, 1)
    assert (theta(follow, 1, 7), theta(follow, 1, 8)) == ((0, 1, 2), (1, 1, 1))
    # an action is its player's: as in backgammon, where all rolls have one label, others lead from the same position
    simulated([(1, 0, 5, [5, 6])], (-1, 1))
    assert theta(lead, 1, 5) == (1, 1, 1)
    assert theta(lead, 0, 5) == (2, 3, 3)
    for i, move in enumerate((5, 6, 9)):
        search.moves[i] = move
    note(search, lead, 0, 3)
    bounds = [upper(search, search.epic_legal[i]) for i in range(3)]
    assert bounds == pytest.approx([2 / 3 + 0.7 * math.sqrt(math.log(3) / 3), 0, math.inf])


def test_epic_learns_nothing_of_moves_for_which_the_line_has_no_room():
    search = uncompiled(search_for("mini_dou_di_zhu", "epic"))
    search.search.line.room = 4
    root = search.game.start()
    while root.actor < 0:
        root.play(root.moves()[0])
    own = PlainSearch(search.search)
    for _ in range(40):
        search.run(Roots([root]), 0, simulations=1)
        state, legal = root.copy(), 0
        for i in range(4):
            row = own.moved[i]
            key = by_position(own.positions[i], row.who, row.move)
            assert own.epic_taken[i] in (NONE, found(own.epic, own.epic_index, own.epic_records, key))
            legal += len(state.moves())
            state.play(int(row.move))
        assert own.epic.available <= legal
    assert search.search.epic_records["tries"].sum() == 4 * 40


def test_past_is_mast_for_each_episode():
    search = PlainSearch(search_for("mini_dou_di_zhu", "past").search)
    search.episode_labels[0], search.episode_labels[1] = 1, 2
    captured(search, Past, [(0, 4), (0, 4)], (1, -1))
    captured(search, Past, [(0, 4)], (-1, 1))
    about = {label: mix(of_predicate(label, 0), 4) for label in (1, 2, 3)}
    assert averages(search, "past", about) == {1: (1, 2), 2: (1, 1), 3: None}


def test_fast_learns_by_td_lambda():
    """Values begin at 1/2 and move a tenth of the way; the first move learns from what it brought and from the next
    one's value, as that was in the simulation (the lambda-return, Sutton and Barto 2018, eq. 12.2)."""
    search = plain("fast(decay=0.5)")
    captured(search, Fast, [(0, 0), (1, 1), (0, 1)], WON)
    value = {
        (who, move): search.fast_records[
            found(search.fast, search.fast_index, search.fast_records, by_move(who, move))
        ].value
        for who, move in ((0, 0), (1, 1), (0, 1))
    }
    assert value[0, 1] == pytest.approx(0.55)
    assert value[1, 1] == pytest.approx(0.45)
    assert value[0, 0] == pytest.approx(0.5 + 0.1 * ((1 + 0.5) / 2 - 0.5))


def test_tiles_are_two_moves_of_a_player():
    search = plain("contextual(least=1,eagerness=1)")
    captured(search, Contextual, [(0, 0), (1, 5), (0, 1), (0, 2)], WON)
    tiles = {(a, b): by_tile(0, a, b) for a, b in combinations((0, 1, 2), 2)}
    assert averages(search, "contextual", tiles) == dict.fromkeys(tiles, (1, 1))
    at_move(search, [(0, 1), (1, 1)], 0, [3, 2])
    assert frequencies(search, Contextual, 2, 50).tolist() == [0, 1]


def test_progressive_history_adds_less_to_a_move_that_lost_here():

    search = plain("history")
    captured(search, History, [(0, 0), (0, 1)], WON)
    captured(search, History, [(0, 1)], LOST)
    for i in (0, 1):
        search.slot[i], search.slots[i].move, search.prob[i] = i, i, 0.0
    search.slots[1].tries, search.slots[1].total = 4, 1
    History.bound(search, search.nodes[0], 2)
    assert [search.prob[0], search.prob[1]] == [3, 0.5 * 3 / 4]


def test_progressive_bias_and_unpruning_ask_the_rule_guide():
    game = fs.load("connect_four")
    for expression in ("bias(weight=0.5)", "unpruning(first=2)"):
        search = uncompiled(search_for(game, expression))
        search.run(Roots([game.start()]), 0, simulations=20)
        slots = search.memory.slots[search.memory.slots_of(0)]
        assert slots.liking.sum() == pytest.approx(1)
        if expression.startswith("unpruning"):
            assert sorted(slots.tries > 0) == [False] * 5 + [True] * 2
    own = search.search.unpruning
    assert [unpruned(own, n) for n in (0, 49, 50, 64, 65, 84, 85)] == [2, 2, 3, 3, 4, 4, 5]


ASKS = {"bias": "guide", "unpruning": "guide", "epic": "episode", "past": "episode"}


def test_games_without_the_rule_are_refused_by_whoever_needs_it():
    for name in {*names()} - {*ASKS}:
        search_for("tic_tac_toe", name)
    for name, rule in ASKS.items():
        for expression in (name, f"rave>{name}+mast" if rule == "episode" else f"{name}>mast"):
            with pytest.raises(fs.Unsuitable, match=f"icarus={name} needs the rule {rule}; tic_tac_toe has none"):
                search_for("tic_tac_toe", expression)
    with pytest.raises(fs.FogspielError, match="choose one of them"):
        search_for("connect_four", "bias+unpruning")


# --- records
# --------------------------------------------------------------------------------------


def test_a_table_finds_what_it_was_given_and_stops_when_it_is_full():
    search = plain("mast")
    own, index, records = search.mast, search.mast_index, search.mast_records
    own.room = 2 * FEWEST
    numbers = [made(own, index, records, mix(0, k)) for k in range(2 * FEWEST + 5)]
    assert numbers == [*range(2 * FEWEST), *[-1] * 5]
    assert [found(own, index, records, mix(0, k)) for k in range(2 * FEWEST + 5)] == numbers


@pytest.mark.parametrize(("expression", "counted"), [("rave>nast+lgrf", "nast"), ("mast", "mast")])
def test_what_is_learned_is_forgotten_with_the_tree(expression, counted):
    search = tree_search(expression)
    roots = Roots([search.game.start()])

    def found_by():
        search.restart(5)
        search.run(roots, 0, simulations=300)
        return search.memory.slots[: search.memory.slot_count].tobytes(), getattr(search.search, counted).used

    assert found_by() == found_by()


# --- combinations
# --------------------------------------------------------------------------------------


def test_expressions_say_who_acts_where():
    both = read_icarus("rave>3mast+epic")
    assert [p.name for p in both.tree] == ["rave"]
    assert [(weight, p.name) for weight, p in both.playout] == [(0.75, "mast"), (0.25, "epic")]
    assert [p.name for p in read_icarus("rave+mast").parts] == ["rave", "mast"]
    assert [p.name for p in read_icarus("rave+history+bias>mast").tree] == ["rave", "history", "bias"]
    assert read_icarus("baseline>lgrf").parts == read_icarus("lgrf").parts
    assert read_icarus("baseline").parts == ()
    assert dict(read_icarus("nast(n=3, policy=gibbs) + .5*mast").playout[0][1].values)["n"] == 3


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("rav", "did you mean rave"),
        ("RAVE", "did you mean rave"),
        ("-1mast", "above 0"),
        ("mast@250", "a weight fades where & combines"),
        ("mast>rave", "mast acts in playouts, so it belongs right of >"),
        ("rave>amaf", "left of >"),
        ("mast+mast", "there twice"),
        ("a>b>c", "one >"),
        ("mast(n=2)", "no parameter n"),
        ("2rave", "weights need another, as 2rave&baseline"),
        ("0mast+lgr", "above 0"),
        ("rave>", "expected the name"),
        ("history+amaf", "amaf puts bounds in place of those of history"),
        ("rave+amaf", "must add"),
        ("bias+rave", "must add"),
        ("rave+rave", "there twice"),
        ("mast>baseline", "belongs right"),
        ("rave>baseline", "left of > without a weight"),
        ("", "an ICARUS is an expression"),
        ("amaf&mast", "mast acts in playouts, and & combines"),
        ("bias+amaf&baseline", "comes first"),
        ("mast>amaf&baseline", "acts in playouts, so it belongs right"),
        ("amaf>bias&baseline", "comes first"),
        ("amaf@9&bias@9", "one weight may fade"),
        ("2amaf@9&bias", "one weight may fade"),
        ("amaf@0&bias", "one weight may fade"),
        ("baseline&baseline", "ICARUSes with each other"),
        ("amaf&amaf", "there twice"),
        ("amaf&baseline+rave", "in place of those of amaf&baseline"),
        ("amaf&", "expected the name"),
    ],
)
def test_wrong_expressions_are_told_in_a_sentence(wrong, why):
    with pytest.raises(fs.SpecError, match=why):
        read_icarus(wrong)


def at_a_node(search, visits, slots):
    """Have a search stand at a node, as a bandit does: moves by total, tries, and the same of AMAF. Returns the node
    and the tree's bounds."""
    here = search.nodes[0]
    here.visits = visits
    for i, (total, tries, amaf_total, amaf_tries) in enumerate(slots):
        slot = search.slots[i]
        slot.total, slot.tries, slot.amaf_total, slot.amaf_tries = total, tries, amaf_total, amaf_tries
        search.slot[i] = i
        search.prob[i] = total / tries + 0.7 * math.sqrt(math.log(visits) / tries) if tries else math.inf
    return here, [search.prob[i] for i in range(len(slots))]


SLOTS = [(6, 10, 9, 12), (8, 20, 20, 25), (0, 0, 3, 4), (1, 2, 0, 0)]
"""The third move was never tried, and AMAF has not seen the fourth."""


@pytest.mark.parametrize(
    ("expression", "of_amaf"),
    [
        ("amaf&baseline", 1 / 2),
        ("3amaf&baseline", 3 / 4),
        ("amaf@32&baseline", 1 / 2),
        ("baseline & amaf@96", 0.5**0.5),
    ],
)
def test_a_maxilinear_combination_compares_weighted_sums_of_bounds(expression, of_amaf):
    """Whitehouse 2014, sec. 8.2.4; by eq. 8.3 a weight that fades is sqrt(96 / (3 * 32 + 96)) after 32 visits with k =
    96."""
    search = plain(expression)
    here, tree = at_a_node(search, 32, SLOTS)
    read_icarus(expression).mixed.space.bound(search, here, 4)
    amaf_bounds = [q / n + 0.7 * math.sqrt(math.log(41) / n) for q, n in ((9, 12), (20, 25))]
    sums = [of_amaf * a + (1 - of_amaf) * b for a, b in zip(amaf_bounds, tree[:2], strict=True)]
    assert [search.prob[i] for i in range(4)] == pytest.approx([*sums, math.inf, math.inf])


def test_what_adds_to_bounds_is_weighted_too_and_may_follow():
    """H / (n + 1) of a move with H = 0.6 and 10 tries, a quarter of it; then all of it."""
    for expression, portion in (
        ("bias&3baseline", 1 / 4),
        ("bias(weight=3)&baseline", 3 / 2),
        ("amaf&baseline+bias", 1),
    ):
        search = PlainSearch(search_for("connect_four", expression).search)
        here, tree = at_a_node(search, 32, [(6, 10, 0, 0)])
        if "amaf" in expression:
            search.slots[0].amaf_total, search.slots[0].amaf_tries = 6, 10
            tree[0] = (tree[0] + 0.6 + 0.7 * math.sqrt(math.log(10) / 10)) / 2
        search.slots[0].liking = 0.6
        icarus = read_icarus(expression)
        for part in icarus.search_parts:
            if "bound" in part.functions:
                part.functions["bound"](search, here, 1)
        assert search.prob[0] == pytest.approx(tree[0] + portion * 0.6 / 11)


def test_with_no_weight_an_operand_is_not_there_and_a_pruned_move_stays_pruned():
    """Whitehouse 2014: with lambda = 0 the maxilinear combination is I1's policy."""
    part = read_icarus("amaf").tree[0]
    search = plain("amaf&baseline")
    here, tree = at_a_node(search, 32, SLOTS)
    search.shares[0], search.shares[1] = 0.0, 1.0
    maxilinear("amaf&baseline", [(0.0, part), (1.0, None)], None).space.bound(search, here, 4)
    assert [search.prob[i] for i in range(4)] == tree
    assert [plus(1.0, 0.5, -math.inf), plus(-math.inf, 0.5, math.inf)] == [-math.inf, -math.inf]


def test_rave_is_a_maxilinear_combination_simulation_by_simulation():
    found_by = []
    for expression in ("rave(k=20)", "amaf@20&baseline", "amaf@900&baseline"):
        search = uncompiled(tree_search(expression, seed=3))
        search.run(Roots([search.game.start()]), 0, simulations=150)
        slots = search.memory.slots[: search.memory.slot_count]
        found_by.append([(slot.move, slot.tries, slot.total, slot.amaf_tries, slot.amaf_total) for slot in slots])
    assert found_by[0] == found_by[1] != found_by[2]


def test_an_icarus_is_not_at_odds_with_other_parts():
    for spec, why in (("icarus=mast,playout=guide", "both say how"), ("icarus=rave,bandit=exp3", "has none")):
        given = dict(item.split("=") for item in spec.split(","))
        values = read_parameters("mcts", KINDS["mcts"].parameters, given)
        with pytest.raises(fs.SpecError, match=why):
            KINDS["mcts"].make("mcts", values).begin(fs.load("connect_four"), 0, 1)


def test_a_linear_combination_draws_one_policy_at_each_move():
    """1/4 of a reply that is certain, 3/4 of moves at random."""
    search = plain("lgrf+3lgr")
    policy = read_icarus("lgrf+3lgr").policy.space.policy
    captured(search, Lgrf, [(0, 0), (1, 2)], LOST)
    at_move(search, [(0, 0)], 1, [0, 1, 2, 3])
    counts = np.zeros(4)
    for _ in range(4000):
        counts[policy(None, search, 0, 4)] += 1
    assert counts / 4000 == pytest.approx([3 / 16, 3 / 16, 7 / 16, 3 / 16], abs=0.03)


@pytest.mark.parametrize(
    ("policy", "own", "tries", "want"),
    [
        (policies.gibbs, (0.5,), (4, 4, 2), np.exp([0.6, 2, 0]) / np.exp([0.6, 2, 0]).sum()),
        (policies.greedy, (0.5,), (4, 4, 2), [1 / 6, 2 / 3, 1 / 6]),
        (policies.roulette, (), (4, 4, 2), [3 / 13, 10 / 13, 0]),
        (policies.ucb1, (0.5,), (4, 4, 2), [0, 1, 0]),  # 0.68, 1.38 and 0.54
        (policies.ucb1, (2.0,), (4, 40, 1), [0, 0, 1]),  # 2.2, 1.6 and 3.9
        (policies.ucb1, (0.5,), (0, 4, 0), [1 / 2, 0, 1 / 2]),
    ],
)
def test_policies_are_the_distributions_printed(policy, own, tries, want):
    """Whitehouse 2014, Specifications 3 and 5 and sec. 8.5.3, for the values 0.3, 1 and 0."""
    search, counts = plain("mast"), np.zeros(3)
    for _ in range(3000):
        for i, value in enumerate((0.3, 1, 0)):
            search.prob[i], search.odds[i] = value, tries[i]
        counts[policy(search, *own, 3)] += 1
    assert counts / 3000 == pytest.approx(want, abs=0.03)


# --- the baseline, and the guarantee
# --------------------------------------------------------------------------------------


class Baseline:
    """ICARUS-MCTS with the baseline ICARUS (Whitehouse 2014, Algorithm 8, Specification 1), as printed, on a game of
    perfect information: records are histories, and the root is known beforehand."""

    def __init__(self, game, seed, exploration=0.7):
        self.game, self.rng, self.c = game, np.array([seed], np.uint64), exploration
        self.theta = {(): (np.zeros(2), 1)}

    def bound(self, h, a, who):
        q, n = self.theta.get((*h, a), (None, 0))
        visits = sum(self.theta.get((*h, b), (None, 0))[1] for b in self.legal)
        return q[who] / n + self.c * math.sqrt(math.log(visits) / n) if n else math.inf

    def simulate(self):
        h, state, expanded = (), self.game.start(), None
        while not state.over:
            self.legal = state.moves()
            if expanded is None:
                bounds = [self.bound(h, a, state.actor) for a in self.legal]
                best = [a for a, b in zip(self.legal, bounds, strict=True) if b == max(bounds)]
                a = best[pick(self.rng, len(best)) if len(best) > 1 else 0]
            else:
                a = self.legal[pick(self.rng, len(self.legal))]
            h = (*h, a)
            if expanded is None and h not in self.theta:
                expanded = len(h)
            state.play(a)
        reward = (np.array(state.payoff()) + 1) / 2
        for i in range((expanded or len(h)) + 1):
            q, n = self.theta.get(h[:i], (np.zeros(2), 0))
            self.theta[h[:i]] = q + reward, n + 1


def test_the_baseline_is_plain_search_simulation_by_simulation():
    game = fs.load("tic_tac_toe")
    search, printed = search_for(game, "baseline", seed=9, view="history"), Baseline(game, 9)
    roots = Roots([game.start()])
    for _ in range(400):
        search.simulate(roots, 0, 1)
        printed.simulate()
        slots = search.memory.slots[search.memory.slots_of(0)]
        want = [printed.theta.get((int(a),), (np.zeros(2), 0)) for a in slots.move]
        assert slots.tries.tolist() == [n for _, n in want]
        assert slots.total.tolist() == [q[0] for q, _ in want]
        assert search.rng[0] == printed.rng[0]


def test_an_agent_with_the_baseline_is_the_agent_without():
    spec = read_parameters("mcts", KINDS["mcts"].parameters, {"icarus": "baseline"})
    assert spec == read_parameters("mcts", KINDS["mcts"].parameters, {})


def test_the_guarantee_of_uct_is_kept_where_theorem_1_says_so():
    """All combinations of Table 8.1 converge; what does not fade in the tree need not."""
    playouts = ["", "mast", "lgrf", "epic", "mast+lgrf", "mast+epic", "lgrf+epic", "mast+lgrf+epic"]
    for tree in ("baseline", "rave"):
        for mixed in playouts:
            assert read_icarus(f"{tree}>{mixed}" if mixed else tree).guarantee()[0]
    assert [read_icarus(name).guarantee()[0] for name in ("amaf", "history", "bias", "unpruning")] == [
        False,
        False,
        True,
        True,
    ]
    assert read_icarus("rave").guarantee()[1].endswith("(lambda I + (1 - lambda) I_Baseline, Theorem 1)")
    assert [
        read_icarus(f"{text}&baseline").guarantee()[0] for text in ("amaf", "amaf@9", "history", "bias", "amaf@9&bias")
    ] == [
        False,
        True,
        False,
        True,
        True,
    ]
    for expression in ("bias", "unpruning", "rave+bias"):  # no such combinations
        assert "as in Theorem 1" in read_icarus(expression).guarantee()[1]


def test_a_combination_comes_to_the_minimax_move_and_its_value():
    """Theorem 1: move 1 is worth a draw, and move 0 loses to the answer 1."""
    tree = "[0,0,[[1,0,[[0,0,[10,-10]],[0,0,[-10,-10]]]],[1,0,[[0,0,[0,-10]],[0,0,[10,5]]]]]]"
    search = search_for(f"{TREE}(tree={tree})", "rave>mast+lgrf")
    search.run(Roots([search.game.start()]), 0, simulations=20_000)
    moves = search.moves(search.game.start(), 0)
    assert moves[1].visits > 0.95 * 20_000
    assert moves[1].value == pytest.approx(0, abs=0.5)


# --- which nodes share records
# --------------------------------------------------------------------------------------


def test_nodes_share_what_the_comparison_of_icaruses_says():
    """Whitehouse 2014, Figure 8.2, on three moves of tic-tac-toe."""
    game = fs.load("tic_tac_toe")

    def shared(expression):
        part = next(iter(read_icarus(expression).parts), None)
        found = sharing.nodes(game, part, 3, 3)
        return found, sharing.correlated(found)

    assert shared("baseline")[1] == []
    found, pairs = shared("mast")
    assert {found[b].who == found[a].who and found[b].name == found[a].name for a, b in pairs} == {True}
    assert len({n.record for n in found[1:]}) == len({(n.who, n.name) for n in found[1:]})
    found, pairs = shared(
        "amaf"
    )  # a visit writes at earlier siblings of the same player's moves, and is not written to
    assert pairs
    assert all(found[a].depth == 3 and found[b].depth == 1 and found[a].name == found[b].name for a, b in pairs)
    found, pairs = shared("nast")
    assert pairs
    assert all(found[found[a].parent].name == found[found[b].parent].name for a, b in pairs)
    found, pairs = shared("lgr")  # what follows the same move
    assert {found[found[a].parent].name == found[found[b].parent].name for a, b in pairs} == {True}


def test_nodes_of_the_same_place_in_an_episode_are_one_to_epic():
    found = sharing.nodes(fs.load("mini_dou_di_zhu"), read_icarus("epic").parts[0], 3, 3)
    leads: dict = {}
    for node in found[1:]:
        if node.depth == 1 or found[node.parent].name == "pass":
            leads.setdefault((node.who, node.name), []).append(node)
    assert max(map(len, leads.values())) > 1
    assert all(len({node.record for node in same}) == 1 for same in leads.values())


# --- what players see
# --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "want"),
    [("tic_tac_toe", OPEN), ("dou_di_zhu", OPEN), ("phantom_mnk", HIDDEN), ("hearts", MIXED)],
)
def test_whether_moves_are_seen_is_found_by_playing(game, want):
    assert visibility(fs.load(game))[0] == want


def test_a_move_that_is_not_seen_is_a_move_of_no_name_to_others():
    search = plain("lgrf")
    at_move(search, [(0, 3), (1, 4)], 0, [0])
    search.moved[1].veiled = 1
    assert [seen(search, 1, player) for player in (0, 1)] == [UNSEEN, 4]
    assert by_move_before(search, 2, 0) == mix(UNSEEN, 0)


# --- a person's own
# --------------------------------------------------------------------------------------


def test_an_icarus_of_ones_own_is_a_file(tmp_path):
    own = tmp_path / "my_icarus.py"
    own.write_text(
        """
from fogspiel.game import Number, pick
ACTS = "playout"
PARAMETERS = (Number("eagerness", 0.5, 0, 1, "how often the first move is made"),)
RECORD = (("simulations", "i8"),)

def policy(game, search, s, n):
    return 0 if search.my_icarus.eagerness > 0.9 else pick(search.rng, n)

def capture(game, search, s):
    search.my_icarus.simulations += 1
"""
    )
    search = tree_search(f"rave>{own}(eagerness=1)+mast")
    search.run(Roots([search.game.start()]), 0, simulations=50)
    assert search.search.my_icarus.simulations == 50
    own.write_text("ACTS = 'playout'")
    with pytest.raises(fs.PartError, match="has no icarus: it needs the function policy or bound"):
        read_icarus(str(own))
    own.write_text("def policy(game, search, s, n):\n    return 0\n")
    with pytest.raises(fs.PartError, match="ACTS"):
        read_icarus(str(own))
    own.write_text("ACTS = 'playout'\ndef bound(search, here, n):\n    pass\n")
    with pytest.raises(fs.PartError, match="acts in playouts, and has no function policy"):
        read_icarus(str(own))
    own.write_text("ACTS = 'playout'\nABOUT = 'mine'\ndef policy(game, search, s, n):\n    return 0\n")
    with pytest.raises(fs.PartError, match="ABOUT must be three texts"):
        read_icarus(str(own))


@pytest.mark.parametrize(
    ("does", "why"), [("search.nothing", "failed: there is no search.nothing"), ("[who]", "must return a key")]
)
def test_the_read_of_an_own_icarus_is_watched(tmp_path, does, why):
    own = tmp_path / "my_icarus.py"
    own.write_text(
        "ACTS = 'playout'\n\ndef policy(game, search, s, n):\n    return 0\n\ndef read(search, i, who, move):\n    "
        f"return {does}\n"
    )
    with pytest.raises(fs.PartError, match=rf"read \(.*my_icarus.py, line \d\) {why}"):
        sharing.nodes(fs.load("tic_tac_toe"), read_icarus(str(own)).parts[0])


@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("return n", "returns . where a position from 0 to"),
        ("return search.moves[10**6]", "failed: index 1000000 is outside"),
    ],
)
@pytest.mark.parametrize("mixed", ["{}", "mast+{}"])
def test_the_policy_of_an_own_icarus_is_watched(tmp_path, does, why, mixed):
    own = tmp_path / "my_icarus.py"
    own.write_text(f"ACTS = 'playout'\n\ndef policy(game, search, s, n):\n    {does}\n")
    with pytest.raises(fs.PartError, match=rf"policy \(.*my_icarus.py, line \d\) ({why})"):
        tree_search(mixed.format(own))


def test_own_icaruses_of_one_name_clash_only_in_their_records(tmp_path):
    files = [tmp_path / folder / "mine.py" for folder in ("one", "other")]
    for path in files:
        path.parent.mkdir()
        path.write_text("ACTS = 'playout'\n\ndef policy(game, search, s, n):\n    return n - 1\n")
    both = "+".join(map(str, files))
    assert [p.file for p in read_icarus(both).parts] == [str(path) for path in files]
    with pytest.raises(fs.SpecError, match="mine is there twice"):
        read_icarus(f"{files[0]}+{files[0]}")
    for path in files:
        path.write_text("RECORD = (('count', 'i8'),)\n" + path.read_text())
    with pytest.raises(fs.SpecError, match=r"one/mine.py and .*other/mine.py would both have the record search.mine"):
        read_icarus(both)
    walk = tmp_path / "walk.py"
    walk.write_text(files[0].read_text())
    with pytest.raises(fs.PartError, match="its record would be search.walk, which is there already: rename the file"):
        tree_search(str(walk))


def test_every_icarus_shows_its_parts():
    for name in names():
        module = read_icarus(name).parts[0].space
        assert len(module.ABOUT) == 3
        assert hasattr(module, "policy" if module.ACTS == "playout" else "bound")
        assert module.ACTS == "playout" or isinstance(module.FADES, bool)
    assert Rave.capture is Amaf.capture
