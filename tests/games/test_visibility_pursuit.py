"""Visibility-based pursuit-evasion: its maps, who sees whom, where the evader may be, its evaluations and playouts."""

import random
from itertools import product

import numpy as np
import pytest
from positions import after, child, generator, load, random_states

import fogspiel as fs
from fogspiel.belief.record import Record
from fogspiel.game.first_run import first_run
from fogspiel.game.state import ignoring
from fogspiel.games import visibility_pursuit as pursuit
from fogspiel.games.toolkit.graphs import crossed
from fogspiel.games.toolkit.maps import read_map, sight


def distances(free, row, column):
    """How many steps every square is away from one; -1 where no way leads."""
    far = np.full(free.shape, -1)
    far[row, column] = 0
    edge, steps = [(row, column)], 0
    while edge:
        steps += 1
        around = {(r + d, c + e) for r, c in edge for d, e in ((-1, 0), (0, 1), (1, 0), (0, -1))}
        inside = [(r, c) for r, c in around if 0 <= r < free.shape[0] and 0 <= c < free.shape[1]]
        edge = [square for square in inside if free[square] and far[square] < 0]
        for square in edge:
            far[square] = steps
    return far


SMALL = "visibility_pursuit(map=.../.#./...,pursuers=1,reach=2,steps=3,apart=0,starts=3)"


@pytest.mark.parametrize(("name", "shape", "squares", "reach"), [("maze", (49, 50), None, 10), ("roads", None, 465, 5)])
def test_maps_have_the_printed_sizes(name, shape, squares, reach):
    """A maze of 50 by 49 pixels, roads with 465 nodes (Lisý 2014, sec. 5.4); every square can be reached."""
    free = read_map(name)
    assert shape is None or free.shape == shape
    assert squares is None or free.sum() == squares
    assert (distances(free, *np.argwhere(free)[0]) >= 0).sum() == free.sum()
    if name == "maze":
        assert free.sum() > 1167  # as many squares were possible at the end of a game there, on average
    seen = sight(free, reach)
    rng = random.Random(1)
    squares = [tuple(square) for square in np.argwhere(free)]
    for (r, c), (q, d) in ((rng.choice(squares), rng.choice(squares)) for _ in range(2000)):
        one, other = (
            abs(q - r) <= reach and seen[a][reach + k] >> b & 1 for a, k, b in (((r, c), q - r, d), ((q, d), r - q, c))
        )
        assert one == other
        assert not one or (q - r) ** 2 + (d - c) ** 2 <= reach**2


def test_a_line_crosses_squares_and_not_their_corners():
    assert list(crossed(0, 3)) == [(0, 0), (0, 1), (0, 2), (0, 3)]
    assert list(crossed(2, 2)) == [(0, 0), (1, 1), (2, 2)]
    assert list(crossed(1, 2)) == [(0, 0), (0, 1), (1, 1), (1, 2)]
    assert sorted((-r, -c) for r, c in crossed(3, -5)) == sorted(crossed(-3, 5))


def test_a_wall_hides():
    seen = sight(read_map(".../.#./..."), 2)
    row = {k: bin(int(seen[1, 0, 2 + k])) for k in (-1, 0, 1)}
    assert row == {-1: "0b11", 0: "0b1", 1: "0b11"}


class Reference:
    """The sets of the thesis in plain Python: t, v, and PP by their definitions."""

    def __init__(self, game):
        self.s = game.start().view
        columns, rows = self.s.columns, self.s.rows
        self.free = {
            r * columns + c
            for r, c in product(range(rows), range(columns))
            if pursuit.whole_at(self.s.free, r) >> c & 1
        }

    def t(self, squares):
        return {
            pursuit.neighbour(self.s, n, way) for n in squares for way in range(5) if pursuit.open_way(self.s, n, way)
        }

    def v(self, squares):
        return {n for n in self.free if any(pursuit.in_view(self.s, m, n) for m in squares)}

    def possible(self, own, other):
        """Where a side holds an agent possible, step by step, by its own units' ways and the agent's."""
        found = [{other[0]}]
        for t in range(1, len(other)):
            seen = self.v({way[t] for way in own})
            found.append({other[t]} if other[t] in seen else self.t(found[-1]) - seen)
        return found


@pytest.mark.parametrize("spec", ["visibility_pursuit", "visibility_pursuit(pursuers=3,wait=yes,reach=2)", SMALL])
def test_possible_positions_payoffs_and_look_ahead_are_those_of_the_definitions(spec):
    game = load(spec)
    reference = Reference(game)
    ends = 0
    for state in random_states(game, 6, seed=2):
        s = state.view
        if not s.started:
            continue
        units = [[s.path[u, t] for t in range(s.step + 1)] for u in range(s.pursuers)]
        prey = [s.path[pursuit.PREY, t] for t in range(s.step + 1)]
        held = reference.possible(units, prey)
        _, maybe = pursuit.known_places(s, 0)
        assert maybe == held[-1]
        hunters = [reference.possible([prey], unit)[-1] for unit in units]
        assert pursuit.known_places(s, 1)[1] == set().union(*hunters)
        if state.over:
            assert state.payoff()[1] == pytest.approx(np.mean([len(squares) for squares in held[1:]]))
            ends += 1
        elif s.step % 3 == 1:
            out = [0.0, 0.0]
            pursuit.rla(s, out)
            assert -out[0] == pytest.approx(max(1, look_ahead(reference, held[-1], {unit[-1] for unit in units})))
            assert out[1] == pytest.approx(max(1, look_ahead(reference, {prey[-1]}, set().union(*hunters))))
    assert ends == 6


def look_ahead(reference, hidden, hunters):
    sizes = []
    for i in range(11):
        hidden, hunters = (reference.t(hidden), reference.t(hunters)) if i else (hidden, hunters)
        sizes.append(len(hidden - reference.v(hunters)))
    return np.mean(sizes)


def test_a_small_pursuit_conforms_at_every_history():
    report = fs.check(load(SMALL.replace("steps=3", "steps=2")), playouts=100, histories=20_000)
    assert report.ok, str(report)
    assert report.whole_tree


def test_hidden_ways_are_redrawn_where_each_square_is_as_likely():
    game = load("visibility_pursuit")
    state = next(
        s
        for s in random_states(game, 50, seed=4)
        if not s.over and s.actor == 0 and len(pursuit.known_places(s.view, 0)[1]) > 5
    )
    squares = pursuit.known_places(state.view, 0)[1]
    counts, rng, n = dict.fromkeys(squares, 0), generator(3), 4000
    for _ in range(n):
        state.resample(0, rng)
        counts[state.view.path[pursuit.PREY, state.view.step]] += 1
    assert max(abs(count - n / len(squares)) for count in counts.values()) < 5 * (n / len(squares)) ** 0.5


def test_objectives_are_counted():
    rng = random.Random(5)
    found = {
        name: fs.load("visibility_pursuit", objective=name).start()
        for name in ("mean_size", "log_mean_size", "end_size", "seen")
    }
    first = found["mean_size"]
    while not first.over:
        move = rng.choice(first.moves())
        for state in found.values():
            state.play(move)
    s = first.view
    pays = {name: state.payoff()[1] for name, state in found.items()}
    assert pays["log_mean_size"] == pytest.approx(np.log10(pays["mean_size"]))
    assert pays["end_size"] == len(pursuit.known_places(s, 0)[1])
    assert pays["seen"] == -sum(pursuit.seen_after(s, pursuit.PREY, t) for t in range(s.steps + 1))


def test_starts_are_those_of_the_thesis():
    """Pursuers at least so far apart; the evader in sight and nowhere in sight is farther from the nearest pursuer
    (sec. 5.4)."""
    game = load("maze_pursuit")
    free = read_map("maze")
    for start in (0, 7, 99):
        s = after(game, start).view
        first, second, prey = (divmod(s.path[agent, 0], s.columns) for agent in (0, 1, pursuit.PREY))
        far = np.minimum(distances(free, *first), distances(free, *second))
        assert distances(free, *first)[second] >= 25
        in_sight = [divmod(n, s.columns) for n in Reference(game).v([s.path[0, 0], s.path[1, 0]])]
        assert far[prey] == max(far[square] for square in in_sight)
        assert prey in in_sight


def test_an_abstraction_keeps_where_and_when_others_were_last_seen():
    game = load(
        "visibility_pursuit(abstraction=last_seen,pursuers=1,map=....../.####./......,reach=2,steps=6,apart=0,starts=1)"
    )
    one = game.start()
    one.play(0)
    keys = {}
    todo = [one]
    while todo:
        state = todo.pop()
        if not state.over and state.view.step < 4:
            if state.actor == 0:
                s = state.view
                facts = (s.step, s.path[0, s.step], s.last[pursuit.PREY], s.path[pursuit.PREY, s.last[pursuit.PREY]])
                keys.setdefault(state.situation(0), set()).add(facts)
            todo += [child(state, move) for move in state.moves()]
    assert all(len(facts) == 1 for facts in keys.values())
    assert len({next(iter(facts)) for facts in keys.values()}) == len(keys)


RING = "visibility_pursuit(map=......./.#####./.......,reach=2,steps=6,apart=0,pursuers={})"


def kept(reference, state, most):
    """The pursuers that the evader does not ignore: it has seen them, and they may be on so many squares at most."""
    s, times = state.view, range(state.view.step + 1)
    prey = [s.path[pursuit.PREY, t] for t in times]
    ways = [[s.path[unit, t] for t in times] for unit in range(s.pursuers)]
    return [
        unit
        for unit, way in enumerate(ways)
        if any(way[t] in reference.v([prey[t]]) for t in times) and len(reference.possible([prey], way)[-1]) <= most
    ]


def played_by(units, state):
    """What the game with some of the pursuers alone comes to, where they and the evader go the same ways."""
    fewer, s = load(RING.format(len(units))).start(), state.view
    t = fewer.view
    for place, unit in enumerate(units):
        t.path[place, 0] = s.path[unit, 0]
    t.path[pursuit.PREY, 0], t.started = s.path[pursuit.PREY, 0], 1
    pursuit.observe(t, 0)

    def way(unit, k):
        here = s.path[unit, k]
        there = {pursuit.neighbour(s, here, way): way for way in range(4) if pursuit.open_way(s, here, way)}
        return there[s.path[unit, k + 1]]

    for k in range(s.step):
        fewer.play(sum(5**place * way(unit, k) for place, unit in enumerate(units)))
        fewer.play(way(pursuit.PREY, k))
    if s.pending > 0:
        fewer.play(sum(5**place * ((s.pending - 1) // 5**unit % 5) for place, unit in enumerate(units)))
    return fewer


def decided(state, spec):
    """What a search thinks of the evader's moves."""
    one = fs.agent(spec)
    one.begin(state.game, 1, 5)
    move = one.choose(fs.Observation(1, state, Record(1), tuple(state.moves())))
    assert one.roots.states[0].view.pursuers == state.view.pursuers  # whom it believes in, ignored or not
    return move, one.found


def test_a_pursuer_that_was_never_seen_or_may_be_anywhere_is_ignored_as_if_it_had_never_been_there():
    game = load(RING.format(3))
    reference, tables = Reference(game), {"size", "free", "visible", "begins"}
    met, searched = set(), set()
    for state in random_states(game, 20, seed=3):
        if state.over or not state.view.started:
            continue
        assert ignoring(state, 0, 0).data.tobytes() == state.data.tobytes()  # the pursuers ignore nothing
        for most in (0, 3, 250):
            units, simpler = kept(reference, state, most), ignoring(state, 1, most)
            met.add((most, len(units)))
            assert simpler.view.pursuers == len(units)
            assert simpler.actor == state.actor
            assert (state.actor == 0) or simpler.moves() == state.moves()
            if units:
                fewer = played_by(units, state)
                for name in {*game.dtype.names} - tables:
                    one, other = simpler.data.view(game.dtype)[name], fewer.data.view(game.dtype)[name]
                    assert np.array_equal(one, other), name
            if state.actor == 1 and len(state.moves()) > 1 and (most, len(units)) not in searched and units:
                searched.add((most, len(units)))
                blind = "is-mcts(belief=resample,simulations=60,nodes=2048"
                assert decided(state, f"{blind},ignore={most})") == decided(fewer, f"{blind})")
    assert {(0, 0), (3, 0), (3, 1), (3, 2), (250, 1), (250, 2), (250, 3)} <= met
    assert {(3, 1), (250, 1), (250, 2), (250, 3)} <= searched


def test_games_in_which_nothing_can_be_ignored_are_refused():
    with pytest.raises(fs.FogspielError, match="ignore=250 needs the rule ignore; kuhn has none"):
        fs.match("kuhn", ["is-mcts(ignore=250)", "random"], games=2)


@pytest.mark.parametrize("name", pursuit.PLAYOUTS)
def test_playouts_give_moves_probabilities(name):
    first_run(load("visibility_pursuit"), {"guide": pursuit.PLAYOUTS[name]})


@pytest.mark.parametrize(
    ("name", "objective"), [("rla", "mean_size"), ("urla", "log_mean_size"), ("rs", "seen"), ("nosim", "end_size")]
)
def test_evaluations_are_within_what_a_game_pays(name, objective):
    first_run(load(f"visibility_pursuit(objective={objective})"), {"evaluate": pursuit.EVALUATIONS[name]})


def test_nobody_goes_back_without_need():
    game = load("visibility_pursuit")
    out, prob = [0] * 256, [0.0] * 256
    for state in random_states(game, 3, seed=8):
        s = state.view
        if state.over or not s.step or state.actor != 1:
            continue
        n = pursuit.no_return(s, out, prob)
        back = [
            pursuit.neighbour(s, s.path[pursuit.PREY, s.step], way) == s.path[pursuit.PREY, s.step - 1]
            for way in out[:n]
        ]
        assert n == 1 or all((p == 0) == returns for p, returns in zip(prob[:n], back, strict=True))


def test_pursuers_take_shortest_ways_to_where_the_evader_was_last_seen_and_it_goes_far_from_them():
    game, free = load("visibility_pursuit"), read_map("rooms")
    out, prob = [0] * 256, [0.0] * 256
    for state in random_states(game, 3, seed=8):
        s = state.view
        if state.over or state.actor < 0:
            continue
        n = pursuit.last_seen(s, out, prob)
        units = [s.path[unit, s.step] for unit in range(s.pursuers)]
        if state.actor == 1:
            prey = s.path[pursuit.PREY, s.step]
            far = sum(distances(free, *divmod(unit, s.columns)) for unit in units)
            there = [far[divmod(pursuit.neighbour(s, prey, way), s.columns)] for way in out[:n]]
            best = [x == max(there) for x in there]
        else:
            far = distances(free, *divmod(s.path[pursuit.PREY, s.last[pursuit.PREY]], s.columns))
            best = []
            for ways in out[:n]:
                after = [pursuit.neighbour(s, u, ways // 5**i % 5) for i, u in enumerate(units)]
                steps = [
                    (far[divmod(u, s.columns)], far[divmod(v, s.columns)]) for u, v in zip(units, after, strict=True)
                ]
                best.append(all(old == 0 or new < old for old, new in steps))
        assert [p > 0 for p in prob[:n]] == best


def test_searches_take_evaluations_and_playouts_by_the_games_names():
    result = fs.match(
        "visibility_pursuit(steps=4)",
        ["so-ismcts(simulations=20,evaluation=rla(after=2))", "mo-ismcts(simulations=20,playout=heavy)"],
        games=2,
        seed=1,
    )
    assert len(result.games) == 2
    assert result.agents[0] == "so-ismcts(simulations=20,evaluation=rla(after=2))"
    assert fs.match("visibility_pursuit(steps=4)", ["mcts(simulations=20,evaluation=rla)", "random"], games=2, seed=1)
    with pytest.raises(fs.SpecError, match="evaluation=rla has no parameter depth"):
        fs.agent("so-ismcts(evaluation=rla(depth=2))")
    with pytest.raises(fs.SpecError, match="has no evaluation rlaa; did you mean rla\\?; it has rla, urla, rs, nosim"):
        fs.match("visibility_pursuit(steps=4)", ["so-ismcts(evaluation=rlaa)", "random"], games=2)
    with pytest.raises(fs.SpecError, match="kuhn has no playout heavy; it names none"):
        fs.match("kuhn", ["so-ismcts(playout=heavy)", "random"], games=2)


@pytest.mark.parametrize(
    ("parameters", "fault"),
    [
        ("map=..x", "rows of the same length"),
        ("map=.#.", "ways between all of them"),
        ("map=##", "free squares"),
        ("map=..,apart=5", "apart must be less"),
    ],
)
def test_maps_that_are_none_are_refused_in_a_sentence(parameters, fault):
    with pytest.raises(fs.FogspielError, match=fault):
        fs.load(f"visibility_pursuit({parameters})")
