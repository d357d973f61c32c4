"""Saboteur: cards and roles of the rule book, tunnels that fit, tools, maps and rockfalls, and what a seat can know."""

import random
from collections import Counter
from itertools import product

import pytest
from hints import guided
from positions import child, generator, load, random_states

from fogspiel import CHANCE, PUBLIC
from fogspiel.game import mix
from fogspiel.games import saboteur as rules

NONE = rules.NONE
NS, EW, NE, NW, NES, NEW, CROSS = range(7)
DEAD_CROSS = rules.PATHS - 1


def dealt(players=5, roles=0b11, gold=1, seed=1):
    """A game in which the first players are saboteurs, and cards were dealt at random."""
    state, rng = load(f"saboteur(players={players})").start(), random.Random(seed)
    state.play(roles)
    state.play(gold)
    while state.actor == CHANCE:
        state.play(rng.choice(state.moves()))
    return state


def give(state, *cards):
    """Puts cards into the hand of the player to move, in place of its own."""
    hand = sorted(cards) + [NONE] * (6 - len(cards))
    for i, kind in enumerate(hand):
        state.view.hand[state.actor][i] = kind
    return state


def names(state):
    return [state.game.move_name(state, move) for move in state.moves()]


def do(state, name):
    """Plays a move by its name, and lets the player draw."""
    state.play(state.moves()[names(state).index(name)])
    if state.actor == CHANCE:
        state.play(state.moves()[0])


def test_the_deck_has_the_cards_of_the_rule_book():
    assert sum(rules.COPIES) == 40 + 27
    assert sum(copies for _, copies in rules.TUNNELS) == 31
    assert len(rules.DEAD_ENDS) == 9
    counts = {}
    for kind, copies in enumerate(rules.COPIES):
        counts[rules.card_name(kind)] = copies
    assert len(counts) == rules.KINDS
    assert (counts["map"], counts["rockfall"]) == (6, 3)
    assert sum(counts[f"broken {tool}"] for tool in rules.TOOLS) == 9
    assert sum(counts[f"whole {tool}"] for tool in rules.TOOLS) == 6


@pytest.mark.parametrize(
    ("players", "ways", "hand"), [(3, 4, 6), (4, 5, 6), (5, 15, 6), (6, 21, 5), (7, 56, 5), (10, 330, 4)]
)
def test_roles_and_hands_are_dealt_as_in_the_rule_book(players, ways, hand):
    state = load(f"saboteur(players={players})").start()
    assert len(state.chance()) == ways
    assert [p for _, p in state.chance()] == pytest.approx([1 / ways] * ways)
    state = dealt(players, roles=state.moves()[0])
    assert [sum(kind != NONE for kind in row) for row in state.view.hand][:players] == [hand] * players
    assert state.view.left == 67 - players * hand


def test_of_five_players_two_are_saboteurs_two_times_out_of_three():
    two = [roles for roles in load("saboteur").start().moves() if bin(roles & 31).count("1") == 2]
    assert len(two) == 10


def test_a_tunnel_continues_one_from_the_ladder_and_fits():
    state = give(dealt(), EW, NS, DEAD_CROSS)
    paths = [name for name in names(state) if not name.startswith("discard")]
    assert paths == ["NS b5", "NS b3", "EW a4", "EW c4", "dead NESW b5", "dead NESW a4", "dead NESW c4", "dead NESW b3"]
    do(state, "EW c4")
    assert "EW d4" in names(give(state, EW))
    assert "NS c5" not in names(give(state, NS))  # the tunnel below it is closed to the north
    do(give(state, NEW), "NEW d4")
    assert "NE d5" not in names(give(state, NE))
    assert {"SW d5", "SW e4"} <= set(names(give(state, NE)))  # turned by half
    do(give(state, NS), "NS d5")
    assert "NE d5" not in names(give(state, NE))


def test_a_dead_end_leads_nowhere():
    state = dealt()
    do(give(state, DEAD_CROSS), "dead NESW c4")
    assert not any(name.endswith(("d4", "c5", "c3")) for name in names(give(state, CROSS)))


def drive(state, *cells):
    for cell in cells:
        do(give(state, CROSS), f"NESW {cell}")


def test_the_gold_ends_the_game_for_all():
    state = dealt(gold=1)
    drive(state, "c4", "d4", "e4", "f4", "g4", "h4")
    assert not state.over
    drive(state, "i4")
    assert state.over
    assert state.payoff() == [-1, -1, 1, 1, 1]


def test_a_goal_without_gold_is_shown_and_lets_tunnels_through():
    state = dealt(gold=0)
    drive(state, "c4", "d4", "e4", "f4", "g4", "h4")
    hidden = state.key(PUBLIC)
    drive(state, "i4")
    assert not state.over
    assert state.key(PUBLIC) != hidden
    assert " o " in state.show(4)
    assert "NESW j5" in names(give(state, CROSS))
    drive(state, "j5")  # one step below the goal with the gold
    assert state.over


def test_saboteurs_win_when_all_cards_are_used():
    state, rng = dealt(3, roles=0b001), random.Random(2)
    turns = 0
    while not state.over:
        if state.actor == CHANCE:
            state.play(rng.choice(state.moves()))
            continue
        assert state.actor == turns % 3
        state.play(state.moves()[0])  # the first is to discard
        turns += 1
    assert turns == 67
    assert state.payoff() == [1, -1, -1]


def test_a_player_with_a_broken_tool_lays_no_tunnel_until_it_is_mended():
    state = dealt()
    do(give(state, rules.BREAK + 1), "break lamp of 1")
    assert names(give(state, EW, rules.REPAIR, rules.REPAIR + 1, rules.REPAIR_EITHER)) == [
        "discard EW",
        "discard whole pickaxe",
        "discard whole lamp",
        "mend lamp of 1",
        "discard pickaxe or lamp",
        "mend lamp of 1 by pickaxe or lamp",
    ]
    do(state, "mend lamp of 1")
    for _ in range(4):
        do(give(state, EW), "discard EW")
    assert "EW c4" in names(give(state, EW))


def test_nobody_breaks_a_tool_twice_or_its_own():
    state = dealt()
    assert names(give(state, rules.BREAK))[1:] == [f"break pickaxe of {other}" for other in (1, 2, 3, 4)]
    do(state, "break pickaxe of 3")
    assert names(give(state, rules.BREAK))[1:] == [f"break pickaxe of {other}" for other in (0, 2, 4)]


def test_a_rockfall_cuts_a_tunnel_off():
    state = dealt()
    drive(state, "c4", "d4")
    do(give(state, rules.ROCKFALL), "rockfall c4")
    assert "NESW e4" not in names(give(state, CROSS))
    drive(state, "c4")
    assert "NESW e4" in names(give(state, CROSS))


def test_what_a_map_shows_is_seen_by_its_player_alone():
    after = [child(give(dealt(gold=gold), rules.MAP), rules.LOOK) for gold in range(3)]
    assert len({state.key(0) for state in after}) == 2
    assert after[1].key(0) == after[2].key(0)
    assert all(len({state.key(player) for state in after}) == 1 for player in (PUBLIC, 1, 2, 3, 4))
    assert "$" in after[0].show(0)
    assert "$" not in after[0].show(1)


def test_discards_are_seen_by_their_player_alone():
    state = give(dealt(), NS, EW)
    after = [child(state, kind) for kind in (NS, EW)]
    assert after[0].key(0) != after[1].key(0)
    assert all(after[0].key(player) == after[1].key(player) for player in (PUBLIC, 1, 2, 3, 4))


def test_sensible_diggers_dig_and_sensible_saboteurs_block():
    digger, saboteur = (give(dealt(roles=roles), CROSS, DEAD_CROSS) for roles in (0b110, 0b011))
    for state, path in ((digger, "NESW c4"), (saboteur, "dead NESW c4")):
        odds = dict(zip(names(state), guided(state).values(), strict=True))
        assert max(odds, key=odds.get) == path


def test_all_cards_are_somewhere_after_a_redraw():
    rng = generator(4)
    for state in random_states(load("saboteur"), 3, seed=5):
        for player in range(5):
            twin = state.copy()
            twin.resample(player, rng)
            view, found = twin.view, Counter()
            for kind in range(rules.KINDS):
                found[kind] += view.deck[kind]
            found.update(kind for row in list(view.hand)[:5] for kind in row if kind != NONE)
            found.update(view.used[turn] & 31 for turn in range(view.turn + (view.phase == rules.DRAWING)))
            if view.phase not in (rules.FOUND, rules.LOST):
                assert [found[kind] for kind in range(rules.KINDS)] == list(rules.COPIES)
            assert list(twin.view.hand[player]) == list(state.view.hand[player])


def test_roles_gold_and_cards_are_redrawn_as_likely_as_they_were_dealt():
    state, rng = dealt(), generator(6)
    seen = [Counter() for _ in range(4)]
    unseen = 67 - 6
    wanted = rules.COPIES[rules.MAP] - list(state.view.hand[4]).count(rules.MAP)
    draws = 20_000
    for _ in range(draws):
        state.resample(4, rng)
        seen[0][state.view.roles] += 1
        seen[1][state.view.gold] += 1
        seen[2][list(state.view.hand[1]).count(rules.MAP) > 0] += 1
        seen[3]["maps"] += list(state.view.hand[2]).count(rules.MAP)
    assert len(seen[0]) == 10  # of the fifteen, those in which player 4 is a digger
    assert all(abs(n / draws - 1 / 10) < 0.01 for n in seen[0].values())
    assert all(abs(n / draws - 1 / 3) < 0.02 for n in seen[1].values())
    assert seen[3]["maps"] / draws == pytest.approx(6 * wanted / unseen, abs=0.02)
    state = dealt(roles=0b00011)
    roles = Counter()
    for _ in range(2000):
        state.resample(0, rng)
        roles[state.view.roles] += 1
    assert len(roles) == 5  # a saboteur does not know the other, if there is one


def test_a_redrawn_player_remembers_draws_that_can_have_been():
    """Player 0 has discarded twice and drawn twice: its memory must be one that fits its hand and its discards."""
    state = dealt(3, roles=0b100)
    for turn in range(6):
        state.play(state.moves()[0])
        state.play(state.moves()[turn])
    rng, met = generator(9), Counter()
    for _ in range(300):
        state.resample(1, rng)
        view = state.view
        first, second = view.used[0], view.used[3]
        hand = [kind for kind in view.hand[0] if kind != NONE]
        memories = set()
        for a, b in product([*hand, second & 31], hand):
            # b was drawn last; a before, and is still held or was used in the second turn
            if a == second & 31 or a in _without(hand, b):
                events = ((0, first), (0, a), (3, second), (3, b))
                memories.add(sum(mix(turn, card) for turn, card in events) % 2**64)
        assert view.own[0] in memories
        met[len(memories)] += 1
    assert max(met) > 10


def _without(cards, card):
    rest = list(cards)
    rest.remove(card)
    return rest


def test_everyone_is_shown_who_did_what_and_not_what_was_discarded():
    state = dealt()
    do(give(state, EW), "EW c4")
    do(give(state, rules.BREAK), "break pickaxe of 3")
    do(give(state, rules.MAP), "map 2")
    do(give(state, NS), "discard NS")
    do(give(state, CROSS), "discard NESW")
    do(give(state, rules.ROCKFALL), "rockfall c4")
    for player in (*range(5), None):
        played = [line for line in state.show(player).splitlines() if "played" in line]
        assert played == [
            f"  played: {deeds}"
            for deeds in ("EW c4, rockfall c4", "break pickaxe of 3", "map 2", "discard", "discard")
        ]


def test_where_the_gold_was_is_known_when_all_cards_are_used():
    lost = []
    for gold in range(3):
        state = dealt(3, roles=0b001, gold=gold)
        while not state.over:
            state.play(state.moves()[0])
        lost.append(state)
    assert all(len({state.key(player) for state in lost}) == 3 for player in (PUBLIC, 0, 1, 2))
    state = lost[0].copy()
    state.resample(1, generator(1))
    assert "$" in lost[0].show(1)
    assert [state.show(1), state.key(1)] == [lost[0].show(1), lost[0].key(1)]
