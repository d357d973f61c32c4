"""Search on a player's own information-set tree (Lisý 2014, sec. 3.2.2, ch. 5): against plain recursions over sets of
states, and best responses."""

import random
from itertools import product

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.belief.exact import Possible
from fogspiel.belief.record import Record
from fogspiel.game.table import position
from fogspiel.games import visibility_pursuit as pursuit
from fogspiel.games.trees import visibility_pursuit as pursuit_tree
from fogspiel.search import state_sets
from fogspiel.search.information_sets import information_set_tree
from fogspiel.search.lookahead import Minimax

SMALL = "visibility_pursuit(map=..../.##./.##./....,pursuers=1,reach=2,steps=3,apart=0,starts=3)"


def child(state, move):
    after = state.copy()
    after.play(move)
    return after


def decisions(game, most=10**9):
    """A state and the record of its player for every information set, as they are met."""
    found, records = {}, [Record(p) for p in range(game.players)]
    todo = [(game.start(), records)]
    for record in records:
        record.see(todo[0][0])
    while todo and len(found) < most:
        state, records = todo.pop()
        who = state.actor
        if who >= 0:
            record = records[who]
            found.setdefault((who, tuple(record.keys), tuple(record.own)), (state, record))
        for move in [] if state.over else state.moves():
            after = child(state, move)
            seen = [Record(r.player, [*r.keys], [*r.own, *[move] * (r.player == who)], [*r.public]) for r in records]
            for record in seen:
                record.see(after)
            todo.append((after, seen))
    return list(found.values())


def told_apart(worlds, me):
    sets = {}
    for state in worlds:
        sets.setdefault((state.key(me), state.actor == me, state.over), []).append(state)
    return sets.values()


def worst_case(worlds, me):
    """What the player can be sure of in the states that it cannot tell apart."""
    first = worlds[0]
    if first.over:
        return min(state.payoff()[me] for state in worlds)
    if first.actor == me:
        return max(worst_of([child(state, move) for state in worlds], me) for move in first.moves())
    return worst_of([child(state, move) for state in worlds for move in state.moves()], me)


def worst_of(worlds, me):
    return min(worst_case(some, me) for some in told_apart(worlds, me))


@pytest.mark.parametrize("spec", ["kuhn", "goofspiel(cards=3)", "strategy_fusion", "kuhn(players=3)", "hidden_coin"])
def test_paranoid_search_finds_what_a_player_can_be_sure_of(spec):
    game = fs.load(spec)
    trees = [information_set_tree(game, p, "paranoid") for p in range(game.players)]
    searches = [Minimax(tree.game, "alpha-beta", table=1 << 10, horizon="own decisions") for tree in trees]
    for state, record in decisions(game, 40):
        me = record.player
        states, _ = Possible(game, me, 10**6).at(record)
        look = searches[me].look(trees[me].root(state, record), depth=100)
        trees[me].finish()
        assert look.value == pytest.approx(worst_case(states, me), abs=1e-12)
        assert look.complete
        assert look.move in state.moves()


@pytest.mark.parametrize("spec", ["kuhn", "goofspiel(cards=3)", "liars_dice(faces=2)"])
def test_overconfident_search_is_a_best_response_to_random_play(spec):
    game = fs.load(spec)
    form = fs.sequence_form(game)
    for me in range(2):
        tree = information_set_tree(game, me, "overconfident")
        search = Minimax(tree.game, "star1", table=0, horizon="own decisions")
        response = {}
        for state, record in decisions(game):
            if record.player == me and len(state.moves()) > 1:
                response[state.key(me)] = search.look(tree.root(state, record), depth=100).move
                tree.finish()
        best, _ = form.best_response(form.plan(form.uniform()), me)
        assert value_against_random(game.start(), me, response) == pytest.approx(best, abs=1e-9)


def value_against_random(state, me, response):
    if state.over:
        return state.payoff()[me]
    if state.actor == me:
        return value_against_random(child(state, response.get(state.key(me), state.moves()[0])), me, response)
    outcomes = state.chance() if state.actor == fs.CHANCE else [(m, 1 / len(state.moves())) for m in state.moves()]
    return sum(p * value_against_random(child(state, move), me, response) for move, p in outcomes)


@pytest.mark.parametrize("opponent", ["paranoid", "overconfident"])
def test_uct_on_the_tree_comes_to_a_move_that_minimax_finds_best(opponent):
    game = fs.load("goofspiel(cards=3)")
    state, record = next((s, r) for s, r in decisions(game) if r.player == 1 and len(s.moves()) == 3)
    tree = information_set_tree(game, 1, opponent)
    root, search = tree.root(state, record), Minimax(tree.game, "star1", table=0, horizon="own decisions")
    worth = {move: search.value(child(root, move), 100) for move in root.moves()}
    assert search.look(root, depth=100).value == pytest.approx(max(worth.values()))
    agent = fs.agent(f"ist-mcts(opponent={opponent},simulations=4000)")
    agent.begin(game, 1, seed=1)
    move = agent.choose(fs.Observation(1, state, record, tuple(state.moves())))
    assert worth[move] == pytest.approx(max(worth.values()))
    assert sum(m.visits for m in agent.found) == 4000
    assert [m.name for m in agent.found] == list(game.move_names(state).values())


def test_a_set_with_too_many_states_is_told_in_a_sentence(monkeypatch):
    game = fs.load("kuhn")
    state, record = next((s, r) for s, r in decisions(game) if r.player == 0)
    monkeypatch.setattr(state_sets, "STATES", 2)  # of the room that is laid out, not of the rules
    agent = fs.agent("ist-minimax")
    agent.begin(game, 0, seed=1)
    with pytest.raises(
        fs.TooLarge, match=r"the information-set tree of kuhn is too large: .* try is-mcts or mo-ismcts"
    ):
        agent.choose(fs.Observation(0, state, record, tuple(state.moves())))


class Sets:
    """The information-set tree of a side of the pursuit as the thesis has it (sec. 5.3.1), with sets of squares: its
    value to the end of the game."""

    def __init__(self, state, side):
        self.s, self.side = state.view, side
        squares = range(self.s.rows * self.s.columns)
        self.next = {
            n: [pursuit.neighbour(self.s, n, w) for w in range(5) if pursuit.open_way(self.s, n, w)] for n in squares
        }
        self.seen = {n: {m for m in squares if pursuit.in_view(self.s, n, m)} for n in squares}

    def value(self):
        """To the side."""
        agents = [*range(self.s.pursuers), pursuit.PREY]
        own = [a for a in agents if (a == pursuit.PREY) == (self.side == 1)]
        squares = range(self.s.rows * self.s.columns)
        held = [
            frozenset(n for n in squares if pursuit.holds(self.s, self.s.possible[a], n))
            for a in agents
            if a not in own
        ]
        step = self.s.step
        total = self.s.total if self.side == 0 else sum(map(len, held)) * step
        return self.decide(tuple(self.s.path[a, step] for a in own), tuple(held), step, total)

    def decide(self, own, held, step, total):
        if step == self.s.steps:
            return (-1 if self.side == 0 else 1) * total / step
        ways = product(*(self.next[n] for n in own))
        return max(self.observe(places, held, (), step, total) for places in ways)

    def observe(self, own, before, after, step, total):
        if not before:
            return self.decide(own, after, step + 1, total + sum(map(len, after)))
        reached = {m for n in before[0] for m in self.next[n]}
        visible = set().union(*(self.seen[n] for n in own))
        what = [{n} for n in reached & visible] + [reached - visible] * bool(reached - visible)
        return min(self.observe(own, before[1:], (*after, frozenset(one)), step, total) for one in what)


@pytest.mark.parametrize("spec", [SMALL, SMALL.replace("pursuers=1", "pursuers=2").replace("reach=2", "reach=1")])
def test_the_tree_of_a_pursuit_is_that_of_the_definitions(spec):
    game = fs.load(spec)
    trees = [information_set_tree(game, side, "paranoid") for side in range(2)]
    searches = [Minimax(tree.game, "alpha-beta", table=1 << 10, horizon="own decisions") for tree in trees]
    met, rng = decisions(game, 2000), np.array([1], np.uint64)
    for state, record in met[:: len(met) // 12]:
        side = record.player
        root = trees[side].root(state, record)
        other = state.copy()
        other.resample(side, rng)
        assert trees[side].root(other, record).data.tobytes() == root.data.tobytes()
        look = searches[side].look(root, depth=100)
        assert look.value == pytest.approx(Sets(state, side).value(), abs=1e-9)
        assert look.complete
        for name, rule in pursuit_tree.EVALUATIONS.items():
            pay, usual = [0.0, 0.0], [0.0, 0.0]
            rule(root.view, pay)
            pursuit.EVALUATIONS[name](state.view, usual)
            assert pay[0] == -pay[1]
            assert name in ("urla", "nosim") or pay[0] == pytest.approx(usual[side])
            assert root.data.tobytes() == trees[side].root(state, record).data.tobytes()


@pytest.mark.parametrize("spec", [SMALL, "goofspiel(cards=3)"])
def test_the_key_of_a_node_does_not_tell_where_the_games_tables_lie(spec):
    keys = []
    for game in (fs.load(spec), fs.load(spec)):
        trees = [information_set_tree(game, player, "overconfident") for player in range(2)]
        roots = [trees[record.player].root(state, record) for state, record in decisions(game, 30)[::3]]
        nodes = [*roots, *(child(root, root.moves()[0]) for root in roots)]
        keys.append([(node.key(0), position(node.game.table.tolist(), node.address)) for node in nodes])
    assert keys[0] == keys[1]


def test_pursuers_are_sure_of_what_sets_of_states_say():
    game = fs.load(SMALL)
    tree = information_set_tree(game, 0, "paranoid")
    search = Minimax(tree.game, "alpha-beta", table=0, horizon="own decisions")
    met = [(s, r) for s, r in decisions(game, 2000) if r.player == 0]
    for state, record in met[:: len(met) // 6]:
        states, _ = Possible(game, 0, 10**6).at(record)
        assert search.look(tree.root(state, record), depth=100).value == pytest.approx(worst_case(states, 0), abs=1e-9)


def test_a_pursuer_that_may_be_anywhere_is_not_expected_to_appear(monkeypatch):
    game = fs.load(SMALL)
    state, record = next((s, r) for s, r in decisions(game) if r.player == 1)
    tree = information_set_tree(game, 1, "paranoid")
    for lost in (False, True):
        root = tree.root(state, record)
        before = [*root.view.possible[0]]
        if lost:
            monkeypatch.setattr(pursuit_tree, "LOST", 0)
        pursuit_tree.play(root.view, root.moves()[0])
        assert (pursuit_tree.actor(root.view) == 1) != lost
        assert ([*root.view.possible[0]] != before) != lost


@pytest.mark.parametrize("side", [0, 1])
def test_playouts_on_the_tree_of_a_pursuit_hide_and_watch_as_printed(side):
    game = fs.load(SMALL)
    tree = information_set_tree(game, side, "paranoid")
    state, record = next((s, r) for s, r in decisions(game) if r.player == side)
    rng, hidden, watched = random.Random(1), 0, 0
    for _ in range(30):
        node = tree.root(state, record)
        while not node.over:
            legal, s = node.moves(), node.view
            for policy in (pursuit_tree.guide, pursuit_tree.heavy):
                out, prob = [0] * (len(legal) + 1), [0.0] * len(legal)
                assert policy(s, out, prob) == len(legal)
                odds = dict(zip(out, prob, strict=False))
                assert sum(prob) == pytest.approx(1)
                if s.awaited and pursuit_tree.HIDDEN in odds and len(odds) > 1:
                    hidden += 1
                    assert odds[pursuit_tree.HIDDEN] == pytest.approx(0.5 if policy is pursuit_tree.guide else 1)
                elif policy is pursuit_tree.heavy and len({*prob}) > 1:
                    watched += 1
                    place = pursuit.neighbour(s, s.path[0, s.step], next(way for way in odds if odds[way] > 0))
                    assert all(pursuit.in_view(s, place, prey) for prey in next_to(s, s.path[pursuit.PREY, s.step]))
            node.play(rng.choice(legal))
    assert hidden > 0
    assert side == 1 or watched > 0


def next_to(s, square):
    return [pursuit.neighbour(s, square, way) for way in range(5) if pursuit.open_way(s, square, way)]
