"""The sequence form: plans, utilities and best responses agree with sums over the terminals and with play itself."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel import CHANCE

FORCED = '''
"""Player 0 must say 0, then chooses; player 1 has never a choice; chance decides in between."""
import numpy as np
from fogspiel.game import CHANCE, OVER, About, mix

State = np.dtype([("turn", "i1"), ("said", "i1"), ("past", "u8")], align=True)

def about():
    return About(players=2, utility=(-8, 8))

def start(s):
    s.turn = 0
    s.said = 0
    s.past = 0

def actor(s):
    if s.turn == 0 or s.turn == 2:
        return 0
    if s.turn == 4:
        return CHANCE
    return 1 if s.turn < 6 else OVER

def moves(s, out):
    out[0] = 0
    if s.turn == 2:
        out[1] = 1
        out[2] = 2
        return 3
    if s.turn == 4:
        out[1] = 1
        return 2
    return 1

def play(s, move):
    s.turn += 1
    s.said += move
    s.past = mix(s.past, move)

def payoff(s, out):
    out[0] = s.said * s.said - 1
    out[1] = 1 - s.said * s.said

def infoset(s, player):
    return mix(s.past, s.turn)
'''

RARE = '''
"""Seven coins, each of which comes up tails once in a thousand; then both players, who see them, bet or pass."""
import numpy as np
from fogspiel.game import CHANCE, OVER, About, mix

State = np.dtype([("turn", "i1"), ("tails", "i1"), ("bet", "i1", 2)], align=True)

def about():
    return About(players=2, utility=(-30, 30))

def start(s):
    s.turn = 0
    s.tails = 0

def actor(s):
    if s.turn < 7:
        return CHANCE
    return s.turn - 7 if s.turn < 9 else OVER

def moves(s, out):
    out[0] = 0
    out[1] = 1
    return 2

def chance(s, out, prob):
    prob[0] = 0.999
    prob[1] = 0.001
    return moves(s, out)

def play(s, move):
    if s.turn < 7:
        s.tails += move
    else:
        s.bet[s.turn - 7] = move
    s.turn += 1

def payoff(s, out):
    out[0] = (s.tails + 1) * (2 * s.bet[0] - s.bet[1])
    out[1] = -out[0]

def infoset(s, player):
    return mix(s.turn, s.tails)
'''

GAMES = [
    "kuhn",
    "leduc",
    "goofspiel(cards=4)",
    "goofspiel(cards=3,order=random)",
    "bluff(faces=3)",
    "matrix",
    "observed_moves",
    "deadlock",
    "matrix(payoffs=[[20000,-31000],[-15000,40000]])",
    "kuhn(players=3)",
    "kuhn(players=4)",
    "hidden_coin",
    "strategy_fusion",
    "coin_or_sure",
    "absent_minded_driver",
    "forced.py",
    "rare.py",
]


@pytest.fixture(params=GAMES)
def form(request, tmp_path):
    spec = request.param
    if spec.endswith(".py"):
        path = tmp_path / spec
        path.write_text({"forced.py": FORCED, "rare.py": RARE}[spec])
        spec = str(path)
    return fs.sequence_form(fs.unroll(spec))


def random_behaviour(form, seed):
    """Probabilities at random, some of them 0."""
    rng = np.random.default_rng(seed)
    behaviour = np.ones(form.sequences)
    for first, count in zip(form.first, form.count, strict=True):
        weights = rng.random(count) * (rng.random(count) < 0.8)
        weights[rng.integers(count)] += 0.1
        behaviour[first : first + count] = weights / weights.sum()
    return behaviour


def span(form, player):
    return slice(form.begin[player], form.begin[player + 1])


def played(form):
    """The sequence of each player at each terminal, straight from the tree."""
    last = form.tree.last
    return np.where(last >= 0, form.sequence[last] if len(form.sequence) else 0, form.begin[:-1])


def gradient_by_terminals(form, plan, player):
    out, at = np.zeros(form.sequences), played(form)
    others = [p for p in range(form.players) if p != player]
    np.add.at(out, at[:, player], form.tree.pay[:, player] * plan[at[:, others]].prod(axis=1))
    return out


def gradient_by_entries(form, plan, player):
    """From the table as it is before it is laid out for speed."""
    out, others = np.zeros(form.sequences), form.players - 1
    for s in range(form.begin[player], form.begin[player + 1]):
        for k in range(form.rows[s], form.rows[s + 1]):
            out[s] += form.value[k] * plan[form.column[k * others : (k + 1) * others]].prod()
    return out


def test_a_gradient_is_the_sum_over_the_terminals(form):
    plan = np.random.default_rng(1).normal(size=form.sequences)
    for player in range(form.players):
        expected = gradient_by_terminals(form, plan, player)
        assert form.gradient(plan, player) == pytest.approx(expected, rel=1e-9, abs=1e-12 * max(1, abs(expected).max()))


def test_the_table_laid_out_for_speed_holds_the_plain_entries(form):
    """With a plan that is 1 in one place alone, a gradient shows a column of the table, exactly."""
    rng = np.random.default_rng(2)
    for player in range(form.players):
        plan = rng.normal(size=form.sequences)
        expected = gradient_by_entries(form, plan, player)
        assert form.gradient(plan, player) == pytest.approx(expected, rel=1e-9, abs=1e-300)
        if form.players == 2:
            for column in rng.choice(np.arange(form.begin[1 - player], form.begin[2 - player]), 5):
                unit = np.zeros(form.sequences)
                unit[column] = 1.0
                assert (form.gradient(unit, player) == gradient_by_entries(form, unit, player)).all()


def test_values_are_those_of_play(form):
    behaviour = random_behaviour(form, 3)
    tree = form.tree
    chances = {}
    for i in range(len(tree.player)):
        actions = range(tree.first[i], tree.first[i] + tree.count[i])
        forced = tree.count[i] == 1
        chances[i] = {int(tree.move[a]): 1.0 if forced else behaviour[form.sequence[a]] for a in actions}

    index = {
        (int(p), int(k), int(a)): i for i, (p, k, a) in enumerate(zip(tree.player, tree.key, tree.parent, strict=True))
    }

    def expected(s, last):
        if s.over:
            return np.array(s.payoff())
        if s.actor == CHANCE:
            return sum(p * expected(child(s, move), last) for move, p in s.chance())
        i = index[s.actor, s.key(s.actor), last[s.actor]]
        total = np.zeros(form.players)
        for k, move in enumerate(s.moves()):
            if chances[i][move]:
                after = (*last[: s.actor], int(tree.first[i]) + k, *last[s.actor + 1 :])
                total += chances[i][move] * expected(child(s, move), after)
        return total

    assert form.values(form.plan(behaviour)) == pytest.approx(
        expected(tree.game.start(), (-1,) * form.players), rel=1e-9
    )


def child(s, move):
    t = s.copy()
    t.play(move)
    return t


def test_a_plan_multiplies_probabilities_and_a_behaviour_takes_them_apart(form):
    behaviour = random_behaviour(form, 4)
    plan = form.plan(behaviour)
    assert (plan[form.begin[:-1]] == 1.0).all()
    for first, count, parent in zip(form.first, form.count, form.parent, strict=True):
        assert plan[first : first + count].sum() == pytest.approx(plan[parent])
    again = form.behaviour(plan)
    for first, count, parent in zip(form.first, form.count, form.parent, strict=True):
        expected = behaviour[first : first + count] if plan[parent] > 0 else np.full(count, 1 / count)
        assert again[first : first + count] == pytest.approx(expected)
    assert form.plan(again) == pytest.approx(plan)
    assert form.behaviour(3.5 * plan) == pytest.approx(again)


def test_uniform_play_gives_every_action_the_same_probability(form):
    uniform = form.uniform()
    for first, count in zip(form.first, form.count, strict=True):
        assert (uniform[first : first + count] == 1 / count).all()
    assert (form.behaviour(np.zeros(form.sequences)) == uniform).all()


def test_sequences_are_numbered_player_by_player_with_forced_moves_left_out(form):
    tree = form.tree
    assert (form.count >= 2).all()
    assert form.sequences == form.players + tree.count[tree.count > 1].sum()
    assert len(form.first) == (tree.count > 1).sum()
    for i in range(len(tree.player)):
        before = form.sequence[tree.parent[i]] if tree.parent[i] >= 0 else form.begin[tree.player[i]]
        own = form.sequence[tree.first[i] : tree.first[i] + tree.count[i]]
        assert (own == before).all() if tree.count[i] == 1 else (own > before).all()
        assert ((form.begin[tree.player[i]] <= own) & (own < form.begin[tree.player[i] + 1])).all()
    for k, origin in enumerate(form.origin):
        assert form.sequence[tree.first[origin]] == form.first[k]
        assert (form.count[k], form.parent[k] < form.first[k]) == (tree.count[origin], True)
    for player in range(form.players):
        mine = form.origin[form.sets[player] : form.sets[player + 1]]
        assert (tree.player[mine] == player).all()


def test_a_best_response_gains_what_it_says_and_no_pure_strategy_gains_more(form):
    """Tried against many pure strategies; a gain is that of the player's own plan against the others'."""
    plan = form.plan(random_behaviour(form, 5))
    for player in range(form.players):
        value, behaviour = form.best_response(plan, player)
        gradient = gradient_by_terminals(form, plan, player)
        mine = span(form, player)
        assert form.plan(behaviour)[mine] @ gradient[mine] == pytest.approx(value, rel=1e-9, abs=1e-12)
        for seed in range(50):
            pure = form.plan((random_behaviour(form, 100 + seed) > 0.5).astype(float) + 1e-9)
            pure = form.plan(form.behaviour(pure))
            assert pure[mine] @ gradient[mine] <= value + 1e-6 * max(1, abs(value))


def test_forced_moves_are_contracted_and_a_player_may_have_no_choice_at_all(tmp_path):
    path = tmp_path / "forced.py"
    path.write_text(FORCED)
    tree = fs.unroll(path)
    form = fs.sequence_form(tree)
    assert (tree.infosets, tree.pairs) == (1 + 1 + 1 + 3 + 6, 1 + 1 + 3 + 3 + 6)
    assert form.begin.tolist() == [0, 4, 5]
    assert form.count.tolist() == [3]
    assert form.gradient(form.plan(form.uniform()), 0)[:4] == pytest.approx([0, -0.5, 1.5, 5.5])
    assert form.values(form.plan(form.uniform())) == pytest.approx([6.5 / 3, -6.5 / 3])
    assert form.best_response(form.plan(form.uniform()), 1)[0] == pytest.approx(-6.5 / 3)


def test_a_game_in_which_nothing_is_won_has_values_of_zero(tmp_path):
    path = tmp_path / "nothing.py"
    path.write_text(FORCED.replace("s.said * s.said - 1", "0").replace("1 - s.said * s.said", "0"))
    form = fs.sequence_form(fs.unroll(path))
    assert form.values(form.plan(form.uniform())).tolist() == [0, 0]
    assert form.best_response(form.plan(form.uniform()), 0)[0] == 0


def test_kuhn_poker_has_its_known_value_and_best_responses():
    """Kuhn 1950: -1/18 to the first player. The equilibrium with alpha = 0, by card and betting."""
    tree = fs.unroll("kuhn")
    form = fs.sequence_form(tree)
    assert form.sequences == 26
    assert form.values(form.plan(form.uniform())) == pytest.approx([1 / 8, -1 / 8])
    assert form.best_response(form.plan(form.uniform()), 0)[0] == pytest.approx(1 / 2)
    assert form.best_response(form.plan(form.uniform()), 1)[0] == pytest.approx(5 / 12)
