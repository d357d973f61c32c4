"""Criteria of the items of Whitehouse 2014, chapters 7 and 8: what is printed passes, the reverse fails, and wide
intervals cannot tell."""

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


def judged(item, found, part="", half=1.0):
    experiment = item.parts[part]
    return experiment.passes(table(experiment.table_by("small"), found, half))


def answers(item, printed, reverse, part="", half=1.0):
    """Passes by the one, fails by the other, and by wide intervals cannot tell."""
    return (
        judged(item, printed, part, half) is True
        and judged(item, reverse, part, half) is False
        and judged(item, printed, part, 100 * half) is None
    )


def against_inference(true, pure, split, two_step, bluffing, without=80.0):
    found = dict(zip(chapter7.HIDING, (true, pure, split, two_step, bluffing), strict=True))
    return {(name, "inference"): x for name, x in found.items()} | {("true", "no inference"): without}


def test_inference_and_bluffing_in_the_resistance():
    printed = against_inference(13.6, 27, 28, 26, 45.3)
    assert answers(chapter7.METHODS, printed, against_inference(13.6, 27, 28, 26, 24))
    assert judged(chapter7.METHODS, against_inference(13.6, 27, 45, 26, 45.3)) is False
    assert judged(chapter7.METHODS, against_inference(33.6, 45, 45, 45, 65.3)) is False
    assert judged(chapter7.METHODS, {key: x for key, x in printed.items() if key[0] != "pure"}) is None
    plateau = {0.0: 10, 0.375: 28, 0.5: 29, 0.875: 28, 1.0: 20}
    assert answers(chapter7.BALANCE, plateau, {0.0: 10, 0.375: 13, 0.5: 14, 0.875: 13, 1.0: 20})
    assert judged(chapter7.BALANCE, {0.0: 10, 0.375: 18, 0.5: 19, 0.875: 18, 1.0: 22}) is False
    assert judged(chapter7.BALANCE, {0.375: 28, 0.5: 29, 0.875: 28, 1.0: 20}) is None


@pytest.mark.parametrize("late", [0, 9])
def test_numbers_of_iterations(late):
    few, some = (
        {"true": 60, "pure": 55, "split": 60, "bluffing": 50},
        {"true": 15, "pure": 20, "split": 25, "bluffing": 45},
    )
    many = {"true": 20, "pure": 30, "split": 50 - late, "bluffing": 45}
    found = {(n, name): x for n, won in ((500, few), (20_000, some), (10**6, many)) for name, x in won.items()}
    assert judged(chapter7.ITERATIONS, found) is (late == 0)
    assert judged(chapter7.ITERATIONS, found | {(500, name): x for name, x in some.items()}) is False
    if late == 0:
        assert judged(chapter7.ITERATIONS, found, half=30) is None
        assert judged(chapter7.ITERATIONS, {key: x for key, x in found.items() if key[0] < 10**6}) is None


def test_beliefs_and_selection():
    belief = {("inference", 2): 0.4, ("bluffing", 2): 0.3, ("no inference", 2): 0.2}
    belief |= {("inference", 3): 0.6, ("bluffing", 3): 0.4, ("no inference", 3): 0.3}
    assert answers(chapter7.BELIEFS, belief, belief | {("bluffing", 3): 0.2}, "by mission", half=0.01)
    won = {("inference", who, m): x for who, x in (("spies", 0.2), ("resistance", 0.5)) for m in (2, 3)}
    turned = {(play, "spies" if who == "resistance" else "resistance", m): x for (play, who, m), x in won.items()}
    assert answers(chapter7.BELIEFS, won, turned, "by winner", half=0.05)
    gain, loss, most = ({("tuned", "ucb"): 50 + x, ("ucb", "tuned"): 50 - x} for x in (3.5, -3.5, 10))
    assert answers(chapter7.TUNED, gain, loss)
    assert judged(chapter7.TUNED, most) is False


def test_scotland_yard_and_saboteur():
    printed = against_inference(40, 50, 50, 40, 40, without=50)
    assert answers(chapter7.SCOTLAND_YARD, printed, against_inference(40, 50, 50, 40, 50, without=50))
    assert judged(chapter7.SCOTLAND_YARD, against_inference(40, 50, 60, 40, 40, without=50)) is False
    assert judged(chapter7.SCOTLAND_YARD, against_inference(40, 50, 50, 40, 40, without=30)) is False
    assert answers(chapter7.SABOTEUR, {"infers": 0.098, "plain": 0.0}, {"infers": -0.098, "plain": 0.0}, half=0.064)
    assert judged(chapter7.SABOTEUR, {"infers": 0.05, "plain": 0.0}, half=0.064) is None
    assert answers(chapter7.SABOTEUR_BELIEFS, {1: 0.14, 4: 0.2}, {1: 0.14, 4: 0.05}, "by quarter", half=0.05)
    assert judged(chapter7.SABOTEUR_BELIEFS, {1: 0.14, 4: 0.15}, "by quarter", half=0.05) is None


def effects(**gains):
    """Of the games by short names, what the combinations with an enhancement win more."""
    names = {
        "ddz": "Dou Di Zhu",
        "hearts": "Hearts",
        "light": chapter8.LIGHT,
        "dark": chapter8.DARK,
        "checkers": "Checkers",
        "othello": "Othello",
        "backgammon": "Backgammon",
    }
    return {(names[g], w): 0.5 + x / 100 * (w == "with") for g, x in gains.items() for w in ("without", "with")}


ELSEWHERE = {"checkers": 5, "dark": 5, "othello": 9, "backgammon": 5}


def test_main_effects():
    item = chapter8.ALL_COMBINATIONS
    gains = {"ddz": 15, "hearts": 5, "light": 1} | ELSEWHERE
    assert answers(item, effects(**gains), effects(**gains | {"hearts": -5}), "EPIC", half=0.01)
    assert judged(item, effects(**gains | {"hearts": 25}), "EPIC", half=0.01) is False
    assert judged(item, effects(**gains | {"hearts": 1}), "EPIC", half=0.01) is None
    assert judged(item, effects(ddz=15), "EPIC", half=0.01) is None
    gains = {"ddz": 1, "light": 0, "hearts": -9, "dark": -9, "checkers": 9, "othello": 0, "backgammon": 0}
    assert answers(item, effects(**gains), effects(**gains | {"hearts": 9}), "RAVE", half=0.01)
    assert judged(item, effects(ddz=1), "RAVE", half=0.01) is None
    for name in ("MAST", "LGRF"):
        gains = {"ddz": 9, "light": 0, "hearts": -2} | ELSEWHERE
        assert answers(item, effects(**gains), effects(**gains | {"hearts": -9}), name, half=0.01)


def test_the_sixteen_combinations_are_told_by_their_letters():
    cells = chapter8.ALL_COMBINATIONS.parts["EPIC"].cells("small")
    epic = [cell.task.agents[0] for cell in cells if cell.columns["EPIC"] == "with"]
    assert len(cells) == 16
    assert len(epic) == 8
    assert all("epic" in one for one in epic)
    sides = {cell.columns["game"] for cell in chapter8.EPIC_AND_NAST.parts[""].cells("paper")}
    assert sides == {"Dou Di Zhu", "Hearts", "LOTR:C Light", "LOTR:C Dark", "Checkers", "Othello", "Backgammon"}


def test_some_combinations_must_be_more_than_their_parts():
    ddz, dark, light = "Dou Di Zhu", chapter8.DARK, chapter8.LIGHT
    found = {(game, name): 0.5 for game in (ddz, dark, light) for name in chapter8.COMBINATIONS}
    found |= {(ddz, "L"): 0.4, (ddz, "EL"): 0.7, (dark, "ML"): 0.7, (light, "RML"): 0.7, (light, "ERM"): 0.7}
    item = chapter8.ALL_COMBINATIONS
    assert answers(item, found, found | {(light, "M"): 0.8}, "combinations", half=0.01)
    assert judged(item, found | {(ddz, "L"): 0.6}, "combinations", half=0.01) is False
    assert judged(item, {key: x for key, x in found.items() if key[0] == ddz}, "combinations", half=0.01) is None


def test_trees_with_epic_and_rave():
    visits = {"baseline": 0.5, "epic": 0.6, "rave": 0.5, "mast": 0.5, "lgrf": 0.5}
    assert answers(chapter8.TREES, visits, visits | {"rave": 0.59}, "visits", half=0.005)
    assert judged(chapter8.TREES, visits | {"epic": 0.9}, "visits", half=0.005) is False
    depth = {"baseline": 8, "epic": 8.2, "rave": 9, "mast": 8, "lgrf": 8}
    assert answers(chapter8.TREES, depth, depth | {"epic": 9}, "depth", half=0.1)
    assert judged(chapter8.TREES, depth | {"rave": 8}, "depth", half=0.1) is False


def by_game(**games):
    """Percent by agents, of every game that is printed or of those that are told."""
    names = {
        "ddz": "Dou Di Zhu",
        "othello": "Othello",
        "hearts": "Hearts",
        "light": chapter8.LIGHT,
        "dark": chapter8.DARK,
    }
    rest = games.pop("rest", {})
    won = dict.fromkeys(chapter8.PRINTED_GAMES, rest) | {names[g]: x for g, x in games.items()}
    return {(game, name): x / 100 for game, agents in won.items() for name, x in agents.items()}


def test_ngrams_and_simulation_policies():
    nast = chapter8.EPIC_AND_NAST
    even, better, worse = {"EPIC": 60, "NAST-2": 59}, {"EPIC": 60, "NAST-2": 70}, {"EPIC": 60, "NAST-2": 50}
    printed = by_game(rest=even, othello=better)
    assert answers(nast, printed, by_game(rest=even, othello=worse), half=0.01)
    assert judged(nast, by_game(rest=even, othello=better, ddz=worse), half=0.01) is False
    assert judged(nast, by_game(ddz=even, othello=better), half=0.01) is None
    policies = {"-": 50, "gibbs": 55, "greedy": 55, "roulette": 50, "ucb1": 62}
    printed = by_game(rest=policies | {"ucb1": 54}, ddz=policies)
    assert answers(chapter8.MAST, printed, by_game(rest=policies, ddz=policies | {"greedy": 66}), half=0.01)
    assert judged(chapter8.MAST, by_game(rest=policies, hearts=policies | {"ucb1": 45}), half=0.01) is False
    assert judged(chapter8.MAST, by_game(ddz=policies), half=0.01) is None
    lengths = dict(zip(chapter8.LENGTHS, (50, 60, 59, 57, 55, 53), strict=True))
    hearts = dict(zip(chapter8.LENGTHS, (25, 26, 35, 35, 27, 26), strict=True))
    dark = dict(zip(chapter8.LENGTHS, (50, 60, 62, 52, 51, 50), strict=True))
    printed = {"ddz": lengths, "light": lengths, "hearts": hearts, "dark": dark}
    ngrams = chapter8.NGRAMS
    assert answers(ngrams, by_game(**printed), by_game(**printed | {"ddz": lengths | {"n = 1": 50}}), half=0.01)
    assert judged(ngrams, by_game(**printed | {"hearts": hearts | {"n = 1": 35}}), half=0.01) is False
    assert judged(ngrams, by_game(**printed | {"dark": dark | {"n = 3": 65}}), half=0.01) is False
    assert judged(ngrams, by_game(ddz=lengths), half=0.01) is None


def test_trials_and_slopes_of_ngrams():
    falling = {(game, n): 1000 * 0.3**n for game in chapter8.HIDDEN for n in range(1, 6)}
    assert answers(chapter8.TRIALS, falling, {(game, n): 10.0 + n for game, n in falling}, half=0.4)
    assert judged(chapter8.TRIALS, {key: x for key, x in falling.items() if key[0] == "dou_di_zhu"}, half=0.4) is None
    starts = {"baseline": 30, "nast(n=1)": 60, "nast(n=2)": 50, "nast(n=4)": 40}
    steep = {"baseline": 1, "nast(n=1)": 1, "nast(n=2)": 2, "nast(n=4)": 3}
    found = {(name, i): starts[name] + steep[name] * i for name in starts for i in (1, 2, 3)}
    flatter = {(name, i): starts[name] - steep[name] * i for name in starts for i in (1, 2, 3)}
    assert answers(chapter8.SCALING, found, flatter, half=0.5)
    longer = {(name, i): x - 20 * (name == "nast(n=1)") for (name, i), x in found.items()}
    assert judged(chapter8.SCALING, longer, half=0.5) is False
    for epic, passes in ((0.55, True), (0.505, None), (0.43, False)):
        for part in ("printed iterations", "equal time"):
            assert judged(chapter8.TIME, {"-": 0.5, "EPIC": epic}, part, half=0.01) is passes


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
