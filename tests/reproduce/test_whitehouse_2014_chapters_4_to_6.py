"""Whitehouse 2014, chapters 4 to 6: criteria pass by what was printed, fail by its contrary and are undecided by wide
intervals; and what is measured is what is told."""

import math
from dataclasses import replace

import pytest

import fogspiel as fs
from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.deals import every_deal
from fogspiel.experiment.tables import Row, Table
from fogspiel.reproduce.item import Item
from fogspiel.reproduce.judging import difference, mean_of, ratio, row_of
from fogspiel.reproduce.stored import stored
from fogspiel.reproduce.whitehouse_2014 import (
    DOCUMENT,
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
            key if isinstance(key, tuple) else (key,),
            Estimate(x, x - half, x + half),
            runs,
            runs,
            (printed or {}).get(key),
        )
        for key, x in values.items()
    ]
    return Table(by, "won", tuple(rows))


def judged(experiment, values, **how):
    """Whether an experiment passes with these results."""
    return experiment.passes(table(tuple(experiment.by), values, printed=dict(experiment.printed), **how))


def answers(experiment, printed, contrary, half=0.5):
    """Passes by the one, fails by the other, and by wide intervals cannot tell."""
    return (
        judged(experiment, printed, half=half) is True
        and judged(experiment, contrary, half=half) is False
        and judged(experiment, printed, half=100 * half) is None
    )


def reversed_order(values):
    return dict(zip(values, reversed(values.values()), strict=True))


@pytest.mark.parametrize(
    "experiment",
    [
        spades.SEC_4_2_4.experiments,
        chapter4.HEARTS.experiments,
        determinization.FIG_5_1.parts["mean"],
        *determinization.TABLE_5_1.parts.values(),
        leading_plays.TABLE_5_3.experiments,
    ],
)
def test_criteria_pass_by_the_printed_numbers_and_not_by_others(experiment):
    assert answers(experiment, dict(experiment.printed), {key: -x for key, x in experiment.printed.items()})
    assert judged(experiment, {"something else": 50}) is None


def test_every_deal_of_mini_dou_di_zhu_is_as_likely(monkeypatch):
    """Drawn by their probabilities they would be nearly four times as likely in the mean, and fewer of them
    different."""
    weight, drawn = dict(every_deal(fs.load("mini_dou_di_zhu"))), []
    assert len(weight) == 8832

    def noted(game, agents, deal, seed, dealt):
        drawn.append(dealt)
        return 1.0, -1.0

    monkeypatch.setattr(mini_dou_di_zhu, "utilities", noted)
    for seed in range(8832):
        mini_dou_di_zhu.first_player(seed)
    assert drawn[::2] == drawn[1::2]
    assert sum(weight[deal] for deal in drawn[::2]) == pytest.approx(1, abs=0.05)
    assert len(set(drawn)) == pytest.approx(8832 * (1 - math.exp(-1)), rel=0.03)


def test_differences_of_printed_shares():
    assert answers(mini_dou_di_zhu.SEC_5_2_4.parts["difference"], {(): 67.2 - 62.7}, {(): 0.0})
    parts = ismcts.TABLE_5_2_ITEM.parts
    determinized, informed = parts["determinized UCT"].printed, parts["ISMCTS"].printed
    more = {name: informed[name] - determinized[name] for name in determinized}
    assert answers(parts["difference"], more, {name: -x for name, x in more.items()})
    assert judged(parts["difference"], {name: x for name, x in more.items() if name != "> 50"}) is None


def test_sums_of_results_have_newcombes_interval():
    first, second = (table(("a",), {"a": x}, half=half)["a"] for x, half in ((60.0, 3.0), (50.0, 4.0)))
    apart = difference(first, second)
    assert (apart.value, apart.low, apart.high) == (10, 5, 15)
    # Newcombe 1998, method 10: 56 of 70 and 48 of 80, from Wilson's intervals
    skew = [
        Row((), Estimate(x, low, high), 0, 0) for x, low, high in ((0.8, 0.69183, 0.87695), (0.6, 0.49045, 0.70038))
    ]
    assert (difference(*skew).low, difference(*skew).high) == pytest.approx((0.0524, 0.3339), abs=1e-4)
    assert mean_of([first, second]).half == 3.5
    assert ratio(first, second).low == pytest.approx(57 / 54)
    nothing = row_of(table(("a",), {"a": 60.0}), "b")
    for row in (
        nothing,
        difference(first, nothing),
        mean_of([first, nothing]),
        ratio(first, nothing),
        ratio(nothing, first),
    ):
        assert row.above(0) is row.below(0) is row.inside(0, 100) is None


EXACT = ("E5.7", "fig-5.8")
"""Of which intervals tell nothing: there is no chance in it."""
JUDGED = [
    (name, scale, part)
    for name, item in DOCUMENT.items.items()
    if isinstance(item, Item)
    for scale, kept in stored(f"whitehouse-2014/{name}", item).items()
    for part, verdict in kept.verdicts.items()
    if verdict
]


@pytest.mark.parametrize(("name", "scale", "part"), JUDGED)
def test_nothing_passes_by_rows_that_are_not_there_or_wide_intervals(name, scale, part):
    item = DOCUMENT.items[name]
    kept = stored(f"whitehouse-2014/{name}", item)[scale].tables[part]
    passes = item.parts[part].passes
    if len(kept) > 1:
        assert passes(replace(kept, rows=kept.rows[:1])) is not True
    wide = [replace(row, estimate=Estimate(row.value, row.value - 1e6, row.value + 1e6)) for row in kept]
    if name not in EXACT and part not in ("sets", "cheats"):
        assert passes(replace(kept, rows=tuple(wide))) is None


def test_toys_pass_where_only_determinization_is_fooled():
    toys = ismcts.FIG_5_8.experiments
    fooled = {(game, "PIMC"): 0.2 for game in ismcts.SURE}
    assert judged(toys, dict(toys.printed) | fooled, half=0.1) is True
    assert judged(toys, dict(toys.printed) | fooled, half=1) is None
    assert judged(toys, dict(toys.printed) | {(game, "PIMC"): 0.95 for game in ismcts.SURE}, half=0.01) is False
    assert judged(toys, dict.fromkeys(toys.printed, 0.2) | fooled, half=0.1) is False


def test_exact_players_differ_as_the_text_says():
    found, some = (
        {
            (step, first, second): x
            for first, row in mini_dou_di_zhu.RECOMPUTED.items()
            for second, x in zip(mini_dou_di_zhu.SECOND, row, strict=True)
        }
        for step in (1, 20)
    )
    exact = mini_dou_di_zhu.FIG_5_7.experiments
    assert judged(exact, found, half=0) is True
    assert judged(exact, some, half=0) is None
    assert judged(exact, dict.fromkeys(some, 50.0), half=0) is None
    assert judged(exact, dict.fromkeys(found, 50.0), half=0) is False
    off = (1, "expectimax", "expectimax")
    assert judged(exact, found | {off: found[off] + 2}, half=0) is False
    kept = stored("whitehouse-2014/E5.7", mini_dou_di_zhu.FIG_5_7)["paper"].tables[""]
    assert {row.key: row.value for row in kept} == pytest.approx(found, abs=0.006)


def test_the_spread_of_sets_is_compared_with_the_binomial_one():
    sets = determinization.FIG_5_1.parts["sets"]
    for times, many, passes in ((1, 100, True), (1, 10, None), (0.2, 100, False), (3, 100, False)):
        # sets of a thousand games: 15.7 wins are 1.57 percent
        spread = {n: 43.3 + times * 1.57 * (1 if n % 2 else -1) for n in range(many)}
        assert judged(sets, spread, runs=1000) is passes


@pytest.mark.parametrize(
    ("item", "column", "keys"),
    [
        (determinization.FIG_5_2, "d", [(50, 1), (50, 20), (50, 40)]),
        (determinization.FIG_5_3, "s", [(5, 25), (5, 300), (5, 1000)]),
    ],
)
def test_strength_must_rise_to_the_knee_and_less_beyond(item, column, keys):
    for values, passes in (((30, 44, 45), True), ((30, 31, 45), False), ((44, 44, 44), None)):
        assert judged(item.experiments, dict(zip(keys, values, strict=True))) is passes
    falls = dict(zip(keys, (30, 50, 40), strict=True))
    assert judged(item.experiments, falls) is (column != "d")  # of trees it is told that wins rise all along
    assert judged(item.experiments, {keys[0]: 30, keys[2]: 45}) is None


def test_cheats_gain_in_the_printed_order_as_far_as_was_told():
    gains = determinization.TABLE_5_1.parts["difference"]
    for values, passes in (
        ((7, 8, 12, 21), True),
        ((8, 7, 12, 21), True),
        ((10, 5, 12, 21), False),
        ((7, 9, 12, 16), False),
    ):
        assert judged(gains, dict(zip(determinization.ROWS, values, strict=True)), half=0.5) is passes


def test_the_best_division_lies_between():
    fixed = determinization.FIG_5_4.experiments
    splits = determinization.splits(500, (1, 10, 100))
    for values, passes in (((30, 45, 30), True), ((50, 45, 30), False), ((30, 45, 50), False), ((45, 45, 30), None)):
        assert judged(fixed, dict(zip(splits, values, strict=True))) is passes


@pytest.mark.parametrize("side", ["Light", "Dark"])
def test_a_single_tree_is_better_in_the_confrontation(side):
    parts, splits = determinization.FIG_5_5.parts, determinization.splits(400, (1, 40))
    assert answers(parts[side], *(dict(zip(splits, won, strict=True)) for won in ((60, 40), (40, 60))))


def test_a_single_tree_is_twice_as_deep():
    depth = determinization.FIG_5_5.parts["depth"]
    assert answers(depth, dict(depth.printed), dict.fromkeys(depth.printed, 4.0), half=0.1)


def test_iterations_and_exploration():
    more = ismcts.SEC_5_2_4_ITERATIONS.experiments
    printed = {500: 30, 5000: 38, 10_000: 40.8, 30_000: 41}
    assert answers(more, printed, {500: 30, 5000: 32, 10_000: 34, 30_000: 41})
    assert judged(more, {500: 40, 5000: 38, 10_000: 34, 30_000: 34}) is False
    assert judged(more, {500: 30, 5000: 38}) is None
    constant = ismcts.SEC_5_2_4_EXPLORATION.experiments
    assert answers(constant, {0.25: 35, 1: 42, 3: 42}, {0.25: 45, 1: 42, 3: 42})
    assert judged(constant, {0.25: 35, 1: 42, 3: 50}) is False


def test_ismcts_is_better_where_cheating_is_significantly():
    more = ismcts.FIG_5_12_ITEM.parts["difference"]
    assert answers(more, {"all": -1, "= 0": -2, "> 0": 5}, {"all": -1, "= 0": 2, "> 0": 5})
    assert judged(more, {"all": -1, "= 0": -2, "> 0": 0.5}) is None
    assert judged(more, {"all": -6, "= 0": -2, "> 0": 5}) is False
    for item, searched in ((ismcts.FIG_5_12_ITEM, "ISMCTS"), (ismcts.TABLE_5_2_ITEM, DETERMINIZED)):
        shares = {name: table(("category",), dict(one.printed)) for name, one in item.parts.items() if one.printed}
        assert item.across.passes(shares) is True
        assert item.across.passes(shares | {searched: table(("category",), {"all": 60})}) is False
    assert judged(more, {"all": -1, "= 0": -2}) is None


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
    assert answers(ismcts.FIG_5_13.experiments, found, found | {("at random", ISMCTS): 40})
    assert judged(ismcts.FIG_5_13.experiments, found | {("at random", ISMCTS): 50.5}) is None
    assert answers(spades.FIG_5_14.experiments, {1: 58, 8: 50}, {1: 58, 8: 40})
    assert judged(spades.FIG_5_14.experiments, {1: 58, 8: 60}) is False


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
    ten = tournaments.TEN_TREES

    def won(light, dark, sign=1):
        return {(a, b): 50 + sign * (x - y) / 2 for a, x in light.items() for b, y in dark.items()}

    light, dark = SIDES | {DETERMINIZED: 50}, SIDES | {ten: 40}
    told = [won(light, dark, sign) for sign in (1, -1)]
    assert answers(parts["Light against Dark"], *told)
    unlike = ((tournaments.ENSEMBLE, 50), (tournaments.POM, 75))  # behind ISMCTS; not like the other variants
    for name, strength in unlike:
        assert judged(parts["Light against Dark"], won(light | {name: strength}, dark | {name: strength})) is False
    nearly = won(light | {DETERMINIZED: 43}, dark)  # 12 points behind as Light and 15 as Dark
    assert judged(parts["Light against Dark"], nearly, half=0.1) is False
    farther = {(a, b): x + 20 * (b == ten) - 5 * (a == DETERMINIZED) for (a, b), x in told[0].items()}
    assert judged(parts["Light against Dark"], farther) is True
    nearer = {(a, b): x - 5 * (b == ten) - 20 * (a == DETERMINIZED) for (a, b), x in told[0].items()}
    assert judged(parts["Light against Dark"], nearer) is False
    light = dict.fromkeys((tournaments.ENSEMBLE, *tournaments.VARIANTS), 50) | {CHEATING: 65, DETERMINIZED: 45}
    dark = dict.fromkeys(tournaments.VARIANTS, 50) | {CHEATING: 65, tournaments.ENSEMBLE: 56, ten: 35}
    assert answers(parts["Light"], light, light | {DETERMINIZED: 55})
    assert judged(parts["Light"], light | {tournaments.ENSEMBLE: 56}) is False
    assert answers(parts["Dark"], dark, dark | {ten: 52})
    assert judged(parts["Dark"], dark | {tournaments.ENSEMBLE: 45}) is False
    assert answers(tournaments.RANDOM_SETUPS.parts["bias"], {"lotr_confrontation": 45}, {"lotr_confrontation": 55})


def test_phantom_ranking():
    parts = tournaments.FIG_6_4.parts
    order = dict(zip(tournaments.RANKING, (80, 75, 50, 45, 40, 35), strict=True))
    assert answers(parts["both"], order, reversed_order(order))
    first, second = ({tournaments.SO: so, tournaments.POM: pom, tournaments.MO: 50} for so, pom in ((50, 40), (40, 45)))
    assert answers(parts["player 1"], first, second)
    assert answers(parts["player 2"], second, first)
    pairs = [one.labels for one in tournaments.against_cheats([*tournaments.RIVALS], 2).lineups]
    unbeaten = dict.fromkeys(pairs, 0.0)
    assert judged(parts["cheats"], unbeaten, half=0) is True
    assert judged(parts["cheats"], unbeaten, half=0.08) is None
    assert judged(parts["cheats"], {pairs[0]: 0.0}, half=0) is None
    assert judged(parts["cheats"], unbeaten | {pairs[3]: 0.001}, half=0.001) is False


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
    told = dict(zip(time_budgets.SEARCHES, (40_000, 16_000, 12_000), strict=True))
    speed, faster, alike = (
        {(game, search): x for game in time_budgets.GAMES for search, x in (told | other).items()}
        for other in ({}, {DETERMINIZED: 10_500}, dict.fromkeys(told, 20_000))
    )
    assert answers(time_budgets.FIG_6_6.experiments, speed, faster, half=300)
    assert judged(time_budgets.FIG_6_6.experiments, alike, half=300) is False
    assert judged(time_budgets.FIG_6_6.experiments, dict(list(speed.items())[1:])) is None
    even = {(t, search): 42 for t in time_budgets.SECONDS for search in (DETERMINIZED, ISMCTS)}
    assert answers(time_budgets.FIG_6_7.experiments, even, even | {(1, ISMCTS): 50})
    assert judged(time_budgets.FIG_6_7.experiments, {(1, DETERMINIZED): 42, (1, ISMCTS): 42.5}) is None
    better = dict(zip(time_budgets.TIMES, (48, 53, 55, 57, 58, 60), strict=True))
    assert answers(time_budgets.FIG_6_8.parts["both"], better, reversed_order(better))
    assert judged(time_budgets.FIG_6_8.parts["both"], better | {1: 58}) is False
    assert judged(time_budgets.FIG_6_8.parts["both"], {0.02: 48, 0.2: 40}) is None
    mo, so, both = time_budgets.PAIRS
    falling = {(mo, 0.25): 55, (mo, 5): 40, (so, 0.25): 45, (so, 5): 35, (both, 0.25): 60, (both, 5): 60}
    assert answers(time_budgets.FIG_6_9.parts["both"], falling, falling | {(mo, 5): 55})
    for wrong in ({(so, 5): 60}, {(both, 5): 40}, {(so, 5): 42}):
        assert judged(time_budgets.FIG_6_9.parts["both"], falling | wrong) is False
    seats = {(pair, 0.25, seat): x for pair in time_budgets.PAIRS for seat, x in (("first", 60), ("second", 40))}
    assert answers(time_budgets.FIG_6_9.parts["seats"], seats, {key: 100 - x for key, x in seats.items()})
    late = {(pair, 5, seat): x for (pair, _, seat), x in seats.items()}
    assert judged(time_budgets.FIG_6_9.parts["seats"], late) is None
