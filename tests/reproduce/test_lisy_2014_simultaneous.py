"""Criteria pass by what was printed and fail by the reverse (Lisý 2014, sec. 4.2)."""

import pytest
from tables import as_printed, table_of

from fogspiel.reproduce.lisy_2014 import depths, simultaneous

EXPERIMENTS = {
    f"{name}/{part}": one for name, item in simultaneous.ITEMS.items() for part, one in item.parts.items() if one.passes
}
WHOLE = [name for name, one in EXPERIMENTS.items() if len(one.printed) >= 24]
CURVES = {name: one for name, one in EXPERIMENTS.items() if one.kind == "curves"}
SMALL = {
    "E-04/": {},
    "E-06/matches": {"oos": 20, "rm": 15, "duct": 5, "exp3": -20},
    "E-08/matches": {},
    "E-11/matches": {"oos": 5, "rm": 5, "duct": 15, "exp3": -20},
}
"""By how many points above and below each other they are."""


@pytest.mark.parametrize("name", WHOLE)
def test_a_printed_table_passes_and_its_reverse_does_not(name):
    one = EXPERIMENTS[name]
    assert one.passes(as_printed(one)) is True
    assert one.passes(as_printed(one, lambda x: 100 - x)) is False
    assert one.passes(table_of(one.table_by("paper"), one.printed, half=100)) is None


@pytest.mark.parametrize("name", CURVES)
def test_curves_pass_by_the_order_that_was_printed(name):
    order = ["oos", "rm", "duct", "exp3"] if name.startswith("E-06") else ["oos", "rm", "exp3", "duct"]
    last = CURVES[name].scale("paper").budgets[-1]
    for ends, passes in (((0.05, 0.15, 0.5, 1.0), True), ((1.0, 0.5, 0.15, 0.05), False)):
        found = {(player, n): x for player, x in zip(order, ends, strict=True) for n in (10, last)}
        assert CURVES[name].passes(table_of(("player", "budget"), found, 0.001)) is passes
        assert CURVES[name].passes(table_of(("player", "budget"), found, 2)) is None


def test_how_far_curves_are_apart_is_asked_of_the_printed_end():
    """Of Oshi-Zumo and pursuit, where numbers are told; the order is asked of every end."""
    for name, wrong in (
        ("E-06/convergence", {"oos": 0.12}),
        ("E-09/convergence", {"rm": 0.3}),
        ("E-09/convergence", {"duct": 1.5}),
    ):
        one = CURVES[name]
        ends = dict(zip(("oos", "rm", "duct", "exp3"), (0.05, 0.15, 1.0, 1.2 if "06" in name else 0.5), strict=True))
        for budget, passes in ((one.scale("paper").budgets[-1], False), (10**6, None)):
            found = {(player, budget): x for player, x in (ends | wrong).items()}
            assert one.passes(table_of(("player", "budget"), found, 0.001)) is passes


@pytest.mark.parametrize(
    ("name", "cell", "wrong"),
    [
        ("E-05/1 s", ("rm", "oos"), 64),
        ("E-05/5 s", ("rm", "oos"), 51),
        ("E-05/orders", ("duct", "random"), 90),
        ("E-08/1 s", ("oos", "rm"), 30),
        ("E-08/5 s", ("exp3", "random"), 97),
        ("E-08/5 s", ("oos", "random"), 78),
        ("E-11/evaluation, 1 s", ("oos", "duct"), 52),
        ("E-11/evaluation, 5 s", ("oos", "exp3"), 34),
        ("E-10/1 s", ("random", "rm"), 9),
    ],
)
def test_ranges_of_printed_cells_have_two_ends(name, cell, wrong):
    one = EXPERIMENTS[name]
    assert one.passes(table_of(one.table_by("paper"), one.printed | {cell: wrong})) is False


def test_tuning_may_falter_by_the_printed_interval_and_no_more():
    one = EXPERIMENTS["E-12/self-play, 5 s"]
    for value, passes in ((60, True), (45, False)):
        assert one.passes(table_of(one.table_by("paper"), one.printed | {"duct 0.8": value})) is passes
    strong = EXPERIMENTS["E-12/strong opponent, 1 s"]
    turned = {f"exp3 {x:g}": 50 - 10 * x for x in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)}
    assert strong.passes(table_of(strong.table_by("paper"), strong.printed | turned)) is False
    for value, passes in ((65, True), (75, False)):  # oos changes less than the others, as far as is printed
        moved = {f"oos {x:g}": value for x in (0.1, 0.2, 0.3)}
        assert one.passes(table_of(one.table_by("paper"), one.printed | moved)) is passes


def test_more_time_must_make_differences_smaller():
    """Of exploration against the strong opponent, and of searches in the large games."""
    for name, (shorter, longer) in (("E-12", (", 1 s", ", 5 s")), ("E-12c", ("", ", 5 s"))):
        item = simultaneous.ITEMS[name]
        tables = {part: as_printed(one) for part, one in item.parts.items()}
        assert item.across.passes(tables) is True
        short = [part for part in tables if part.endswith(longer)]
        turned = tables | {part: tables[part.removesuffix(longer) + shorter] for part in short}
        turned |= {part.removesuffix(longer) + shorter: tables[part] for part in short}
        assert item.across.passes(turned) is False


@pytest.mark.parametrize("name", SMALL)
def test_matches_of_small_games_pass_by_what_is_told_of_them(name):
    """All are even in goofspiel and in a random game; in Oshi-Zumo oos is best, in Tron duct is ahead of it, and exp3
    is the worst in both."""
    strength = SMALL[name] or dict.fromkeys(("oos", "rm", "duct", "exp3"), 0)
    one, searches = EXPERIMENTS[name], list(strength)

    def cells(sign, half):
        found = {(a, b): 50 + sign * (strength[a] - strength[b]) for a in searches for b in searches}
        if not any(strength.values()) and sign < 0:
            found["rm", "oos"] = 70
        return table_of(("seat 0", "seat 1"), found, half)

    assert one.passes(cells(1, 3)) is True
    assert one.passes(cells(-1, 3)) is False
    assert one.passes(cells(1, 400)) is None


@pytest.mark.parametrize(("evader", "passes"), [(40, True), (60, False)])
def test_in_small_pursuit_the_pursuer_must_win(evader, passes):
    one = EXPERIMENTS["E-09/matches"]
    names = ("oos", "rm", "duct", "exp3", "random")
    found = {(game, a, b): evader for game in one.games for a in names for b in names}
    assert one.passes(table_of(one.table_by("paper"), found, 1)) is passes
    assert one.passes(table_of(one.table_by("paper"), found, 300)) is None


def test_a_tree_is_measured():
    found = depths.tree(1, "goofspiel", "rm", 0.01)
    assert 2 <= found["depth"] <= 26
    assert found["thousands"] > 0
