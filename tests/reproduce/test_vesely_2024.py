"""Tables of Veselý 2024: what is printed passes, other numbers do not, and what is measured is what the tables are
about."""

import pytest

from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.tables import Row, Table
from fogspiel.reproduce.documents import document
from fogspiel.reproduce.item import Item
from fogspiel.reproduce.vesely_2024 import patrol
from fogspiel.reproduce.vesely_2024.bounded import KINDS, exact, near_exact, sampled
from fogspiel.reproduce.vesely_2024.endless import lost

JUDGED = {
    f"{name}/{part}": one
    for name, item in document("vesely-2024").items.items()
    if isinstance(item, Item)
    for part, one in item.parts.items()
    if one.passes is not None and one.printed and part != "exact"
}


def table(numbers, half=0.0):
    rows = [
        Row(key if isinstance(key, tuple) else (key,), Estimate(x, x - half, x + half), 1, 1)
        for key, x in numbers.items()
    ]
    return Table(("game", "horizon"), "", tuple(rows))


EXCHANGED = {"v": "0", "0": "rn", "rn": "v", "h": "h"}


@pytest.mark.parametrize("name", JUDGED)
def test_a_table_passes_by_the_numbers_that_were_printed_and_not_by_others(name):
    one = JUDGED[name]
    assert one.passes(table(one.printed)) is True
    assert one.passes(table(one.printed, half=2e5)) is None
    assert one.passes(table(dict(list(one.printed.items())[1:]))) is None
    if name in ("6.3/", "6.4/", "6.9/", "6.10/"):  # as good as an equilibrium
        wrong = dict.fromkeys(one.printed, -100.0)
    else:
        wrong = {(game, kind): one.printed[game, EXCHANGED[kind]] for game, kind in one.printed}
    assert one.passes(table(wrong)) is False


@pytest.mark.parametrize(
    "name", ["6.1/best responses", "6.5/best responses", "6.6/iterations", "6.7/best responses", "6.8/iterations"]
)
def test_few_games_cannot_tell_what_is_told_of_all(name):
    one = JUDGED[name]
    few = set(one.scale("small").words["game"])
    assert one.passes(table({key: x for key, x in one.printed.items() if key[0] in few})) is None


@pytest.mark.parametrize("name", ["6.1", "6.5", "6.7"])
def test_rn_must_be_best_and_as_near_to_the_value_as_printed(name):
    one = JUDGED[f"{name}/best responses"]
    for game in {game for game, _ in one.printed}:
        assert one.passes(table(one.printed | {(game, "rn"): one.printed[game, "rn"] - 6})) is False
        assert one.passes(table(one.printed | {(game, "rn"): one.printed[game, "rn"] + 6})) is False


@pytest.mark.parametrize(("value", "passes"), [(-80.0, True), (-84.5, False)])
def test_searches_must_be_far_above_external_sampling_by_what_both_lose(value, passes):
    """W3_H3_P2_C0_L6 with 0: the game is worth -85.6 or more, and external sampling comes to -82.89, 2.7 more."""
    one = JUDGED["6.3/"]
    assert one.passes(table(one.printed | {("W3_H3_P2_C0_L6", "0"): value})) is passes


def test_only_games_with_three_zones_are_asked_how_long_sampling_takes():
    one = JUDGED["6.6/iterations"]
    assert one.passes(table(one.printed | {("W1_H2_L6_00", "0"): 100_000})) is True
    assert one.passes(table(one.printed | {("W3_H3_L8_01_11_21", "v"): 7001})) is False


def test_what_is_printed_is_judged_by_exact_values():
    """G5_A4_L10 in table 6.7; a number better than the exact value, or too much worse, does not pass."""
    game = "G5_A4_L10"
    value = table({game: exact(1, game)["value"]})
    for number, passed in [(44.72, True), (43.9, False), (45.5, False)]:
        assert near_exact({(game, "rn"): number}, patrol.ERRORS, {}).passes(value) == passed


def test_bounded_games_are_measured_where_the_estimate_is_random_play():
    """On four cells, without waiting, the first iteration is good enough with 0 and RN (tables 6.1 and 6.2)."""
    value = exact(1, "W2_H2_P1_C0_L8")["value"]
    assert value == pytest.approx(-99.40, abs=0.01)
    for kind in ("0", "rn"):
        found = sampled(1, "W2_H2_P1_C0_L8", kind)
        assert found["iterations"] == 1
        assert found["nash_conv"] < 1
        assert value - 1e-6 <= found["response"] == pytest.approx(-99.39, abs=0.5)


def test_strategies_are_measured_in_the_endless_game():
    found = {kind: lost(1, "G1_A2 L6", kind, 0.2) for kind in ("0", "rn")}
    assert found["rn"]["upper"] == pytest.approx(36.45, abs=0.2)
    assert found["rn"]["uniform"] < found["0"]["uniform"]
    assert lost(1, "G1_A2 L12", "rn", 0.2)["uniform"] == pytest.approx(0, abs=0.01)


def test_bounds_of_the_endless_game_must_lie_between_bounded_games():
    one = document("vesely-2024").items["hsvi"].parts[""]
    bounds = {("G1", "V"): 36.4, ("G1", "HSVI, lower"): 36.3, ("G1", "HSVI, upper"): 36.5, ("G1", "RN"): 37.2}
    assert one.passes(table(bounds)) is True
    assert one.passes(table(bounds | {("G1", "V"): 36.6})) is False
    assert one.passes(table(bounds | {("G1", "RN"): 36.2})) is False
    assert one.passes(table(dict(list(bounds.items())[1:]))) is None


@pytest.mark.parametrize(("part", "most"), [("gap", 1e-5), ("seconds", 120)])
def test_exact_values_must_be_exact_and_soon_found(part, most):
    one = document("vesely-2024").items["exact"].parts[part]
    for value, passed in [(most / 2, True), (most * 2, False)]:
        assert one.passes(table({("G1", kind): value for kind in KINDS})) is passed
