"""Statistics of results agree with SciPy's, and with closed forms."""

import numpy as np
import pytest
from scipy import stats

import fogspiel as fs
from fogspiel.app.experiments import print_ratings
from fogspiel.evaluate.samples import sample_of
from fogspiel.evaluate.statistics import Estimate, elo
from fogspiel.experiment import Matches, Scale, every, some
from fogspiel.experiment.analysis import anova, categories, consistent, nemeses, rated, representative
from fogspiel.experiment.differences import compare, difference_p
from fogspiel.experiment.joint import Joint
from fogspiel.experiment.tables import Row, Table, in_common, tabulate
from fogspiel.experiment.verdict import together

RNG = np.random.default_rng(4)


def rows(**columns) -> list[dict]:
    """Rows of these columns; each run is a deal of its own unless there is a column of deals."""
    several = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    return [{"deal": i, "run": i, "weight": 1.0} | row for i, row in enumerate(several)]


def test_one_factor_is_scipys_analysis_of_variance():
    groups = {"a": RNG.normal(0, 1, 12), "b": RNG.normal(0.5, 1, 9), "c": RNG.normal(1, 2, 15)}
    data = rows(agent=[n for n, v in groups.items() for _ in v], utility=[x for v in groups.values() for x in v])
    effect, residual = anova(data, ["agent"], "utility")
    expected = stats.f_oneway(*groups.values())
    assert (effect.f, effect.p) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)
    assert (effect.freedom, residual.freedom) == (2, 33)


def test_two_factors_in_equal_numbers_are_the_textbooks_sums_of_squares():
    y = RNG.normal(size=(3, 4, 5)) + np.arange(3)[:, None, None] + np.arange(4)[None, :, None] ** 2 / 9
    cells = [(i, j, x) for i in range(3) for j in range(4) for x in y[i, j]]
    first, second, both, residual = anova(
        rows(a=[c[0] for c in cells], b=[c[1] for c in cells], y=[c[2] for c in cells]), ["a", "b"], "y"
    )
    mean, rows_, columns = y.mean(), y.mean(axis=(1, 2)), y.mean(axis=(0, 2))
    table = y.mean(axis=2)
    assert first.squares == pytest.approx(20 * ((rows_ - mean) ** 2).sum())
    assert second.squares == pytest.approx(15 * ((columns - mean) ** 2).sum())
    assert both.squares == pytest.approx(5 * ((table - rows_[:, None] - columns[None, :] + mean) ** 2).sum())
    assert residual.squares == pytest.approx(((y - table[:, :, None]) ** 2).sum())
    assert (first.freedom, second.freedom, both.freedom, residual.freedom) == (2, 3, 6, 48)


def test_pairs_are_compared_by_deal_and_corrected_as_holm_says():
    deal = RNG.normal(0, 5, 30)
    values = {name: deal + shift + RNG.normal(0, 0.5, 30) for name, shift in (("a", 0.0), ("b", 0.3), ("c", 2.0))}
    data = [row for name, v in values.items() for row in rows(agent=[name] * 30, utility=v)]
    found = {(d.first, d.second): d for d in compare(data, "agent", "utility")}
    expected = {pair: stats.ttest_rel(values[pair[0]], values[pair[1]]) for pair in found}
    assert {k: d.p for k, d in found.items()} == pytest.approx({k: e.pvalue for k, e in expected.items()}, rel=1e-6)
    low, high = expected["a", "b"].confidence_interval()
    assert (found["a", "b"].estimate.low, found["a", "b"].estimate.high) == pytest.approx((low, high))
    p = sorted(d.p for d in found.values())
    assert sorted(d.holm for d in found.values()) == pytest.approx(
        [min(3 * p[0], 1), max(3 * p[0], 2 * p[1]), max(2 * p[1], p[2])]
    )


def test_a_difference_is_in_the_middle_of_its_interval_and_p_agrees_with_it():
    def compared(first, second, **known):
        data = rows(x=[1] * len(first) + [2] * len(second), v=[*first, *second])
        return compare([row | {"deal": row["deal"] % len(first)} for row in data], "x", "v", **known)[0]

    def told(difference):
        return (difference.estimate.value, difference.estimate.low, difference.estimate.high, difference.p)

    assert told(compared([1.0] * 3, [2.0] * 3, exact=True)) == (-1, -1, -1, 0)
    assert told(compared([1.0] * 3, [1.0] * 3, exact=True)) == (0, 0, 0, 1)
    assert told(compared([1.0] * 3, [2.0] * 3)) == (-1, -np.inf, np.inf, 1)
    assert told(compared([1.0], [2.0])) == (-1, -np.inf, np.inf, 1)
    two = compared([0.25, 0.5], [0.5, 0.625]).estimate
    assert two.value - two.low == pytest.approx(two.high - two.value) == pytest.approx(stats.t.ppf(0.975, 1) / 16)
    always = compared([0.0] * 3, [1.0] * 3, bounds=(0.0, 1.0))  # a draw of lots would do so once in eight
    assert always.p == pytest.approx(0.25)
    assert always.estimate.low == -1 < 0 < always.estimate.high


def enumerated(*agents: str, plays: int = 4) -> list[dict]:
    """Games of all three deals of a game, the last as likely as the others together, each played again and again."""
    worth, rng = (0.0, 1.0, 3.0), np.random.default_rng(5)
    return [
        {
            "cell": c,
            "run": 3 * n + d,
            "deal": d,
            "weight": (0.25, 0.25, 0.5)[d],
            "enumerated": True,
            "game": "g",
            "points": 0.0,
            "agent": name,
            "utility": (c + 1) * worth[d] + rng.normal(),
        }
        for c, name in enumerate(agents)
        for n in range(plays)
        for d in range(3)
    ]


def test_where_every_deal_was_played_only_how_each_was_played_varies():
    data = enumerated("a")
    y = np.array([row["utility"] for row in data]).reshape(4, 3)
    shares = np.array([0.25, 0.25, 0.5])
    variances = shares**2 * y.var(axis=0, ddof=1) / 4
    freedom = int(variances.sum() ** 2 / (variances**2 / 3).sum())
    half = np.sqrt(variances.sum()) * stats.t.ppf(0.975, freedom)
    for interval in ("auto",):
        (row,) = tabulate(data, ["agent"], "utility", interval=interval)
        assert (row.value, row.half) == pytest.approx((y.mean(axis=0) @ shares, half), rel=1e-9)
    level = [row | {"weight": 1 / 3} for row in data]  # equally likely deals are as much all that there are
    (row,) = tabulate(level, ["agent"], "utility")
    variances = y.var(axis=0, ddof=1) / 36
    freedom = int(variances.sum() ** 2 / (variances**2 / 3).sum())
    assert row.half == pytest.approx(np.sqrt(variances.sum()) * stats.t.ppf(0.975, freedom), rel=1e-9)
    with pytest.raises(fs.SpecError, match="every deal was played, so that there are none to draw anew"):
        tabulate(data, ["agent"], "utility", interval="bootstrap")
    (once,) = tabulate(data[:3], ["agent"], "utility")
    assert (once.above(0), once.half) == (None, np.inf)
    (two,) = tabulate([row for row in data if row["deal"] < 2], ["agent"], "utility")
    assert two.half > 3 * half  # a third deal may be otherwise


def test_differences_are_those_of_the_table_where_deals_are_weighted():
    data = enumerated("a", "b")
    table = tabulate(data, ["agent"], "utility")
    (found,) = compare(data, "agent", "utility")
    assert found.estimate.value == pytest.approx(table["a"].value - table["b"].value)
    variances = [((table[name].half / stats.t.ppf(0.975, 6)) ** 2) for name in "ab"]
    assert found.estimate.high - found.estimate.low == pytest.approx(2 * 2 * np.sqrt(sum(variances)), rel=0.25)
    assert found.p < 0.05
    few = [row for row in data if row["deal"] != 1]  # an interrupted run has not all of them
    table = tabulate(few, ["agent"], "utility")
    (found,) = compare(few, "agent", "utility")
    assert found.estimate.value == pytest.approx(table["a"].value - table["b"].value)
    with pytest.raises(fs.SpecError, match="every deal was played, each weighted by its probability"):
        anova(data, ["agent"], "utility")


def test_what_shares_no_deals_is_compared_as_independent():
    values = {name: RNG.normal(shift, 1, n) for name, shift, n in (("a", 0.0, 12), ("b", 1.0, 20))}
    data = [
        {"cell": c, "run": i, "deal": i, "weight": 1.0, "x": name, "y": y}
        for c, (name, v) in enumerate(values.items())
        for i, y in enumerate(v)
    ]
    (found,) = compare(data, "x", "y")
    expected = stats.ttest_ind(*values.values(), equal_var=False)
    assert (found.paired, found.deals) == (False, 32)
    freedom = int(expected.df)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(expected.statistic), freedom), rel=1e-9)
    table = tabulate(data, ["x"], "y")
    assert found.estimate.value == pytest.approx(table["a"].value - table["b"].value)
    again = [row | {"y": row["y"] + (row["cell"] == 0)} for row in data]
    assert compare([*data, *(row | {"x": "more"} for row in again)], "x", "y")[1].paired  # points of one curve are
    games = [row | {"points": row["y"] > 0, "game": row["x"]} for row in data]
    assert not compare(games, "game", "y")[0].paired
    won = [row | {"y": float(row["x"] == "a")} for row in data]
    assert compare(won, "x", "y", bounds=(0.0, 1.0))[0].significant
    assert compare(won, "x", "y")[0].p == 1


@pytest.mark.parametrize("ends", [None, (0.0, 1.0)])
def test_what_was_measured_once_or_came_out_alike_is_not_sure_in_differences_either(ends):
    """A uniform number of 30 runs, and one of a single run or of five that are alike."""
    many = np.random.default_rng(5).uniform(size=30)
    for other in ([0.9], [0.7] * 5):
        data = [
            {"cell": c, "run": i, "deal": i, "weight": 1.0, "x": c, "y": y}
            for c, v in enumerate((many, other))
            for i, y in enumerate(v)
        ]
        (found,) = compare(data, "x", "y", bounds=ends)
        assert not found.significant
        assert found.estimate.low < 0 < found.estimate.high
        assert np.isinf(found.estimate.low) == (ends is None)
    far = [row | {"y": 0.1 * row["y"] if row["x"] == 0 else 1.0} for row in data]
    (found,) = compare(far, "x", "y", bounds=ends)
    assert found.significant == (ends is not None) == (found.estimate.high < 0)
    (lower,) = compare([row | {"y": -row["y"]} for row in far], "x", "y", bounds=ends and (-1.0, 0.0))
    assert lower.p == pytest.approx(found.p)


def test_in_an_analysis_of_variance_games_are_blocked_by_deal():
    worth, agents, seats = RNG.normal(0, 5, 20), ("a", "b", "c"), (0, 1)
    y = worth[:, None, None] + np.array([0, 0.3, 0.6])[None, :, None] + RNG.normal(0, 0.5, (20, 3, 2))
    data = [
        {
            "cell": (i, j),
            "run": d,
            "deal": d,
            "weight": 1.0,
            "game": "g",
            "points": 0.0,
            "agent": a,
            "seat": s,
            "y": y[d, i, j],
        }
        for i, a in enumerate(agents)
        for j, s in enumerate(seats)
        for d in range(20)
    ]
    agent, seat, both, residual = anova(data, ["agent", "seat"], "y")
    left = y - y.mean(axis=0) - y.mean(axis=(1, 2), keepdims=True) + y.mean()
    assert residual.squares == pytest.approx((left**2).sum())
    assert (agent.freedom, seat.freedom, both.freedom, residual.freedom) == (2, 1, 2, 5 * 19)
    assert agent.squares == pytest.approx(40 * ((y.mean(axis=(0, 2)) - y.mean()) ** 2).sum())
    f = (agent.squares / 2) / (residual.squares / 95)
    assert (agent.f, agent.p) == pytest.approx((f, stats.f.sf(f, 2, 95)))
    twice = [row | {"seat": s, "place": s} for row in data for s in seats]
    with pytest.raises(fs.SpecError, match="every run counts more than once.*--where seat=0"):
        anova(twice, ["agent"], "y")
    with pytest.raises(fs.SpecError, match="no deal was played with two values of set"):
        anova([row | {"set": row["deal"] % 2} for row in data], ["set", "agent"], "y")


def test_constants_have_no_ratio_of_variances():
    effect, residual = anova(rows(x=[1, 1, 2, 2], y=[0.1, 0.1, 0.3, 0.3]), ["x"], "y")
    assert (effect.f, effect.p, residual.squares) == (None, None, 0)
    assert anova(rows(x=[1, 1, 2, 2], y=[0.1, 0.3, 0.1, 0.3]), ["x"], "y")[0].f == 0


def test_a_game_that_settings_share_counts_once():
    shared = [
        {"cell": 7, "run": r, "place": 0, "deal": r, "weight": 1.0, "agent": "random", "n": n, "points": float(r < 2)}
        for n in (10, 100)
        for r in range(4)
    ]
    assert [(row.runs, row.value) for row in tabulate(shared, ["agent"], "points")] == [(4, 0.5)]
    assert [row.runs for row in tabulate(shared, ["n"], "points")] == [4, 4]


@pytest.mark.parametrize(("a", "m", "b", "n"), [(0, 2, 2, 2), (3, 20, 14, 21), (7, 7, 1, 9), (5, 10, 5, 10)])
def test_wins_in_a_deal_are_told_apart_by_fishers_test(a, m, b, n):
    first, second = [1.0] * a + [0.0] * (m - a), [1.0] * b + [0.0] * (n - b)
    assert difference_p(first, second) == pytest.approx(stats.fisher_exact([[a, m - a], [b, n - b]]).pvalue, abs=1e-9)


def test_a_bootstrap_interval_is_near_that_of_the_normal_distribution():
    values = RNG.normal(3, 2, 400)
    (row,) = tabulate(rows(x=[0] * 400, y=values), ["x"], "y", interval="bootstrap")
    half = 1.96 * values.std(ddof=1) / 20
    assert (row.low, row.high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.04)
    with pytest.raises(fs.SpecError, match="interval must be one of auto, bootstrap, none"):
        tabulate(rows(x=[0] * 400, y=values), ["x"], "y", interval="clopper-pearson")


def test_deals_are_sorted_by_one_half_of_their_games_and_compared_by_the_other():
    data = []
    for deal, (cheating, plain, third) in enumerate([(1, 0, 1), (1, 0, 1), (0, 1, 0), (1, 1, 0)]):
        for name, value in (("cheating", cheating), ("plain", plain), ("third", third)):
            data += [{"deal": deal, "run": r, "weight": 1.0, "agent": name, "points": float(value)} for r in range(10)]
    table = categories(data, "agent", "cheating", "plain", "points")
    assert {row.key: (row.value, row.deals, row.runs) for row in table if row.key[1] == "third"} == {
        ("> 0", "third"): (1, 2, 10),
        ("= 0", "third"): (0, 1, 5),
        ("< 0", "third"): (0, 1, 5),
    }
    table = categories(data, "agent", "cheating", "plain", "points", thresholds=[0.5, 1], split=False)
    assert table["> 0.5", "third"].deals == 2
    assert ("> 1", "third") not in [row.key for row in table]


def test_categories_tell_games_apart_and_have_both_seats_of_a_game_in_one_half():
    """Seat 0 always wins; whoever sorts deals by the one seat and judges by the other finds that all is the other way
    round."""
    data = [
        {
            "cell": (game, name),
            "run": 2 * n + deal,
            "deal": deal,
            "weight": 1.0,
            "game": game,
            "points": value,
            "agent": name,
            "seat": seat,
        }
        for game, worse in (("kuhn", 0), ("leduc", 1))
        for name in "ab"
        for deal in range(2)
        for n in range(8)
        for seat in range(2)
        for value in [float((name == "a") != (deal == worse))]
    ]
    table = categories(data, "agent", "a", "b", "points")
    assert {row.key: (row.value, row.runs) for row in table} == {
        ("> 0", "a"): (1, 16),
        ("> 0", "b"): (0, 16),
        ("< 0", "a"): (0, 16),
        ("< 0", "b"): (1, 16),
    }
    narrow = categories(data, "agent", "a", "b", "points", interval="none")
    assert all(row.low == row.high for row in narrow)
    seats = [row | {"points": float(row["seat"] == 0)} for row in data]
    assert {row.value for row in categories(seats, "agent", "a", "b", "points")} == {0.5}
    with pytest.raises(fs.SpecError, match="no deals in common that were played often enough in one setting"):
        categories([row for row in data if row["run"] < 2], "agent", "a", "b", "points")


def test_ratings_pool_the_games_and_a_nemesis_is_who_one_loses_to():
    games = [("a", "b", 3, 1), ("b", "c", 3, 1), ("a", "c", 9, 1), ("a", "a", 1, 1)]
    data, run = [], 0
    for first, second, won, lost in games:
        for utility in [1.0] * won + [-1.0] * lost:
            for seat, (agent, u) in enumerate(((first, utility), (second, -utility))):
                data.append(
                    {
                        "cell": 0,
                        "run": run,
                        "deal": run,
                        "weight": 1.0,
                        "agent": agent,
                        "seat": seat,
                        "utility": u,
                        "seat 0": first,
                        "seat 1": second,
                    }
                )
            run += 1
    found = dict(rated(data))
    assert list(found) == ["a", "b", "c"]
    assert found["a"].value - found["b"].value == pytest.approx(found["b"].value - found["c"].value, abs=40)
    table = tabulate(
        [row for row in data if row["seat"] == 0 and row["seat 0"] != row["seat 1"]], ["seat 0", "seat 1"], "utility"
    )
    assert [(name, worst) for name, worst, _ in nemeses(table)] == [("a", "b"), ("b", "c")]
    assert [(name, worst) for name, worst, _ in nemeses(table, second=True)] == [("b", "a"), ("c", "a")]


def games_of(*results: tuple[str, str, int, float], **more) -> list[dict]:
    """Both seats of games: who plays whom in which deal, and what the first gets."""
    return [
        {
            "cell": 0,
            "run": run,
            "deal": deal,
            "weight": 1.0,
            "agent": agent,
            "seat": seat,
            "utility": u,
            "points": float(u > 0),
            "game": "g",
        }
        | more
        for run, (first, second, deal, utility) in enumerate(results)
        for seat, (agent, u) in enumerate(((first, utility), (second, -utility)))
    ]


def test_ratings_have_intervals_over_deals_as_tables_have():
    rng = np.random.default_rng(8)
    kinder = rng.uniform(0.3, 0.95, 25)  # to a, whatever is played
    data = games_of(*(("a", "b", d, 1.0 if rng.random() < kinder[d] else -1.0) for d in range(25) for _ in range(40)))
    points = tabulate([row for row in data if row["agent"] == "a"], (), "points")[()]
    (name, rating), (_, other) = rated(data)
    assert (name, rating.value) == ("a", -other.value)
    slope = 400 / np.log(10) / 2 / (points.value * (1 - points.value))
    assert (rating.high - rating.low) / 2 == pytest.approx(slope * points.half, rel=0.02)
    alike = dict(rated(games_of(*(("a", "b", d, 1.0) for d in range(10) for _ in range(50)))))
    once = dict(rated(games_of(*(("a", "b", d, 1.0) for d in range(10)))))
    assert alike["a"].low == pytest.approx(once["a"].low) == pytest.approx(elo(0.025**0.1) / 2)
    assert alike["a"].high == once["a"].high == np.inf
    likelier = [
        row | {"weight": 0.9 if row["deal"] == 1 else 0.1} for row in games_of(("a", "b", 0, 1), ("a", "b", 1, -1))
    ]
    assert rated(likelier)[0][0] == "b"


def test_an_agent_in_several_seats_of_a_game_meets_the_others_in_each():
    """One against two of another: what it gets from each of them is alike, so that two comparisons are as sure as
    one."""
    rng = np.random.default_rng(3)
    kinder, won = rng.uniform(0.2, 0.9, 30), []
    for d in range(30):
        won += [(d, rng.random() < kinder[d]) for _ in range(10)]
    data = [
        {
            "cell": 0,
            "run": run,
            "deal": d,
            "weight": 1.0,
            "agent": agent,
            "seat": seat,
            "utility": u,
            "points": max(0, u) / 2,
            "game": "g",
        }
        for run, (d, first) in enumerate(won)
        for seat, (agent, u) in enumerate(
            (("a", 2 if first else -2), ("b", -1 if first else 1), ("b", -1 if first else 1))
        )
    ]
    points = tabulate([row for row in data if row["agent"] == "a"], (), "points")[()]
    found = dict(rated(data))
    slope = 400 / np.log(10) / 2 / (points.value * (1 - points.value))
    assert found["a"].value == pytest.approx(200 * np.log10(points.value / (1 - points.value)), abs=1)
    assert found["a"].high - found["a"].value == pytest.approx(slope * points.half, rel=0.02)
    always = [row | {"utility": 2 if row["agent"] == "a" else -1} for row in data]
    once = dict(rated(games_of(*(("a", "b", d, 1.0) for d in range(30)))))
    assert dict(rated(always))["a"].low == pytest.approx(once["a"].low)
    with pytest.raises(fs.SpecError, match="two agents or more that met"):
        rated([row for row in data if row["agent"] == "b"])


def test_where_every_deal_was_played_ratings_vary_by_how_each_was_as_tables_do(capsys):
    rng = np.random.default_rng(4)
    results = [("a", "b", d, 1.0 if rng.random() < (0.2, 0.5, 0.9)[d] else -1.0) for _ in range(40) for d in range(3)]
    all_deals = [row | {"enumerated": True, "weight": (0.25, 0.25, 0.5)[row["deal"]]} for row in games_of(*results)]
    points = tabulate([row for row in all_deals if row["agent"] == "a"], (), "points")[()]
    found = dict(rated(all_deals))["a"]
    slope = 400 / np.log(10) / 2 / (points.value * (1 - points.value))
    assert found.high - found.value == pytest.approx(slope * points.half, rel=0.05)
    for known in (3, 1):  # played once each there is nothing to tell, and where play is deterministic neither
        always = [row | {"run": row["run"] + 3 * n} for n in range(4 - known) for row in all_deals[:6]]
        assert {(r.low, r.high) for _, r in rated(always)} == {(-np.inf, np.inf)}
    print_ratings(rated(always))
    row, by = capsys.readouterr().out.splitlines()[-2:]
    assert row.split()[-1] == "-"
    assert by == "rated by who got more in each game; a draw is half a win"
    print_ratings(rated(always), "utility")
    assert "in each game, and not by how much, as the table of utility is;" in capsys.readouterr().out
    some = [row for row in all_deals if row["deal"] < 2]  # an interrupted run has a sample of them
    assert dict(rated(some))["a"].high < np.inf


@pytest.mark.parametrize(("deals", "plays"), [(4, 2), (3, 2), (3, 3)])
def test_where_every_deal_was_played_who_always_lost_has_no_interval_though_others_have(deals, plays):
    """The two others win in turn against each other."""
    deal = [(n, d) for n in range(plays) for d in range(deals)]
    lost = (games_of(*((name, "random", d, 1.0) for _, d in deal), cell=c) for c, name in enumerate("ab"))
    between = games_of(*(("a", "b", d, 1.0 if (n + d) % 2 else -1.0) for n, d in deal), cell=2)
    whole = [row | {"enumerated": True, "weight": 1 / deals} for rows in (*lost, between) for row in rows]
    found = dict(rated(whole))
    assert (found["random"].low, found["random"].high) == (-np.inf, np.inf)
    assert all(50 < found[name].high - found[name].value < 500 for name in "ab")


def test_who_met_others_in_few_deals_or_always_won_is_rated_as_uncertain_as_that_is():
    rng = np.random.default_rng(4)
    often = [("a", "b", d, 1.0 if rng.random() < 0.5 else -1.0) for d in range(400)]
    found = dict(rated(games_of(*often, *(("c", "a", d, 1.0) for d in range(4)))))
    few = dict(rated(games_of(*(("c", "a", d, 1.0) for d in range(4)))))
    assert found["c"].value - found["c"].low > 0.9 * (few["c"].value - few["c"].low)
    assert found["c"].high == few["c"].high == np.inf
    assert found["a"].high - found["a"].low < found["c"].high - found["c"].low


def test_agents_of_one_label_are_rated_apart_and_what_is_no_game_is_told():
    weak, strong = (games_of(*(("a", "b", d, u) for d in range(9)), cell=c) for c, u in enumerate((-1.0, 1.0)))
    for cell in (weak, strong):
        for row in cell:
            row["spec"] = "random" if row["agent"] == "b" else f"mine(n={row['cell']})"
    assert [name for name, _ in rated([*weak, *strong])] == ["a mine(n=1)", "b", "a mine(n=0)"]
    with pytest.raises(fs.SpecError, match="ratings are of agents that played games"):
        rated(rows(y=[1.0], cell=[0]))


def test_the_value_for_all_games_is_good_in_each():
    data = rows(game=["x"] * 3 + ["y"] * 3, c=[1, 2, 3] * 2, points=[0.9, 0.8, 0.1, 0.1, 0.8, 0.9])
    table = tabulate(data, ["game", "c"], "points")
    assert consistent(table, "game")[0] == ((2,), 1.0)
    assert representative(tabulate(data, ["c"], "points")).key == (1,)


def test_what_intervals_cannot_tell_is_undecided():
    wide, high = Row(("a",), Estimate(0.6, 0.4, 0.8), 9, 9), Row(("b",), Estimate(0.9, 0.85, 0.95), 9, 9)
    assert [wide.above(0.3), wide.above(0.5), wide.above(0.8)] == [True, None, False]
    assert [wide.below(0.9), wide.below(0.5), wide.below(0.4)] == [True, None, False]
    assert [wide.inside(0.4, 0.8), wide.inside(0.5, 1), wide.inside(0.9, 1)] == [True, None, False]
    assert (high.above(wide), wide.above(high), wide.below(high), wide.above(wide)) == (True, False, True, None)
    assert [every(answers) for answers in ([True], [True, None], [None, False], [])] == [True, None, False, None]
    assert [some(answers) for answers in ([True, None], [False, None], [False], [])] == [True, None, False, None]
    assert [together(words) for words in (["passed", ""], ["passed", "undecided"], ["undecided", "failed"])] == [
        "passed",
        "undecided",
        "failed",
    ]
    with pytest.raises(fs.SpecError, match="nothing is printed for any row"):
        Table(("x",), "points", (wide,)).agrees()


def test_games_of_one_deal_count_together_and_those_of_different_games_do_not():
    rows = [
        {"game": g, "deal": d, "weight": 1.0, "points": float(d)}
        for g in ("kuhn", "leduc")
        for d in (0, 1)
        for _ in range(20)
    ]
    (row,) = tabulate(rows, (), "points")
    assert (row.runs, row.deals) == (80, 4)
    assert row.half > 0.4
    (once,) = tabulate(rows[::20], (), "points")
    level = 2 * stats.norm.cdf(stats.t.ppf(0.975, 3)) - 1
    known = stats.binomtest(2, 4).proportion_ci(level, "wilson")
    assert (once.low, once.high) == pytest.approx((known.low, known.high))


def test_a_games_value_is_taken_off_means_and_intervals():
    data = rows(x=[0] * 4, y=[1.0, 2.0, 2.5, 3.0])
    (as_found,), (less,) = tabulate(data, ["x"], "y"), tabulate(data, ["x"], "y", off=-0.5)
    assert (less.value, less.low, less.high) == (as_found.value + 0.5, as_found.low + 0.5, as_found.high + 0.5)
    with pytest.raises(fs.SpecError, match="off must be"):
        Matches(about="", games="kuhn", agents=["random"], scales={"small": Scale(1)}, off="a chip")


def test_rows_of_the_same_deals_are_compared_by_scipys_paired_interval():
    rng = np.random.default_rng(7)
    deal, noise = rng.normal(0, 5, 12), rng.normal(size=(2, 12))
    played = {"a": deal + noise[0] + 2, "b": deal + noise[1], "c": rng.normal(0, 5, 20)}
    data = [
        {"agent": name, "game": name == "c", "points": 0, "deal": i, "run": i, "weight": 1.0, "utility": x}
        for name, values in played.items()
        for i, x in enumerate(values)
    ]
    table = tabulate(data, ["agent"], "utility", off=0.5)
    a, b, c = (table[name] for name in "abc")
    expected = stats.ttest_rel(played["a"], played["b"]).confidence_interval()
    paired = in_common((1, a), (-1, b))
    assert (paired.low, paired.high) == pytest.approx((expected.low, expected.high), rel=1e-9)
    assert expected.low > 0
    assert a.low < b.high
    assert a.above(b) is b.below(a) is True
    assert b.above(a) is False
    assert in_common((1, a), (1, c)) is None
    mean, half = played["a"] - played["b"], Row((), Estimate(0.5, 0.5, 0.5), 0, 0)
    three = in_common((1, a), (-1, b), (1, c), (1, half))
    welch = stats.ttest_ind(mean, -played["c"], equal_var=False)
    error = np.hypot(stats.sem(mean), stats.sem(played["c"])) * stats.t.ppf(0.975, int(welch.df))
    assert (three.value, three.half) == pytest.approx((mean.mean() + played["c"].mean(), error), rel=1e-9)


def test_rows_that_share_few_of_their_deals_are_no_surer_than_the_one_with_the_fewest():
    rng, held = np.random.default_rng(3), 0
    for _ in range(400):
        deal, noise = rng.normal(0, 1, 100), rng.normal(size=3)
        runs = {
            ("many",): [(x, i, 1.0, (0, i)) for i, x in enumerate(deal)],
            ("few",): [(deal[i] / 2 + noise[i], i, 1.0, (1, i)) for i in range(3)],
        }
        found = Joint({key: sample_of(seen) for key, seen in runs.items()}).estimate({("many",): 1.0, ("few",): -1.0})
        held += found.low <= 0 <= found.high
    assert stats.binomtest(held, 400).proportion_ci(0.999).high > 0.95


def test_an_analysis_of_variance_says_why_rows_are_not_independent():
    """Settings that share the runs of an agent in which nothing varies, and points of one curve."""
    shared = [
        {
            "cell": 0,
            "run": i,
            "deal": i,
            "weight": 1.0,
            "game": "g",
            "points": 0.0,
            "agent": "b",
            "seat": 0,
            "n": n,
            "y": float(i),
        }
        for n in (1, 2)
        for i in range(4)
    ]
    with pytest.raises(
        fs.SpecError, match="settings share the runs of b, in which nothing varies.*--where 'agent=...'"
    ):
        anova(shared, ["n"], "y")
    players = [
        {"cell": 0, "run": i, "deal": i, "weight": 1.0, "player": "cfr", "n": n, "place": 0, "y": 1.0}
        for n in (1, 2)
        for i in (0, 1)
    ]
    with pytest.raises(fs.SpecError, match="settings share the runs of cfr, .*--where 'player=...'"):
        anova(players, ["n"], "y")
    curve = [row | {"n": 1, "place": row["n"], "budget": 10 * row["n"]} for row in players]
    with pytest.raises(fs.SpecError, match="every run counts more than once.*--where budget=20"):
        anova(curve, ["n"], "y")
    with pytest.raises(fs.SpecError, match="^n has 1 value; it takes two to compare them"):
        anova(shared[:4], ["n"], "y")


def test_categories_are_of_two_values_that_differ_by_whatever_text_names_them():
    data = [
        {"cell": c, "run": i, "deal": i, "weight": 1.0, "game": "g", "points": 0.0, "n": n, "y": float(i * n)}
        for c, n in enumerate((0.5, 2))
        for i in range(4)
    ]
    for first, second in (("2", "0.5"), ("2.0", "0.50"), (2, 0.5)):
        table = categories(data, "n", first, second, "y", thresholds=[2.0], split=False)
        assert [row.key for row in table if row.key[1] == 2] == [("= 0", 2), ("> 0", 2), ("> 2", 2)]
    with pytest.raises(fs.SpecError, match="categories are of two values of n that differ, and 2 is given twice"):
        categories(data, "n", "2", "2.0", "y")
    with pytest.raises(fs.SpecError, match="no n is '3'; there are 0.5, 2"):
        categories(data, "n", "3", "2", "y")
    for wrong in (0, -1.0, float("nan")):
        with pytest.raises(fs.SpecError, match="each threshold must be"):
            categories(data, "n", "2", "0.5", "y", thresholds=[wrong])
