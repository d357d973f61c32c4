"""Criteria of the items of Whitehouse 2014, chapters 7 and 8: what is printed passes, and the reverse does not."""

import pytest

from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.tables import Row, Table
from fogspiel.reproduce.whitehouse_2014 import chapter7, chapter8
from fogspiel.reproduce.whitehouse_2014.beliefs import belief_in_spies
from fogspiel.reproduce.whitehouse_2014.trees import searched_trees, trials_per_ngram


def table(by, found, half=3.0):
    """Numbers by keys, each with an interval of so much on either side."""
    rows = [
        Row(key if isinstance(key, tuple) else (key,), Estimate(x, x - half, x + half), 1000, 1000)
        for key, x in found.items()
    ]
    return Table(tuple(by), "", tuple(rows))


def judged(item, found, part="", half=3.0):
    experiment = item.parts[part]
    return experiment.passes(table(experiment.table_by("small"), found, half))


def against_inference(true, pure, split, two_step, bluffing, without=80.0):
    found = dict(zip(chapter7.HIDING, (true, pure, split, two_step, bluffing), strict=True))
    return {(name, "inference"): x for name, x in found.items()} | {("true", "no inference"): without}


def test_inference_and_bluffing_in_the_resistance():
    assert judged(chapter7.METHODS, against_inference(13.6, 27, 28, 26, 45.3))
    assert not judged(chapter7.METHODS, against_inference(13.6, 27, 28, 26, 26))
    assert not judged(chapter7.METHODS, against_inference(13.6, 27, 45, 26, 45.3))
    assert not judged(chapter7.METHODS, against_inference(33.6, 45, 45, 45, 65.3))
    assert judged(chapter7.BALANCE, {0.0: 10, 0.375: 28, 0.5: 29, 0.875: 28, 1.0: 20})
    assert not judged(chapter7.BALANCE, {0.0: 10, 0.375: 18, 0.5: 19, 0.875: 18, 1.0: 20})


@pytest.mark.parametrize("late", [0, 9])
def test_numbers_of_iterations(late):
    few, some = (
        {"true": 60, "pure": 55, "split": 60, "bluffing": 50},
        {"true": 15, "pure": 20, "split": 25, "bluffing": 45},
    )
    many = {"true": 20, "pure": 30, "split": 50 - late, "bluffing": 45}
    found = {(n, name): x for n, won in ((500, few), (20_000, some), (10**6, many)) for name, x in won.items()}
    assert judged(chapter7.ITERATIONS, found) == (late == 0)
    assert not judged(
        chapter7.ITERATIONS,
        {(n, name): x for (n, name), x in found.items() if n > 500} | {(500, k): some[k] for k in some},
    )


def test_beliefs_and_selection():
    belief = {("inference", 2): 0.4, ("bluffing", 2): 0.3, ("no inference", 2): 0.2}
    belief |= {("inference", 3): 0.6, ("bluffing", 3): 0.4, ("no inference", 3): 0.3}
    assert judged(chapter7.BELIEFS, belief, "by mission")
    assert not judged(chapter7.BELIEFS, belief | {("bluffing", 3): 0.2}, "by mission")
    assert judged(chapter7.TUNED, {("tuned", "ucb"): 53.5, ("ucb", "tuned"): 46.5})
    assert not judged(chapter7.TUNED, {("tuned", "ucb"): 46.5, ("ucb", "tuned"): 53.5})
    assert not judged(chapter7.TUNED, {("tuned", "ucb"): 60, ("ucb", "tuned"): 40})


def test_scotland_yard_and_saboteur():
    assert judged(chapter7.SCOTLAND_YARD, against_inference(40, 50, 50, 40, 40, without=50))
    assert not judged(chapter7.SCOTLAND_YARD, against_inference(40, 50, 50, 40, 50, without=50))
    assert not judged(chapter7.SCOTLAND_YARD, against_inference(40, 50, 50, 40, 40, without=30))
    assert judged(chapter7.SABOTEUR, {"infers": 0.098, "plain": 0.0}, half=0.064)
    assert not judged(chapter7.SABOTEUR, {"infers": 0.05, "plain": 0.0}, half=0.064)
    assert judged(chapter7.SABOTEUR_BELIEFS, {1: 0.14, 4: 0.2}, "by quarter", half=0.05)
    assert not judged(chapter7.SABOTEUR_BELIEFS, {1: 0.14, 4: 0.15}, "by quarter", half=0.05)


def effects(**gains):
    """Of the games by short names, what the combinations with an enhancement win more."""
    names = {
        "ddz": "Dou Di Zhu",
        "hearts": "Hearts",
        "light": chapter8.LIGHT,
        "dark": chapter8.DARK,
        "checkers": "Checkers",
    }
    return {(names[g], w): 50 + x * (w == "with") for g, x in gains.items() for w in ("without", "with")}


def test_main_effects():
    item = chapter8.ALL_COMBINATIONS
    assert judged(item, effects(ddz=15, hearts=5, light=1), "EPIC")
    assert not judged(item, effects(ddz=15, hearts=1), "EPIC")
    assert not judged(item, effects(ddz=5, hearts=9), "EPIC")
    assert judged(item, effects(ddz=1, light=0, hearts=-9, dark=-9, checkers=9), "RAVE")
    assert not judged(item, effects(ddz=1, hearts=9), "RAVE")
    for name in ("MAST", "LGRF"):
        assert judged(item, effects(ddz=9, hearts=-2), name)
        assert not judged(item, effects(ddz=9, hearts=-9), name)


def test_the_sixteen_combinations_are_told_by_their_letters():
    cells = chapter8.ALL_COMBINATIONS.parts["EPIC"].cells("small")
    epic = [cell.task.agents[0] for cell in cells if cell.columns["EPIC"] == "with"]
    assert len(cells) == 16
    assert len(epic) == 8
    assert all("epic" in one for one in epic)
    sides = {cell.columns["game"] for cell in chapter8.EPIC_AND_NAST.parts[""].cells("medium")}
    assert sides == {"Dou Di Zhu", "LOTR:C Light", "LOTR:C Dark", "Othello"}


def test_trees_with_epic_and_rave():
    assert judged(chapter8.TREES, {"baseline": 50, "epic": 60, "rave": 50, "mast": 50, "lgrf": 50}, "visits")
    assert not judged(chapter8.TREES, {"baseline": 50, "epic": 60, "rave": 59, "mast": 50, "lgrf": 50}, "visits")
    assert judged(chapter8.TREES, {"baseline": 8, "epic": 8.2, "rave": 9, "mast": 8, "lgrf": 8}, "depth", half=0.1)
    assert not judged(chapter8.TREES, {"baseline": 8, "epic": 9, "rave": 9, "mast": 8, "lgrf": 8}, "depth", half=0.1)
    assert not judged(chapter8.TREES, {"baseline": 8, "epic": 8, "rave": 8, "mast": 8, "lgrf": 8}, "depth", half=0.1)


def by_game(**games):
    names = {"ddz": "Dou Di Zhu", "othello": "Othello", "hearts": "Hearts", "dark": chapter8.DARK}
    return {(names[g], name): x for g, won in games.items() for name, x in won.items()}


def test_ngrams_and_simulation_policies():
    nast = chapter8.EPIC_AND_NAST
    assert judged(nast, by_game(ddz={"EPIC": 60, "NAST-2": 58}, othello={"EPIC": 60, "NAST-2": 70}))
    assert not judged(nast, by_game(ddz={"EPIC": 60, "NAST-2": 50}, othello={"EPIC": 60, "NAST-2": 70}))
    assert not judged(nast, by_game(othello={"EPIC": 60, "NAST-2": 61}))
    policies = {"-": 50, "gibbs": 55, "greedy": 55, "roulette": 50, "ucb1": 62}
    assert judged(chapter8.MAST, by_game(ddz=policies, hearts=policies | {"ucb1": 53}))
    assert not judged(chapter8.MAST, by_game(ddz=policies | {"greedy": 60}))
    assert not judged(chapter8.MAST, by_game(ddz=policies, hearts=policies | {"ucb1": 45}))
    lengths = dict(zip(chapter8.LENGTHS, (50, 60, 59, 57, 55, 53), strict=True))
    hearts = dict(zip(chapter8.LENGTHS, (25, 26, 35, 35, 27, 26), strict=True))
    dark = dict(zip(chapter8.LENGTHS, (50, 60, 62, 52, 51, 50), strict=True))
    assert judged(chapter8.NGRAMS, by_game(ddz=lengths, hearts=hearts, dark=dark))
    assert not judged(chapter8.NGRAMS, by_game(ddz=lengths | {"n = 1": 50}))
    assert not judged(chapter8.NGRAMS, by_game(hearts=hearts | {"n = 1": 35}))
    assert not judged(chapter8.NGRAMS, by_game(dark=dark | {"n = 3": 61}))


def test_trials_and_slopes_of_ngrams():
    assert judged(chapter8.TRIALS, {("a", n): 100 * 0.3**n for n in range(1, 6)})
    assert not judged(chapter8.TRIALS, {("a", n): 1.0 + n for n in range(1, 6)})
    starts = {"baseline": 30, "nast(n=1)": 60, "nast(n=2)": 50, "nast(n=4)": 40}
    steep = {"baseline": 1, "nast(n=1)": 1, "nast(n=2)": 2, "nast(n=4)": 3}
    found = {(name, i): starts[name] + steep[name] * i for name in starts for i in (1, 2, 3)}
    assert judged(chapter8.SCALING, found)
    assert not judged(
        chapter8.SCALING, {(name, i): starts[name] - steep[name] * i for name in starts for i in (1, 2, 3)}
    )
    for part in ("printed iterations", "equal time"):
        assert judged(chapter8.TIME, {"-": 50, "EPIC": 55}, part)
        assert not judged(chapter8.TIME, {"-": 50, "EPIC": 45}, part)


def test_beliefs_are_noted_mission_by_mission():
    found = belief_in_spies(5, "no inference", 20)
    assert found["winner"] in ("spies", "resistance")
    assert found["mission"][:3] == [1, 2, 3]
    assert found["belief"][0] == pytest.approx(1 / 6)  # two of the four others, before anything is known
    assert all(0 <= belief <= 1 for belief in found["belief"])


def test_trees_and_ngrams_are_those_of_the_search():
    found = searched_trees(1, "dou_di_zhu", "baseline", 50)
    assert 0 < found["visits"] <= 1
    assert 1 <= found["deepest"] <= 50
    assert trials_per_ngram(1, "dou_di_zhu", 1, 50)["trials"] > trials_per_ngram(1, "dou_di_zhu", 3, 50)["trials"] >= 1
