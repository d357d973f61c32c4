"""Whitehouse 2014, chapters 4 to 6: criteria pass by what was printed and not by its contrary, and what is measured is what is told."""

import pytest

from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.tables import Row, Table
from fogspiel.reproduce.stored import stored
from fogspiel.reproduce.whitehouse_2014 import (
    chapter4,
    determinization,
    ismcts,
    leading_plays,
    mini_dou_di_zhu,
    spades,
    time_budgets,
    tournaments,
)
from fogspiel.reproduce.whitehouse_2014.playing import CHEATING, DETERMINIZED, ISMCTS, trees


def table(by, values, half=1.0, runs=100, printed=None):
    """Results by their keys, each with an interval of this half-width."""
    rows = [
        Row(
            key if isinstance(key, tuple) else (key,), Estimate(x, x - half, x + half), runs, runs, (printed or {}).get(key)
        )
        for key, x in values.items()
    ]  # fmt: skip
    return Table(by, "won", tuple(rows))


def judged(experiment, values, **how):
    """Whether an experiment passes with these results."""
    return experiment.passes(table(tuple(experiment.by), values, printed=dict(experiment.printed), **how))


def as_printed(experiment, **how):
    return judged(experiment, dict(experiment.printed), **how)


def reversed_order(values):
    return dict(zip(values, reversed(values.values()), strict=True))


@pytest.mark.parametrize(
    "experiment",
    [
        spades.SEC_4_2_4.experiments,
        chapter4.HEARTS.experiments,
        determinization.FIG_5_1.parts["mean"],
        *determinization.TABLE_5_1.parts.values(),
        mini_dou_di_zhu.SEC_5_2_4.parts["difference"],
        leading_plays.TABLE_5_3.experiments,
        ismcts.TABLE_5_2_ITEM.parts["difference"],
    ],
)
def test_criteria_pass_by_the_printed_numbers_and_not_by_others(experiment):
    assert as_printed(experiment)
    assert not judged(experiment, {key: -x for key, x in experiment.printed.items()})


def test_toys_pass_where_only_determinization_is_fooled():
    toys = ismcts.FIG_5_8.experiments
    assert judged(toys, dict(toys.printed) | {(game, "PIMC"): 0.2 for game in ismcts.SURE})
    assert not judged(toys, dict(toys.printed) | {(game, "PIMC"): x for game, x in ismcts.SURE.items()})
    assert not judged(toys, dict.fromkeys(toys.printed, 0.2) | {(game, "PIMC"): 0.2 for game in ismcts.SURE})


RECOMPUTED = {
    "cheating minimax": (70.71, 91.95, 76.28),
    "determinized minimax": (30.20, 55.63, 34.07),
    "expectimax": (61.08, 85.67, 66.23),
    "determinized minimax, model cheating minimax": (53.84, 66.71, 46.60),
    "determinized minimax, model determinized minimax": (40.07, 80.19, 43.78),
    "determinized minimax, model expectimax": (36.36, 63.69, 57.86),
}
"""Fig. 5.7 as another program has it, written apart from this one from the definitions alone."""


def test_exact_players_differ_as_the_text_says():
    found = {
        (first, second): x
        for first, row in RECOMPUTED.items()
        for second, x in zip(mini_dou_di_zhu.SECOND, row, strict=True)
    }
    exact = mini_dou_di_zhu.FIG_5_7.experiments
    assert judged(exact, found, half=0)
    assert not judged(exact, dict.fromkeys(found, 50.0), half=0)
    kept = stored("whitehouse-2014/E5.7", mini_dou_di_zhu.FIG_5_7)["paper"].tables[""]
    assert {row.key: row.value for row in kept} == pytest.approx(found, abs=0.006)


def test_the_spread_of_sets_is_compared_with_the_binomial_one():
    sets = determinization.FIG_5_1.parts["sets"]
    for times, passes in ((1, True), (0.2, False), (3, False)):
        # ten sets of a thousand games: 15.7 wins are 1.57 percent
        spread = {n: 43.3 + times * 1.57 * (1 if n % 2 else -1) for n in range(10)}
        assert judged(sets, spread, runs=1000) == passes


@pytest.mark.parametrize(
    ("item", "column", "keys"),
    [
        (determinization.FIG_5_2, "d", [(50, 1), (50, 20), (50, 40)]),
        (determinization.FIG_5_3, "s", [(5, 25), (5, 300), (5, 1000)]),
    ],
)
def test_strength_must_rise_to_the_knee_and_less_beyond(item, column, keys):
    for values, passes in (((30, 44, 45), True), ((30, 31, 45), False), ((44, 44, 44), False)):
        assert judged(item.experiments, dict(zip(keys, values, strict=True))) == passes


def test_the_best_division_lies_between():
    fixed = determinization.FIG_5_4.experiments
    splits = determinization.splits(500, (1, 10, 100))
    for values, passes in (((30, 45, 30), True), ((45, 45, 30), False), ((30, 45, 45), False)):
        assert judged(fixed, dict(zip(splits, values, strict=True))) == passes


@pytest.mark.parametrize("side", ["Light", "Dark"])
def test_a_single_tree_is_better_in_the_confrontation(side):
    parts, splits = determinization.FIG_5_5.parts, determinization.splits(400, (1, 40))
    assert judged(parts[side], dict(zip(splits, (60, 40), strict=True)))
    assert not judged(parts[side], dict(zip(splits, (40, 60), strict=True)))


def test_a_single_tree_is_twice_as_deep():
    depth = determinization.FIG_5_5.parts["depth"]
    assert as_printed(depth)
    assert not judged(depth, dict.fromkeys(depth.printed, 4.0))


def test_iterations_and_exploration():
    more = ismcts.SEC_5_2_4_ITERATIONS.experiments
    assert judged(more, {500: 30, 5000: 38, 10_000: 40.8, 30_000: 41})
    assert not judged(more, {500: 30, 5000: 32, 10_000: 34, 30_000: 41})
    constant = ismcts.SEC_5_2_4_EXPLORATION.experiments
    assert judged(constant, {0.25: 35, 1: 42, 3: 42})
    assert not judged(constant, {0.25: 42, 1: 42, 3: 42})


def test_ismcts_is_better_where_cheating_is_significantly():
    more = ismcts.FIG_5_12_ITEM.parts["difference"]
    assert judged(more, {"all": -1, "= 0": -2, "> 0": 5})
    assert not judged(more, {"all": -1, "= 0": 2, "> 0": 5})
    assert not judged(more, {"all": -1, "= 0": -2, "> 0": 0.5})


def test_deals_are_sorted_by_thresholds_and_by_significance():
    won, lost = [100.0] * 10, [0.0] * 10
    here = ismcts.categories(won, lost)
    assert {name for table, name in here if table == "thresholds"} == {"all", "> 0", "> 25", "> 50", "> 75"}
    assert {name for table, name in here if table == "significance"} == {"all", "> 0"}
    little = ismcts.categories(won, [0.0, *won[1:]])
    assert {name for table, name in little if table == "thresholds"} == {"all", "> 0"}
    assert {name for table, name in little if table == "significance"} == {"all", "= 0"}


def test_opponents_that_were_sold_are_beaten():
    found = {("at random", DETERMINIZED): 60, ("at random", ISMCTS): 60}
    assert judged(ismcts.FIG_5_13.experiments, found)
    assert not judged(ismcts.FIG_5_13.experiments, found | {("at random", ISMCTS): 50.5})
    assert judged(spades.FIG_5_14.experiments, {1: 58, 8: 50})
    assert not judged(spades.FIG_5_14.experiments, {1: 58, 8: 45})


def test_tricks_that_a_hand_should_take():
    ace_of_clubs, king_of_clubs, two_of_hearts = 1 << 12, 1 << 11, 1 << 26
    low_spades, queen_of_spades = 0b11111 << 39, 1 << 49
    assert spades.sure_tricks(ace_of_clubs | king_of_clubs) == 2
    assert spades.sure_tricks(king_of_clubs | two_of_hearts) == 0
    assert spades.sure_tricks(queen_of_spades | two_of_hearts) == 1
    assert spades.sure_tricks(low_spades | queen_of_spades) == 3


SIDES = {CHEATING: 70, tournaments.ENSEMBLE: 60} | dict.fromkeys(tournaments.VARIANTS, 55)


def test_round_robins_pass_by_the_printed_order():
    parts = tournaments.FIG_6_2.parts
    assert judged(parts["Light"], SIDES | {DETERMINIZED: 50})
    assert not judged(parts["Light"], SIDES | {DETERMINIZED: 56})
    assert judged(parts["Dark"], SIDES | {tournaments.TEN_TREES: 40})
    assert not judged(parts["Dark"], SIDES | {tournaments.TEN_TREES: 56})
    assert not judged(parts["Dark"], SIDES | {tournaments.TEN_TREES: 40, tournaments.POM: 65})
    light, dark = SIDES | {DETERMINIZED: 50}, SIDES | {tournaments.TEN_TREES: 40}
    for sign, passes in ((1, True), (-1, False)):
        pairs = {(a, b): 50 + sign * (x - y) / 2 for a, x in light.items() for b, y in dark.items()}
        assert judged(parts["Light against Dark"], pairs) == passes
    bias = tournaments.RANDOM_SETUPS.parts["bias"]
    assert judged(bias, {"lotr_confrontation": 45})
    assert not judged(bias, {"lotr_confrontation": 55})


def test_phantom_ranking():
    parts = tournaments.FIG_6_4.parts
    order = dict(zip(tournaments.RANKING, (80, 75, 50, 45, 40, 35), strict=True))
    assert judged(parts["both"], order)
    assert not judged(parts["both"], reversed_order(order))
    first = {tournaments.SO: 50, tournaments.MO: 50.5, tournaments.POM: 40}
    assert judged(parts["player 1"], first)
    assert not judged(parts["player 1"], first | {tournaments.POM: 60})
    second = {tournaments.MO: 50, tournaments.POM: 45, tournaments.SO: 40}
    assert judged(parts["player 2"], second)
    assert not judged(parts["player 2"], reversed_order(second))
    assert judged(parts["cheats"], {(CHEATING, DETERMINIZED): 0.0})
    assert not judged(parts["cheats"], {(CHEATING, DETERMINIZED): 0.1})


def test_pairs_of_the_round_robins():
    light = tournaments.light_and_dark(0)([*tournaments.CONFRONTING], 2).lineups
    assert len(light) == 36
    assert {one.labels[0] for one in light} == tournaments.CONFRONTING.keys() - {tournaments.TEN_TREES}
    assert {one.labels[1] for one in light} == tournaments.CONFRONTING.keys() - {DETERMINIZED}
    cheated = tournaments.against_cheats([*tournaments.RIVALS], 2).lineups
    assert len(cheated) == 20
    for one in cheated:
        cheats = [label in tournaments.CHEATS for label in one.labels]
        assert one.subject is None if all(cheats) else not cheats[one.subject]


def test_time_budgets():
    assert time_budgets.in_proportion(10_000, 40, 250) == trees(40, 250)
    assert time_budgets.in_proportion(10_000, 10, 1000) == trees(10, 1000)
    speed = {(game, search): 20_000 for game in time_budgets.GAMES for search in time_budgets.SEARCHES}
    assert judged(time_budgets.FIG_6_6.experiments, speed)
    assert not judged(time_budgets.FIG_6_6.experiments, dict.fromkeys(speed, 9000))
    assert judged(time_budgets.FIG_6_7.experiments, {(1, DETERMINIZED): 42, (1, ISMCTS): 42.5})
    assert not judged(time_budgets.FIG_6_7.experiments, {(1, DETERMINIZED): 42, (1, ISMCTS): 50})
    assert judged(time_budgets.FIG_6_8.parts["both"], {1: 48, 30: 60})
    assert not judged(time_budgets.FIG_6_8.parts["both"], {1: 60, 30: 48})
    mo, _, so = time_budgets.PAIRS
    falling = {(mo, 0.25): 55, (mo, 5): 40, (so, 0.25): 70, (so, 5): 60}
    assert judged(time_budgets.FIG_6_9.parts["both"], falling)
    assert not judged(time_budgets.FIG_6_9.parts["both"], falling | {(mo, 5): 55})
