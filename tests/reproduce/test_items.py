"""Every table and figure of the documents is an item: run, kept and judged by what was measured, or left out for a
reason."""

import json
import math
import re
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.app import cli, reproductions, show
from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment import Matches, Measurements, Scale, every, every_pair
from fogspiel.experiment.design import SCALES
from fogspiel.experiment.execution import Execution
from fogspiel.experiment.joint import Joint, named
from fogspiel.experiment.tables import Combination, Row, Table
from fogspiel.reproduce import deciding, documents, stored
from fogspiel.reproduce.deciding import Decision, decision
from fogspiel.reproduce.item import Across, Cause, Document, Item, Missing
from fogspiel.reproduce.judging import difference, row_of
from fogspiel.reproduce.pages import BEFORE, SINCE, UNKNOWN, grid, pages
from fogspiel.reproduce.reproducing import reproduce

HERE = Path(__file__).parent
EVERY = documents.every_item()
ITEMS = {name: item for name, item in EVERY.items() if isinstance(item, Item)}
KEPT = [(name, scale) for name, item in ITEMS.items() for scale in stored.stored(name, item)]


def test_the_items_are_those_that_are_listed():
    """In this order, so that none is lost by mistake."""
    listed = json.loads((HERE / "items.json").read_text())
    assert {name: list(documents.document(name).items) for name in documents.DOCUMENTS} == listed


@pytest.mark.parametrize("document", documents.DOCUMENTS)
def test_every_experiment_of_a_document_is_an_item_or_left_out_for_a_reason(document):
    """By the numbers that experiments, claims and figures have in the documents and the inventories of them, which
    nothing here is made of."""
    there = json.loads((HERE / "ids.json").read_text())[document]
    assert len(there) == len(set(there)) > 2
    for number in there:
        found = documents.named(f"{document}/{number}")
        assert found
        assert all(isinstance(item, Item) or item.reason for item in found.values())


@pytest.mark.parametrize("document", documents.DOCUMENTS)
def test_every_caption_of_a_table_or_figure_is_the_place_of_an_item(document):
    """Captions are listed as they stand in the documents' texts; what is not reproduced of them has a reason."""
    printed = json.loads((HERE / "captions.json").read_text())[document]
    places = {place.strip() for item in documents.document(document).items.values() for place in item.where.split(",")}
    assert [caption for caption in printed if caption not in places] == []
    assert len(printed) == len(set(printed)) > 2


WRITTEN = {
    file: (HERE.parents[1] / "docs" / file).read_text()
    for file in ("reproduction.md", *(f"reproduction/{name}.md" for name in documents.DOCUMENTS))
}


def page(*folders, today=True):
    """What is on all pages."""
    return "\n".join(pages("all", *folders, today=today).values())


def test_the_pages_are_written_from_what_was_kept():
    """What has changed since is told as of when they were written."""
    as_found = {
        file: re.sub(f"{BEFORE}[^.]*", "", re.sub(f"{SINCE}.*\n\n", "", text)) for file, text in WRITTEN.items()
    }
    assert as_found == pages("reproduction", today=False)


def test_the_pages_count_what_was_found_by_code_that_is_not_known():
    written = "\n".join(WRITTEN.values())
    unknown, ran = written.count(f"{UNKNOWN}."), len(re.findall("^Found by Fogspiel ", written, re.MULTILINE))
    assert f"Of {ran} items {unknown} were found before such hashes were kept" in written
    changed = [kind for told in re.findall(f"{BEFORE}([^.]*)", written) for kind in told.split(", ")]
    since = written.partition(SINCE)[2].partition("\n")[0]
    assert {kind: int(n) for kind, n in re.findall(r"(\w+) \((\d+) items\)", since)} == Counter(changed)


def test_what_the_pages_tell_as_changed_has_changed():
    """More may have, since they were written."""
    told = {}
    for section in "\n".join(WRITTEN.values()).split("\n## ")[1:]:
        if found := re.search(f"{BEFORE}([^.]*)", section):
            told[section.partition(": ")[0]] = set(found[1].split(", "))
    assert told
    assert all(kinds <= set(largest(name).changed or ()) for name, kinds in told.items())


def test_the_summary_lists_what_is_undecided_first_and_leads_to_every_item():
    summary = WRITTEN["reproduction.md"]
    undecided = summary.partition("Undecided tells")[2].partition("A larger scale is needed")[0]
    known = {name: deciding.status(name, item)[0] for name, item in EVERY.items()}
    listed = [f"{of}/{own}" for of, own in re.findall(r"^\| ([\w-]+) \[([\w.-]+)\]", undecided, re.MULTILINE)]
    assert listed == [name for name, verdict in known.items() if verdict == "undecided"]
    assert summary.index("Undecided tells") < summary.index("Failed tells") < summary.index("## lanctot-2013")
    linked = re.findall(r"^\| \[[^\]]+\]\((reproduction/[\w-]+\.md)#(\S+)\) \|", summary, re.MULTILINE)
    headings = [
        (file, re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-"))
        for file, text in WRITTEN.items()
        if "/" in file
        for title in re.findall("^## (.+)", text, re.MULTILINE)
    ]
    assert linked == headings
    assert len(linked) == len(EVERY)


@pytest.mark.parametrize("kinds", [{"function", "library"}, {"game", "agent"}, {"game", "player"}])
def test_changes_are_told_of_items_of_every_kind(kinds):
    """Of the first item that was found by such code alone."""
    kept = next(kept for kept in map(largest, ITEMS) if all(set(code) == kinds for code in kept.code.values()))
    today = {part: stored.code_of(stored.versions_today(one, kept.scale)) for part, one in kept.item.parts.items()}
    assert replace(kept, code=today).changed == []
    for kind in kinds:
        assert replace(kept, code={part: code | {kind: "other"} for part, code in today.items()}).changed == [kind]


def largest(name):
    """What was found at the largest scale."""
    return [*stored.stored(name, ITEMS[name]).values()][-1]


def test_what_is_left_out_has_a_reason():
    assert all(len(item.reason) > 20 for item in EVERY.values() if isinstance(item, Missing))


def test_what_failed_has_a_cause_and_what_is_undecided_may_have_one():
    """At the largest scale at which it was run."""
    known = {name: deciding.status(name, item)[0] for name, item in ITEMS.items()}
    told = {name for name, item in ITEMS.items() if item.cause}
    assert {name for name in known if known[name] == "failed"} <= told
    assert {known[name] for name in told} == {"failed", "undecided"}


@pytest.mark.parametrize(("kind", "why"), [("luck", "it was bad"), ("budget", "")])
def test_a_cause_is_one_of_those_that_are_told_and_has_a_sentence(kind, why):
    with pytest.raises(fs.SpecError, match="tells no cause; wanted is one of budget, evaluation, rules"):
        Cause(kind, why)


def test_the_cause_of_a_failure_is_told(command, paper, tmp_path):
    command("X-2", "--json", tmp_path / "r.json", "--keep", tmp_path / "kept")
    found = json.loads((tmp_path / "r.json").read_text())
    assert found["cause"] == {"kind": "rules", "why": "the coins are worn."}
    written = page(tmp_path / "kept")
    assert "; rules, rules or instances of a game that are not told; " in written
    assert re.search(r"X-2\].* \| more coins \| small \| rules \|", written)
    assert "Why it failed: rules: the coins are worn.\n" in written


def test_what_is_suspected_of_an_undecided_item_is_told(command, paper, tmp_path):
    open_ = replace(flips(), criterion="mostly heads", passes=lambda t: None)
    paper["X-2"] = replace(paper["X-2"], experiments=open_)
    command("X-2", "--keep", tmp_path / "kept")
    written = page(tmp_path / "kept")
    assert re.search(r"X-2\].* \| more coins \| small \| +\| +\| rules \|", written)
    assert "What is suspected: rules: the coins are worn.\n" in written
    assert "Why it failed" not in written


@pytest.mark.parametrize("name", ITEMS)
def test_an_item_can_be_judged_and_has_been(name):
    item = ITEMS[name]
    assert item.criterion
    assert item.where
    assert item.scales[0] == "small"
    assert "paper" in item.scales
    assert stored.verdicts(name, item)


@pytest.mark.parametrize(("name", "scale"), KEPT)
def test_what_was_kept_is_what_is_declared(name, scale):
    item = ITEMS[name]
    kept = stored.stored(name, item)[scale]
    assert kept.declared == {part: stored.declaration(one, scale) for part, one in item.parts.items()}
    for part, table in kept.tables.items():
        there = {tuple(map(str, row.key)) for row in table}
        printed = {tuple(map(str, key if isinstance(key, tuple) else (key,))) for key in item.parts[part].printed}
        assert scale != "paper" or printed <= there


@pytest.mark.parametrize("name", ITEMS)
def test_printed_numbers_are_of_what_is_run_as_printed(name):
    """By the columns that are known before anything is run."""
    for part in ITEMS[name].parts.values():
        cells, by = part.cells("paper") if part.printed else [], part.table_by("paper")
        known = [i for i, column in enumerate(by) if all(column in cell.columns for cell in cells)]
        there = {tuple(str(cell.columns[by[i]]) for i in known) for cell in cells}
        keys = [key if isinstance(key, tuple) else (key,) for key in part.printed]
        assert {tuple(str(key[i]) for i in known) for key in keys} <= there


def coin(seed: int, bias: float) -> dict[str, float]:
    return {"heads": float(seed % 100 < 100 * bias)}


def flips(**more) -> Measurements:
    return Measurements(
        about="coins",
        function=coin,
        grid={"bias": [0.0, 1.0]},
        measure="heads",
        scales={"small": Scale(3), "paper": Scale(4)},
        printed={0.0: 0, 1.0: 1},
        criterion="heads are as likely as printed",
        passes=lambda t: t.agrees(),
        **more,
    )


@pytest.fixture
def paper(monkeypatch):
    """A document with an item that passes, one that fails, and one that is missing."""
    wrong = Measurements(
        about="coins",
        function=coin,
        grid={"bias": [1.0]},
        measure="heads",
        scales={"small": Scale(1)},
        criterion="no heads",
        passes=lambda t: t[()].value == 0,
    )
    items = {
        "X-1": Item(where="fig. 1, table 1", about="coins", experiments=flips(), apart="the coins are ours"),
        "X-2": Item(
            where="fig. 2",
            about="more coins",
            experiments={"good": flips(), "bad": wrong},
            remarks="Ours are worn.",
            cause=Cause("rules", "the coins are worn."),
        ),
        "X-3": Missing(where="fig. 3", about="dice", reason="the dice were lost"),
    }
    documents.document.cache_clear()
    for module in (documents, sys.modules[pages.__module__]):
        monkeypatch.setattr(module, "DOCUMENTS", ("nobody-1900",))
    for module in (documents, stored, sys.modules[pages.__module__]):
        monkeypatch.setattr(module, "document", lambda name: Document("N. Nobody: Coins", items))
    return items


def test_items_are_found_by_their_names_and_where_they_are_printed(paper):
    assert list(documents.chosen(["nobody-1900"])) == ["nobody-1900/X-1", "nobody-1900/X-2"]
    for name in ("X-1", "nobody-1900/X-1", "table 1", "nobody-1900/fig. 1"):
        assert documents.chosen([name, name]) == {"nobody-1900/X-1": paper["X-1"]}
    with pytest.raises(fs.SpecError, match="nobody-1900/X-3 .fig. 3. is not reproduced: the dice were lost"):
        documents.chosen(["fig. 3"])
    with pytest.raises(
        fs.SpecError, match="there is no item or document 'nobody-1900/X-11'; did you mean nobody-1900/X-1"
    ):
        documents.chosen(["nobody-1900/X-11"])


def test_all_that_is_printed_at_one_place_is_run_and_other_words_are_no_names(paper):
    paper["X-4"] = Item(where="table 1, worn coins", about="coins", experiments=flips())
    paper["X-5"] = Missing(where="table 1", about="dice", reason="the dice were lost")
    assert list(documents.chosen(["table 1"])) == ["nobody-1900/X-1", "nobody-1900/X-4"]
    assert list(documents.chosen(["table 1, worn coins"])) == ["nobody-1900/X-4"]
    with pytest.raises(fs.SpecError, match="there is no item or document 'worn coins'"):
        documents.chosen(["worn coins"])


def test_an_item_passes_when_all_its_experiments_do(paper, tmp_path):
    found = reproduce("nobody-1900/X-1", paper["X-1"], tmp_path / "r.sqlite")
    assert found.verdict == "passed"
    assert found.outcomes[""].played == 6
    assert (
        reproduce("nobody-1900/X-1", paper["X-1"], tmp_path / "r.sqlite", Execution(scale="paper")).outcomes[""].played
        == 2
    )
    both = reproduce("nobody-1900/X-2", paper["X-2"], tmp_path / "r.sqlite")
    assert both.verdict == "failed"
    assert {name: o.passed for name, o in both.outcomes.items()} == {"good": True, "bad": False}
    assert paper["X-2"].criterion == "good: heads are as likely as printed; bad: no heads"
    assert paper["X-2"].scales == ["small"]
    with pytest.raises(fs.SpecError, match="nobody-1900/X-2 has no scale 'paper'"):
        reproduce("nobody-1900/X-2", paper["X-2"], tmp_path / "r.sqlite", Execution(scale="paper"))


def test_progress_names_the_experiment(paper, tmp_path):
    heard = []
    reproduce(
        "nobody-1900/X-2", paper["X-2"], tmp_path / "r.sqlite", Execution(progress=lambda what, *_: heard.append(what))
    )
    assert [what.partition(", ")[0] for what in heard] == [f"nobody-1900/X-2/{part}" for part in ["good"] * 6]


def rows(table):
    return table.by, table.measure, [(row.key, row.printed, row.runs, row.deals) for row in table]


def numbers(table):
    return [x for row in table for x in (row.value, row.low, row.high)]


def test_what_is_kept_gives_the_same_verdict_beside_what_is_printed(paper, tmp_path):
    for name in ("X-1", "X-2"):
        found = reproduce(f"nobody-1900/{name}", paper[name], tmp_path / "r.sqlite")
        stored.keep(found, tmp_path)
        kept = stored.stored(found.name, paper[name], tmp_path)["small"]
        assert kept.verdict == found.verdict
        for part, outcome in found.outcomes.items():
            assert rows(kept.tables[part]) == rows(outcome.table)
            assert numbers(kept.tables[part]) == pytest.approx(numbers(outcome.table), rel=1e-5)
        assert kept.declared == {part: stored.declaration(one, "small") for part, one in paper[name].parts.items()}
    assert stored.declaration(flips(), "small") != stored.declaration(flips(seed=2), "small")


def test_what_is_kept_tells_whether_its_code_is_still_that_of_today(paper, tmp_path, monkeypatch):
    found = reproduce("nobody-1900/X-1", paper["X-1"], tmp_path / "r.sqlite")
    path = stored.keep(found, tmp_path)
    (kept,) = stored.stored(found.name, paper["X-1"], tmp_path).values()
    assert set(kept.code[""]) == {"function", "library"}
    assert kept.changed == []
    assert "Found by Fogspiel 0.1.0.\n" in page(tmp_path)
    monkeypatch.setattr(coin, "__code__", (lambda seed, bias: {"heads": 0.0}).__code__)
    assert kept.changed == ["function"]
    assert "Found by Fogspiel 0.1.0, before a change of: function.\n" in page(tmp_path)
    assert BEFORE not in page(tmp_path, today=False)
    path.write_text(re.sub(r', "code": \{[^}]*\}', "", path.read_text()))
    (kept,) = stored.stored(found.name, paper["X-1"], tmp_path).values()
    assert kept.changed is None
    assert "Found by Fogspiel 0.1.0; by which state of its code is not known.\n" in page(tmp_path)


def hands(seed: int) -> dict[str, list]:
    """Both play the same deal, which is most of what they get."""
    luck, own = seed % 1000, seed // 1000 % 3
    return {"who": ["good", "poor", "other"], "got": [luck + 5 + own, luck, seed // 10**6 % 1000]}


def test_who_met_the_same_deals_is_compared_deal_by_deal(paper, tmp_path):
    asked = Measurements(
        about="hands",
        function=hands,
        by=("who",),
        measure="got",
        scales={"small": Scale(8)},
        criterion="the good one is better, by 5 to 7",
        passes=lambda t: every([t["good"].above(t["poor"]), difference(t["good"], t["poor"]).inside(5, 7)]),
    )
    paper["X-5"] = Item(where="fig. 5", about="hands", experiments=asked)
    found = reproduce("nobody-1900/X-5", paper["X-5"], tmp_path / "r.sqlite")
    table = found.outcomes[""].table
    assert table["good"].low < table["poor"].high
    assert found.verdict == "passed"
    path = stored.keep(found, tmp_path)
    (kept,) = stored.stored(found.name, paper["X-5"], tmp_path).values()
    assert kept.verdict == "passed"
    assert len(json.loads(path.read_text())["experiments"][""]["sums"]) == 1
    assert kept.tables[""]["good"].above(kept.tables[""]["other"]) is None  # nobody asked that before
    again = [replace(row, estimate=row.estimate) for row in kept.tables[""]]
    assert again[0].above(again[1]) is None


def test_what_is_another_items_is_kept_with_that(command, paper, tmp_path):
    paper["X-4"] = Item(
        where="sec. 4", about="coins", experiments={"more": flips()}, kept_with={"more": ("X-2", "good")}
    )
    assert "tables are kept with X-2, and not with this" in command("X-4", "--keep", tmp_path / "kept")[1]
    assert not (tmp_path / "kept").exists()
    assert not stored.stored("nobody-1900/X-4", paper["X-4"], tmp_path / "kept")
    command("X-2", "--keep", tmp_path / "kept")
    two, four = (
        stored.stored(f"nobody-1900/{name}", paper[name], tmp_path / "kept")["small"] for name in ("X-2", "X-4")
    )
    assert (four.verdict, four.tables["more"], four.code["more"]) == ("passed", two.tables["good"], two.code["good"])
    assert "Coins, heads, small scale: passed; the table is with X-2 (good).\n" in page(tmp_path / "kept")


def test_what_items_kept_with_another_ask_is_kept_as_well(paper, tmp_path):
    asked = Measurements(
        about="hands",
        function=hands,
        by=("who",),
        measure="got",
        scales={"small": Scale(8)},
        criterion="none is worth 2000",
        passes=lambda t: every(row.below(2000) for row in t),
    )
    better = replace(asked, criterion="the good one is better", passes=lambda t: t["good"].above(t["poor"]))
    paper["X-5"] = Item(where="fig. 5", about="hands", experiments=asked)
    paper["X-6"] = Item(where="fig. 6", about="hands", experiments={"a": better}, kept_with={"a": ("X-5", "")})
    live = [reproduce(f"nobody-1900/{name}", paper[name], tmp_path / "r.sqlite") for name in ("X-5", "X-6")]
    assert stored.keep(live[0], tmp_path)
    kept = [stored.stored(one.name, one.item, tmp_path)["small"] for one in live]
    assert [one.verdict for one in kept] == [one.verdict for one in live] == ["passed", "passed"]


def test_faults_count_against_the_experiment_that_had_them(paper, tmp_path):
    paper["X-5"] = Item(where="fig. 5", about="coins", experiments={"good": flips(), "bad": flips()})
    paper["X-6"] = Item(where="fig. 6", about="coins", experiments={"a": flips()}, kept_with={"a": ("X-5", "good")})
    found = reproduce("nobody-1900/X-5", paper["X-5"], tmp_path / "r.sqlite")
    found.outcomes["bad"].counts["faults"] = 2
    path = stored.keep(found, tmp_path)

    def kept():
        return [stored.stored(f"nobody-1900/{name}", paper[name], tmp_path)["small"].verdict for name in ("X-5", "X-6")]

    assert kept() == ["undecided", "passed"]
    old = re.sub(r', "faults": \d+', "", path.read_text()).replace('"version"', '"faults": 2, "version"')
    path.write_text(old)
    assert kept() == ["undecided", "undecided"]


def test_how_long_runs_took_is_kept_and_summed_as_far_as_it_is_known(paper, tmp_path, monkeypatch):
    monkeypatch.setattr(stored, "RESULTS", tmp_path)
    paper["X-4"] = Item(where="fig. 4", about="coins", experiments={"a": flips()}, kept_with={"a": ("X-2", "good")})
    found = {key: reproduce(f"nobody-1900/{key}", paper[key], tmp_path / "r.sqlite") for key in ("X-1", "X-2")}
    paths = {key: stored.keep(one, tmp_path) for key, one in found.items()}
    spent = [one.spent for reproduced in found.values() for one in reproduced.outcomes.values()]
    assert all(seconds > 0 for seconds in spent)
    items = {f"nobody-1900/{key}": item for key, item in paper.items()}
    told = reproductions.listed(items)
    assert told["taken"]["small"] == {"seconds": pytest.approx(sum(spent), abs=0.002), "known": 3, "kept": 3}
    assert told["items"][0]["seconds"]["small"][""] == pytest.approx(spent[0], abs=0.001)
    assert re.search(r"\nOne after the other the runs took [\d.]+ s at the scale `small` .known of 3 of 3 exp", page())
    for path in paths.values():  # as it was written before
        path.write_text(re.sub(r', "seconds": [\d.]+', "", path.read_text()))
    assert reproductions.listed(items)["taken"]["small"] == {"seconds": 0, "known": 0, "kept": 3}
    assert "One after the other" not in page()


@pytest.mark.parametrize("name", [name for name, item in ITEMS.items() if item.kept_with])
def test_what_is_kept_with_another_item_is_the_same_there(name):
    of, item = name.partition("/")[0], ITEMS[name]
    for part, (owner, there) in item.kept_with.items():
        for scale in item.scales:
            other = ITEMS[f"{of}/{owner}"].parts[there]
            assert stored.declaration(item.parts[part], scale) == stored.declaration(other, scale)


@pytest.mark.parametrize(
    ("asked", "then"),
    [
        (lambda t: t["a"].above(50), Decision(5, "passed")),  # 60 give or take 20: 50 is out of a half of the interval
        (
            lambda t: t["a"].above(t["b"]),
            Decision(10, "failed"),
        ),  # 60 to 70, with 10 between them on the same deals, give or take 30
        (lambda t: t["a"].above(70), Decision(5, "failed")),
        (lambda t: t["a"].above(90), Decision(1, "failed")),
        (lambda t: t["a"].above(60), None),
        (lambda t: None, None),
    ],
)
def test_so_many_times_the_runs_would_decide(asked, then):
    joint = Joint({})
    joint.known[named({("a",): 1, ("b",): -1})] = Estimate(-10, -40, 20)
    rows = [
        Row((key,), Estimate(x, x - 20, x + 20), 9, 9).with_combination(Combination(joint, {(key,): 1.0}))
        for key, x in (("a", 60), ("b", 70))
    ]
    item = Item(where="fig. 1", about="coins", experiments=replace(flips(), passes=asked))
    table = Table(("coin",), "percent", tuple(rows))
    found = stored.Stored(item, "small", {"": table}, {"": ""}, {"": {}}, ("0",), {"": 0})
    assert decision(found) == then


def test_what_a_larger_scale_alone_can_decide_is_told_apart_from_what_is_undecided(
    command, paper, tmp_path, monkeypatch
):
    """With a scale that has not all that the criterion asks for, and with one whose intervals are too wide."""
    monkeypatch.setattr(stored, "RESULTS", tmp_path)
    monkeypatch.setattr(reproductions, "document", documents.document)
    missing = replace(flips(), passes=lambda t: every([t[0.0].inside(0, 1), row_of(t, 0.5).above(0.2)]))
    wide = replace(flips(), passes=lambda t: Row((), Estimate(1, 0, 3), 9, 9).above(0.5))
    paper["X-4"] = Item(where="fig. 4", about="coins", experiments=missing, needs="paper")
    paper["X-5"] = Item(where="fig. 5", about="coins", experiments=wide)
    for name in ("X-4", "X-5"):
        stored.keep(reproduce(f"nobody-1900/{name}", paper[name], tmp_path / "r.sqlite"), tmp_path)
    assert deciding.status("nobody-1900/X-4", paper["X-4"]) == ("needs paper", "small")
    assert deciding.status("nobody-1900/X-5", paper["X-5"]) == ("undecided", "small")
    out = command()[1]
    assert "needs paper: small has not all that is wanted" in out
    assert "1 undecided, 1 needs paper, 1 not reproduced" in out
    assert "X-5" not in command("--only", "needs paper")[1]
    listed = read(command, "--json", tmp_path / "all.json")["items"]
    assert [row["status"] for row in listed[2:]] == ["not reproduced", "needs paper", "undecided"]
    written = page(tmp_path)
    assert "| [nobody-1900](#nobody-1900) | 5 | 0 | 0 | 1 | 1 | 1 |" in written
    assert re.search(r"X-4\].* \| coins \| small \| paper \|", written)


@pytest.mark.parametrize("name", ITEMS)
def test_no_scale_passes_that_has_not_all_that_is_asked_for(name):
    """Nor with endless runs; and what has all of it can be decided by runs, but where means are level."""
    for scale, kept in stored.stored(name, ITEMS[name]).items():
        tables = {part: deciding.narrowed(table, 1e15) for part, table in kept.tables.items()}
        told = replace(kept, tables=tables).verdict
        if SCALES.index(scale) < SCALES.index(ITEMS[name].needs):
            assert told != "passed"
        else:
            assert told != "undecided" or name in LEVEL


LEVEL = {"whitehouse-2014/E7.7"}
"""Where means are level to the last digit."""


def test_an_item_may_ask_for_several_tables_together(command, paper, tmp_path):
    def heads_more(wanted):
        return Across("one has more heads", lambda tables: tables["one"][wanted].value > tables["other"][0.0].value)

    parts = {"one": flips(), "other": flips()}
    for wanted, verdict in ((1.0, "passed"), (0.0, "failed")):
        paper["X-4"] = Item(where="fig. 4", about="coins", experiments=parts, across=heads_more(wanted))
        found = reproduce("nobody-1900/X-4", paper["X-4"], tmp_path / "r.sqlite")
        assert found.verdict == verdict
        stored.keep(found, tmp_path)
        assert stored.verdicts("nobody-1900/X-4", paper["X-4"], tmp_path) == {"small": verdict}
        assert f"All together: {verdict}.\n" in page(tmp_path)
        assert f"{verdict}; wanted: one has more heads" in command("X-4", "--store", tmp_path / "r.sqlite")[1]
    assert paper["X-4"].criterion.endswith("; together: one has more heads")
    good = replace(paper["X-4"], across=heads_more(1.0))
    kept = stored.stored("nobody-1900/X-4", good, tmp_path)["small"]
    assert replace(kept, faults={"one": 0, "other": 2}).verdict == "undecided"


def test_what_was_not_run_as_a_whole_is_not_kept(paper, tmp_path):
    found = reproduce("nobody-1900/X-1", paper["X-1"], tmp_path / "r.sqlite", Execution(until=0))
    assert found.verdict == ""
    assert found.stopped == "budget"
    with pytest.raises(fs.FileError, match="not all of it was run"):
        stored.keep(found, tmp_path)


def test_when_the_time_is_up_no_experiment_is_begun(command, paper, tmp_path):
    """Of what was begun before it is told what is there."""
    again = {"slow": replace(flips(), function=late), "never": flips()}
    paper["X-4"] = Item(where="fig. 4", about="coins", experiments=again)
    paper["X-5"] = Item(where="fig. 5", about="coins", experiments=flips())
    path = tmp_path / "r.sqlite"
    reproduce("nobody-1900/X-1", paper["X-1"], path)
    status, out, _ = command("X-4", "X-1", "X-5", "--store", path, "--until", "0.25s", "--json", "r.json")
    assert status == 1
    assert out.endswith("the time is up; not begun: nobody-1900/X-4/never, nobody-1900/X-5; the same command goes on\n")
    assert "nobody-1900/X-1 (fig. 1, table 1): passed" in out
    four, one, five = json.loads((tmp_path / "r.json").read_text())["reproduced"]
    assert (four["verdict"], one["verdict"], five["verdict"]) == ("", "passed", "")
    assert (four["not_begun"], one["not_begun"], five["not_begun"]) == (["never"], [], [""])
    assert {name: o["counts"]["done"] for name, o in four["experiments"].items()} == {"slow": 1}
    more = reproduce("nobody-1900/X-4", paper["X-4"], path, Execution(until=0))
    assert (more.stopped, more.not_begun, [o.played for o in more.outcomes.values()]) == ("budget", ["never"], [0])


def test_what_is_not_complete_is_told_to_be_left_out_of_what_is_kept(command, paper, tmp_path):
    paper["X-4"] = Item(where="fig. 4", about="coins", experiments=replace(flips(), function=late))
    _, out, _ = command("X-4", "X-2", "--keep", "kept", "--page", "mine.md", "--until", "0.25s")
    assert "nobody-1900/X-4 is not complete (1 of 6 runs): not kept\n" in out
    assert out.endswith("not begun: nobody-1900/X-2; the same command goes on\nwritten to mine.md\n")
    assert not (tmp_path / "kept").exists()


def late(seed: int, bias: float) -> dict[str, float]:
    time.sleep(0.3)
    return coin(seed, bias)


def test_a_table_has_its_last_column_across(tmp_path):
    experiment = Matches(
        about="random play",
        games="kuhn",
        agents={"one": "random", "other": "random"},
        seats=every_pair,
        measure="points",
        scales={"small": Scale(2)},
        printed={("one", "other"): 0.5},
    )
    found = reproduce("a/b", Item(where="", about="", experiments=experiment), tmp_path / "r.sqlite")
    head, rule, first, second = grid(found.outcomes[""].table)
    assert head == ["seat 0 / seat 1", "one", "other"]
    assert rule == ["---", "---:", "---:"]
    assert first[0] == "one"
    assert first[2].endswith("[0.5]")
    assert second[0] == "other"
    assert "[" not in second[1]


def test_cells_tell_intervals_as_they_are():
    rows = [
        (10_000, Estimate(100.0, 64.6, 100.0)),
        (20_000, Estimate(0.25, -math.inf, math.inf)),
        (30_000, Estimate(-1.23e-32, -1.23e-32, -1.23e-32)),
        (40_000, Estimate(0.5, 0.4, 0.6)),
        (50_000, Estimate(0.1, 0.0, 0.4)),
        (60_000, Estimate(0.49, 0.0, 1.0)),
        (3_000_000.0, Estimate(0.3, 0.3, 0.3)),
    ]
    table = Table(("touched",), "x", tuple(Row((key,), found, 2, 2) for key, found in rows))
    assert grid(table)[2:] == [
        ["10,000", "100 (64.6 to 100)"],
        ["20,000", "0.25 (no interval)"],
        ["30,000", "0"],
        ["40,000", "0.5 ±0.1"],
        ["50,000", "0.1 (0 to 0.4)"],
        ["60,000", "0.49 (0 to 1)"],
        ["3,000,000", "0.3"],
    ]


@pytest.fixture
def command(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(show.console, "width", 1000)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["fogspiel", "reproduce", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return ended.value.code or 0, *capsys.readouterr()

    return run


def test_all_items_are_listed_with_what_is_known_of_them(command, tmp_path):
    status, out, _ = command()
    listed = {
        f"{row['document']}/{row['item']}": row for row in read(command, "--json", tmp_path / "all.json")["items"]
    }
    assert status == 0
    assert list(listed) == list(EVERY)
    for name, item in EVERY.items():
        row = listed[name]
        assert (row["what"], row["where"]) == (item.about, item.where)
        assert item.about in out
        if isinstance(item, Missing):
            assert row["missing"] == item.reason
            assert f"not reproduced: {item.reason}" in out
        else:
            assert (row["criterion"], row["scales"], row["missing"]) == (item.criterion, item.scales, None)
            assert row["verdict"] == stored.verdicts(name, item)
            assert row["status"] == deciding.status(name, item)[0]
            assert row["cause"] == (vars(item.cause) if item.cause else None)
            word = "why" if row["status"] == "failed" else "suspected"
            assert (f"{word}: {item.cause}" in out) == (item.cause is not None)
            known = row["status"] in ("passed", "failed")
            assert (row["to_decide"] == {"times": 1, "verdict": row["status"]}) == known


def read(command, *arguments):
    command(*arguments)
    return json.loads(Path(arguments[-1]).read_text())


def test_a_document_is_run_item_by_item(command, paper, tmp_path):
    status, out, _ = command("nobody-1900", "--json", tmp_path / "r.json", "--keep", tmp_path / "kept")
    assert status == 1
    assert out.index("nobody-1900/X-1 (fig. 1, table 1): passed") < out.index("failed; wanted: no heads")
    assert out.index("failed; wanted: no heads") < out.index("nobody-1900/X-2 (fig. 2): failed\nOurs are worn.")
    found = json.loads((tmp_path / "r.json").read_text())["reproduced"]
    assert [(one["item"], one["verdict"]) for one in found] == [("X-1", "passed"), ("X-2", "failed")]
    assert sorted(p.name for p in (tmp_path / "kept").rglob("*.json")) == ["X-1.small.json", "X-2.small.json"]
    status, out, _ = command("X-1", "--scale", "paper")
    assert status == 0
    assert "not as printed: the coins are ours" in out


def test_the_page_has_what_was_kept_in_a_folder(command, paper, tmp_path):
    kept, told = tmp_path / "kept", tmp_path / "p.md"
    assert command("X-2", "--keep", kept, "--page", told)[0] == 1
    written = told.read_text()
    assert "| [nobody-1900](#nobody-1900) | 3 | 0 | 1 | 0 | 0 | 1 |" in written
    link = "[X-2](p/nobody-1900.md#nobody-1900x-2-more-coins-fig-2)"
    assert f"| nobody-1900 {link} | more coins | small |" in written
    assert "## nobody-1900/X-2: more coins (fig. 2)" in (tmp_path / "p" / "nobody-1900.md").read_text()
    told.unlink()
    assert command("--keep", kept, "--page", told) == (0, f"written to {told}\n", "")
    assert told.read_text() == written
    assert "| 0 | 0 | 0 | 0 | 1 |" in page()
    (kept / "nobody-1900" / "X-2.small.json").write_text("{}")
    assert "X-2.small.json is damaged, or of another version" in command("--keep", kept, "--page", told)[2]


def test_pages_are_refused_before_anything_is_run_where_they_cannot_be_written(command, tmp_path):
    (tmp_path / "taken").write_text("")
    for path, told in (
        ("p.txt", "is no name of a page: give one that ends in .md"),
        ("taken.md", "cannot make the folder"),
    ):
        status, out, error = command("X-2", "--page", tmp_path / path)
        assert (status, out) == (2, "")
        assert told in error


def test_what_is_damaged_can_be_run_again_as_the_message_says(command, paper, tmp_path, monkeypatch):
    monkeypatch.setattr(stored, "RESULTS", tmp_path / "kept")
    path = tmp_path / "kept" / "nobody-1900" / "X-2.small.json"
    assert command("X-2", "--keep", tmp_path / "kept")[0] == 1
    found = path.read_text()
    path.write_text("{}")
    assert command("X-2", "--keep", tmp_path / "kept")[0] == 1
    assert path.read_text() == found


def test_the_list_counts_verdicts_and_can_be_of_some(command, tmp_path):
    failed = [name for name, item in EVERY.items() if deciding.status(name, item)[0] == "failed"]
    of = [name for name in failed if name.startswith("lisy-2014/")]
    status, out, _ = command("lisy-2014", "--list", "--only", "failed", "--json", tmp_path / "f.json")
    assert status == 0
    assert out.count("; wanted: ") == len(of)
    assert f"all together: {len(of)} items: {len(of)} failed" in out
    listed = json.loads((tmp_path / "f.json").read_text())["items"]
    assert [f"{row['document']}/{row['item']}" for row in listed] == of
    assert "there is no verdict 'fail'; did you mean failed?" in command("--only", "fail")[2]


def test_json_is_there_when_the_reader_of_the_list_stops(command, monkeypatch, tmp_path):
    def stop(*_):
        raise BrokenPipeError

    monkeypatch.setattr(reproductions, "print_items", stop)
    command("--json", tmp_path / "all.json")
    assert len(json.loads((tmp_path / "all.json").read_text())["items"]) == len(EVERY)


def test_mistakes_are_told_in_a_sentence(command, paper):
    assert command("X-9")[2].startswith("fogspiel: there is no item or document 'X-9'")
    told = command("nobody-1900/table 12", "--list")[2]
    assert told == "fogspiel: there is no item or document 'nobody-1900/table 12'; did you mean nobody-1900/table 1?\n"
    assert command("X-1", "--scale", "huge")[2].startswith("fogspiel: nobody-1900/X-1 has no scale 'huge'")
    assert command("X-3")[2] == "fogspiel: nobody-1900/X-3 (fig. 3) is not reproduced: the dice were lost\n"
    status, out, _ = command("X-1", "--until", "0.001s")
    assert status == 1
    assert "of 6 runs are there; the same command goes on" in out
    assert "Ours are worn." not in command("X-2", "--until", "0.001s")[1]


@pytest.mark.parametrize(
    "given",
    [
        ("--scale", "small"),
        ("--workers", "1"),
        ("--until", "1h"),
        ("--store", "x.sqlite"),
        ("--keep", "kept"),
        ("--cluster", "x"),
    ],
)
def test_what_says_how_to_run_needs_something_to_run(command, given):
    for more in ((), ("lisy-2014", "--list")):
        status, out, told = command(*more, *given)
        assert (status, out) == (2, "")
        assert told.startswith(f"fogspiel: {given[0]} is for items that are run: name some, such as lisy-2014/E-14")
