"""Simultaneous moves: whoever is asked searches from where the stage began, and no seat is better off than another."""

import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents.agent import observe
from fogspiel.agents.registry import KINDS
from fogspiel.agents.suited import suited
from fogspiel.belief.record import Record
from fogspiel.belief.rejection import draw
from fogspiel.belief.roots import Roots
from fogspiel.game import CHANCE, OVER
from fogspiel.game.table import ENTRIES, stage_goes_on
from fogspiel.search.observers import Searcher
from fogspiel.search.parts import parts
from fogspiel.search.search import TreeSearch

IN_TURN = (
    "is-expectimax",
    "pimc-minimax",
    "gib",
    "cheating-minimax",
    "alpha-beta",
    "expectimax",
    "star1",
    "star2",
    "expss",
    "star1ss",
    "star2ss",
)
"""Searches for players who move in turn."""
FEW = {
    "do-alpha-beta": "depth=2",
    "ist-minimax": "nodes=10000",
    "pimc": "simulations=100,determinizations=2",
    "cheating-uct": "simulations=200,determinizations=1",
}
SEARCHES = [f"{name}({FEW.get(name, 'simulations=200')})" for name in KINDS if name not in IN_TURN] + [
    "sm-mcts(simulations=200,bandit=duct)",
    "sm-mcts(simulations=200,bandit=drm)",
    "is-mcts(simulations=200,belief=usual)",
    "oos(simulations=200,progress=root)",
    "oos(simulations=200,progress=reach)",
    "mo-ismcts(simulations=200,view=trail)",
]

ODD_ONE_OUT = '''"""Three players each show one finger or two, at once; one who differs from both others wins."""
import numpy as np
from fogspiel.game import OVER, PUBLIC, About, mix

State = np.dtype([("turn", "i1"), ("shown", "i1", 3)], align=True)


def about():
    return About(players=3, utility=(-2, 2), zero_sum=False, simultaneous=True)


def start(s):
    s.turn = 0


def actor(s):
    return s.turn


def moves(s, out):
    out[0], out[1] = 1, 2
    return 2


def play(s, move):
    s.shown[s.turn] = move
    s.turn = s.turn + 1 if s.turn < 2 else OVER


def payoff(s, out):
    for i in range(3):
        a, b, c = s.shown[i], s.shown[(i + 1) % 3], s.shown[(i + 2) % 3]
        out[i] = 2 if a != b and b == c else -1 if b != c else 0


def infoset(s, player):
    key = mix(1, s.turn)
    if s.turn == OVER:
        for i in range(3):
            key = mix(key, s.shown[i])
    elif player != PUBLIC and s.shown[player]:
        key = mix(key, s.shown[player])
    return key
'''


OPEN_FIRST = '''"""Each makes an open move in turn; then both play rock, paper, scissors; paper wins double."""
import numpy as np
from fogspiel.game import OVER, PUBLIC, About, mix, pick

State = np.dtype([("made", "i1"), ("chosen", "i1", 4)], align=True)


def about():
    return About(utility=(-2, 2), simultaneous=True)


def start(s):
    s.made = 0


def actor(s):
    return OVER if s.made == 4 else s.made % 2


def pending(s):
    return s.made == 3


def moves(s, out):
    n = 2 if s.made < 2 else 3
    for i in range(n):
        out[i] = i
    return n


def play(s, move):
    s.chosen[s.made] = move
    s.made += 1


def payoff(s, out):
    ahead = (s.chosen[2] - s.chosen[3]) % 3
    out[0] = 0
    if ahead == 1:
        out[0] = 2 if s.chosen[2] == 1 else 1
    elif ahead == 2:
        out[0] = -2 if s.chosen[3] == 1 else -1
    out[1] = -out[0]


def infoset(s, player):
    key = mix(0, s.made)
    for i in range(s.made):
        if i < 2 or s.made == 4 or i - 2 == player:
            key = mix(key, s.chosen[i])
    return key


def resample(s, player, rng):
    if s.made == 3 and player == 1:
        s.chosen[2] = pick(rng, 3)
'''


TWO_OF_THREE = '''"""Player 0 opens, and then 1 and 2 choose rock, paper or scissors at once. Paper wins double."""
import numpy as np
from fogspiel.game import OVER, PUBLIC, About, mix, pick

State = np.dtype([("made", "i1"), ("chosen", "i1", 3)], align=True)


def about():
    return About(players=3, utility=(-2, 2), simultaneous=True)


def start(s):
    s.made = 0


def actor(s):
    return OVER if s.made == 3 else s.made


def pending(s):
    return s.made == 2


def moves(s, out):
    for i in range(3):
        out[i] = i
    return 3


def play(s, move):
    s.chosen[s.made] = move
    s.made += 1


def payoff(s, out):
    ahead = (s.chosen[1] - s.chosen[2]) % 3
    out[0], out[1] = 0, 0
    if ahead == 1:
        out[1] = 2 if s.chosen[1] == 1 else 1
    elif ahead == 2:
        out[1] = -2 if s.chosen[2] == 1 else -1
    out[2] = -out[1]


def infoset(s, player):
    key = mix(0, s.made)
    for i in range(s.made):
        if i == 0 or s.made == 3 or i == player:
            key = mix(key, s.chosen[i])
    return key


def resample(s, player, rng):
    if s.made == 2 and player != 1:
        s.chosen[1] = pick(rng, 3)
'''


@pytest.fixture(scope="module")
def in_turn(tmp_path_factory):
    """Games as they are, and as games in which players might move at once and never do."""
    folder, found = tmp_path_factory.mktemp("in_turn"), {}
    for name in ("kuhn", "phantom_tic_tac_toe"):
        text = Path(fs.load(name).module.__file__).read_text()
        assert text.count("    return About(") == 1
        declared = text.replace("    return About(", "    return About(simultaneous=True, ")
        (folder / f"{name}_declared.py").write_text(f"{declared}\n\ndef pending(s):\n    return 0\n")
        found[name] = fs.load(name), fs.load(str(folder / f"{name}_declared.py"))
    return found


@pytest.fixture(scope="module")
def open_first(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "open_first.py"
    path.write_text(OPEN_FIRST)
    return fs.load(str(path))


@pytest.mark.parametrize(
    ("before", "after", "goes_on"),
    [
        (0, 1, True),
        (0, 2, True),
        (1, 1, False),
        (1, 0, False),
        (1, CHANCE, False),
        (0, OVER, False),
        (CHANCE, 0, False),
    ],
)
def test_a_stage_goes_on_while_players_are_asked_in_their_order(before, after, goes_on):
    table = [0] * ENTRIES  # of a game without the rule pending
    assert stage_goes_on(table, 0, True, before, after) is goes_on
    assert not stage_goes_on(table, 0, False, before, after)


def at_seat(game, seat, first, opened=()):
    """The first decision of a seat after what was played in the open, and its record; who is asked before it has a move
    pending."""
    state, record = game.start(), Record(seat)
    record.see(state)
    moves = list(opened)
    while moves or state.actor != seat:
        if state.actor == seat:
            record.own.append(moves[0])
        state.play(moves.pop(0) if moves else first)
        record.see(state)
    return state, record


def shares(game, spec, seat, seeds, opened=()):
    """What a search thinks of each move in a seat, by seed: its part of the visits or of the mean strategy, else
    whether it is chosen."""
    rows, player, pending = [], fs.agent(spec), len(at_seat(game, seat, 0, opened)[0].stage.moves())
    for seed in seeds:
        state, record = at_seat(game, seat, seed % pending, opened)
        player.begin(game, seat, seed)
        observed = observe(state, record, np.array([seed + 77], np.uint64), cheats=getattr(player, "cheats", False))
        choice = player.choose(observed)
        weights = [m.strategy if m.strategy is not None else m.visits for m in player.found]
        if spec.startswith("rollouts"):
            weights = [m.move == choice for m in player.found]
        rows.append(np.array(weights, float) / sum(weights))
    return np.array(rows)


@pytest.mark.parametrize("spec", SEARCHES)
def test_a_search_thinks_the_same_in_either_seat_of_a_symmetric_stage(spec):
    game = fs.load("goofspiel(cards=4,bids=open)")
    assert_alike(*(shares(game, spec, seat, range(1000 * seat, 1000 * seat + 60)) for seat in (0, 1)))


@pytest.mark.parametrize("spec", [spec for spec in SEARCHES if not spec.startswith("ist-")])
def test_in_a_game_of_moves_in_turn_and_at_once_it_thinks_the_same_in_either_seat_where_they_are_at_once(
    spec, open_first
):
    assert_alike(*(shares(open_first, spec, seat, range(1000 * seat, 1000 * seat + 60), (0, 1)) for seat in (0, 1)))


IN_THREES = [
    f"{name}(simulations=200)"
    for name in ("mo-ismcts", "so-ismcts", "so-ismcts-pom", "is-mcts", "mcts", "pomcp", "rollouts")
] + [
    "mo-ismcts(simulations=200,bandit=ucb+exp3)",
    "mo-ismcts(simulations=200,belief=tracked)",
    "cheating-uct(simulations=200,determinizations=1)",
]


@pytest.mark.parametrize("spec", IN_THREES)
def test_of_three_players_two_move_at_once_after_the_third(spec, tmp_path):
    (tmp_path / "two_of_three.py").write_text(TWO_OF_THREE)
    game = fs.load(str(tmp_path / "two_of_three.py"))
    assert fs.check(game, playouts=50).ok
    assert suited(game).endswith(",bandit=ucb+exp3)")
    assert_alike(*(shares(game, spec, seat, range(1000 * seat, 1000 * seat + 60), (1,)) for seat in (1, 2)))


@pytest.mark.parametrize("spec", SEARCHES)
@pytest.mark.parametrize("name", ["kuhn", "phantom_tic_tac_toe"])
def test_a_game_is_played_in_the_same_way_if_it_says_that_no_move_is_pending(name, spec, in_turn):
    def played(game):
        try:
            record = fs.play_game(game, [fs.agent(spec), fs.agent(spec)], deal=3, seed=5)
        except fs.Unsuitable:
            return "refused"
        return record.moves, record.forfeit

    usual, declared = map(played, in_turn[name])
    assert usual == declared


def test_whether_moves_are_made_at_once_is_told_by_the_state(open_first):
    state = open_first.start()
    for move in (0, 1, 2):
        assert state.stage is state
        began = state.copy()
        state.play(move)
    assert state.actor == 1
    assert state.stage.data.tobytes() == began.data.tobytes()
    state.play(0)
    assert state.over
    assert state.stage is state


@pytest.mark.parametrize("spec", ["do-alpha-beta", "backward-induction", "cfr+"])
def test_solvers_of_stages_agree_where_some_moves_are_in_turn(spec, open_first):
    # rock beats scissors by 1, paper rock by 2: the same is to be had in either seat
    result = fs.solve(open_first, spec, **({"iterations": 2000} if spec == "cfr+" else {}))
    assert result.value[0] == pytest.approx(0.0, abs=1e-3)
    assert result.nash_conv < 1e-3


def test_moves_seen_by_their_effect_are_told_apart_by_it_where_players_move_in_turn_only(open_first):
    state = open_first.start()
    assert Searcher.label(SimpleNamespace(game=open_first), state, 1, 1) != 1
    state.play(0)
    state.play(0)
    assert Searcher.label(SimpleNamespace(game=open_first), state, 1, 1) == 1


def test_exp3_is_for_the_stages_among_other_decisions(open_first):
    for moves, stage in (((), False), ((0,), False), ((0, 1), True)):
        state = open_first.start()
        for move in moves:
            state.play(move)
        search = TreeSearch(open_first, parts(bandit="ucb+exp3"), seed=1)
        search.run(Roots([state]), state.actor, simulations=200)
        assert bool(search.memory.nodes.joint[0]) is stage


def assert_alike(first, second):
    gap = first.mean(axis=0) - second.mean(axis=0)
    noise = np.sqrt((first.var(axis=0) + second.var(axis=0)) / len(first) + 1e-6)
    assert np.all(np.abs(gap) < 4 * noise), (first.mean(axis=0), second.mean(axis=0))


OPEN, HIDDEN = "goofspiel(cards=5,order=ascending,bids=open)", "goofspiel(cards=5,order=ascending)"
"""Where the highest point card comes last, few games are draws."""
WHOLE_GAMES = [spec for spec in SEARCHES if not spec.startswith("ist-")]
"""Those whose decisions depend on what was believed before."""
MATCHES = [(OPEN, spec) for spec in WHOLE_GAMES] + [
    (HIDDEN, spec) for spec in WHOLE_GAMES if not any(word in spec for word in ("sm-mcts", "progress", "do-alpha-beta"))
]


def first_seat(game, spec, games):
    """The share of points of the first seat in self-play, and its standard error."""
    one, other = fs.agent(spec), fs.agent(spec)
    points = []
    for number in range(games):
        record = fs.play_game(game, [one, other], deal=number, seed=1000 + number)
        assert record.forfeit is None, record.reason
        points.append(0.5 + 0.5 * np.sign(record.utilities[0]))
    return np.mean(points), np.std(points) / math.sqrt(games)


@pytest.mark.parametrize(("game", "spec"), MATCHES)
def test_self_play_of_a_search_is_fair_to_both_seats_of_a_symmetric_game(game, spec):
    share, error = first_seat(fs.load(game), spec, 80)
    assert error > 0.02, "most games are draws"
    assert abs(share - 0.5) <= 3.3 * error


@pytest.mark.parametrize("spec", ["sm-mcts(simulations=100)", "mo-ismcts(simulations=100)"])
def test_long_self_play_gives_the_first_seat_half_of_the_points(spec):
    share, error = first_seat(fs.load(OPEN), spec, 600)
    assert error > 0.01
    assert 0.46 < share < 0.54


@pytest.mark.parametrize(
    "spec",
    ["is-mcts(belief=usual)", "is-mcts(belief=tracked(particles=200))", "mo-ismcts", "so-ismcts", "so-ismcts-pom"],
)
def test_in_either_seat_every_simulation_tells_of_the_decision_that_is_asked_for(spec):
    game = fs.load("goofspiel(cards=13)")
    for seat in (0, 1):
        state, records = game.start(), [Record(p) for p in range(2)]
        rng = np.random.default_rng(5)
        while True:
            for record in records:
                record.see(state)
            if state.view.round == 5 and state.actor == seat:
                break
            records[state.actor].own.append(int(rng.choice(state.moves())))
            state.play(records[state.actor].own[-1])
        player = fs.agent(spec, simulations=200)
        player.begin(game, seat, 1)
        player.choose(observe(state, records[seat], np.array([3], np.uint64)))
        # the first decision of this game is late: a belief with a model has half of its simulations for that
        assert sum(m.visits for m in player.found) >= (100 if "particles" in spec else 200)


@pytest.mark.parametrize("name", IN_TURN)
def test_a_search_for_players_who_move_in_turn_says_so(name):
    game, player = fs.load("goofspiel(cards=4,bids=open)"), fs.agent(name)
    state, record = at_seat(game, 0, 0)

    def decide():
        player.begin(game, 0, 0)
        player.choose(observe(state, record, np.zeros(1, np.uint64)))

    with pytest.raises(fs.Unsuitable):
        decide()


def test_coupled_regret_matching_learns_in_the_second_seat():
    game = fs.load("goofspiel(bids=open)")
    state, record = at_seat(game, 1, 2)
    player = fs.agent("sm-mcts(simulations=20000)")
    player.begin(game, 1, 0)
    player.choose(observe(state, record, np.zeros(1, np.uint64)))
    mixed = [m.strategy for m in player.found]
    assert max(mixed) > 0.4
    assert min(mixed) < 0.1


@pytest.mark.parametrize(
    "spec", ["sm-mcts(simulations=300)", "so-ismcts(simulations=300)", "cheating-uct(simulations=300)"]
)
def test_what_is_pending_makes_no_difference_to_who_is_asked(spec):
    game, found = fs.load("goofspiel(cards=4,bids=open)"), []
    for first in range(4):
        state, record = at_seat(game, 1, first)
        player = fs.agent(spec)
        player.begin(game, 1, 5)
        player.choose(observe(state, record, np.array([9], np.uint64), cheats=getattr(player, "cheats", False)))
        found.append(player.found)
    assert all(one == found[0] for one in found)


def test_a_search_with_fewer_simulations_than_moves_knows_something_in_either_seat():
    game = fs.load("goofspiel(cards=8,bids=open)")
    for seat in (0, 1):
        state, record = at_seat(game, seat, 0)
        player = fs.agent("mo-ismcts(simulations=5)")
        player.begin(game, seat, 3)
        player.choose(observe(state, record, np.zeros(1, np.uint64)))
        assert sum(m.visits for m in player.found) == 5


LEAD = '''"""Player 0 chooses one of three in a stage of its own, and then both players play matching pennies."""
import numpy as np
from fogspiel.game import OVER, PUBLIC, About, mix

State = np.dtype([("turn", "i1"), ("led", "i1"), ("mine", "i1"), ("stage", "i1")], align=True)


def about():
    return About(utility=(-2, 2), simultaneous=True)


def start(s):
    s.led, s.mine = -1, -1


def actor(s):
    return s.turn


def moves(s, out):
    n = 3 if s.stage == 0 else 2
    for i in range(n):
        out[i] = i
    return n


def play(s, move):
    if s.stage == 0:
        s.led, s.stage = move, 1
    elif s.turn == 0:
        s.mine, s.turn = move, 1
    else:
        s.stage, s.turn = 2 + (move == s.mine), OVER


def payoff(s, out):
    out[0] = (s.led == 1) - (s.led == 0) + (1 if s.stage == 3 else -1)
    out[1] = -out[0]


def infoset(s, player):
    key = mix(mix(s.turn, s.stage), s.led)
    return mix(key, s.mine) if player == 0 or s.turn == OVER else key
'''


def found(game, spec, seat=0, moves=(), **budget):
    """What an agent thinks of its moves after some that were made."""
    state, records = game.start(), [Record(p) for p in range(game.players)]
    for move in (*moves, None):
        for record in records:
            record.see(state)
        if move is not None:
            records[state.actor].own.append(move)
            state.play(move)
    player = fs.agent(spec, **budget)
    player.begin(game, seat, 1)
    player.choose(observe(state, records[seat], np.array([3], np.uint64)))
    return {m.move: m.strategy if m.strategy is not None else m.visits for m in player.found}


def test_coupled_regret_matching_learns_where_a_player_chooses_alone(tmp_path):
    (tmp_path / "lead.py").write_text(LEAD)
    game = fs.load(tmp_path / "lead.py")
    assert found(game, "sm-mcts", simulations=3000)[1] > 0.8
    alone = found(fs.load("tic_tac_toe"), "sm-mcts", 0, (0, 3, 1, 4), simulations=3000)
    assert alone[2] > 0.8, "three in a row"


def test_sm_mcts_is_for_games_that_hide_nothing_but_pending_moves():
    with pytest.raises(fs.Unsuitable, match="nothing is hidden but pending moves"):
        fs.agent("sm-mcts").begin(fs.load("goofspiel(cards=4)"), 0, 0)
    with pytest.raises(
        fs.Unsuitable, match="sm-mcts.bandit=rm. needs a zero-sum game; .*: try bandit=duct, exp3, exp3p, drm, "
    ):
        fs.agent("sm-mcts").begin(fs.load("matrix(game=prisoners_dilemma)"), 0, 0)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_search_that_suits_a_game_does_not_cooperate_in_the_prisoners_dilemma(seat):
    game = fs.load("matrix(game=prisoners_dilemma)")
    visits = found(game, suited(game), seat, (0,) * seat)
    best = max(visits, key=visits.get)
    payoffs = []
    for own in visits:
        state = game.start()
        state.play(own if seat == 0 else 0)
        state.play(0 if seat == 0 else own)
        payoffs.append(state.payoff()[seat])
    assert payoffs[list(visits).index(best)] == max(payoffs), "to defect is dominant"


def test_rollouts_learn_from_the_games_in_which_they_were_asked(tmp_path):
    # a pending 2 ends the game, so player 2 is asked in a quarter of them, and knows then that both others showed 1
    rules = ODD_ONE_OUT.replace(
        "s.turn = s.turn + 1 if s.turn < 2 else OVER", "s.turn = OVER if move == 2 or s.turn == 2 else s.turn + 1"
    )
    (tmp_path / "skips.py").write_text(rules)
    game = fs.load(tmp_path / "skips.py")
    state, record = game.start(), Record(2)
    for move in (1, 1, None):
        record.see(state)
        if move is not None:
            state.play(move)
    player = fs.agent("rollouts(simulations=2000)")
    player.begin(game, 2, 1)
    assert player.choose(observe(state, record, np.array([3], np.uint64))) == 2
    one, two = player.found
    assert one.visits + two.visits == pytest.approx(500, abs=80)
    assert abs(one.visits - two.visits) <= 1
    assert (one.value, two.value) == pytest.approx((0.0, 2.0))


def test_a_copy_of_a_state_has_a_stage_of_its_own():
    state = fs.load("goofspiel(cards=4,bids=open)").start()
    state.play(1)
    before = state.stage.data.tobytes()
    state.copy().stage.play(3)
    state.stage.play(2)
    assert state.stage.data.tobytes() == before


def test_a_state_knows_where_its_stage_began():
    state = fs.load("goofspiel(cards=4,bids=open)").start()
    assert state.stage is state
    start = state.copy()
    state.play(1)
    assert state.stage.data.tobytes() == start.data.tobytes()
    assert state.copy().stage.actor == 0
    state.play(2)
    assert state.stage is state


def test_a_state_of_a_game_in_which_players_take_turns_is_a_stage_of_its_own():
    state = fs.load("kuhn").start()
    while not state.over:
        assert state.stage is state
        state.play(state.moves()[0])


def test_where_the_stage_began_is_redrawn_with_what_a_player_cannot_see():
    game = fs.load("goofspiel(cards=4)")
    state = game.start()
    for bid in (0, 1, 2):
        state.play(bid)
    redrawn = set()
    for seed in range(40):
        shown = state.copy()
        shown.resample(1, np.array([seed], np.uint64))
        assert shown.stage.actor == 0
        assert shown.stage.key(1) == state.stage.key(1)
        redrawn.add(shown.stage.view.bid[0])
    assert len(redrawn) == 1, "player 0 lost with its lowest card, and nothing else fits"
    state = game.start()
    for bid in (2, 3, 1):
        state.play(bid)
    redrawn = set()
    for seed in range(40):
        shown = state.copy()
        shown.resample(1, np.array([seed], np.uint64))
        redrawn.add(shown.stage.view.bid[0])
    assert redrawn == {0, 1, 2}
    assert state.stage.view.bid[0] == 2


def test_stages_of_three_players_are_searched_as_one(tmp_path):
    (tmp_path / "odd_one_out.py").write_text(ODD_ONE_OUT)
    game = fs.load(tmp_path / "odd_one_out.py")
    state, records = game.start(), [Record(p) for p in range(3)]
    for record in records:
        record.see(state)
    for move in (1, 2):
        records[state.actor].own.append(move)
        state.play(move)
        for record in records:
            record.see(state)
    assert state.stage.actor == 0
    replayed = draw(game, records[2], np.array([1], np.uint64))
    assert replayed.actor == 2
    assert replayed.stage.actor == 0
    for spec in (
        "mo-ismcts(simulations=400)",
        "mcts(simulations=400)",
        "so-ismcts(simulations=400)",
        "so-ismcts-pom(simulations=400)",
    ):
        player = fs.agent(spec)
        player.begin(game, 2, 1)
        player.choose(observe(state, records[2], np.array([2], np.uint64)))
        visits = [m.visits for m in player.found]
        assert sum(visits) == 400
        assert min(visits) > 20, "neither move is better than the other, and neither is neglected"


def test_without_beliefs_pending_moves_can_be_random_as_printed():
    game = fs.load("goofspiel(cards=4)")
    state, record = at_seat(game, 1, 0)
    for spec, owners in (("is-mcts(belief=usual)", {0, 1}), ("is-mcts(belief=usual(pending=random))", {1})):
        player = fs.agent(spec)
        player.begin(game, 1, 0)
        player.choose(observe(state, record, np.zeros(1, np.uint64)))
        first = player.search.memory.find(player.search.key(game.start(), 0))
        assert (first >= 0) == (0 in owners)


def test_random_pending_moves_do_not_go_with_beliefs():
    with pytest.raises(fs.SpecError, match="belief=tracked has no parameter pending"):
        fs.agent("is-mcts(belief=tracked(pending=random))")
