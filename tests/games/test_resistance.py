"""The Resistance: the order of play of Whitehouse 2014, Algorithm 1, who knows what, and which spies are possible."""

import itertools
from collections import Counter

import pytest
from positions import after, child, every_history, generator, load, random_states

from fogspiel import CHANCE, PUBLIC

REJECT, APPROVE, SUPPORT, SABOTAGE, REVEAL = 0, 1, 0, 1, 0


def group(*players):
    return sum(1 << player for player in players)


def mission(team, cards, votes=(APPROVE,) * 5):
    """The moves of a mission: its team is chosen and passes, and the members, in order, play these cards."""
    return (group(*team), *votes, REVEAL, *cards, REVEAL)


@pytest.mark.parametrize(
    ("players", "spies", "sets"), [(5, 2, 10), (6, 2, 15), (7, 3, 35), (8, 3, 56), (9, 3, 84), (10, 4, 210)]
)
def test_there_are_as_many_spies_as_in_the_rule_book(players, spies, sets):
    dealt = after(f"resistance(players={players})").moves()
    assert len(dealt) == sets
    assert {bin(spy).count("1") for spy in dealt} == {spies}


@pytest.mark.parametrize(
    ("players", "sizes"),
    [(5, [2, 3, 2, 3, 3]), (6, [2, 3, 4, 3, 4]), (7, [2, 3, 3, 4, 4]), (8, [3, 4, 4, 5, 5]), (10, [3, 4, 4, 5, 5])],
)
def test_teams_are_as_large_as_in_the_rule_book(players, sizes):
    s = after(f"resistance(players={players})")
    s.play(s.moves()[0])
    met = []
    cards = iter((SUPPORT, SABOTAGE) * 3)
    while not s.over:
        teams = s.moves()
        met += {bin(team).count("1") for team in teams}
        assert len(set(teams)) == len(teams)
        team = teams[0]  # players 0, 1, ..: the spies are among them
        s.play(team)
        for _ in range(players):
            s.play(APPROVE)
        s.play(REVEAL)
        card = next(cards)
        while s.actor != CHANCE:
            s.play(card if card in s.moves() else SUPPORT)
        s.play(REVEAL)
    assert met == sizes[: len(met)]
    assert len(met) == 5


def test_a_fourth_mission_of_seven_fails_by_two_sabotages_only():
    def decided(players, spies, saboteurs):
        """Whether the spies win by their fourth mission, in which so many sabotage; they have won the first and the
        third."""
        s = after(f"resistance(players={players})", group(*range(spies)))
        for sabotages in (1, 0, 1, saboteurs):
            s.play(s.moves()[0])
            for _ in range(players):
                s.play(APPROVE)
            s.play(REVEAL)
            while s.actor != CHANCE:
                s.play(SABOTAGE if s.actor < sabotages else SUPPORT)
            s.play(REVEAL)
        return s.over

    assert decided(6, 2, 1)
    assert not decided(7, 3, 1)
    assert decided(7, 3, 2)


def test_the_leader_goes_round_and_the_fifth_team_is_not_voted_on():
    s = after("resistance", group(3, 4))
    for leader in range(4):
        assert s.actor == leader
        assert len(s.moves()) == 10
        s.play(group(0, 1))
        assert s.actor == 0
        for voter in range(5):
            assert s.actor == voter
            s.play(APPROVE if voter < 2 else REJECT)
        s.play(REVEAL)
    assert s.actor == 4
    s.play(group(2, 3))
    s.play(REVEAL)
    assert [s.actor, s.moves()] == [2, [SUPPORT]]
    s.play(SUPPORT)
    assert [s.actor, s.moves()] == [3, [SUPPORT, SABOTAGE]]


@pytest.mark.parametrize(("players", "needed"), [(5, 3), (6, 4)])
def test_more_than_half_must_be_for_a_team(players, needed):
    for approving in range(players + 1):
        s = after(f"resistance(players={players})", group(3, 4), group(0, 1))
        for voter in range(players):
            s.play(APPROVE if voter < approving else REJECT)
        s.play(REVEAL)
        assert (s.actor == 0) == (approving >= needed)  # player 0 is on the mission, or player 1 leads


def test_three_missions_decide_and_all_of_a_side_win_or_lose():
    first, second = mission((0, 1), (SUPPORT, SUPPORT)), mission((0, 1, 2), (SUPPORT,) * 3)
    won = after("resistance", group(3, 4), *first, *second, *first)
    assert won.over
    assert won.payoff() == [1, 1, 1, -1, -1]
    lost = mission((3, 4), (SABOTAGE, SUPPORT)), mission((0, 3, 4), (SUPPORT, SABOTAGE, SABOTAGE))
    assert after("resistance", group(3, 4), *lost[0], *lost[1], *lost[0]).payoff() == [-1, -1, -1, 1, 1]


def test_spies_know_each_other_and_nobody_else_does():
    dealt = {spies: after("resistance", spies) for spies in after("resistance").moves()}
    assert len({s.key(PUBLIC) for s in dealt.values()}) == 1
    for player in range(5):
        assert len({s.key(player) for s in dealt.values()}) == 1 + 4
        outside = [s for spies, s in dealt.items() if not spies >> player & 1]
        assert len(outside) == 6  # states of a non-spy's information set (Whitehouse 2014, sec. 7.5.1)
        assert len({s.key(player) for s in outside}) == 1


def test_a_pending_vote_is_known_to_the_voter_alone_and_then_to_all():
    voting = after("resistance", group(3, 4), group(0, 1))
    pending = {
        votes: after("resistance", group(3, 4), group(0, 1), *votes) for votes in itertools.product((0, 1), repeat=5)
    }
    for player in range(5):
        assert len({s.key(player) for s in pending.values()}) == 2
        for votes, s in pending.items():
            assert (s.key(player) == pending[1, 1, 1, 1, 1].key(player)) == (votes[player] == APPROVE)
    assert {s.key(PUBLIC) for s in pending.values()} == {voting.key(PUBLIC)}
    assert len({child(s, REVEAL).key(PUBLIC) for s in pending.values()}) == 32


def test_the_number_of_sabotages_is_shown_and_not_whose_they_were():
    ends = [after("resistance", group(3, 4), *mission((3, 4), cards)) for cards in ((0, 1), (1, 0), (1, 1), (0, 0))]
    assert ends[0].key(PUBLIC) == ends[1].key(PUBLIC)
    assert ends[0].key(0) == ends[1].key(0)
    assert len({s.key(0) for s in ends}) == 3
    assert len({s.key(3) for s in ends}) == 4


def drawn_spies(state, player, draws=4000):
    rng, drawn = generator(5), Counter()
    for _ in range(draws):
        state.resample(player, rng)
        drawn[state.view.spies] += 1
    return drawn


def test_sabotages_rule_out_spies_and_the_rest_are_drawn_equally_often():
    """One sabotage by a team of 0, 1 and 2, then two by a team of 1, 2 and 3; the spies are 1 and 2."""
    s = after("resistance", group(1, 2), *mission((0, 1), (0, 1)), *mission((1, 2, 3), (1, 1, 0)))
    left = {group(*pair) for pair in ((1, 2), (1, 3))}
    for player in (0, 4):
        drawn = drawn_spies(s.copy(), player)
        assert set(drawn) == left
        assert max(drawn.values()) < 2150
    assert set(drawn_spies(s.copy(), 3)) == {group(1, 2)}
    assert set(drawn_spies(s.copy(), 1)) == {group(1, 2)}
    three = after("resistance", group(1, 2), *mission((0, 1), (0, 1)))
    assert set(drawn_spies(three.copy(), 4)) == {group(*p) for p in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3))}


def test_redrawn_states_are_those_of_the_information_set_each_as_likely_given_the_spies():
    sets = {}
    for s in every_history("resistance(wins=1,attempts=1)"):
        if s.actor >= 0:
            for player in range(5):
                sets.setdefault((player, s.key(player), s.actor), set()).add(s.data.tobytes())
    rng = generator(8)
    for s in list(random_states(load("resistance(wins=1,attempts=1)"), 30, seed=4)):
        if s.actor < 0:
            continue
        for player in range(5):
            states = sets[player, s.key(player), s.actor]
            drawn = Counter()
            for _ in range(60 * len(states)):
                t = s.copy()
                t.resample(player, rng)
                drawn[t.data.tobytes()] += 1
            assert set(drawn) == states


def test_everyone_is_shown_all_teams_that_were_chosen_and_who_was_for_them():
    """Who is neither leader nor in the team next sees the votes, too, and those of missions that are over."""
    rejected = (group(0, 1), 1, 0, 0, 1, 0, REVEAL)
    s = after("resistance", group(3, 4), *rejected, group(0, 3), 1, 0, 1, 1, 0)
    for player in (*range(5), None):
        assert "mission 1, attempt 1: player 0 chose 0 1, for it 0 3" in s.show(player)
        assert "for it 0 2 3" not in s.show(player)
    for move in (REVEAL, SUPPORT, SABOTAGE, REVEAL, group(1, 2, 4), *(APPROVE,) * 5):
        s.play(move)
    for player in (*range(5), None):
        told = s.show(player).splitlines()
        assert told[1] == "mission 1, attempt 2: player 1 chose 0 3, for it 0 2 3, failed, sabotages 1"
        assert told[2] == "mission 2, attempt 1: player 2 chose 1 2 4"
