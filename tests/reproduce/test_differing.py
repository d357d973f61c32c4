"""What is told to differ from print: rows that both intervals keep apart from it, and remarks of the scale that was
kept."""

import copy
import json
import pickle
import re
import sys

import pytest

from fogspiel.app import reproductions, show
from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment import Measurements, Scale, read_printed
from fogspiel.experiment.printed import Printed, as_printed, half_width
from fogspiel.experiment.tables import Row, Table
from fogspiel.reproduce import documents, stored
from fogspiel.reproduce.cells import cell
from fogspiel.reproduce.differing import compared, outside, remarks_at, told_outside
from fogspiel.reproduce.item import Document, Item
from fogspiel.reproduce.pages import grid, pages
from fogspiel.reproduce.reproducing import reproduce


def test_half_widths_are_read_with_the_numbers_they_follow():
    read = read_printed("""
        oos  48.5 (3.0) 45.9 +-2.5%
        duct 53.9 (n/a) -0.3
    """)
    assert read == {("oos", "oos"): 48.5, ("oos", "duct"): 45.9, ("duct", "oos"): 53.9, ("duct", "duct"): -0.3}
    assert [half_width(number) for number in read.values()] == [3.0, 2.5, None, None]
    assert [as_printed(number) for number in read.values()] == ["48.5 ±3", "45.9 ±2.5", "53.9", "-0.3"]
    assert half_width(None) is None


def test_half_widths_stay_with_what_is_copied():
    for made in (copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))):
        assert (made(Printed(48.5, 3.0)), half_width(made(Printed(48.5, 3.0)))) == (48.5, 3.0)


ROWS = {
    "within": (Estimate(50.0, 46.0, 54.0), Printed(56.9, 3.0)),
    "above": (Estimate(50.0, 46.0, 54.0), Printed(42.9, 3.0)),
    "below": (Estimate(50.0, 46.0, 54.0), Printed(57.1, 3.0)),
    "uneven": (Estimate(50.0, 30.0, 51.0), Printed(28.0, 3.0)),
    "exact": (Estimate(50.0, 50.0, 50.0), Printed(53.1, 3.0)),
    "open": (Estimate(50.0, float("-inf"), float("inf")), Printed(99.0, 3.0)),
    "no half-width": (Estimate(50.0, 46.0, 54.0), 99.0),
    "not printed": (Estimate(50.0, 46.0, 54.0), None),
}


def test_rows_are_outside_print_by_more_than_both_half_widths():
    table = Table(("who",), "percent", tuple(Row((who,), found, 9, 9, known) for who, (found, known) in ROWS.items()))
    assert [row.key[0] for row in outside(table)] == ["above", "below", "exact"]
    assert told_outside(table) == (
        "Of 5 numbers that are printed with half-widths, 3 are outside print ± both half-widths. "
        "They are above: 50 ±4 [42.9 ±3]; below: 50 ±4 [57.1 ±3]; exact: 50 [53.1 ±3]."
    )
    assert told_outside(Table(table.by, "percent", table.rows[-2:])) == ""
    assert grid(table)[3] == ["above", "50 ±4 [42.9 ±3]"]


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["within"], "The number that is printed with a half-width is not outside print ± both half-widths."),
        (
            ["above"],
            (
                "The number that is printed with a half-width is outside print ± both half-widths. It is above: 50 ±4 "
                "[42.9 ±3]."
            ),
        ),
        (
            ["within", "uneven"],
            "Of 2 numbers that are printed with half-widths, none is outside print ± both half-widths.",
        ),
        (
            ["below", "within"],
            (
                "Of 2 numbers that are printed with half-widths, 1 is outside print ± both half-widths. It is below: "
                "50 ±4 [57.1 ±3]."
            ),
        ),
    ],
)
def test_how_many_rows_are_outside_print_is_told_in_a_sentence(names, told):
    rows = tuple(Row((name,), found, 9, 9, known) for name, (found, known) in ROWS.items() if name in names)
    assert told_outside(Table(("who",), "percent", rows)) == told


MATCHES = {f"table 4.{n}" for n in (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12)}
"""Of Lisý 2014: in every cell there is a half-width."""
UNREADABLE = {("lisy-2014/E-07", "1 s", ("rm", "duct"))}
"""The text has this number, and not its half-width."""


def declared(*names: str):
    """The experiments of items, with the numbers that are printed for them."""
    for name, item in documents.every_item().items():
        if isinstance(item, Item) and name in names:
            yield from ((name, part, one) for part, one in item.parts.items() if one.printed)


def test_tables_that_are_printed_with_half_widths_declare_them():
    places = {name: MATCHES & {*item.where.split(", ")} for name, item in documents.every_item().items()}
    names = [name for name, found in places.items() if name.startswith("lisy-2014/") and found]
    assert set().union(*(places[name] for name in names)) == MATCHES
    tables = [(name, part, one) for name, part, one in declared(*names) if one.kind == "matches"]
    assert len(tables) == 31
    bare = {(name, part, key) for name, part, one in tables for key, x in one.printed.items() if half_width(x) is None}
    assert bare == UNREADABLE


@pytest.mark.parametrize(
    ("name", "part", "key", "number", "half"),
    [
        ("lisy-2014/E-05", "orders", ("rm", "exp3"), 54.7, 1.2),
        ("lisy-2014/E-07", "evaluation, 5 s", ("random", "rm"), 0.6, 0.4),
        ("lisy-2014/E-10", "1 s", ("oos", "oos"), 76.6, 3.7),
        ("lisy-2014/E-12", "self-play, 5 s", "exp3 0.6", 64.5, 1.9),
        ("lisy-2014/E-12", "strong opponent, 1 s", "rm 0.05", 18.1, 2.4),
        ("lisy-2014/E-14", "beliefs", ("exp3", "exp3"), 49.9, 0.3),
        ("lisy-2014/E-18", "beliefs", ("random", "rm+beliefs"), -1.78, 0.53),
        ("lisy-2014/E-19", "without beliefs", ("oos", "random"), 10.21, 1.72),
        ("lisy-2014/E-21", "0.1 s", ("oos", "oos"), 85.3, 1.8),
        ("whitehouse-2014/E4.1", "", "search", 58.3, 3.1),
        ("whitehouse-2014/E4.1", "", "rules", 69.1, 2.9),
        ("whitehouse-2014/E5.1", "mean", "determinized UCT", 43.347, 0.01),
        ("whitehouse-2014/E7.7", "", "infers", 0.098, 0.064),
    ],
)
def test_half_widths_are_those_in_print(name, part, key, number, half):
    (printed,) = (one.printed[key] for _, there, one in declared(name) if there == part)
    assert (printed, half_width(printed)) == (number, half)


def test_of_what_is_kept_some_is_outside_print():
    name = "lisy-2014/E-21"
    kept = [*stored.stored(name, documents.every_item()[name]).values()][-1]
    for table in kept.tables.values():
        assert compared(table) == [*table]
        assert all("printed_half_width" in row for row in table.as_dict()["rows"])
        assert all(f"±{half_width(row.printed):g}]" in cell(row) for row in table)
    assert any(outside(table) for table in kept.tables.values())


@pytest.mark.parametrize(
    ("remarks", "scale", "told"),
    [
        (
            "At the medium scale, with 20 runs, all is as printed.",
            "small",
            "At the medium scale, as kept, with 20 runs, all is as printed.",
        ),
        ("At the medium scale OOS is best.", "paper", "At the medium scale, as kept, OOS is best."),
        ("At the medium scale OOS is best.", "medium", "At the medium scale OOS is best."),
        (
            "It is better with 20 runs, at the medium scale.",
            "small",
            "It is better with 20 runs, at the medium scale, as kept.",
        ),
        (
            "At the small scale 1 is best. At the medium scale 2 is.",
            "small",
            "At the small scale 1 is best. At the medium scale, as kept, 2 is.",
        ),
        (
            "At the medium scale 1 is. At the medium scale 2 is.",
            "small",
            "At the medium scale, as kept, 1 is. At the medium scale 2 is.",
        ),
        ("Rules are not told.", "small", "Rules are not told."),
    ],
)
def test_remarks_of_another_scale_are_told_to_be_of_what_was_kept(remarks, scale, told):
    assert remarks_at(remarks, scale) == told


def toss(seed: int, bias: float) -> dict[str, float]:
    return {"heads": float(seed % 100 < 100 * bias)}


@pytest.fixture
def item() -> Item:
    coins = Measurements(
        about="coins",
        function=toss,
        grid={"bias": [0.0, 1.0]},
        measure="heads",
        scales={"small": Scale(400), "medium": Scale(500)},
        printed={0.0: Printed(0.0, 0.1), 1.0: Printed(0.5, 0.1)},
        criterion="there is a table",
        passes=lambda t: len(t) == 2,
        bounds=(0.0, 1.0),
    )
    return Item(
        where="fig. 1", about="coins", experiments={"ours": coins}, remarks="At the medium scale, coins are worn."
    )


def test_what_is_outside_print_is_told_after_the_verdict_in_json_and_on_the_page(item, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(show.console, "width", 1000)
    found = reproduce("nobody-1900/X-1", item, tmp_path / "r.sqlite")
    reproductions.print_reproduced(found, tmp_path / "r.sqlite", None)
    sentence = (
        r"[oO]f 2 numbers that are printed with half-widths, 1 is outside print ± both half-widths\. It is 1: "
        r"1 \([\d.]+ to 1\) \[0.5 ±0.1\]\.\n"
    )
    told = f"nobody-1900/X-1 (fig. 1): passed\nours: {sentence}At the medium scale, as kept, coins are worn.\n"
    out = capsys.readouterr().out
    assert re.search(told.replace("(fig. 1)", r"\(fig. 1\)"), out)
    facts = json.loads(json.dumps(found.as_dict()))
    assert facts["remarks"] == "At the medium scale, as kept, coins are worn."
    (row,) = facts["experiments"]["ours"]["outside"]
    assert (row["bias"], row["value"], row["printed"], row["printed_half_width"]) == (1.0, 1.0, 0.5, 0.1)
    for module in (documents, stored, sys.modules[pages.__module__]):
        monkeypatch.setattr(module, "document", lambda name: Document("N. Nobody: Coins", {"X-1": item}))
    for module in (documents, sys.modules[pages.__module__]):
        monkeypatch.setattr(module, "DOCUMENTS", ("nobody-1900",))
    stored.keep(found, tmp_path / "kept")
    assert re.search(sentence, pages("p", tmp_path / "kept")["p/nobody-1900.md"])
