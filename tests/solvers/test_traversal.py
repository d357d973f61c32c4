"""The traversal of the sampling solvers, un-compiled and looked into.

Its estimates are right on average (Lanctot 2013, Lemma 1): every way that chance, players and coins can fall is
enumerated, with its probability. One thing is replaced for that: a random real is an interval, which each comparison
cuts in two. What regrets and averages should grow by is computed here from the definitions, by plain recursion over
states.
"""

from collections import defaultdict
from types import SimpleNamespace

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.engine.closure import globals_read, reachable
from fogspiel.game import CHANCE, OVER
from fogspiel.game import table as game_table
from fogspiel.solvers.mccfr import arena
from fogspiel.solvers.mccfr.arena import AVERAGE, EXTRA, REGRET
from fogspiel.solvers.mccfr.averaging import catching_up
from fogspiel.solvers.registry import read_solver
from fogspiel.solvers.solver import Task

CLOSE = 1e-12


class Branches:
    """One way through all decisions after another; `chance` is the probability of the present one."""

    def __init__(self):
        self.path, self.at, self.chance, self.coins = [], 0, 1.0, {}

    def take(self, p: float) -> bool:
        if self.at == len(self.path):
            self.path.append(True)
        yes = self.path[self.at]
        self.at += 1
        self.chance *= p if yes else 1.0 - p
        return yes


class Interval:
    """A uniform random real of which is known only that it lies in [low, high)."""

    def __init__(self, branches):
        self.branches, self.low, self.high = branches, 0.0, 1.0


class Real:
    """scale * x + shift, for a random real x. A comparison that is not decided yet is a branch."""

    def __init__(self, x, scale=1.0, shift=0.0):
        self.x, self.scale, self.shift = x, scale, shift

    def __sub__(self, other):
        return Real(self.x, self.scale, self.shift - other)

    def __mul__(self, factor):
        return Real(self.x, self.scale * factor, self.shift * factor)

    def __lt__(self, other):
        x, at = self.x, (other - self.shift) / self.scale
        if at >= x.high - CLOSE / 10:
            return True
        if at <= x.low + CLOSE / 10:
            return False
        below = x.branches.take((at - x.low) / (x.high - x.low))
        x.low, x.high = (x.low, at) if below else (at, x.high)
        return below

    def __ge__(self, other):
        return not self < other

    def __int__(self):
        whole = 0
        while not self < whole + 1:
            whole += 1
        return whole


class Fields:
    """The fields of a one-element structured array as attributes, as compiled code sees them."""

    def __init__(self, array):
        object.__setattr__(self, "array", array)

    def __getattr__(self, name):
        if name == "ctypes":
            return self.array.ctypes
        value = self.array[name]
        return value[0] if value.ndim > 1 else value.item()

    def __setattr__(self, name, value):
        self.array[name] = value


class Elements:
    """The elements of a structured array, likewise. A `recarray` would take three times as long."""

    def __init__(self, array):
        self.array, self.dtype = array.view(np.ndarray), array.dtype

    def __getitem__(self, i):
        return Fields(self.array[i : i + 1])


def plainly(bundled):
    """A bundle whose numbers are Python's own."""
    shown = {
        "bundle": plainly,
        "record": lambda record: Fields(record.base.reshape(1).view(np.ndarray)),
        "records": Elements,
    }
    kinds = dict(bundled.kind.members)
    return SimpleNamespace(
        **{name: shown.get(kind.shape, np.ctypeslib.as_ctypes)(getattr(bundled, name)) for name, kind in kinds.items()}
    )


class Plain:
    """A solver whose traversals run un-compiled. `only` restricts an iteration to its traversal of that number."""

    def __init__(self, monkeypatch, game, algorithm, seed=0):
        _, entry, values = read_solver(algorithm, words=64)
        self.monkeypatch, self.game = monkeypatch, fs.load(game)
        self.solver = entry.make(Task(self.game, seed=seed, memory=1 << 22), values)
        self.table, (self.worker,) = self.solver.table, self.solver.workers
        self.only, self.before = None, lambda: None
        self.outer = 0
        function, averaging = self.worker.kernel.plain, self.solver.averaging
        self.functions, real_traverse = reachable([function]), function.__globals__["traverse"]

        def iterate(rules, run, *counts):
            self.outer = 0
            function(rules.tolist(), plainly(run), *counts)

        def traverse(*arguments):
            self.outer += 1
            if self.only is None or self.only == self.outer - 1:
                self.before()
                real_traverse(*arguments)

        self.worker.kernel = iterate
        # so that a place with three children looks at them in two parts
        self.replace("AHEAD", 2)
        self.replace("traverse", traverse)
        if averaging.has("owed"):
            catch_up = catching_up(averaging.space.owed)
            caught_up = catch_up[False].plain
            monkeypatch.setitem(catch_up, False, lambda table, *rest: caught_up(plainly(table), *rest))

    def replace(self, name, value):
        """Something else under a name, in the traversal and in all that it calls."""
        for function in self.functions:
            if name in globals_read(function):
                self.monkeypatch.setitem(function.__globals__, name, value)

    def know(self, state=None):
        """Make a node for every information set, but those where a move is forced."""
        state = state or self.game.start()
        who, moves = state.actor, state.moves()
        if who >= 0 and len(moves) > 1:
            arena.locate(plainly(self.table.bundle), signed(state.key(who)), who, len(moves), moves, 0)
        for move in moves:
            after = state.copy()
            after.force(move)
            self.know(after)

    def places(self, which):
        """Where a column lies, node after node."""
        found = self.table.contents()
        return self.table.places(which, found["count"], found["first"])

    def by_key(self, values):
        """The values of a column, by player and key."""
        found = self.table.contents()
        keys = zip(found["player"].tolist(), found["key"].view(np.int64).tolist(), strict=True)
        return dict(zip(keys, np.split(values, np.cumsum(found["count"]))[:-1], strict=True))

    def fill(self, which, draw):
        places = self.places(which)
        self.table.reals[places] = draw(len(places))

    def strategy(self):
        """Regret matching at every node (Lanctot 2013, eq. 2.18)."""
        out = {}
        for key, regret in self.by_key(self.table.reals[self.places(REGRET)]).items():
            positive = np.maximum(regret, 0.0)
            out[key] = positive / positive.sum() if positive.sum() > 0 else np.full(len(regret), 1 / len(regret))
        return out


def signed(key):
    return key - (1 << 64) if key >= 1 << 63 else key


def counterfactual(game, sigma):
    """Regrets, and own reach times strategy times the reach of chance, at every information set, by definition, added
    up over its histories. Where nothing is known yet, every action is as likely."""
    regret, average = defaultdict(float), defaultdict(float)

    def descend(state, reach):
        who = state.actor
        if who == OVER:
            return np.array(state.payoff())
        if who == CHANCE:
            options = state.chance()
        else:
            moves = state.moves()
            known = sigma.get((who, signed(state.key(who))), np.full(len(moves), 1 / len(moves)))
            options = list(zip(moves, known, strict=True))
        found = []
        for move, p in options:
            after, further = state.copy(), reach.copy()
            after.force(move)
            further[who] *= p
            found.append(descend(after, further))
        odds = np.array([p for _, p in options])
        value = odds @ np.array(found)
        if who != CHANCE:
            key, others = (who, signed(state.key(who))), np.prod(np.delete(reach, who))
            regret[key] = regret[key] + others * (np.array(found)[:, who] - value[who])
            average[key] = average[key] + reach[who] * reach[CHANCE] * odds
        return value

    descend(game.start(), np.ones(game.players + 1))
    return regret, average


def expected(plain, traversal):
    """The expected increments of regrets and averages in one traversal, and how many ways it can go."""
    reals, saved = plain.table.reals, plain.table.words[: plain.table.used].copy()
    regrets, averages, held = (plain.places(which) for which in (REGRET, AVERAGE, EXTRA))
    before, average_before = reals[regrets], reals[averages]
    regret, average, total, ways = np.zeros(len(regrets)), np.zeros(len(averages)), 0.0, 0
    branches, coins = Branches(), {}
    # the same word gives the same random real
    plain.replace("unit", lambda word: Real(coins.setdefault(int(word), Interval(branches))))
    plain.replace("uniform", lambda rng: Real(Interval(branches)))
    plain.only = traversal
    while True:
        branches.at, branches.chance = 0, 1.0
        coins.clear()
        plain.table.words[: len(saved)] = saved
        plain.solver.advance(1)
        grown = reals[regrets] - before
        if plain.solver.sampling.name == "vanilla":
            grown += reals[held]
        regret += branches.chance * grown
        average += branches.chance * (reals[averages] - average_before)
        total += branches.chance
        ways += 1
        while branches.path and not branches.path[-1]:
            branches.path.pop()
        if not branches.path:
            break
        branches.path[-1] = False
    plain.table.words[: len(saved)] = saved
    plain.only = None
    assert total == pytest.approx(1, abs=CLOSE)
    assert plain.table.used == len(saved)
    return plain.by_key(regret), plain.by_key(average), ways


SCHEMES = (
    "walk-cfr",
    "cs-mccfr",
    "cs-mccfr(chance=common)",
    "cs-mccfr(chance=public)",
    "es-mccfr",
    "os-mccfr",
    "os-mccfr(epsilon=0.1)",
    "as-mccfr(beta=0.5,tau=1.5,epsilon=0.3)",
    "pure-cfr",
    "vr-mccfr",
    "os-mccfr(updates=parallel)",
    "probing-mccfr",
)
CASES = [("kuhn", scheme) for scheme in SCHEMES]
CASES += [("goofspiel(cards=3)", scheme) for scheme in SCHEMES[4:-2]]  # actions are hidden
CASES += [("goofspiel(cards=2,order=random)", scheme) for scheme in (*SCHEMES[:4], *SCHEMES[-2:])]  # chance is public
CASES += [("bluff(faces=2)", f"cs-mccfr(chance={how})") for how in ("paired", "common")]
CASES.append(("bluff(faces=3)", "cs-mccfr(chance=paired)"))  # an outcome that is its own partner
CASES += [
    (game, "pcs-mccfr")
    for game in ("kuhn", "poker(ranks=2,raises=0)", "bluff(faces=2)", "bluff(dice1=2,faces=2,rounds=valued)")
]
CERTAIN = [("kuhn", "cs-mccfr(chance=public)"), *((game, "walk-cfr") for game, _ in CASES)]
"""Where nothing is sampled."""


@pytest.mark.parametrize(("game", "scheme"), CASES)
def test_sampled_regrets_and_averages_are_right_on_average(monkeypatch, game, scheme):
    plain = Plain(monkeypatch, game, scheme)
    plain.know()
    dice = np.random.default_rng(7)
    # some actions are never played, in some sets nothing has positive regret
    plain.fill(REGRET, lambda n: dice.normal(0.4, 1, n))
    plain.fill(AVERAGE, lambda n: np.maximum(dice.normal(0.5, 1, n), 0))
    if plain.solver.sampling.name == "corrected":
        plain.fill(EXTRA, lambda n: dice.normal(0, 1, n))
    sigma = plain.strategy()
    assert min(p.min() for p in sigma.values()) == 0
    regret, average = counterfactual(plain.game, sigma)
    assert sigma.keys() == {key for key, values in regret.items() if len(values) > 1}
    both = plain.solver.traversals == 1
    for me in range(1 if both else 2):
        found, added, ways = expected(plain, me)
        assert (ways == 1) == ((game, scheme) in CERTAIN)
        averaged = me if plain.solver.sampling.name in ("vanilla", "public-tree") else 1 - me
        for key in sigma:
            mine = both or key[0] == me
            assert found[key] == pytest.approx(regret[key] if mine else 0 * regret[key], abs=CLOSE), key
            mine = both or key[0] == averaged
            assert added[key] == pytest.approx(average[key] if mine else 0 * average[key], abs=CLOSE), key


def follow_exactly(plain, iterations):
    """Run, and add up what the average strategy is by definition: own reach times strategy, over all traversals."""
    exact = {}

    def add():
        _, average = counterfactual(plain.game, plain.strategy())
        for key, values in average.items():
            exact[key] = exact.get(key, 0) + values

    plain.before = add
    plain.solver.advance(iterations)
    histories = counterfactual(plain.game, {})[1]
    own = counterfactual(plain.game, {key: np.ones(len(values)) for key, values in histories.items()})[1]
    # without chance every history of a set has the same own reach, so that all ones count the histories
    return {key: exact[key] / own[key] for key in plain.by_key(np.zeros(len(plain.places(AVERAGE))))}


def test_lazy_averages_are_exact(monkeypatch):
    # Lanctot 2013, sec. 4.4, with what waits kept at the parent's action rather than passed to one of its children
    plain = Plain(monkeypatch, "goofspiel(cards=3)", "os-mccfr(average=lazy)", seed=3)
    exact = follow_exactly(plain, 150)
    found = plain.table.contents()
    caught_up = plain.by_key(plain.solver._averages(found["count"], found["first"]))
    assert len(exact) > 10
    for key, mass in exact.items():
        assert caught_up[key] == pytest.approx(mass, rel=1e-9)
    assert any(abs(mass - mass.mean()).max() > 1 for mass in exact.values())


def test_lazy_averages_as_printed_lose_mass_where_an_action_has_several_sequels(monkeypatch):
    plain = Plain(monkeypatch, "goofspiel(cards=3)", "os-mccfr(average=lazy-printed)", seed=3)
    exact = follow_exactly(plain, 150)
    found = plain.by_key(plain.table.reals[plain.places(AVERAGE)])
    ratio = {key: found[key].sum() / mass.sum() for key, mass in exact.items() if mass.sum() > 1}
    first = [r for key, r in ratio.items() if len(exact[key]) == 3]
    later = [r for key, r in ratio.items() if len(exact[key]) == 2]
    assert first == pytest.approx([1, 1])
    assert len(later) > 5
    # none has more than it should, most have clearly less
    assert max(later) < 1 + 1e-9
    assert np.median(later) < 0.9
    assert min(later) < 0.5


def test_an_opponent_does_the_same_in_all_histories_that_it_cannot_tell_apart(monkeypatch):
    plain = Plain(monkeypatch, "goofspiel(cards=4)", "es-mccfr", seed=1)
    real_step, done = game_table.step, defaultdict(list)

    def step(game, target, state, move, *room):
        me, who = plain.outer - 1, game_table.actor(game, state)
        if who != me:
            done[plain.solver.iterations, me, game_table.situation(game, state, who)].append(move)
        return real_step(game, target, state, move, *room)

    plain.replace("step", step)
    for _ in range(10):
        plain.solver.advance(1)
    assert all(len(set(moves)) == 1 for moves in done.values())
    assert max(map(len, done.values())) > 2
    across = defaultdict(set)
    for (_, me, key), moves in done.items():
        across[me, key].add(moves[0])
    assert max(map(len, across.values())) > 1


@pytest.mark.parametrize("algorithm", ["es-mccfr", "os-mccfr(average=lazy)", "vr-mccfr", "pure-cfr"])
def test_plain_and_compiled_traversals_do_the_same(monkeypatch, algorithm):
    _, entry, values = read_solver(algorithm, words=64)
    compiled = entry.make(Task(fs.load("kuhn"), seed=5, memory=1 << 22), values)
    compiled.advance(40)
    plain = Plain(monkeypatch, "kuhn", algorithm, seed=5)
    plain.solver.advance(40)
    assert np.array_equal(plain.table.store(), compiled.table.store())
    assert plain.solver.touched == compiled.touched
