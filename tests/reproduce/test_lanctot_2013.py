"""Lanctot 2013: criteria pass by what is printed and fail by its opposite; the measurements are right in tiny games."""

import math
from dataclasses import replace

import pytest

import fogspiel as fs
from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.tables import Row, Table
from fogspiel.reproduce.documents import document
from fogspiel.reproduce.lanctot_2013 import minimax, recall, sampling, variates

ITEMS = document("lanctot-2013").items


def table(by, values, half=0.0):
    """A table of numbers by keys; intervals are as wide everywhere, or as a function of the key tells."""
    wide = half if callable(half) else lambda key: half
    rows = [
        Row(key, Estimate(value, value - wide(key), value + wide(key)), 5, 5)
        for key, value in ((k if isinstance(k, tuple) else (k,), v) for k, v in values.items())
    ]
    return Table(by, "", tuple(rows))


def passes(name, *arguments, part="", **more):
    return ITEMS[name].parts[part].passes(table(*arguments, **more))


def printed(part, changed=None):
    """The printed numbers as a table, all but one as they are."""
    values = {key: value * (2 if key == changed else 1) + (key == changed) for key, value in part.printed.items()}
    found = table(part.by, values)
    return replace(
        found,
        rows=tuple(replace(row, printed=part.printed[row.key if len(row.key) > 1 else row.key[0]]) for row in found),
    )


@pytest.mark.parametrize(
    "name",
    [
        "fig-2.1",
        "fig-2.2",
        "fig-2.3",
        "fig-2.4",
        "fig-3.2",
        "fig-4.1",
        "fig-5.1",
        "fig-6.1",
        "table-7.1",
        "fig-7.4",
        "fig-B.1",
        "R-9",
    ],
)
def test_facts_must_be_as_printed(name):
    for part in ITEMS[name].parts.values():
        found = printed(part)
        assert part.passes(found) is True
        assert all(part.passes(printed(part, key)) is False for key in part.printed)
        assert all(
            part.passes(replace(found, rows=found.rows[:i] + found.rows[i + 1 :])) is None for i in range(len(found))
        )


GAMES = (sampling.BLUFF, sampling.GOOFSPIEL)


def curves(end, last=3e6, games=GAMES):
    """Exploitability that ends where a function of the solver says, at ten times as much before."""
    solvers = {
        s
        for part in (ITEMS["R-1"], ITEMS["R-3"], ITEMS["R-4"], ITEMS["R-7"], ITEMS["R-23"])
        for e in part.parts.values()
        for s in e.grid["solver"]
    }
    return {(g, s, n): end(s) * last / n for g in games for s in solvers for n in (last / 9, last)}


@pytest.mark.parametrize("best", [0.3, 0.6, 0.8, 0.9])
@pytest.mark.parametrize("parallel", [0.5, 2])
def test_moderate_exploration_must_be_best_and_parallel_updates_worse(best, parallel):
    def end(solver):
        epsilon = next(e for e in sampling.EPSILONS if f"epsilon={e}," in solver) if "epsilon" in solver else 1
        return (1 + abs(epsilon - best)) * (parallel if "parallel" in solver else 1)

    by = ("game", "solver", "touched")
    moderate = 0.5 <= best <= 0.8
    assert passes("R-1", by, curves(end), half=1e-6) is ((parallel > 1 or None) if moderate else False)
    assert passes("R-1", by, curves(end), half=0.4) is None
    if moderate:  # perhaps better, but less regular
        assert passes("R-1", by, curves(end), half=lambda key: 0.1 * ("parallel" in key[1])) is True


@pytest.mark.parametrize(
    ("name", "better", "worse"),
    [
        ("R-3", sampling.WEIGHTED, sampling.LAZY),
        ("R-3", sampling.OPTIMISTIC, sampling.LAZY),
        ("R-4", sampling.EXTERNAL, sampling.EXTERNAL_OPTIMISTIC),
        ("R-23", sampling.PAIRED, sampling.ONE),
        ("R-23", sampling.ONE, sampling.COMMON),
    ],
)
def test_averages_and_chance_must_come_in_the_printed_order(name, better, worse):
    order = [
        sampling.WEIGHTED,
        sampling.OPTIMISTIC,
        sampling.LAZY,
        sampling.PAIRED,
        sampling.ONE,
        sampling.COMMON,
        sampling.EXTERNAL,
        sampling.EXTERNAL_OPTIMISTIC,
    ]
    by = ("game", "solver", "touched")

    def end(solver):
        return order.index(solver) if solver in order else 9

    assert passes(name, by, curves(end), half=0.4) is True
    assert passes(name, by, curves(end), half=0.6) is (None if better == sampling.PAIRED or name == "R-23" else True)
    assert passes(name, by, curves(end), half=1) is None
    assert passes(name, by, {key: x for key, x in curves(end).items() if key[1] != worse}) is None
    one, other = order.index(better), order.index(worse)
    order[one], order[other] = worse, better
    assert passes(name, by, curves(end), half=0.4) is False


@pytest.mark.parametrize(("more", "passed"), [(-0.1, True), (-0.01, True), (0, None), (0.04, False)])
def test_weighted_averaging_must_be_better_than_optimistic(more, passed):
    def end(solver):
        return 1 + more if solver == sampling.WEIGHTED else 1

    assert passes("R-2", ("game", "solver", "touched"), curves(end), half=0.001) is passed
    assert passes("R-2", ("game", "solver", "touched"), curves(end), half=0.2) is None


def test_only_paired_and_one_must_have_intervals_apart():
    def ends(paired, common):
        order = {sampling.PAIRED: paired, sampling.ONE: 2, sampling.COMMON: common}
        return curves(lambda solver: order.get(solver, 9))

    by = ("game", "solver", "touched")
    assert passes("R-23", by, ends(1, 2.8), half=0.45) is True
    assert passes("R-23", by, ends(1.2, 2.8), half=0.45) is None


def test_external_sampling_must_stay_below_cfr_in_the_printed_games():
    by = ("game", "solver", "first iterations")

    def found(games):
        return {
            (g, s, n): (2 if s == sampling.CFR else 1) / n
            for g in games
            for s in (sampling.CFR, sampling.EXTERNAL)
            for n in sampling.TIMES
        }

    below = found(sampling.PRINTED_GAMES)
    assert passes("R-5", by, below) is True
    assert passes("R-5", by, below, half=0.1) is None
    assert passes("R-5", by, below | {(sampling.LARGE_BLUFF, sampling.EXTERNAL, 2.0): 1.1}) is False
    assert passes("R-5", by, found(["bluff", *sampling.PRINTED_GAMES[1:]])) is None


@pytest.mark.parametrize(
    ("cards", "external", "cfr", "passed"),
    [(7, 4e6, 2.5e9, True), (7, 2e7, 2.5e9, False), (7, 4e6, 5e8, False), (6, 2e6, 4e7, None), (6, 2e7, 1e7, None)],
)
def test_sampling_must_need_few_nodes(cards, external, cfr, passed):
    game = f"goofspiel(cards={cards})"
    needed = {
        (game, sampling.EXTERNAL, 0.5): external,
        (game, sampling.OUTCOME, 0.5): 2e6,
        (game, sampling.CFR, 0.5): cfr,
    }
    assert passes("R-6", ("game", "solver", "below"), needed) is passed
    assert passes("R-6", ("game", "solver", "below"), needed, half=5e9) is None


def test_outcome_sampling_must_do_well_in_goofspiel_and_badly_in_bluff():
    """Better than external sampling; and worse than that and the other two."""
    by, games = ("game", "solver", "touched"), (sampling.LARGE_BLUFF, sampling.LARGE_GOOFSPIEL)
    for part, told in (
        ("goofspiel", ((0.9, True), (1.04, False), (1.1, False))),
        ("bluff", ((2, True), (0.5, False), (0.99, False))),
    ):
        for outcome, passed in told:
            found = curves(lambda s, outcome=outcome: outcome if s == sampling.OUTCOME else 1, games=games)
            assert passes("R-7", by, found, part=part) is passed
            assert passes("R-7", by, found, half=1, part=part) is None
        smaller = curves(lambda s, outcome=told[0][0]: outcome if s == sampling.OUTCOME else 1)
        assert passes("R-7", by, smaller, part=part) is None
    level = {sampling.OUTCOME: 1, sampling.EXTERNAL: 0.5}
    found = curves(lambda s: level.get(s, 1.04), games=games)
    assert passes("R-7", by, found, part="bluff") is False


@pytest.mark.parametrize(("later", "passed"), [((10, 5), True), ((12, 5), False), ((10, 4), False)])
def test_pruning_must_save_as_much_as_printed(later, passed):
    assert passes("R-8", ("iteration",), {1.0: 39, 2.0: later[0], 3.0: later[1]}) is passed
    assert passes("R-8", ("iteration",), {1.0: 40}) is None


def test_a_curve_is_measured_when_so_many_nodes_have_been_touched():
    found = sampling.nash_conv(1, "kuhn", "es-mccfr", 9000)
    assert found["touched"] == [1000, 3000, 9000]
    assert found["nash_conv"][0] > found["nash_conv"][2] > 0
    assert found == sampling.nash_conv(1, "kuhn", "es-mccfr", 9000)
    needed = sampling.nodes_needed(1, "kuhn", "walk-cfr")
    assert needed["below"] == [1.0, 0.5]
    assert 0 < needed["nodes"][0] <= needed["nodes"][1] < math.inf
    # nothing is pruned at first, and each player has a traversal of its own
    assert sampling.nodes_by_iteration(1, "kuhn", 1)["million nodes"] == [
        pytest.approx(2 * fs.unroll("kuhn").size / 1e6)
    ]


@pytest.mark.parametrize("name", ["die-roll poker", "bluff"])
def test_full_and_abstract_averages_must_agree(name):
    for apart, passed in ((0.0, True), (0.01, False)):
        values = {(f"cfr(average={how})", 10.0): 0.1 + (how == "full") * apart for how in ("full", "abstract")}
        assert passes("R-10", ("solver", "iteration"), values, part=name) == passed
    nearly = {("cfr(average=full)", 10.0): 0.01, ("cfr(average=abstract)", 10.0): 0.01005}
    assert passes("R-10", ("solver", "iteration"), nearly, part=name) is True


def floors(ends, before=10):
    """Exploitability by iterations that falls to an end from so many times as much."""
    return {(name, n): end * (1 if n == 1000 else before) for name, end in ends.items() for n in (100.0, 1000.0)}


def test_the_floor_must_rise_with_the_skew():
    by, rising = ("game", "iteration"), {"full": 0.01, **{str(skew): 0.01 + skew for skew in recall.SKEWS}}
    assert passes("R-11", by, floors(rising))
    assert not passes("R-11", by, floors(rising, before=1.5))
    assert not passes("R-11", by, floors(rising | {"0.1": 0.01}))
    assert not passes("R-11", by, floors(rising | {"full": 0.1}))
    assert passes("R-11", by, floors({name: end for name, end in rising.items() if name != "0.1"})) is None


def test_only_what_is_well_formed_must_keep_falling():
    by, flat = ("abstraction", "iteration"), floors({"foi": 0.03, "fos": 0.02, "foe": 0.04}, before=1.01)
    assert passes("R-12", by, flat | floors({"fosf": 0.001}))
    assert not passes("R-12", by, flat | floors({"fosf": 0.001}, before=1.01))
    assert not passes("R-12", by, floors({"fosf": 0.001, "foi": 0.03, "fos": 0.02, "foe": 0.04}))
    assert not passes("R-12", by, flat | floors({"fosf": 0.001}) | floors({"foi": 0.01}, before=1.01))


def test_fewer_bids_must_be_worse_and_eight_nearly_all():
    by, ends = ("r", "iteration"), {"1": 0.5, "2": 0.3, "3": 0.2, "4": 0.1, "6": 0.05, "8": 0.03, "all": 0.02}
    assert passes("R-13", by, floors(ends))
    assert not passes("R-13", by, floors(ends | {"all": 0.01}))
    assert not passes("R-13", by, floors(ends | {"2": 0.6}))
    assert passes("R-13", by, floors({name: end for name, end in ends.items() if name != "8"})) is None


def test_cfr_must_be_stuck_as_printed():
    for name, part in ITEMS["R-14"].parts.items():
        assert part.passes(printed(part)), name
        assert not part.passes(printed(part, 0.5))
    assert recall.deadlock(1, 0.5, 50) == {"fixed from": 3, "regret": pytest.approx(0.125, abs=0.04)}


def test_curves_of_abstractions_end_where_the_solver_does():
    found = recall.cfr(1, "kuhn", "cfr", 300)
    assert found["iteration"] == [3, 30, 300]
    assert found["nash_conv"][-1] == pytest.approx(fs.solve("kuhn", "cfr", iterations=300).nash_conv)


def pairs(values, half=0.1):
    return table(("agent", "opponent"), dict(zip(minimax.PAIRS, values, strict=True)), half=half)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("R-15", [(0, 60), (5, 60), (6, 40)]),
        ("R-16", [(0, 56), (4, 44)]),
        ("R-17", [(0, 49), (1, 39), (2, 40), (3, 54), (4, 50), (5, 60), (6, 60)]),
    ],
)
def test_matches_pass_by_what_was_printed_and_not_by_the_opposite(name, wrong):
    experiment = ITEMS[name].parts[""]
    values = list(experiment.printed.values())
    assert experiment.passes(pairs(values)) is True
    assert experiment.passes(pairs(values, half=12)) is None
    assert experiment.passes(replace(pairs(values), rows=pairs(values).rows[1:])) is None
    for place, value in wrong:
        assert experiment.passes(pairs([*values[:place], value, *values[place + 1 :]])) is False


@pytest.mark.parametrize(("part", "sign"), [("bias compared", -1), ("variance compared", 1), ("error compared", -1)])
def test_sampled_estimates_must_have_less_bias_and_more_variance(part, sign):
    for more in (1, -1):
        assert passes("R-18", ("search",), {"ExpSS": more}, half=0.1, part=part) is (more == sign)
        assert passes("R-18", ("search",), {"ExpSS": more}, half=2, part=part) is None
        assert passes("R-18", ("search",), {"ExpSS": more}, part=part) is None
        assert passes("R-18", ("search",), {"Exp": more}, half=0.1, part=part) is None


def test_sampled_estimates_are_compared_game_by_game(monkeypatch):
    monkeypatch.setattr(minimax, "decisions", lambda game: [])
    monkeypatch.setattr(minimax, "estimates_of", lambda search, *_: {"bias": len(search)})
    found = minimax.estimates(1, 1, 200, 2)
    assert found["search"] == ["Exp", "ExpSS", "Star1", "MCTS", "DPW"]
    assert (found["bias"], found["more bias"]) == ([3, 5, 5, 4, 3], [0, 2, 2, 1, 0])
    several = ITEMS["R-18"].parts["error"]
    assert not several.deterministic
    assert several.table_by("medium") == ("search",)
    assert len(several.cells("medium")) == 12


def test_bias_must_be_in_the_worth_of_rolling_and_variance_in_its_difference():
    by = ("of", "simulations")
    found = {
        ("squared bias, roll", 64): 700,
        ("variance, roll", 64): 40,
        ("squared bias, difference", 64): 2,
        ("variance, difference", 64): 100,
    }
    assert passes("fig-7.1", by, found) is True
    assert passes("fig-7.1", by, found, half=3) is None
    for name, value in (("variance, roll", 800), ("variance, difference", 1), ("squared bias, difference", 5)):
        assert passes("fig-7.1", by, found | {(name, 64): value}) is False


def test_every_technique_must_reduce_variance_and_two_together_most():
    by, parts = (
        ("variates", "simulations"),
        {"none": 10, "control": 6, "common": 7, "antithetic": 8, "control+common": 4},
    )
    found = {(name, n): x * 64 / n for name, x in parts.items() for n in (64, 128)}
    assert passes("R-19", by, found) is True
    assert passes("R-19", by, found, half=3) is None
    assert passes("R-19", by, found | {("antithetic", 64): 11}) is True  # in the mean over both it is still less
    assert passes("R-19", by, found | {("antithetic", 64): 13}) is False
    assert passes("R-19", by, found | {("control+common", 64): 5.2}) is True
    assert (
        passes("R-19", by, found | {("control+common", 64): 5.3}) is False
    )  # 5 is what none has with twice the simulations


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("R-20", [(56, True), (54.1, True), (53.9, False), (53.5, False)]),
        ("R-21", [(54, True), (52.3, True), (52.1, False), (55.4, True), (55.6, False)]),
        ("R-22", [(54.1, True), (53.9, False), (55.9, True), (56.1, False)]),
    ],
)
def test_variance_reduction_must_be_worth_so_many_simulations(name, told):
    """50 points, and 54 with 2, 1.5 or 1.25 times the simulations, which are worth 1.25 to 1.75 and 1.25 to 1.4 times
    as many."""
    for both, passed in told:
        found = {"none": 50, "none, more simulations": 54, "control+common": both}
        assert passes(name, ("agent",), found, half=0.01) is passed
        assert passes(name, ("agent",), found, half=5) is None


def test_a_first_turn_is_searched_as_often_as_asked():
    found = variates.searched(1, "none", 16, 5)
    assert [x.partition(", ")[2] for x in found["of"]] == ["roll", "roll", "difference", "difference"]
    assert found == variates.searched(1, "none", 16, 5) != variates.searched(2, "none", 16, 5)
    assert variates.first_turn()[1] > 0
