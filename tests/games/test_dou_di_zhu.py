"""Dou Di Zhu: groups by example, the counts of Whitehouse 2014, play as in OpenSpiel, hidden hands."""

import random
from collections import Counter
from math import comb, prod

import numpy as np
import pytest
from positions import after, child, generator

import fogspiel as fs
from fogspiel import PUBLIC
from fogspiel.games.dou_di_zhu import NAMES, NUKE, guide
from fogspiel.games.toolkit.ranks import cards_of, count_of
from fogspiel.reproduce.whitehouse_2014.leading_plays import counted

GAME = "dou_di_zhu"


def hand(text):
    return sum(cards_of(rank, text.count(name)) for rank, name in enumerate(NAMES))


def dealt(hands):
    """The state after a deal of all 54 cards, by hands in writing."""
    return after(GAME, *(int("".join(str(text.count(name)) for text in hands)) for name in NAMES))


def shuffled(rng):
    deck = list(NAMES[:13] * 4 + NAMES[13:])
    rng.shuffle(deck)
    return ["".join(deck[:20]), "".join(deck[20:37]), "".join(deck[37:])]


def position(*hands):
    """The landlord is to lead; hands need not be those of a whole deck."""
    s = dealt(shuffled(random.Random(0)))
    for i, text in enumerate(hands):
        s.view.hand[i] = hand(text)
    return s


def names(s):
    return [s.game.move_name(s, move) for move in s.moves()]


def then(s, *said):
    """The state after moves by name."""
    for name in said:
        s = child(s, s.moves()[names(s).index(name)])
    return s


def test_a_lead_is_any_group():
    s = position("333444567", "8", "9")
    assert names(s) == [
        *"34567",
        "34567",
        "33",
        "44",
        "333",
        "444",
        "333 with singles",
        "444 with singles",
        "333 with pairs",
        "444 with pairs",
        "333444",
        "333444 with singles",
    ]
    assert names(position("TTJJQQ22BR", "8", "9")) == [*"TJQ2BR", "TT", "JJ", "QQ", "22", "TTJJQQ", "BR"]


def test_runs_end_at_the_ace():
    assert [name for name in names(position("9TJQKA2BR", "8", "9")) if len(name) > 4] == [
        "9TJQK",
        "TJQKA",
        "9TJQKA",
    ]
    assert "AAA222" not in names(position("AAA222", "8", "9"))


def test_kickers_are_a_decision_of_their_own_and_differ_from_the_group_and_each_other():
    s = position("333344BRQQQ5", "8", "9")
    assert names(then(s, "333 with singles")) == [*"45QBR"]
    assert names(then(s, "333 with pairs")) == ["44", "QQ"]
    assert names(then(s, "3333 with singles")) == ["45", "4Q", "5Q", "4B", "5B", "QB", "4R", "5R", "QR", "BR"]
    assert names(then(s, "3333 with pairs")) == ["44QQ"]
    after_kickers = then(s, "3333 with pairs", "44QQ")
    assert (after_kickers.actor, after_kickers.view.hand[0]) == (1, hand("BRQ5"))
    assert "333 with pairs" not in names(position("33335", "8", "9"))


def test_a_follower_plays_the_same_kind_higher_or_a_bomb_or_passes():
    theirs = "4445556667777889TTJJBR"
    lead = position("333444555A22", theirs, "3")
    assert names(then(lead, "3")) == ["pass", *"456789TJBR", "7777", "BR"]
    assert names(then(lead, "333444 with singles", "5A"))[:3] == [
        "pass",
        "444555 with singles",
        "555666 with singles",
    ]
    assert names(then(lead, "333 with pairs", "22")) == [
        "pass",
        "444 with pairs",
        "555 with pairs",
        "666 with pairs",
        "777 with pairs",
        "7777",
        "BR",
    ]


def test_only_a_higher_bomb_or_the_nuke_beats_a_bomb_and_nothing_the_nuke():
    s = position("666655", "3333777788BR", "2222")
    bomb = then(s, "6666")
    assert names(bomb) == ["pass", "7777", "BR"]
    nuke = then(bomb, "BR")
    assert names(nuke) == ["pass"]
    assert names(then(s, "55")) == ["pass", "77", "88", "3333", "7777", "BR"]


def test_after_two_passes_the_next_player_leads():
    s = then(position("3456", "789", "TJQ"), "4", "7", "pass", "pass")
    assert s.actor == 1
    assert names(s) == ["8", "9"]


def test_everyone_is_shown_what_each_player_played_last():
    s = position("33345", "77789", "88899")
    assert "last" not in s.show(0)
    s = then(s, "333 with singles")
    assert "landlord plays 333 and chooses kickers" in s.show(1)
    s = then(s, "4", "777 with singles", "8", "pass")
    for player in range(3):
        told = s.show(player).splitlines()
        assert [line.split("last: ")[1] for line in told[:3]] == ["3334", "7778", "pass"]
        assert told[3] == "landlord is to beat 7778 by peasant 1, one pass"


@pytest.mark.parametrize(
    ("plays", "pays"), [(("5",), [2, -1, -1]), (("3", "7"), [-2, 1, 1]), (("3", "pass", "2"), [-2, 1, 1])]
)
def test_who_has_no_cards_left_wins_for_its_side(plays, pays):
    hands = ("5", "77", "2") if plays == ("5",) else ("35", "7", "2")
    assert then(position(*hands), *plays).payoff() == pays


def test_54_cards_are_dealt_and_what_the_peasants_win_the_landlord_loses():
    """Whitehouse 2014, sec. 4.2.1 and Table 5.1: 20, 17 and 17 cards; the peasants win or lose together."""
    picks = np.random.default_rng(7)
    for _ in range(5):
        s = fs.load(GAME).start()
        while s.actor < 0:
            s.play(int(picks.choice(s.moves())))
        assert [int(h).bit_count() for h in s.view.hand] == [20, 17, 17]
        while not s.over:
            s.play(int(picks.choice(s.moves())))
        landlord, *peasants = s.payoff()
        assert peasants == [-landlord / 2] * 2


def test_who_sees_the_landlords_hand_has_two_billion_deals_to_expect():
    """Whitehouse 2014, sec. 4.2.1: each of C(34, 17) ways to deal the other cards is as likely."""
    hands, s, probability = shuffled(random.Random(3)), fs.load(GAME).start(), 1.0
    held = [[text.count(name) for text in hands] for name in NAMES]
    for counts in held:
        move = int("".join(map(str, counts)))
        probability *= dict(s.chance())[move]
        s.play(move)
    sizes = [4] * 13 + [1] * 2
    landlord = prod(comb(size, a) for size, (a, _, _) in zip(sizes, held, strict=True)) / comb(54, 20)
    ways = prod(comb(b + c, b) for _, b, c in held)
    assert ways * landlord / probability == pytest.approx(2_333_606_220)


def test_sensible_play_goes_out_and_spares_the_partner():
    def likely(s):
        out, odds = [0] * 200, [0.0] * 200
        n = guide(s.view, out, odds)
        assert out[:n] == s.moves()
        assert sum(odds[:n]) == pytest.approx(1)
        return dict(zip(names(s), odds, strict=False))

    assert likely(position("333444", "8", "9"))["333444"] > 0.99
    upon_partner = then(position("34", "599", "6TTTTJ"), "3", "5")
    assert likely(upon_partner)["pass"] > 0.9
    upon_landlord = then(position("53", "99", "6TTTTJ"), "5", "pass")
    assert likely(upon_landlord)["6"] > likely(upon_landlord)["TTTT"]


def test_a_search_keeps_within_half_a_kilobyte_a_simulation():
    """This game has the most moves: up to 165 at a decision of kickers, and others for every redrawn hand."""
    account = fs.think(GAME, "so-ismcts(simulations=2000)", seed=3).statistics
    assert not account.full
    assert account.bytes < 500 * account.simulations


def test_resampling_keeps_what_is_seen_and_deals_the_rest_evenly():
    s = position("3", "44B", "55")
    drawn = Counter()
    rng = generator(41)
    for _ in range(20_000):
        t = s.copy()
        t.resample(0, rng)
        assert t.key(0) == s.key(0)
        drawn[t.view.hand[1], t.view.hand[2]] += 1
    # of the ten ways to choose two of five cards for player 2, four make 45
    ways = {"44": 1, "55": 1, "45": 4, "4B": 2, "5B": 2}
    assert {two: hands for hands in ways for two in [hand(hands)]}.keys() == {two for _, two in drawn}
    for cards, count in ways.items():
        found = sum(n for (_, two), n in drawn.items() if two == hand(cards))
        assert found == pytest.approx(2000 * count, abs=200)


def test_a_redrawn_player_whose_kickers_are_to_come_has_some():
    s = then(position("333444567", "5689", "77TT"), "333444 with singles")
    assert s.view.kicking
    rng = generator(9)
    for _ in range(200):
        t = s.copy()
        t.resample(1, rng)
        assert t.key(1) == s.key(1)
        assert len(t.moves()) > 0


def test_a_hand_is_known_to_its_holder_and_plays_to_all():
    rng = random.Random(4)
    one = shuffled(rng)
    other = [one[0], one[2], one[1]]
    s, t = dealt(one), dealt(other)
    assert s.key(0) == t.key(0)
    assert s.key(PUBLIC) == t.key(PUBLIC)
    assert s.key(1) != t.key(1)


def test_leading_plays_are_as_many_as_in_whitehouse_2014():
    """Table 5.3: 87.8 in a determinization; different ones after 40, 250 and 1000 of them 754, 1230 and 1500."""
    rows = [counted(seed) for seed in range(120)]
    found = dict(zip(rows[0]["leading plays of"], np.mean([row["plays"] for row in rows], axis=0), strict=True))
    printed = {"a determinization": 87.8, "unique after 40": 754, "unique after 250": 1230, "unique after 1000": 1500}
    assert {name: found[name] for name in printed} == pytest.approx(printed, rel=0.02)


def complete_plays(s):
    """The plays of whoever is to move, as sorted cards of group and kickers, with the moves that make them."""
    plays = {}
    for move in s.moves():
        t = child(s, move)
        group = s.game.move_name(s, move).split(" ")[0]
        if t.over or not t.view.kicking:
            plays[group, ""] = [move]
        else:
            for kicker in t.moves():
                plays[group, s.game.move_name(t, kicker)] = [move, kicker]
    return plays


def openspiel_play(text):
    """A play of OpenSpiel's in the same form."""
    text = text.replace("(BWJ)", "B").replace("(CJ)", "R")
    if "-" in text:
        return tuple(text.split("-"))
    most = max(text, key=text.count)
    if text.count(most) == 3 and len(text) in (4, 5):
        return most * 3, text.replace(most, "")
    return ("pass" if text == "Pass" else text), ""


def is_ours_alone(s, group, kickers):
    """A quadplex, both jokers as kickers, or a run without them from a rank that its player holds fourfold."""
    quadplex = len(set(group)) == 1 and len(group) == 4 and kickers != ""
    four = kickers == "" and len(group) > 4 and count_of(s.view.hand[s.actor], NAMES.index(group[0])) == 4
    return quadplex or four or {"B", "R"} <= set(kickers)


def is_theirs_alone(s, group, kickers):
    """Single kickers of a run that are alike, and a bomb upon the nuke."""
    alike = 3 * len(kickers) == len(group) and len(set(kickers)) < len(kickers)
    return alike or (s.view.group == NUKE and group != "pass")


def test_dou_di_zhu_plays_as_in_openspiel_but_for_some_kickers():
    pyspiel = pytest.importorskip("pyspiel")
    peer, rng = pyspiel.load_game("dou_dizhu"), random.Random(54)
    for _ in range(60):
        deck = [51 + 13 * suit + rank for suit in range(4) for rank in range(13)] + [103, 104]
        rng.shuffle(deck)
        other = peer.new_initial_state()
        for action in [0, *deck[:51], 3]:
            other.apply_action(action)
        cards = ["".join(NAMES[rank_of(card)] for card in deck[i:51:3]) for i in range(3)]
        cards[0] += "".join(NAMES[rank_of(card)] for card in deck[51:])
        s = dealt(cards)
        while not s.over:
            assert s.actor == other.current_player()
            ours = complete_plays(s)
            theirs = {
                openspiel_play(other.action_to_string(s.actor, action)): action for action in other.legal_actions()
            }
            common = {play for play in ours if not is_ours_alone(s, *play)}
            assert common == {play for play in theirs if not is_theirs_alone(s, *play)}
            play = rng.choice(sorted(common))
            for move in ours[play]:
                s.play(move)
            other.apply_action(theirs[play])
        assert other.is_terminal()
        assert [pay > 0 for pay in s.payoff()] == [pay > 0 for pay in other.returns()]


def rank_of(card):
    """OpenSpiel numbers its cards from 51, suit by suit, the jokers last."""
    return (card - 51) % 13 if card < 103 else card - 90
