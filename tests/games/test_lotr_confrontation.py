"""The Lord of the Rings: The Confrontation: map, characters and cards of the rule book, battles, who can be where."""

import random
from collections import Counter
from itertools import permutations

import pytest
from positions import after, child, generator, load

from fogspiel import CHANCE, PUBLIC
from fogspiel.games import lotr_confrontation as rules
from fogspiel.games.lotr_confrontation import (
    ARAGORN,
    BALROG,
    BLACK_RIDER,
    BOROMIR,
    CARDS,
    CAVE_TROLL,
    DARK,
    DEAD,
    FRODO,
    GANDALF,
    GIMLI,
    LEGOLAS,
    LIGHT,
    MERRY,
    NAMES,
    NAZGUL,
    ORCS,
    PIPPIN,
    REGIONS,
    SAM,
    SARUMAN,
    SHELOB,
    WARG,
    WITCH_KING,
)

SHIRE, ARTHEDAIN, CARDOLAN, RHUDAUR, EREGION, ENEDWAITH = range(6)
HIGH_PASS, MISTY, CARADHRAS, GAP, MIRKWOOD, FANGORN, ROHAN, DAGORLAD, GONDOR, MORDOR = range(6, 16)


def position(light, dark, turn=LIGHT, spec="lotr_confrontation"):
    """Characters where they are told to be, all others out of the game."""
    state = load(spec).start()
    while state.view.phase == rules.SETUP:
        state.play(state.moves()[0])
    view = state.view
    view.turn = turn
    for side, told in enumerate((light, dark)):
        view.held[side] = view.full[side] = 0
        for region in range(16):
            view.who[side][region] = 0
        for c in range(9):
            view.at[side][c] = told.get(c, DEAD)
            if c not in told:
                view.may[side][c] = 1 << c
        known = sum(1 << c for c in range(9) if c not in told)
        for c, region in told.items():
            view.may[side][c] = rules.ALL & ~known
            view.who[side][region] |= 1 << c
        for region in range(16):
            rules.count(view, side, region)
    return state


def names(state):
    return [state.game.move_name(state, move) for move in state.moves()]


def do(state, *told):
    for name in told:
        assert name in names(state)
        state.play(state.moves()[names(state).index(name)])
    return state


def alive(state):
    return [{NAMES[side][c] for c in range(9) if state.view.at[side][c] != DEAD} for side in range(2)]


def where(state, side, c):
    return REGIONS[state.view.at[side][c]]


def test_the_map_has_sixteen_regions_in_seven_rows_and_all_lead_to_mordor():
    assert Counter(rules.ROW) == {0: 1, 1: 2, 2: 3, 3: 4, 4: 3, 5: 2, 6: 1}
    for region, ends in enumerate(rules.ROADS):
        assert all(rules.ROW[end] == rules.ROW[region] + 1 for end in ends)
        assert len(ends) == {3: 2 if region in (MISTY, CARADHRAS) else 1, 6: 0}.get(
            rules.ROW[region], 2 if rules.ROW[region] < 3 else len(ends)
        )
    assert sum(map(len, rules.ROADS)) == 24


def test_each_side_has_15120_set_ups():
    counts = 1
    state = load("lotr_confrontation").start()
    for placed in range(10):
        assert state.actor == CHANCE
        counts *= len(state.moves()) if placed < 5 else 1
        state.play(state.moves()[0])
    assert counts == 9 * 8 * 7 * 6 * 5 == 15_120
    assert state.actor == DARK
    assert [bin(state.view.who[LIGHT][region]).count("1") for region in range(16)] == [4, 1, 1, 1, 1, 1] + [0] * 10
    assert [bin(state.view.who[DARK][region]).count("1") for region in range(16)] == [0] * 10 + [1, 1, 1, 1, 1, 4]


def test_guards_stay_at_home_and_players_may_place_themselves():
    state = after("lotr_confrontation(setup=guarded)")
    assert "Frodo in Arthedain" not in names(state)
    assert len(state.moves()) == 7
    chosen = after("lotr_confrontation(setup=players)")
    assert [chosen.actor, len(chosen.moves())] == [LIGHT, 9]
    for _ in range(5):
        chosen.play(chosen.moves()[0])
    assert [chosen.actor, len(chosen.moves())] == [DARK, 9]


def test_characters_move_forward_and_light_takes_tunnel_and_river():
    state = position({FRODO: EREGION, SAM: MIRKWOOD}, {SARUMAN: MORDOR})
    assert set(names(state)) == {
        "Frodo to Misty Mountains",
        "Frodo to Caradhras",
        "Frodo to Fangorn",
        "Sam to Dagorlad",
        "Sam to Fangorn",
    }
    state = position({FRODO: SHIRE}, {SARUMAN: FANGORN, SHELOB: EREGION}, DARK)
    assert set(names(state)) == {
        "Saruman to Misty Mountains",
        "Saruman to Caradhras",
        "Shelob to Arthedain",
        "Shelob to Cardolan",
    }


def test_regions_have_limits():
    state = position({FRODO: RHUDAUR, SAM: MISTY, MERRY: HIGH_PASS}, {SARUMAN: MORDOR})
    assert not any(name.startswith("Frodo") for name in names(state))


@pytest.mark.parametrize(
    ("side", "c", "light", "dark", "more"),
    [
        (
            LIGHT,
            ARAGORN,
            {FRODO: SHIRE, ARAGORN: RHUDAUR},
            {SARUMAN: ARTHEDAIN, SHELOB: EREGION, WARG: MORDOR},
            {"Arthedain", "Eregion"},
        ),
        (DARK, WITCH_KING, {FRODO: EREGION}, {WITCH_KING: RHUDAUR}, {"Eregion"}),
        (DARK, NAZGUL, {FRODO: SHIRE, SAM: SHIRE, MERRY: GAP}, {NAZGUL: MORDOR}, {"Gap of Rohan"}),
        (DARK, BLACK_RIDER, {FRODO: EREGION, SAM: ARTHEDAIN}, {BLACK_RIDER: GONDOR, WARG: MISTY}, {"Eregion"}),
    ],
)
def test_texts_let_some_characters_attack_further(side, c, light, dark, more):
    state = position(light, dark, side)
    here = state.view.at[side][c]
    usual = {REGIONS[region] for region in range(16) if rules.FORWARD[side, here] >> region & 1}
    found = {name.split(" to ")[1] for name in names(state) if name.startswith(NAMES[side][c])}
    assert found == usual | more


def battle(light, dark, attacker, *told):
    """A battle in Eregion, or Rhudaur for the attacked of Light, of two characters with others far away."""
    if attacker == LIGHT:
        state = position({FRODO: SHIRE} | {light: ARTHEDAIN}, {CAVE_TROLL: MORDOR} | {dark: EREGION}, LIGHT)
        do(state, f"{NAMES[LIGHT][light]} to Eregion")
    else:
        state = position({FRODO: SHIRE} | {light: EREGION}, {CAVE_TROLL: MORDOR} | {dark: CARADHRAS}, DARK)
        do(state, f"{NAMES[DARK][dark]} to Eregion")
    return do(state, *told)


@pytest.mark.parametrize(
    ("light", "dark", "attacker", "told", "falls"),
    [
        (GIMLI, ORCS, DARK, [], {"Orcs"}),
        (LEGOLAS, NAZGUL, DARK, [], {"Nazgul"}),
        (MERRY, WITCH_KING, LIGHT, [], {"Witch-king"}),
        (BOROMIR, BALROG, LIGHT, [], {"Boromir", "Balrog"}),
        (BOROMIR, WARG, LIGHT, ["1", "1"], {"Boromir"}),
        (ARAGORN, ORCS, DARK, [], {"Aragorn"}),
        (ARAGORN, ORCS, LIGHT, ["1", "1"], {"Orcs"}),
        (GIMLI, SARUMAN, DARK, ["no cards"], {"Gimli"}),
        (GIMLI, SARUMAN, DARK, ["play cards", "5", "1"], {"Saruman"}),
        (GIMLI, BLACK_RIDER, DARK, ["2", "2"], {"Gimli", "Black Rider"}),
        (GIMLI, BALROG, DARK, ["Noble Sacrifice", "6"], {"Gimli", "Balrog"}),
        (GIMLI, BALROG, DARK, ["Noble Sacrifice", "Eye of Sauron"], {"Gimli"}),
        (GIMLI, BLACK_RIDER, DARK, ["Elven Cloak", "6"], {"Gimli", "Black Rider"}),
        (ARAGORN, BLACK_RIDER, DARK, ["Elven Cloak", "6"], {"Black Rider"}),
        (ARAGORN, BLACK_RIDER, DARK, ["1", "Magic"], {"Black Rider"}),
        (ARAGORN, CAVE_TROLL, LIGHT, ["5", "6"], {"Aragorn", "Cave Troll"}),
        (GANDALF, BALROG, DARK, ["2", "3"], {"Balrog"}),
        (GANDALF, WARG, DARK, ["1", "6"], {"Gandalf"}),
    ],
)
def test_battles_end_as_texts_and_cards_say(light, dark, attacker, told, falls):
    whole = {"Frodo", "Cave Troll", NAMES[LIGHT][light], NAMES[DARK][dark]}
    assert whole - set.union(*alive(battle(light, dark, attacker, *told))) == falls


def test_frodo_may_retreat_sideways_when_attacked_but_not_from_the_warg():
    def attacked_by(dark):
        state = position({FRODO: EREGION, SAM: SHIRE}, {dark: CARADHRAS, CAVE_TROLL: MORDOR}, DARK)
        return do(state, f"{NAMES[DARK][dark]} to Eregion")

    assert names(attacked_by(SHELOB)) == ["fight", "retreat to Rhudaur", "retreat to Enedwaith"]
    state = do(attacked_by(ORCS), "retreat to Rhudaur")
    assert where(state, LIGHT, FRODO) == "Rhudaur"
    assert state.actor == LIGHT
    assert names(attacked_by(WARG)) == list(CARDS[LIGHT])
    assert do(attacked_by(ORCS), "fight").payoff() == [-1, 1]


def test_sam_takes_frodos_place_with_strength_five():
    state = position({FRODO: EREGION, SAM: EREGION}, {BALROG: CARADHRAS, CAVE_TROLL: MORDOR}, DARK)
    do(state, "Balrog to Eregion", "meets Frodo", "Sam steps in", "2", "1")
    assert alive(state) == [{"Frodo", "Sam"}, {"Cave Troll"}]
    state = position({FRODO: EREGION, SAM: EREGION}, {BALROG: CARADHRAS, CAVE_TROLL: MORDOR}, DARK)
    assert names(do(state, "Balrog to Eregion", "meets Sam")) == ["fight", "show Frodo"]
    do(state, "fight", "2", "1")
    assert alive(state)[LIGHT] == {"Frodo"}
    assert state.actor == LIGHT  # asked whether Frodo, who is met next, retreats


def test_pippin_attacking_may_retreat_backwards():
    state = position({FRODO: SHIRE, PIPPIN: ARTHEDAIN}, {BALROG: EREGION, CAVE_TROLL: MORDOR})
    assert names(do(state, "Pippin to Eregion")) == ["fight", "retreat to Arthedain", "retreat to Cardolan"]
    do(state, "retreat to Cardolan")
    assert where(state, LIGHT, PIPPIN) == "Cardolan"
    assert state.actor == DARK


def test_dark_shows_its_card_first_against_gandalf():
    state = battle(GANDALF, BALROG, DARK)
    assert state.actor == DARK
    keys = {child(state, move).key(LIGHT) for move in state.moves()}
    assert len(keys) == 9
    usual = battle(ARAGORN, BALROG, DARK)
    assert usual.actor == LIGHT
    assert len({child(usual, move).key(DARK) for move in usual.moves()}) == 1
    assert len({child(usual, move).key(LIGHT) for move in usual.moves()}) == 9


def test_cards_are_a_stage_of_their_own_where_both_choose_at_once():
    usual = battle(ARAGORN, BALROG, DARK)
    assert child(usual, 0).actor == DARK
    assert child(usual, 0).stage.data.tobytes() == usual.data.tobytes()
    for other in (
        battle(GANDALF, BALROG, DARK),
        position({FRODO: SHIRE, GIMLI: EREGION}, {BALROG: MISTY, ORCS: MORDOR}, LIGHT),
    ):
        after = child(other, other.moves()[0])
        assert after.stage is after


def test_magic_plays_a_spent_card_again():
    state = position(
        {FRODO: SHIRE, ARAGORN: EREGION, GIMLI: RHUDAUR}, {ORCS: CARADHRAS, BALROG: MISTY, CAVE_TROLL: MORDOR}, LIGHT
    )
    do(state, "Aragorn to Caradhras", "5", "6")
    assert alive(state) == [{"Frodo", "Aragorn", "Gimli"}, {"Balrog", "Cave Troll"}]
    do(state, "Balrog to Rhudaur", "Magic", "Magic")
    assert [state.actor, names(state)] == [DARK, ["6"]]
    do(state, "6")
    assert [state.actor, names(state)] == [LIGHT, ["5"]]
    do(state, "5")
    assert alive(state)[LIGHT] == {"Frodo", "Aragorn"}
    assert list(state.view.spent) == [1 << 4 | 1 << 5, 1 << 5 | 1 << 6]


def test_cards_come_back_when_all_nine_are_spent():
    state = position({FRODO: SHIRE, GIMLI: EREGION}, {BALROG: CARADHRAS, CAVE_TROLL: MORDOR}, LIGHT)
    state.view.spent[LIGHT] = rules.ALL & ~1
    do(state, "Gimli to Caradhras", "1", "1")
    assert list(state.view.spent) == [0, 1]


def test_retreat_cards_lead_backwards_and_sideways():
    state = battle(ARAGORN, BALROG, LIGHT, "Retreat", "6")
    assert names(state) == ["retreat to Arthedain", "retreat to Cardolan"]
    do(state, "retreat to Cardolan")
    assert (where(state, LIGHT, ARAGORN), state.actor) == ("Cardolan", DARK)
    state = battle(ARAGORN, BALROG, LIGHT, "Noble Sacrifice", "Retreat", "retreat to Rhudaur")
    assert where(state, DARK, BALROG) == "Rhudaur"
    assert where(state, LIGHT, ARAGORN) == "Eregion"


def test_shelob_goes_to_gondor_after_a_victory():
    state = battle(GIMLI, SHELOB, DARK, "1", "6")
    assert where(state, DARK, SHELOB) == "Gondor"
    state = position({FRODO: SHIRE, GIMLI: EREGION, SAM: GONDOR}, {SHELOB: CARADHRAS, CAVE_TROLL: MORDOR}, DARK)
    do(state, "Shelob to Eregion", "1", "6")
    assert alive(state) == [{"Frodo", "Sam"}, {"Cave Troll"}]


def test_the_balrog_may_wait_in_caradhras_for_who_takes_the_tunnel():
    state = position({FRODO: SHIRE, SAM: EREGION}, {BALROG: CARADHRAS, CAVE_TROLL: MORDOR})
    do(state, "Sam to Fangorn")
    assert names(state) == ["let it pass", "the Balrog strikes"]
    assert alive(do(state.copy(), "the Balrog strikes"))[LIGHT] == {"Frodo"}
    assert where(do(state, "let it pass"), LIGHT, SAM) == "Fangorn"
    other = position({FRODO: SHIRE, SAM: EREGION}, {WARG: CARADHRAS, CAVE_TROLL: MORDOR})
    assert names(do(other, "Sam to Fangorn")) == ["let it pass"]  # asked all the same


def test_who_wins():
    state = position({FRODO: GONDOR}, {BALROG: MORDOR})
    assert do(state, "Frodo to Mordor").payoff() == [1, -1]
    state = position({FRODO: GONDOR, SAM: MISTY}, {ORCS: SHIRE, WARG: SHIRE, BALROG: SHIRE, SARUMAN: ARTHEDAIN}, DARK)
    assert do(state, "Saruman to Shire").payoff() == [-1, 1]
    three = position(
        {FRODO: GONDOR}, {ORCS: SHIRE, WARG: SHIRE, SARUMAN: ARTHEDAIN}, DARK, "lotr_confrontation(invaders=3)"
    )
    assert do(three, "Saruman to Shire").payoff() == [-1, 1]
    stuck = position({FRODO: SHIRE, SAM: CARDOLAN}, {ORCS: SHIRE, WARG: ARTHEDAIN}, LIGHT)
    assert not stuck.over
    dead = position({FRODO: SHIRE, GIMLI: ARTHEDAIN}, {ORCS: EREGION})
    assert do(dead, "Gimli to Eregion").payoff() == [1, -1]


def assignments(view, side):
    """All ways to tell who is who that the sets of suspects allow: a region for each character."""
    found = {((), tuple(sorted((view.at[side][c], view.may[side][c]) for c in range(9))))}
    for c in range(9):  # one character after the other takes a token that may be it
        found = {
            ((*way, tokens[i][0]), (*tokens[:i], *tokens[i + 1 :]))
            for way, tokens in found
            for i in range(len(tokens))
            if tokens[i][1] >> c & 1
        }
    return {way for way, _ in found}


def test_the_other_side_reckons_with_all_placements_that_fit_what_it_saw_and_no_others():
    """Light follows Dark's characters through open moves and battles, with all 15,120 set-ups in mind."""
    rng = random.Random(5)
    for game in range(2):
        state = load("lotr_confrontation").start()
        while state.view.phase == rules.SETUP:
            state.play(rng.choice(state.moves()))
        fronts = (MIRKWOOD, FANGORN, ROHAN, DAGORLAD, GONDOR)
        believed = set()
        for order in permutations(range(9), 5):
            way = [MORDOR] * 9
            for c, region in zip(order, fronts, strict=True):
                way[c] = region
            believed.add(tuple(way))
        for _ in range(24):
            if state.over:
                break
            before = list(state.view.at[DARK])
            setting_out = state.view.phase == rules.MOVING and state.view.turn == DARK
            here = None
            state.play(rng.choice(state.moves()))
            now = list(state.view.at[DARK])
            moved = [c for c in range(9) if before[c] != now[c]]
            if setting_out and moved:
                here, to = before[moved[0]], now[moved[0]]
                if to != DEAD and len(moved) == 1 and rules.FORWARD[DARK, here] >> to & 1:
                    believed = {(*way[:c], to, *way[c + 1 :]) for way in believed for c in range(9) if way[c] == here}
                else:
                    break  # a battle on the way, which the next line cannot tell apart
            elif moved:
                believed = {tuple(now[c] if c in moved else way[c] for c in range(9)) for way in believed}
            for c in range(9):
                if state.view.may[DARK][c] == 1 << c:
                    believed = {way for way in believed if way[c] == now[c]}
            assert believed == assignments(state.view, DARK), (game, state.show())


def test_characters_are_redrawn_in_all_placements_that_fit_equally_often():
    state = position(
        {FRODO: SHIRE, SAM: ARTHEDAIN, MERRY: CARDOLAN},
        {ORCS: MIRKWOOD, WARG: MIRKWOOD, BALROG: FANGORN, SHELOB: GONDOR, NAZGUL: MORDOR},
    )
    view = state.view
    view.may[DARK][ORCS] = view.may[DARK][WARG] = 1 << ORCS | 1 << WARG | 1 << BALROG
    view.may[DARK][BALROG] = 1 << BALROG | 1 << ORCS | 1 << SHELOB
    view.may[DARK][SHELOB] = 1 << SHELOB | 1 << BALROG | 1 << NAZGUL
    view.may[DARK][NAZGUL] = 1 << NAZGUL | 1 << SHELOB | 1 << WARG
    possible = assignments(view, DARK)
    ways = Counter()
    tokens = [(view.at[DARK][c], view.may[DARK][c]) for c in (ORCS, WARG, BALROG, SHELOB, NAZGUL)]
    for order in permutations((ORCS, WARG, BALROG, SHELOB, NAZGUL)):
        if all(may >> c & 1 for c, (_, may) in zip(order, tokens, strict=True)):
            ways[tuple(sorted(zip(order, tokens, strict=True)))] += 1
    drawn, rng, draws = Counter(), generator(3), 20_000
    for _ in range(draws):
        state.resample(LIGHT, rng)
        drawn[tuple(state.view.at[DARK])] += 1
    assert set(drawn) == possible
    places = Counter()
    for way, n in ways.items():
        at = [DEAD] * 9
        for c, (region, _) in way:
            at[c] = region
        places[tuple(at)] += n
    total = sum(places.values())
    assert sum(abs(drawn[at] / draws - n / total) for at, n in places.items()) / 2 < 0.03


def test_a_move_is_seen_without_its_character():
    state = position({FRODO: SHIRE, SAM: SHIRE}, {BALROG: MORDOR, WARG: MORDOR})
    frodo, sam = do(state.copy(), "Frodo to Cardolan"), do(state.copy(), "Sam to Cardolan")
    assert frodo.key(DARK) == sam.key(DARK)
    assert frodo.key(PUBLIC) == sam.key(PUBLIC)
    assert frodo.key(LIGHT) != sam.key(LIGHT)
    assert "Frodo" not in frodo.show(DARK)
    assert "Light moved last from Shire to Cardolan" in frodo.show(DARK)


def test_episodes_begin_where_a_side_moves_and_no_battle_is_on():
    state = position({FRODO: SHIRE, GIMLI: ARTHEDAIN}, {BALROG: EREGION, CAVE_TROLL: MORDOR})
    assert state.game.plain["episode"](state.view) == LIGHT
    do(state, "Gimli to Eregion")
    assert state.game.plain["episode"](state.view) == -1
    do(state, "1", "1")
    assert state.game.plain["episode"](state.view) == DARK
