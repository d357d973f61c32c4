"""Self-determinization and bluffing (Whitehouse 2014, sec. 7.4)."""

from collections import Counter

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents.bluffing import best_bluff
from fogspiel.evaluate.online import stitch

JACK_AFTER_A_PASS = "deal 2 to player 0, deal 1 to player 1, pass"


def bets(spec, seeds):
    """How much of the visits a bet has with the lowest card, after a pass."""
    shares = []
    for seed in seeds:
        visits = {m.name: m.visits for m in fs.think("kuhn", spec, JACK_AFTER_A_PASS, seed=seed).moves}
        shares.append(visits["bet"] / sum(visits.values()))
    return float(np.mean(shares))


def test_a_search_from_its_own_information_alone_never_bluffs_and_one_that_hides_its_secret_does():
    # every equilibrium of Kuhn poker has the second player bet the lowest card a third of the time after a pass
    for plain in ("mo-ismcts(simulations=2000)", "bluffing-ismcts(simulations=2000,determinize=true)"):
        assert all(fs.think("kuhn", plain, JACK_AFTER_A_PASS, seed=seed).chosen == "pass" for seed in range(10))
        assert bets(plain, range(10)) < 0.06
    assert 0.2 < bets("bluffing-ismcts(simulations=2000,determinize=pure)", range(10)) < 0.45


CLAIM = """
import numpy as np
from fogspiel.game import CHANCE, OVER, About, mix, pick

State = np.dtype([("strong", "i1"), ("turn", "i1"), ("claim", "i1"), ("last", "i1")], align=True)


def about():
    return About(players=2, utility=(-1, 1))


def start(s):
    s.strong = -1


def actor(s):
    if s.turn == 0 or s.turn == 2 and not s.claim:
        return CHANCE
    return (0, 0, 1, OVER)[s.turn]


def moves(s, out):
    out[0], out[1] = 0, 1
    return 2


def chance(s, out, prob):
    out[0], out[1] = 0, 1
    prob[0], prob[1] = (0.1, 0.9) if s.turn == 0 else (0.5, 0.5)
    return 2


def play(s, move):
    if s.turn == 0:
        s.strong = move
    elif s.turn == 1:
        s.claim = move
    else:
        s.last = move
    s.turn += 1


def payoff(s, out):
    if not s.claim:
        worth = 1.0 if s.last else -1.0
    elif not s.last:
        worth = 0.5
    else:
        worth = 1.0 if s.strong else -1.0
    out[0], out[1] = worth, -worth


def infoset(s, player):
    return mix(mix(s.turn, s.claim + 10 * (s.turn > 2) * s.last), s.strong if player == 0 else 0)


def move_name(s, move):
    if s.turn == 0:
        return ("weak", "strong")[move]
    return (("flip", "claim"), ("fold" , "call"))[s.turn - 1][move]
"""


def test_the_best_bluff_is_played_where_it_is_nearly_as_good(tmp_path):
    # one in ten is weak. If all claim, a call costs 0.8 and a fold 0.5, so nobody calls; to flip a coin is worth 0, and
    # who is known to be weak is called
    (tmp_path / "claim.py").write_text(CLAIM)

    def does(spec):
        return {fs.think(tmp_path / "claim.py", spec, "weak", seed=seed).chosen for seed in range(10)}

    assert does("mo-ismcts(simulations=2000)") == {"flip"}
    for how, move in (("true", "flip"), ("split", "flip"), ("bluffing", "claim")):
        assert does(f"bluffing-ismcts(simulations=2000,determinize={how})") == {move}


def test_who_bluffs_is_less_exploitable():
    def exploitable(how):
        return stitch(
            "kuhn", lambda: fs.agent(f"bluffing-ismcts(simulations=1000,determinize={how},final=mix)"), rounds=30
        )

    assert exploitable("pure") < exploitable("true") - 0.04


def test_the_best_bluff_is_not_significantly_worse_than_the_best_honest_move():
    rng = np.array([1], np.uint64)
    found = {0: (60, 0.6, 0.3), 1: (30, 0.5, 0.2), 2: (10, 0.2, 0.4), 3: (0, 0.0, 0.0)}
    visits = Counter({0: 70, 1: 90, 2: 500, 3: 900})
    # 0.6 - 0.5 < min(0.3, 0.2), but 0.6 - 0.2 is not below min(0.3, 0.4); what was never tried is no bluff
    assert best_bluff(found, 0, visits, rng) == 1
    assert best_bluff(found | {1: (30, 0.39, 0.2)}, 0, visits, rng) == 0
    # without any scatter the best honest move is still there
    assert best_bluff({0: (5, 0.5, 0.0), 1: (5, 0.5, 0.0)}, 0, Counter({0: 1, 1: 9}), rng) == 0


def decided(how, seed=3, game="leduc", simulations=400, **parameters):
    agent = fs.agent("bluffing-ismcts", simulations=simulations, determinize=how, **parameters)
    return fs.think(game, agent, seed=seed), agent


def test_true_and_pure_are_the_ends_of_split():
    for end, share in (("true", 0), ("pure", 1)):
        assert decided(end)[0].moves == decided(f"split(selves={share})")[0].moves


@pytest.mark.parametrize("how", ["true", "pure", "split", "two-step", "bluffing"])
@pytest.mark.parametrize(("spec", "count"), [("leduc", 400), ("goofspiel(cards=4)", 400), ("resistance", 2000)])
def test_only_determinizations_of_its_own_information_set_reach_the_decision_tree(how, spec, count):
    thought, agent = decided(how, game=spec, simulations=count)
    true = {"true": count, "pure": 0}.get(how, count // 2)
    if (how, spec) == ("pure", "resistance"):
        # two of five are spies: few of those from psi come to its own information set, so as many again start there
        assert thought.statistics.simulations == 2 * count
        assert count < sum(m.visits for m in thought.moves) < 2 * count
        return
    assert thought.statistics.simulations == count
    assert true <= sum(m.visits for m in thought.moves) <= count - (how == "pure" and spec != "goofspiel(cards=4)")
    if how != "true":
        own, all_sets = agent.believes(), agent.seems()
        if spec == "leduc":
            assert len(own["card of player 0"]) == 1
            assert len(all_sets["card of player 0"]) == 3


def test_in_the_second_of_two_steps_others_learn_nothing():
    _, agent = decided("two-step")
    memory = agent.search.memory
    nodes = memory.nodes[: memory.node_count]
    others = {int(k): int(v) for k, v in zip(nodes.key, nodes.visits, strict=True) if v}
    owner = {int(k): int(o) for k, o in zip(nodes.key, nodes.owner, strict=True)}
    agent.search.simulate(agent.roots, 0, 300)
    nodes = memory.nodes[: memory.node_count]
    later = {int(k): int(v) for k, v in zip(nodes.key, nodes.visits, strict=True)}
    assert all(later[k] == v for k, v in others.items() if owner[k] == 1)
    assert sum(later.values()) > sum(others.values())
    assert all(v == 0 for k, v in later.items() if k not in owner and nodes.owner[memory.find(k)] == 1)


def test_a_bandit_without_variances_bluffs_as_well():
    thought, agent = decided("bluffing", bandit="ucb")
    assert "squares" in agent.search.memory.slots.dtype.names
    assert thought.choice in [m.move for m in thought.moves]


def test_several_threads_bluff_together():
    thought, _ = decided("bluffing", threads=2)
    assert thought.statistics.simulations == 400


def test_one_move_is_not_drawn_where_the_best_bluff_is_sought():
    with pytest.raises(fs.SpecError, match="final=mix is for the other ways"):
        fs.agent("bluffing-ismcts(final=mix)")
