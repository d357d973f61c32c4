"""Double-oracle alpha-beta search finds what backward induction and the linear program find, and searches less."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.solvers.exact.induction import TOGETHER, stages
from fogspiel.solvers.simultaneous.do_alpha_beta import DoubleOracleAlphaBeta

GAMES = [
    "matrix(game=rps)",
    "matrix(game=biased_rps)",
    "matrix(payoffs=[[2]])",
    "matrix(payoffs=[[0,0],[0,0]])",
    "goofspiel(cards=3,bids=open,payoff=points)",
    "goofspiel(cards=4,bids=open)",
    "goofspiel(cards=5,bids=open)",
    "goofspiel(cards=4,bids=open,order=random)",
    "goofspiel(cards=4,bids=open,order=random,payoff=points)",
    "oshi_zumo(coins=8)",
    "oshi_zumo(coins=9,size=1,minimum=2)",
    "stacked_matrix",
    "tic_tac_toe",
    *(f"random_game(actions=3,depth=4,seed={seed})" for seed in range(6)),
    *(f"random_game(actions=4,depth=3,utility=leaves,seed={seed})" for seed in range(6)),
]

DRAWN = '''"""Player 1 chooses a hand, player 0 guesses it; a die says what it is worth. If right, once more."""
import numpy as np
from fogspiel.game import CHANCE, OVER, mix

State = np.dtype([
    ("round", "i1"), ("turn", "i1"), ("hand", "i1"), ("guess", "i1"), ("won", "f8"),
    ("seen", "u8"),
], align=True)


def start(s):
    s.round = s.won = 0
    s.turn = 1


def actor(s):
    return OVER if s.round > 1 else s.turn


def moves(s, out):
    for i in range(3):
        out[i] = i
    return 3


def chance(s, out, prob):
    for i in range(3):
        out[i] = i
        prob[i] = (0.5, 0.0, 0.5)[i]
    return 3


def play(s, move):
    if s.turn == 1:
        s.hand = move
        s.turn = 0
    elif s.turn == 0:
        s.guess = move
        s.turn = CHANCE
    else:
        right = s.hand == s.guess
        s.won += (1 + move) * (1 + s.hand) if right else -1
        s.seen = mix(s.seen, 9 * s.hand + 3 * s.guess + move)
        s.round += 1 if right else 2
        s.turn = 1


def payoff(s, out):
    out[0] = s.won
    out[1] = -s.won


def infoset(s, player):
    shown = s.hand if s.turn == CHANCE or (player == 1 and s.turn == 0) else -1
    return mix(mix(s.seen, 4 * s.turn + shown), s.guess if s.turn == CHANCE else -1)
'''

HIDDEN_COIN = '''"""Chance hides a coin, and two players guess it, one after the other."""
import numpy as np
from fogspiel.game import CHANCE, OVER, About, mix

State = np.dtype([("turn", "i1"), ("coin", "i1"), ("first", "i1"), ("second", "i1")], align=True)


def start(s):
    s.turn = CHANCE


def actor(s):
    return s.turn


def moves(s, out):
    out[0], out[1] = 0, 1
    return 2


def play(s, move):
    if s.turn == CHANCE:
        s.coin = move
        s.turn = 0
    elif s.turn == 0:
        s.first = move
        s.turn = 1
    else:
        s.second = move
        s.turn = OVER


def payoff(s, out):
    out[0] = (s.first == s.coin) - (s.second == s.coin)
    out[1] = -out[0]


def infoset(s, player):
    return mix(s.turn, s.first if s.turn == 1 else 0)
'''


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "drawn.py"
    path.write_text(DRAWN)
    return fs.load(str(path), unchecked=True)  # an outcome that never comes


@pytest.mark.parametrize("game", GAMES)
def test_it_agrees_with_backward_induction(game):
    found, exact = fs.solve(game, "do-alpha-beta"), fs.solve(game, "backward-induction")
    assert found.value == pytest.approx(exact.value, abs=1e-10)
    assert abs(found.nash_conv) < 1e-10


@pytest.mark.parametrize(
    "game", ["goofspiel(cards=4,bids=open)", "oshi_zumo(coins=6)", "random_game(actions=3,depth=3,seed=4)"]
)
def test_it_agrees_with_the_linear_program(game):
    assert fs.solve(game, "do-alpha-beta").value == pytest.approx(fs.solve(game, "lp").value, abs=1e-9)


def test_a_game_that_says_nothing_of_itself_is_solved_too(drawn):
    # player 1 is asked first, chance follows the stage, and neither the range of utilities nor simultaneous moves are
    # declared
    found = fs.solve(drawn, "do-alpha-beta")
    assert found.value == pytest.approx(fs.solve(drawn, "lp").value, abs=1e-9)
    assert abs(found.nash_conv) < 1e-9


def test_every_position_has_the_value_of_backward_induction():
    game = fs.load("random_game(actions=3,depth=3,seed=5)")
    found = stages(game)
    search = DoubleOracleAlphaBeta(game)
    exact = iter(zip(found.kind.tolist(), found.value.tolist(), strict=True))

    def walk(state):
        kind, value = next(exact)
        if kind == TOGETHER:
            assert search.value(state) == pytest.approx(value, abs=1e-10)
        for move in [] if state.actor == fs.OVER else state.moves():
            after = state.copy()
            after.play(move)
            walk(after)

    walk(game.start())


@pytest.mark.parametrize(
    ("game", "visited", "solved"),
    [("goofspiel(cards=5,bids=open)", 0.6, 0.05), ("oshi_zumo", 0.05, 0.001), ("tic_tac_toe", 0.05, 0.0)],
)
def test_most_of_a_game_is_not_visited_and_few_stages_need_a_program(game, visited, solved):
    game = fs.load(game)
    whole, search = stages(game), DoubleOracleAlphaBeta(game)
    search.value(game.start())
    assert search.counts.nodes < visited * whole.tree.size
    assert search.counts.programs <= solved * (whole.kind == TOGETHER).sum()


def test_stages_with_a_saddle_point_need_no_program():
    # Oshi-Zumo with up to eleven coins has a pure equilibrium (Lisý 2014, sec. 4.1), so serialized games settle it
    game = fs.load("oshi_zumo(coins=11)")
    search = DoubleOracleAlphaBeta(game)
    assert search.value(game.start()) == 0.0
    assert search.counts.programs == 0


def test_the_strategy_says_what_to_do_wherever_its_player_comes_by_it():
    game = fs.load("goofspiel(cards=4,bids=open)")
    strategy = fs.solve(game, "do-alpha-beta").strategy
    for seat in range(2):
        line = ["random", "random"]
        line[seat] = strategy
        for deal in range(20):
            state = game.start()
            for move in fs.play_game(game, [fs.agent(a) for a in line], deal=deal, seed=3).moves:
                assert state.actor != seat or strategy.knows(state)
                state.play(move)


def test_a_small_table_changes_no_value():
    game = fs.load("random_game(actions=3,depth=4,seed=2)")
    exact = fs.solve(game, "backward-induction").value[0]
    for table in (16, 256):
        assert DoubleOracleAlphaBeta(game, table=table, fixed=True).value(game.start()) == pytest.approx(
            exact, abs=1e-10
        )


def test_a_look_deepens_until_nothing_is_left_to_see():
    game = fs.load("oshi_zumo(coins=6)")
    search = DoubleOracleAlphaBeta(game)
    seen = search.look(game.start())
    assert seen.complete
    assert seen.value == pytest.approx(0.0, abs=1e-10)
    shallow = search.look(game.start(), depth=1)
    assert (shallow.depth, shallow.complete) == (1, False)
    for strategy in seen.strategies + shallow.strategies:
        assert list(strategy) == game.start().moves()
        assert sum(strategy.values()) == pytest.approx(1.0)
    assert search.look(game.start(), nodes=1).depth == 1


def test_one_stage_ahead_the_value_is_that_of_the_matrix_of_evaluations():
    game = fs.load("goofspiel(cards=4,bids=open)")
    matrix = np.zeros((4, 4))
    judged = np.zeros(2)
    for i in range(4):
        for j in range(4):
            state = game.start()
            state.play(i)
            state.play(j)
            state._call("evaluate", judged.ctypes.data)
            matrix[i, j] = judged[0]
    from fogspiel.game.matrix_game import matrix_value

    assert DoubleOracleAlphaBeta(game).value(game.start(), depth=1) == pytest.approx(matrix_value(matrix)[0], abs=1e-12)


def test_other_games_are_refused(tmp_path):
    coin = tmp_path / "coin.py"
    coin.write_text(HIDDEN_COIN)
    for game in (
        "kuhn",
        "kuhn(players=3)",
        "matrix(game=chicken)",
        "goofspiel(cards=4)",
        "nonlocality",
        "leduc",
        str(coin),
    ):
        with pytest.raises(fs.Unsuitable):
            fs.solve(game, "do-alpha-beta")


def test_a_game_whose_players_forget_how_they_came_to_a_known_state_is_solved():
    found = fs.solve("nim(heaps=[1,2])", "do-alpha-beta")
    assert (found.value, found.nash_conv) == ((1.0, -1.0), None)


def test_the_agent_draws_from_the_equilibrium_of_the_stage():
    # the row player makes the column player indifferent with (2/5, 3/5), and the other way round
    game = fs.load("matrix(payoffs=[[2,-1],[-1,1]])")
    for seat in range(2):
        agents = [fs.agent("random"), fs.agent("random")]
        agents[seat] = fs.agent("do-alpha-beta")
        made = [fs.play_game(game, agents, deal=deal, seed=deal).moves[seat] for deal in range(500)]
        assert [m.strategy for m in agents[seat].found] == pytest.approx([0.4, 0.6])
        assert np.mean(made) == pytest.approx(0.6, abs=0.08)


def test_the_agent_beats_a_random_player():
    result = fs.match("oshi_zumo(coins=8)", ["do-alpha-beta(nodes=3000)", "random"], games=20, seed=1)
    assert result.standings[0].wins > 16


def test_the_agent_refuses_games_that_hide_something():
    for game in ("kuhn", "goofspiel(cards=3)", "leduc"):
        with pytest.raises(fs.Unsuitable):
            fs.match(game, ["do-alpha-beta", "random"], games=1, seed=0)
