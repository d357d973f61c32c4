"""Criteria pass by what was printed and fail by the reverse (Lisý 2014, sec. 4.2)."""

import pytest
from tables import as_printed, table_of

from fogspiel.reproduce.lisy_2014 import depths, simultaneous

EXPERIMENTS = {
    f"{name}/{part}": one for name, item in simultaneous.ITEMS.items() for part, one in item.parts.items() if one.passes
}
WHOLE = [name for name, one in EXPERIMENTS.items() if len(one.printed) >= 24]
CURVES = {name: one for name, one in EXPERIMENTS.items() if one.kind == "curves"}
SMALL = ("E-04/", "E-06/matches", "E-08/matches", "E-09/matches", "E-11/matches")


@pytest.mark.parametrize("name", WHOLE)
def test_a_printed_table_passes_and_its_reverse_does_not(name):
    one = EXPERIMENTS[name]
    assert one.passes(as_printed(one)) is True
    assert one.passes(as_printed(one, lambda x: 100 - x)) is False
    assert one.passes(table_of(one.table_by("paper"), one.printed, half=100)) is None


@pytest.mark.parametrize("name", CURVES)
def test_curves_pass_by_the_order_that_was_printed(name):
    order = ["oos", "rm", "duct", "exp3"] if name.startswith("E-06") else ["oos", "rm", "exp3", "duct"]
    for ends, passes in (((0.05, 0.4, 0.5, 1.0), True), ((1.0, 0.5, 0.4, 0.05), False)):
        found = {(player, n): x for player, x in zip(order, ends, strict=True) for n in (10, 10**8)}
        assert CURVES[name].passes(table_of(("player", "budget"), found, 0.001)) is passes
        assert CURVES[name].passes(table_of(("player", "budget"), found, 1)) is None


@pytest.mark.parametrize("name", SMALL)
def test_matches_of_small_games_pass_by_what_is_told_of_them(name):
    """All are even in goofspiel and the random game; in Oshi-Zumo oos is best and exp3 worst, in Tron duct is ahead of oos."""
    strength = {
        "E-06/matches": {"oos": 20, "rm": 15, "duct": 5, "exp3": -20},
        "E-11/matches": {"oos": 5, "rm": 0, "duct": 10, "exp3": -20},
    }.get(name, dict.fromkeys(("oos", "rm", "duct", "exp3"), 0))
    one, searches = EXPERIMENTS[name], list(strength)

    def cells(sign, half):
        found = {(a, b): 50 + sign * (strength[a] - strength[b]) for a in searches for b in searches}
        if name == "E-09/matches":  # the pursuer is in the second seat
            return table_of(
                ("game", "seat 0", "seat 1"), {("start", *k): x - 20 * sign for k, x in found.items()}, half
            )
        if not any(strength.values()) and sign < 0:
            found["rm", "oos"] = 70
        return table_of(("seat 0", "seat 1"), found, half)

    assert one.passes(cells(1, 3)) is True
    assert one.passes(cells(-1, 3)) is False
    assert one.passes(cells(1, 400)) is None


def test_a_tree_is_measured():
    found = depths.tree(1, "goofspiel", "rm", 0.01)
    assert 2 <= found["depth"] <= 26
    assert found["thousands"] > 0
