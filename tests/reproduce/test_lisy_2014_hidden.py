"""Criteria of Lisý 2014, sec. 4.3 and ch. 5: what was printed passes, and the opposite does not."""

import pytest

import fogspiel as fs
from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment import Matches
from fogspiel.experiment.tables import Row, Table
from fogspiel.reproduce.item import Item
from fogspiel.reproduce.lisy_2014 import (
    generic_poker,
    hidden,
    hidden_goofspiel,
    imperfect,
    nonlocality,
    phantom,
    pursuit,
    sizes,
    summary,
)

PARTS = {
    f"{name}/{part}": one
    for name, item in (hidden.ITEMS | pursuit.ITEMS).items()
    if isinstance(item, Item)
    for part, one in item.parts.items()
}


def is_whole(one):
    """Whether all rows of its table are printed, each of which is a setting."""
    by, cells = one.table_by("paper"), one.cells("paper")
    return all(name in cells[0].columns for name in by) and len(one.printed) == len(
        {tuple(cell.columns[name] for name in by) for cell in cells}
    )


JUDGED = [name for name, one in PARTS.items() if one.passes and not name.startswith("E-22")]


def made(by, measure, numbers, printed=None, half=1e-9):
    return Table(
        by,
        measure,
        tuple(Row(k, Estimate(x, x - half, x + half), 9, 9, (printed or numbers)[k]) for k, x in numbers.items()),
    )


@pytest.mark.parametrize("name", JUDGED)
def test_what_was_printed_passes_and_the_opposite_does_not(name):
    one = PARTS[name]
    if not is_whole(one):
        return
    printed = {key if isinstance(key, tuple) else (key,): x for key, x in one.printed.items()}
    low, high = min(printed.values()), max(printed.values())
    for other, passes in (
        (lambda x: x, True),
        (lambda x: 58.0 if isinstance(one, Matches) else (low + high - x) ** 3, False),
    ):
        found = {key: other(x) for key, x in printed.items()}
        half = 0 if isinstance(one, Matches) else 1e-9 * max(map(abs, found.values()))
        assert one.passes(made(one.table_by("paper"), one.measure, found, printed, half)) is passes
    assert one.passes(made(one.table_by("paper"), one.measure, printed, half=1000)) is None


def test_most_tables_are_printed_whole():
    whole = {name for name in JUDGED if is_whole(PARTS[name])}
    assert {"E-14/0.1 s", "E-15/beliefs", "E-18/beliefs", "E-19/beliefs", "E-21/1 s", "E-31/seen"} <= whole
    assert len(whole) >= 20


def curves(by, ends, begin=9.0, dip=0.0):
    """Curves that begin at `begin`, go down to `dip` below where they end, and end there."""
    budgets = (100, 1000, 10_000)
    return made(
        by,
        "nash_conv",
        {(name, n): x for name, end in ends.items() for n, x in zip(budgets, (begin, end - dip, end), strict=True)},
    )


ORDER = {"oos": 0.1, "rm": 0.2, "exp3": 0.4, "uct": 0.9, "ruct": 0.8}
TURNED = {name: 1 - x for name, x in ORDER.items()}


@pytest.mark.parametrize(
    "passes", [summary.oos_first_rm_before_exp3, hidden_goofspiel.oos_first_uct_turns, phantom.oos_first_rm_second]
)
def test_oos_must_be_first_and_uct_turn_round(passes):
    by = ("player", "budget")
    assert passes(curves(by, ORDER, dip=0.05))
    assert not passes(curves(by, ORDER, dip=-0.05))
    assert not passes(curves(by, TURNED, dip=0.05))


@pytest.mark.parametrize("wrong", [{"oos": 0.3}, {"rm": 0.5}, {"exp3": 0.85}, {"exp3": 0.95}])
def test_in_goofspiel_rm_must_be_before_exp3_and_both_before_uct(wrong):
    by = ("player", "budget")
    assert hidden_goofspiel.oos_first_uct_turns(curves(by, ORDER | wrong, dip=0.05)) is False


def test_in_poker_exploitability_must_rise_and_then_fall():
    by = ("player", "budget")
    assert generic_poker.rises_then_falls(curves(by, ORDER, begin=0.5, dip=-1))
    assert generic_poker.rises_then_falls(curves(by, ORDER | {"rm": 0.5}, begin=0.5, dip=-1))  # behind exp3
    assert not generic_poker.rises_then_falls(curves(by, TURNED, begin=0.5, dip=-1))
    assert not generic_poker.rises_then_falls(curves(by, ORDER | {"exp3": 0.85}, begin=0.5, dip=-1))
    assert not generic_poker.rises_then_falls(curves(by, ORDER, begin=5, dip=-1))
    assert not generic_poker.rises_then_falls(curves(by, ORDER, begin=0.05, dip=0.02))


def overall(plain, believing, first):
    """Aggregate exploitability of all players with few simulations and with many, and of OOS with many."""
    found = {("oos", 10): 1.0, ("oos", 50_000): first}
    for name in imperfect.SELECTIONS:
        found |= {(name, n): x for n, x in zip((10, 50_000), plain, strict=True)}
        found |= {(f"{name}+beliefs", n): x for n, x in zip((10, 50_000), believing, strict=True)}
    return made(("player", "simulations"), "nash_conv", found)


def test_beliefs_must_harm_first_and_help_in_the_end():
    passes = hidden_goofspiel.oos_near_and_beliefs_help
    assert passes(overall((1.0, 1.2), (1.5, 0.3), 0.05))
    assert not passes(overall((1.0, 1.2), (1.5, 0.3), 0.15))
    assert not passes(overall((1.0, 1.2), (0.9, 0.3), 0.05))
    assert summary.beliefs_help(overall((1.0, 1.2), (0.9, 0.3), 0.15))
    assert summary.beliefs_help(overall((1.0, 0.2), (0.9, 0.3), 0.15)) is False


@pytest.mark.parametrize(("others", "passes"), [(2.0, True), (9.0, False)])
def test_beliefs_must_make_rm_and_exp3_the_worst_in_poker(others, passes):
    table = overall((9.0, 2.0), (9.0, 2.0), 1.0)
    found = {row.key: row.value for row in table} | {("ruct", 50_000): others}
    found |= {key: 3 for key in found if key[0] in ("rm+beliefs", "exp3+beliefs")}
    assert generic_poker.beliefs_harm(made(table.by, table.measure, found, half=0.1)) is passes
    assert not generic_poker.beliefs_harm(table)


@pytest.mark.parametrize(("share", "passes"), [(73, False), (60, True), (40, True), (20, False), (72.6, None)])
def test_beliefs_must_bring_the_second_seat_nearer_to_half(share, passes):
    large = hidden_goofspiel.TABLE_4_9
    printed = {name: made(("seat 0", "seat 1"), "percent", one.printed, half=0.3) for name, one in large.parts.items()}
    assert large.across.passes(printed) is True
    found = dict.fromkeys(large.parts["beliefs"].printed, share)
    assert large.across.passes(printed | {"beliefs": made(("seat 0", "seat 1"), "percent", found, half=0.1)}) is passes


@pytest.mark.parametrize(("shares", "passes"), [({}, True), ({("rm", "rm"): 60}, False), ({("uct", "exp3"): 30}, True)])
def test_the_first_seat_must_win_three_games_of_four_with_rm_in_both(shares, passes):
    one = hidden_goofspiel.WITHOUT_BELIEFS
    assert one.passes(made(("seat 0", "seat 1"), "percent", one.printed | shares)) is passes
    even = hidden_goofspiel.WITH_BELIEFS
    assert even.passes(made(("seat 0", "seat 1"), "percent", even.printed | shares)) is passes


def test_parameters_of_oos_are_judged_by_the_ends():
    def deltas(few, many):
        found = {(d, 10): x for d, x in zip((0.2, 0.5, 0.9, 1), few, strict=True)}
        return made(
            ("delta", "simulations"),
            "",
            found | {(d, 100): x for d, x in zip((0.2, 0.5, 0.9, 1), many, strict=True)},
        )

    strong, weak = (4, 3, 2, 1), (3, 1, 2, 4)
    assert hidden_goofspiel.targeting_crosses(deltas(strong, weak))
    assert not hidden_goofspiel.targeting_crosses(deltas(strong, strong))
    assert generic_poker.targeting_helps(deltas(strong, strong))
    assert not generic_poker.targeting_helps(deltas(strong, weak))
    assert not generic_poker.targeting_helps(deltas((1.5, 3, 2, 1), strong))  # 0.2 is weaker than 0.5, too
    for gammas, passes in (((2, 3, 2, 3), True), ((1, 9, 9, 9), False)):
        found = {"targeting": deltas(strong, strong), "exploration": deltas(gammas, gammas)}
        assert generic_poker.FIG_4_14.across.passes(found) is passes
        assert hidden_goofspiel.FIG_4_11.across.passes(found) is not passes


@pytest.mark.parametrize(
    ("few", "many", "passes"),
    [((1, 2, 3, 4), (2, 1, 3, 4), True), ((4, 2, 3, 1), (2, 1, 3, 4), False), ((1, 2, 3, 4), (1, 2, 3, 4), False)],
)
def test_exploration_must_slow_oos_first_and_be_best_at_a_medium_value(few, many, passes):
    gammas = (0.2, 0.4, 0.6, 0.8)
    found = {(g, n): x for n, values in ((10, few), (100, many)) for g, x in zip(gammas, values, strict=True)}
    table = made(("gamma", "simulations"), "", found)
    assert hidden_goofspiel.exploration_slows_first_and_is_best_last(table) is passes


def test_oos_is_beaten_in_the_large_game_only():
    for small, beaten in ((hidden_goofspiel.WITHOUT_BELIEFS, False), (hidden_goofspiel.LARGE_GAME, True)):
        table = made(("seat 0", "seat 1"), "percent", small.printed)
        assert summary.oos_holds_its_own(table) is not beaten
        assert summary.oos_is_beaten(table) is beaten


def test_oos_must_lose_chips_in_large_poker():
    table = made(("seat 0", "seat 1"), "utility", generic_poker.LARGE_GAME.printed)
    assert summary.oos_loses_chips(table) is True
    turned = {key: -x for key, x in generic_poker.LARGE_GAME.printed.items()}
    assert summary.oos_loses_chips(made(("seat 0", "seat 1"), "utility", turned)) is False


@pytest.mark.parametrize(
    ("random", "last_seen", "passes"), [(105, 160, True), (140, 160, False), (80, 160, False), (105, 90, False)]
)
def test_random_simulations_must_be_slightly_worse_and_knowledge_no_help(random, last_seen, passes):
    found = {("MO(h=50)",): 100.0, ("MO, random",): random, ("MO, last seen",): last_seen}
    assert pursuit.knowledge_helps_little_or_harms(made(("pursuer",), "", found)) is passes


@pytest.mark.parametrize(
    ("sizes", "passes"), [((50, 55, 60, 70, 90), True), ((50, 55, 53, 70, 90), True), ((50, 90, 70, 60, 55), False)]
)
def test_longer_simulations_must_be_worse_step_by_step(sizes, passes):
    names = [("SO(RLA)",), *((f"SO(RLA) after {n}",) for n in pursuit.SHORT)]
    assert pursuit.short_simulations_harm(made(("pursuer",), "", dict(zip(names, sizes, strict=True)))) is passes


def test_what_was_measured_once_decides_nothing():
    by = ("player", "budget")
    once = tuple(Row(row.key, row.estimate, 1, 1) for row in curves(by, ORDER, dip=0.05))
    for passes in (hidden_goofspiel.oos_first_uct_turns, summary.oos_first_rm_before_exp3, phantom.oos_first_rm_second):
        assert passes(Table(by, "", once)) is None


def test_the_second_players_information_sets_must_be_larger_while_something_is_hidden():
    found = sizes.of_players(0, "goofspiel(cards=3)")
    table = dict(zip(zip(found["player"], found["moves"], strict=True), found["states"], strict=True))
    assert table[0, 3] == 1
    assert table[1, 3] == 3  # any of three cards may have been played
    assert table[0, 1] == table[1, 1]
    by = ("player", "moves")
    assert sizes.second_has_larger(made(by, "states", table)) is True
    assert sizes.second_has_larger(made(by, "states", table | {(1, 2): 1.0})) is False


def test_few_moves_of_minimax_must_take_long():
    assert pursuit.heavy_tail(made(("percent",), "", {(50,): 1.0, (99,): 11.0}))
    assert not pursuit.heavy_tail(made(("percent",), "", {(50,): 1.0, (99,): 9.0}))


def test_a_game_is_measured_in_three_ways():
    played = fs.play_game(pursuit.pursuit("road", 20, "mean_size"), ["random", "random"], deal=1, seed=1)
    found = pursuit.measured("road", 20, played.moves)
    assert found["mean size"] == played.utilities[1]
    assert -21 <= found["seen"] <= -1
    assert 1 <= found["end size"] <= 465


def test_the_reply_in_the_non_locality_game_is_known():
    assert nonlocality.reply(1 << 20, "oos, delta = 1", 50_000)["left"] == pytest.approx(1 / 2, abs=0.05)
    assert nonlocality.reply(1 << 20, "oos, delta = 0.9", 100_000)["left"] == pytest.approx(1 / 3, abs=0.05)
