"""Games without an end: what their states without history are, what they are worth, rewards files, and what is
refused."""

from pathlib import Path

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.game import check_report as names
from fogspiel.game.horizon import endless_states, uninformed
from fogspiel.game.matrix_game import matrix_value
from fogspiel.game.shapley import state_values
from fogspiel.tree.endless import one_sided_of

PATCHING = Path(__file__).parent.parent.parent / "examples" / "patching.py"
SQUARE = "blind_pursuit(width=2,height=2,pursuers=1,wait=no)"
LUCKY = (
    ("import OVER", "import CHANCE, OVER"),
    ("NONE = -1", "NONE, LUCK = -1, -2"),
    (
        "        return OVER\n    return INTRUDER",
        "        return OVER\n    if s.pending == LUCK:\n        return CHANCE\n    return INTRUDER",
    ),
    (
        "    for machine in range",
        "    if s.pending == LUCK:\n        out[0], out[1] = 0, 1\n        return 2\n    for machine in range",
    ),
    (
        "    s.attacked[s.round], s.cleaned[s.round] = s.pending, move\n",
        "    if s.pending != LUCK:\n        s.attacked[s.round], s.cleaned[s.round] = s.pending, move\n        "
        "s.pending = LUCK\n        return\n"
        "    if move == 0:\n        s.attacked[s.round] = s.cleaned[s.round]\n",
    ),
    (
        "mix(mix(s.seen[INTRUDER], s.pending), move)",
        "mix(mix(s.seen[INTRUDER], s.attacked[s.round]), s.cleaned[s.round])",
    ),
    ("mix(s.seen[ADMINISTRATOR], move)", "mix(s.seen[ADMINISTRATOR], s.cleaned[s.round])"),
)
"""An attack that is not parried succeeds half of the time: chance moves at the end of each round."""


@pytest.fixture
def variant(tmp_path):
    """The example with some of its text replaced, as a file."""

    def write(*replacements):
        text = PATCHING.read_text()
        for old, new in replacements:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "variant.py"
        path.write_text(text)
        return path

    return write


def test_the_example_conforms():
    report = fs.check(fs.load(PATCHING), playouts=100)
    assert report.ok, str(report)
    assert next(f for f in report.findings if f.name == names.MARKOV).applies


@pytest.mark.parametrize(
    ("old", "new", "name", "fragment"),
    [
        (
            "return taken(s)\n\n\ndef cut",
            "return s.round + 0\n\n\ndef cut",
            names.MARKOV,
            "what may follow is not the same",
        ),
        ("return s.round == s.rounds\n\n\ndef observe", "return 1\n\n\ndef observe", names.CUT, "not over"),
        (
            "if player == INTRUDER else 0",
            "if player == INTRUDER else s.attacked[0] + 0",
            names.OBSERVE,
            "knows the same",
        ),
        (
            "mix(s.seen[ADMINISTRATOR], move)",
            "mix(mix(s.seen[ADMINISTRATOR], s.pending), move)",
            names.OBSERVE,
            "player 1 did the same and was told the same by observe",
        ),
        ("def cut", "def lump(s):\n    return 0\n\n\ndef cut", names.MARKOV, "lump gives the same key"),
    ],
)
def test_the_check_finds_rules_that_forget_or_tell_too_much(variant, uncompiled, old, new, name, fragment):
    report = fs.check(fs.load(variant((old, new)), debug=True), playouts=50)
    found = next(f for f in report.findings if f.name == name)
    assert found.status == "failed"
    assert fragment in found.text


@pytest.mark.parametrize(("odds", "status"), [("0.25", "passed"), ("0.25 if s.round == 0 else 0.75", "failed")])
def test_the_check_finds_odds_that_depend_on_the_round(variant, uncompiled, odds, status):
    chance = (
        f"def chance(s, out, prob):\n    prob[0] = {odds}\n    prob[1] = 1 - prob[0]\n    return moves(s, out)\n\n\n"
    )
    report = fs.check(fs.load(variant(*LUCKY, ("def play", chance + "def play")), debug=True), playouts=50)
    assert next(f for f in report.findings if f.name == names.MARKOV).status == status


def test_states_are_worth_what_a_closed_form_says():
    """On four cells a coin decides each round: V = c (-100 + V) / 2. With two machines, the same of both."""
    value = fs.horizon_values(SQUARE, "v", discount=0.9)
    assert list(value.values()) == pytest.approx([-45 / 0.55] * 4, abs=1e-6)
    for kind in ("v", "rn"):
        assert fs.horizon_values(PATCHING, kind)["00"] == pytest.approx(90 / 11, abs=1e-5)


def test_both_ways_to_sweep_and_both_rules_to_stop():
    states = endless_states(fs.load("patrolling(loss=0)"))
    exact = state_values(states, 0.9, error=1e-10)
    for in_place in (True, False):
        assert np.abs(state_values(states, 0.9, error=1e-3, in_place=in_place) - exact).max() < 1e-3
    coarse = state_values(endless_states(fs.load(SQUARE)), 0.9, threshold=1)
    assert 0.04 < np.abs(coarse + 45 / 0.55).max() < 9


@pytest.mark.parametrize("shape", [(2, 2), (3, 2), (4, 5)])
def test_a_matrix_game_that_changes_a_little_is_solved_from_its_last_basis(shape):
    """One state that leads back to itself: V = value of (gains + V), times the discount, which a fixed point of the
    matrix solver gives."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        gains = rng.normal(size=shape)
        value = matrix_value(gains)[0] * 0.9 / (1 - 0.9)
        assert state_values(one_state(gains), 0.9, error=1e-9)[0] == pytest.approx(value, abs=1e-8)


def one_state(gains):
    from dataclasses import replace

    states, (m, n) = endless_states(fs.load(SQUARE)), gains.shape
    at = (np.array([0, m]), np.array([0, n]))
    first, zeros = np.arange(m * n + 1), np.zeros(m * n, np.int64)
    return replace(
        states,
        key=states.key[:1],
        at=at,
        joint=zeros[:1],
        first=first,
        target=zeros,
        probability=np.ones(m * n),
        gain=gains.ravel(),
    )


def test_values_of_random_play_are_never_below_those_of_the_best():
    for game in ("patrolling(graph=G5,attack=3,loss=0)", "blind_pursuit(wait=no)"):
        value, random = fs.horizon_values(game, "v"), fs.horizon_values(game, "rn")
        assert all(random[state] >= value[state] - 1e-5 for state in value)


def test_who_does_not_see_everything():
    assert uninformed(endless_states(fs.load("blind_pursuit"))) == 1
    assert uninformed(endless_states(fs.load(SQUARE))) == 1


def test_where_neither_sees_everything_the_horizon_is_worth_what_it_would_be_if_both_did(variant):
    """Neither is told what the other did. Over one round that is nothing lost: V = c (0.5 (1 + 9) + 0.5 V); over three
    it costs the intruder."""
    file = variant(
        ("mix(mix(s.seen[INTRUDER], s.pending), move)", "mix(s.seen[INTRUDER], s.pending)"),
        ("taken(s) if player == INTRUDER else 0", "0 * player"),
    )
    one, three = (fs.solve(fs.load(file, unchecked=True, rounds=n, horizon="v"), "lp").value[0] for n in (1, 3))
    assert one == pytest.approx(90 / 11, abs=1e-5)
    assert three < 90 / 11 - 0.01
    with pytest.raises(
        fs.Unsuitable, match="sees everything, and the other does not; .* lets both see everything, or neither"
    ):
        fs.load(file, unchecked=True, horizon="rn")


def test_lumped_states_are_worth_as_much(tmp_path):
    game = fs.load("search_game(width=1,loss=0)")
    whole, lumped = endless_states(game), endless_states(game, lumped=True)
    assert lumped.count < whole.count
    values = dict(zip(lumped.key.tolist(), state_values(lumped, 0.9), strict=True))
    found = [values[key] for key in whole.lump_keys.tolist()]
    assert found == pytest.approx(state_values(whole, 0.9), abs=1e-5)


def test_a_rewards_file_says_what_the_horizon_says(tmp_path):
    for spec in (str(PATCHING), "search_game(width=1,loss=0)"):
        fs.write_rewards(spec, tmp_path / "rewards.txt", fs.horizon_values(spec, "rn", discount=0.9))
        by_file = fs.solve(fs.load(spec, rewards_file=str(tmp_path / "rewards.txt")), "lp").value
        assert by_file == pytest.approx(fs.solve(fs.load(spec, horizon="rn"), "lp").value)


def test_a_file_that_changed_is_another_game(tmp_path):
    """A circle of four, then a path of four: values are those of the same graphs under names of their own."""
    circle, path = "0\n\n1 2\n0 3\n0 3\n1 2\n", "0\n\n1\n0 2\n1 3\n2\n"

    def worth(name, graph):
        (tmp_path / name).write_text(graph)
        game = fs.load("patrolling", graph=str(tmp_path / name), rounds=1, loss=0, horizon="rn")
        return fs.solve(game, "lp").value[0], fs.horizon_values(game, "rn")

    alone = worth("circle.txt", circle), worth("path.txt", path)
    assert alone[0] != alone[1]
    assert (worth("graph.txt", circle), worth("graph.txt", path)) == alone


def test_keys_that_depend_on_the_horizon_are_refused(variant):
    game = variant(("return taken(s)\n\n\ndef cut", "return mix(taken(s), s.rounds)\n\n\ndef cut"))
    for ask in (fs.horizon_values, lambda game: fs.load(game, horizon="v")):
        with pytest.raises(fs.GameError, match="its endless game does not know: .* must not depend on rounds"):
            ask(game)


def test_ends_are_in_the_file_with_what_they_pay(tmp_path):
    fs.write_rewards(SQUARE, tmp_path / "rewards.txt", fs.horizon_values(SQUARE, "h"))
    lines = (tmp_path / "rewards.txt").read_text().splitlines()
    listed = dict(zip(lines[::2], map(float, lines[1::2]), strict=True))
    assert listed["1 1"] == listed["2 2"] == -100
    assert listed["0 3"] == pytest.approx(-22.5 / 0.55)


def test_a_discounted_game_is_paid_less_at_its_horizon():
    """The value of the endless game, whatever the horizon: on four cells both play uniformly."""
    for rounds in (1, 3):
        game = fs.load(SQUARE, rounds=rounds, discount=0.8, horizon="v", horizon_discount=0.8)
        assert fs.solve(game, "lp").value[0] == pytest.approx(-40 / 0.6, abs=1e-5)


def test_what_cannot_be_is_refused_in_a_sentence(variant, tmp_path):
    with pytest.raises(fs.Unsuitable, match="needs a game without an end .rule markov.; kuhn has one"):
        fs.horizon_values("kuhn")
    with pytest.raises(fs.SpecError, match="beyond its horizon, so horizon_discount must be below 1, not 1"):
        fs.load("blind_pursuit(horizon=v,horizon_discount=1)")
    with pytest.raises(fs.SpecError, match="give horizon or rewards_file, not both"):
        fs.load("blind_pursuit(horizon=v,rewards_file=x)")
    with pytest.raises(fs.SpecError, match="parameter rounds=99 is out of range"):
        fs.load("blind_pursuit(rounds=99)")
    with pytest.raises(
        fs.Unsuitable, match="comes to new states, such as .*, as late as in round 1, the longest horizon"
    ):
        fs.horizon_values(variant(("LONGEST = 20", "LONGEST = 1"), ('"rounds", 3', '"rounds", 1')))
    with pytest.raises(
        fs.Unsuitable, match="sees everything, and the other does not; .* lets both see everything, or neither"
    ):
        fs.load(variant(("if player == INTRUDER else 0", "")), horizon="rn")
    with pytest.raises(fs.GameError, match="needs About\\(horizon=...\\)"):
        fs.load(variant((', horizon="rounds"', "")))
    with pytest.raises(fs.GameError, match="PARAMETERS has horizon"):
        fs.load(variant(('"rounds", 3', '"horizon", 3')))
    with pytest.raises(fs.Unsuitable, match="^patrolling goes on for ever, so its discount must be below 1, not 1$"):
        fs.horizon_values("patrolling", discount=1)
    (tmp_path / "rewards.txt").write_text("00\n1\n01\n2\n10\n2\n01\n3\n")
    with pytest.raises(fs.SpecError, match="lists the state '01' twice"):
        fs.load(PATCHING, rewards_file=str(tmp_path / "rewards.txt"))
    (tmp_path / "rewards.txt").write_text("00\n1\n01\n2\n")
    with pytest.raises(fs.SpecError, match="misses the state '10' of 3 that the game comes to"):
        fs.load(PATCHING, rewards_file=str(tmp_path / "rewards.txt"))


def test_chance_may_come_between_two_rounds(variant):
    """An attack succeeds half of the time. Whether the intruder holds one of two machines or none, both choose between
    two, so that each value is that of a two by two matrix."""
    game = variant(*LUCKY)
    c, none, one = 0.9, 0.0, 0.0
    for _ in range(500):
        win = c * (1 + one)
        lose = c * none
        # of machines 0 and 1 the intruder holds 0: rows are what it attacks, columns what is cleaned
        none, one = (
            matrix_value(np.array([[lose, (win + lose) / 2], [(win + lose) / 2, lose]]))[0],
            matrix_value(np.array([[lose, win], [(win + lose) / 2, win]]))[0],
        )
    found = fs.horizon_values(fs.load(game, unchecked=True), "v", error=1e-9)
    assert found["00"] == pytest.approx(none)
    assert found["01"] == pytest.approx(one)
    assert found["10"] == pytest.approx(one)


WRONG = {
    "paid": (
        "s.paid += s.weight * count_bits(taken(s))",
        (
            "s.paid += s.weight * (count_bits(taken(s)) + (1 if s.round == 3 and s.attacked[0] + s.attacked[1] == 0 "
            "else 0))"
        ),
        "what is paid then is not the same",
    ),
    "moves": (
        "    return s.machines\n\n\ndef play",
        "    return s.machines - 1 if s.round > 1 and s.cleaned[0] == 1 else s.machines\n\n\ndef play",
        "the moves there, or who makes them, are not the same",
    ),
}
"""What depends on the history, of which `markov` says nothing."""


@pytest.mark.parametrize("kind", WRONG)
def test_states_of_one_key_that_are_not_the_same_are_an_error_with_both_histories(variant, kind):
    """A solver that took the first for all would find a value, and be sure of it."""
    old, new, why = WRONG[kind]
    game = fs.load(variant((old, new)))
    for answer in (
        lambda: fs.horizon_values(game, discount=0.9),
        lambda: fs.solve(one_sided_of(game, 0.9), "hsvi", iterations=1),
        lambda: fs.solve(game, "lp-one-sided"),
    ):
        with pytest.raises(fs.GameError, match="the rule markov.* gives the same key") as caught:
            answer()
        told = str(caught.value)
        assert why in told
        assert told.count("(attack ") >= 1  # of the second history; the first may be the start of the game
        assert "\n" not in told


def test_moves_that_differ_within_an_information_set_are_an_error_where_no_tree_is_built(variant):
    """The machine that was attacked first decides what the administrator may do, who does not know it."""
    key = "mix(taken(s), s.attacked[0] if s.round > 0 else 3)"
    game = fs.load(
        variant(
            ("for machine in range(s.machines)", "for machine in range(count(s))"),
            ("    return s.machines\n", "    return count(s)\n"),
            (
                "def play",
                (
                    "def count(s):\n    return 1 if s.pending != NONE and s.round > 0 and s.attacked[0] == 1 else "
                    "s.machines\n\n\ndef play"
                ),
            ),
            ("    return taken(s)\n\n\ndef cut", f"    return {key}\n\n\ndef cut"),
            ("taken(s) if player == INTRUDER else 0", f"{key} if player == INTRUDER else mix(0, 0)"),
        )
    )
    with pytest.raises(
        fs.GameError, match="the legal moves differ between two states of one information set.*player 1"
    ):
        fs.solve(game, "lp-one-sided")
