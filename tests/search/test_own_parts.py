"""Parts from a person's own files: they are really used, wherever a spec string is taken, and their mistakes are one
sentence each."""

import copy
import itertools
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents.agent import observe
from fogspiel.agents.registry import KINDS
from fogspiel.belief.record import Record
from fogspiel.belief.roots import Roots
from fogspiel.evaluate.online import converge
from fogspiel.game import pick, uniform
from fogspiel.search.outcome_sampling import OutcomeSampling
from fogspiel.search.parts import part, parts
from fogspiel.search.plain import PlainSearch
from fogspiel.search.search import TreeSearch

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
BANDIT, PLAYOUT, EVALUATION, BELIEF = (
    str(EXAMPLES / f"my_{kind}.py") for kind in ("bandit", "playout", "evaluation", "belief")
)


def thought(game, spec, seed=3):
    """What an agent found at the first decision."""
    game = fs.load(game)
    state, record, rng = game.start(), Record(0), np.array([1], np.uint64)
    player = fs.agent(spec)
    while True:
        record.see(state)
        if state.actor >= 0:
            break
        state.play(state.moves()[0])
    player.begin(game, state.actor, seed)
    player.choose(observe(state, record, rng))
    return player


def memory_of(search):
    m = search.memory
    return m.nodes[: m.node_count].tobytes(), m.slots[: m.slot_count].tobytes()


def plain(search):
    """Have a search run un-compiled from now on."""
    made = search.composition.kernel.plain
    search._simulate = lambda: made(search.game.table.tolist(), PlainSearch(search.search))
    return search


# --- a bandit, a playout policy, a belief: one file each
# --------------------------------------------------------------------------------------


def test_a_bandit_of_ones_own_does_what_its_file_says_bit_for_bit():
    # both players of rock-paper-scissors learn by it, from the same random numbers as the reference below
    game = fs.load("matrix(game=rps)")
    file = part("bandit", f"{BANDIT}(epsilon=0.3,step=0.1)")
    search = TreeSearch(game, parts(bandit=file), seed=11, nodes=64)
    search.simulate(Roots([game.start()]), 0, 500)

    rng = np.array([11], np.uint64)
    tries, estimate = np.zeros((2, 3), int), np.zeros((2, 3))
    for _ in range(500):
        chosen = []
        for p in range(2):
            untried = np.flatnonzero(tries[p] == 0)
            if len(untried):
                chosen.append(int(untried[0]))
            else:
                chosen.append(pick(rng, 3) if uniform(rng) < 0.3 else int(np.argmax(estimate[p])))
        end = game.start()
        for move in chosen:
            end.play(move)
        for p, move in enumerate(chosen):
            reward = (end.payoff()[p] + 1) / 2
            tries[p, move] += 1
            estimate[p, move] += max(0.1, 1 / tries[p, move]) * (reward - estimate[p, move])
    m = search.memory
    for node in range(2):
        slots = m.slots[m.slots_of(node)]
        p = int(m.nodes.owner[node])
        assert slots.tries.tolist() == tries[p][slots.move].tolist()
        assert slots.estimate.tolist() == estimate[p][slots.move].tolist()


@pytest.mark.parametrize(
    "name", [name for name, kind in KINDS.items() if "bandit" in {p.name for p in kind.parameters}]
)
def test_every_search_of_a_tree_takes_a_bandit_of_ones_own(name, tmp_path):
    """One that takes the last move there is, in a game where that is seen."""
    (tmp_path / "last.py").write_text(
        "def choose(search, here, n):\n    return n - 1\n\ndef learn(search, d, reward, utility):\n    pass\n"
    )
    game = fs.load("goofspiel(cards=3,bids=open)" if name == "sm-mcts" else "kuhn", debug=True)
    player = fs.agent(f"{name}(simulations=6,bandit={tmp_path / 'last.py'})")
    state, record, rng = game.start(), Record(0), np.array([1], np.uint64)
    record.see(state)
    while state.actor != 0:
        state.play(state.moves()[0])
        record.see(state)
    player.begin(game, 0, 3)
    player.choose(observe(state, record, rng, cheats=name.startswith("cheating")))
    assert [m.move for m in player.found if m.visits] == [max(m.move for m in player.found)]


def test_a_playout_policy_of_ones_own_is_what_playouts_are_made_by(tmp_path):
    # one that takes the first legal move: with all of the tree at its root, every simulation of a move is the same game
    (tmp_path / "first.py").write_text("def policy(game, search, s, n):\n    return 0\n")
    game = fs.load("tic_tac_toe")
    player = thought(game, f"rollouts(simulations=90,playout={tmp_path / 'first.py'})")
    for m in player.found:
        state = game.start()
        state.play(m.move)
        while not state.over:
            state.play(state.moves()[0])
        assert (m.visits, m.value) == (10, state.payoff()[0])


def test_who_moves_is_told_by_name_or_by_position(tmp_path):
    by_name, by_position = tmp_path / "by_name.py", tmp_path / "by_position.py"
    for path, who in ((by_name, "who"), (by_position, "[0]")):
        who = f"search.facts{who if who[0] == '[' else '.' + who}"
        path.write_text(f"def policy(game, search, s, n):\n    return n - 1 if {who} == 1 else 0\n")
    found = [thought("tic_tac_toe", f"mcts(simulations=100,playout={path})") for path in (by_name, by_position)]
    assert found[0].statistics.simulations == found[1].statistics.simulations == 100
    assert memory_of(found[0].searches[0]) == memory_of(found[1].searches[0])


def test_last_good_replies_are_kept_and_played():
    game = fs.load("tic_tac_toe")
    file = part("playout", f"{PLAYOUT}(eagerness=1)")
    search = TreeSearch(game, parts(playout=file), seed=1, nodes=512)
    search.simulate(Roots([game.start()]), 0, 200)
    traced = search.search.traced[: search.search.trace.length]
    replies, place, none = search.search.replies, file.space.place, file.space.NONE
    assert (replies != none).sum() > 5
    pay = search.search.pay[:2]
    for before, row in itertools.pairwise(traced):
        kept = replies[place(int(row.who), int(before.move))]
        assert kept == row.move if pay[row.who] > 0 else kept != row.move
    search.forget()
    assert (replies == none).all()


def test_a_belief_of_ones_own_is_where_simulations_start(tmp_path):
    # one that always believes the other to hold the king: to call a bet with the queen then never pays, and folding
    # costs 1
    path = tmp_path / "pessimist.py"
    path.write_text("""
def draw(game, record, state):
    state = game.start()
    for move in (2, 1, 1):
        state.play(move)
    return [state]
""")
    game = fs.load("kuhn")
    state, record = game.start(), Record(1)
    record.see(state)
    for move in (0, 1, 1):
        state.play(move)
        record.see(state)
    player = fs.agent(f"mo-ismcts(simulations=300,belief={path})")
    player.begin(game, 1, 1)
    assert player.choose(observe(state, record, np.array([1], np.uint64))) == 0
    assert [m.value for m in player.found] == [-1, -2]


# --- traces
# --------------------------------------------------------------------------------------


KEEPER = '''
"""Keeps the trace of every simulation."""
import numpy as np

TRACE = True
RECORD = (("kept", "i8"),)
Row = np.dtype([
    ("number", "i8"), ("move", "i8"), ("who", "i8"), ("knew", "u8"), ("playing", "i8"),
    ("pay", "f8"),
], align=True)


def memory(game, room):
    return {"rows": np.zeros(4096, Row)}


def policy(game, search, s, n):
    return n - 1


def capture(game, search, s):
    for i in range(search.trace.length):
        row = search.rows[search.playout.kept]
        row.number = search.counts.done
        row.move = search.traced[i].move
        row.who = search.traced[i].who
        row.knew = search.traced[i].knew
        row.playing = search.traced[i].playing
        row.pay = search.pay[0]
        search.playout.kept += 1
'''


def test_a_trace_is_the_game_that_was_simulated_move_by_move(tmp_path):
    (tmp_path / "keeper.py").write_text(KEEPER)
    game = fs.load("leduc")
    kept = []
    for run in (lambda search: search, plain):
        search = run(TreeSearch(game, parts(playout=part("playout", str(tmp_path / "keeper.py"))), seed=4, nodes=256))
        search.simulate(Roots([game.start()]), 0, 60)
        kept.append(search.search.array("rows").copy())
    assert (kept[0] == kept[1]).all()
    rows = kept[0][: int(search.search.playout.kept)]
    played_out = 0
    for number in range(60):
        state = game.start()
        for row in rows[rows["number"] == number]:
            assert row["who"] == state.actor
            if state.actor >= 0:
                assert int(row["knew"]) == state.key(state.actor)
            if row["playing"] and state.actor >= 0:
                played_out += 1
                assert row["move"] == state.moves()[-1]
            state.play(int(row["move"]))
        assert state.over
        assert state.payoff()[0] == rows[rows["number"] == number]["pay"][0]
    assert played_out > 20


def test_a_trace_in_outcome_sampling_is_the_game_that_was_sampled(tmp_path):
    (tmp_path / "keeper.py").write_text(KEEPER)
    game, made = fs.load("goofspiel(cards=4)"), part("playout", str(tmp_path / "keeper.py"))
    search = OutcomeSampling(game, parts=(made,), seed=4, nodes=256)
    search.simulate(Roots([game.start()]), 0, 60)
    rows = search.search.array("rows")[: int(search.search.playout.kept)]
    assert np.unique(rows["number"]).tolist() == list(range(1, 61))
    sampled = 0
    for number in range(1, 61):
        state, played_out = game.start(), False
        for row in rows[rows["number"] == number]:
            assert row["who"] == state.actor
            if state.actor >= 0:
                assert int(row["knew"]) == state.key(state.actor)
                assert not row["playing"] or row["move"] == state.moves()[-1]
            # what is played out follows what was sampled in the tree
            assert bool(row["playing"]) >= played_out
            played_out = bool(row["playing"])
            sampled += not played_out
            state.play(int(row["move"]))
        assert state.over
        assert state.payoff()[0] == rows[rows["number"] == number]["pay"][0]
    assert search.counts.depth < sampled == len(rows) - search.counts.played


def test_parts_that_are_not_chosen_leave_the_tables_of_outcome_sampling_as_they_are(tmp_path):
    """A part that looks on, and chooses as playouts do anyway, changes no bit but those of the random numbers'
    order."""
    (tmp_path / "onlooker.py").write_text(
        "from fogspiel.game.table import play_out\nTRACE = True\nRECORD = (('seen', 'i8'),)\nSLOT = (('mine', "
        "'f8'),)\n\n"
        "def playout(game, search, s, most):\n    return play_out(game, s, search.moves, search.odds, search.pay, "
        "search.rng, most)\n\n"
        "def capture(game, search, s):\n    search.playout.seen += search.trace.length\n\n"
        "def forget(search):\n    search.playout.seen = 0\n"
    )
    game, made = fs.load("leduc"), part("playout", str(tmp_path / "onlooker.py"))
    plainly, watched = (OutcomeSampling(game, parts=p, seed=4, nodes=512) for p in ((), (made,)))
    for search in (plainly, watched):
        search.simulate(Roots([game.start()]), 0, 400)
    columns = list(plainly.memory.slots.dtype.names)
    slots = [search.memory.slots[: search.memory.slot_count] for search in (plainly, watched)]
    assert all((slots[0][name] == slots[1][name]).all() for name in columns)
    assert plainly.rng[0] == watched.rng[0]
    sampled = watched.search.playout.seen
    assert sampled > watched.counts.depth
    watched.restart(4)
    assert watched.search.playout.seen == 0
    watched.simulate(Roots([game.start()]), 0, 400)
    assert watched.search.playout.seen == sampled
    assert (watched.memory.slots[: watched.memory.slot_count]["strategy"] == slots[0]["strategy"]).all()


@pytest.mark.parametrize("kind", [p.name for p in KINDS["oos"].parameters if (EXAMPLES / f"my_{p.name}.py").exists()])
def test_every_example_of_a_part_runs_in_outcome_sampling(kind):
    own = str(EXAMPLES / f"my_{kind}.py")
    player = thought("goofspiel(cards=5)", f"oos(simulations=200,{kind}={own})")
    assert sum(m.visits for m in player.found) > 0
    assert sum(m.strategy for m in player.found) == pytest.approx(1)
    if kind == "playout":
        replies = player.search.search.replies
        assert (replies != part(kind, own).space.NONE).sum() > 5
        player.search.forget()
        assert (replies == part(kind, own).space.NONE).all()


# --- compiled and not
# --------------------------------------------------------------------------------------

COMBINATIONS = {
    "leduc": {},
    "goofspiel(cards=4)": {"bandit": "rm", "growth": "stage"},
    "phantom_tic_tac_toe": {"view": "searcher", "bandit": "exp3"},
    "pig(target=20)": {"view": "history", "bandit": "tuned", "chance": "stored"},
}


@pytest.mark.parametrize("spec", COMBINATIONS)
def test_a_search_gives_the_same_bits_compiled_or_not(spec):
    game = fs.load(spec)
    one, other = (TreeSearch(game, parts(**COMBINATIONS[spec]), seed=5, nodes=1024) for _ in range(2))
    for search in (one, plain(other)):
        search.simulate(Roots([game.start()]), 0, 60)
    assert memory_of(one) == memory_of(other)
    assert one.rng[0] == other.rng[0]
    assert one.moves(game.start(), 0) == other.moves(game.start(), 0)


# --- mistakes
# --------------------------------------------------------------------------------------

LEARN = "\n\ndef learn(search, d, reward, utility):\n    pass\n"
MISTAKES = {
    "no function": ("bandit", "x = 1\n", "has no bandit: it needs the functions choose and learn"),
    "only one of two": (
        "bandit",
        "def choose(search, here, n):\n    return 0\n",
        "it needs the functions choose and learn",
    ),
    "no policy": (
        "playout",
        "def choose(search, here, n):\n    return 0\n",
        "has no playout: it needs the function policy or",
    ),
    "cannot be imported": (
        "bandit",
        "import nothing_of_that_name\n",
        "line 1: the file cannot be imported: ModuleNotFoundError",
    ),
    "no Python": ("bandit", "def choose(search, here, n)\n    return 0\n", "line 1: expected ':'"),
    "arguments": (
        "bandit",
        "def choose(search, n):\n    return 0\n" + LEARN,
        r"choose \(.*line 1\) must take \(search, here, n\), and takes \(search, n\)",
    ),
    "a default outside": (
        "playout",
        (
            "from fogspiel.game import Whole\nPARAMETERS = (Whole('n', 3, 0, 1, 'x'),)\n\n\ndef policy(game, search, "
            "s, "
            "n):\n    return 0\n"
        ),
        "in PARAMETERS, n: the default 3 is not within 0 to 1",
    ),
    "rule's arguments": ("evaluation", "def evaluate(s):\n    pass\n", r"evaluate \(.*line 1\) must take \(s, out\)"),
    "a column twice": (
        "bandit",
        "SLOT = (('tries', 'i8'),)\ndef choose(search, here, n):\n    return 0\n" + LEARN,
        "SLOT must be .* columns of other names than move, tries, total",
    ),
    "parameters": (
        "bandit",
        "PARAMETERS = 3\ndef choose(search, here, n):\n    return 0\n" + LEARN,
        "PARAMETERS must be a tuple",
    ),
    "fails": (
        "bandit",
        "def choose(search, here, n):\n    return 1 // (n - n)\n" + LEARN,
        r"choose \(.*line 2\) failed: ZeroDivisionError",
    ),
    "fails below": (
        "bandit",
        "def half(n):\n    return n // (n - n)\n\ndef choose(search, here, n):\n    return half(n)\n" + LEARN,
        r"choose, in half \(.*line 2\) failed: ZeroDivisionError",
    ),
    "no such move": (
        "bandit",
        "def choose(search, here, n):\n    return n\n" + LEARN,
        r"choose \(.*line 1\) returns 9 where a position from 0 to 8 is expected",
    ),
    "nothing returned": (
        "bandit",
        "def choose(search, here, n):\n    pass\n" + LEARN,
        "returns nothing where a whole number is expected",
    ),
    "wild index": (
        "bandit",
        "def choose(search, here, n):\n    search.prob[10**7] = 1.0\n    return 0\n" + LEARN,
        r"choose \(.*line 2\) failed: index 10000000 is outside its buffer",
    ),
    "index below 0": (
        "bandit",
        "def choose(search, here, n):\n    search.slots[-1].total = 1.0\n    return 0\n" + LEARN,
        r"line 2\) failed: index -1 is outside an array of \d+ records",
    ),
    "no such field": (
        "bandit",
        "def choose(search, here, n):\n    return here.visit\n" + LEARN,
        "there is no field visit; did you mean visits?",
    ),
    "no such memory": (
        "bandit",
        "def choose(search, here, n):\n    return search.mine[0]\n" + LEARN,
        "there is no search.mine",
    ),
    "memory fails": (
        "bandit",
        "def memory(game, room):\n    return {'mine': game.nothing}\n\ndef choose(search, here, n):\n    return 0\n"
        + LEARN,
        r"memory \(.*line 2\) failed: AttributeError",
    ),
    "memory taken": (
        "bandit",
        (
            "import numpy as np\n\ndef memory(game, room):\n    return {'slots': np.zeros(3)}\n\ndef choose(search, "
            "here, n):\n    return 0\n"
        )
        + LEARN,
        "search.slots is there already",
    ),
    "memory of a kind": (
        "bandit",
        (
            "import numpy as np\n\ndef memory(game, room):\n    return {'mine': np.zeros(3, 'i2')}\n\ndef "
            "choose(search, "
            "here, n):\n    return 0\n"
        )
        + LEARN,
        "search.mine must be an array of",
    ),
    "changes the state": (
        "playout",
        (
            "from fogspiel.game.table import play\n\ndef policy(game, search, s, n):\n    play(game, s, "
            "search.moves[0])\n    return 0\n"
        ),
        "policy .* changes the state that it is shown",
    ),
    "illegal moves": (
        "playout",
        "def candidates(game, search, s):\n    search.moves[0] = 99\n    return 1\n",
        "lists the move 99, which is not legal",
    ),
    "no guess": (
        "evaluation",
        "def evaluation(game, search, s):\n    search.pay[0] = 0.5\n",
        "has no finite guess for player 1",
    ),
    "too high a guess": ("evaluation", "def evaluate(s, out):\n    out[0], out[1] = 7, -7\n", "guesses 7 for player 0"),
    "another game's state": ("evaluation", "def evaluate(s, out):\n    out[0] = s.chips\n", "there is no field chips"),
    "never called at all": (
        "bandit",
        (
            "def choose(search, here, n):\n    return 0\n\ndef learn(search, d, reward, utility):\n    pass\n\n"
            "def bound(search, here, n):\n    search.prob[0] = 1.0\n"
        ),
        "never calls it",
    ),
    "never called": (
        "evaluation",
        (
            "def evaluation(game, search, s):\n    search.pay[0] = search.pay[1] = 0.0\n\ndef pair(search, tries):\n "
            "   "
            "return 0\n"
        ),
        "never calls it",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_a_part_is_a_sentence_with_the_file_and_the_line(mistake, tmp_path):
    kind, text, expected = MISTAKES[mistake]
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(fs.PartError, match=expected) as error:
        thought("tic_tac_toe", f"mcts(simulations=10,{kind}={path})")
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


LATE = {
    "lists too many moves": (
        (
            "from fogspiel.game.table import moves\n\ndef candidates(game, search, s):\n    n = moves(game, s, "
            "search.moves, 0)\n    return 1000 if search.counts.done > 99 else n\n"
        ),
        "mine.py listed no moves for a playout, or more than 256",
    ),
    "chooses what is not there": (
        "def policy(game, search, s, n):\n    return n if search.counts.done > 99 else 0\n",
        "mine.py chose a position outside the moves",
    ),
}


@pytest.mark.parametrize("mistake", LATE)
@pytest.mark.parametrize("search", ["mcts", "pomcp"])
def test_a_mistake_that_comes_after_the_trial_is_told_of_the_part(search, mistake, tmp_path):
    text, expected = LATE[mistake]
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(fs.PartError, match=expected):
        thought(
            "tic_tac_toe" if search == "mcts" else "phantom_tic_tac_toe",
            f"{search}(simulations=200,playout={tmp_path / 'mine.py'})",
        )


def test_a_part_that_never_returns_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr("fogspiel.game.watch.LONGEST", 0.1)
    path = tmp_path / "mine.py"
    path.write_text("def policy(game, search, s, n):\n    while n > 0:\n        pass\n    return 0\n")
    with pytest.raises(fs.PartError, match=r"policy \(.*line [23]\) does not return"):
        thought("tic_tac_toe", f"mcts(simulations=10,playout={path})")


def test_a_part_that_cannot_be_compiled_says_where(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(f"def choose(search, here, n):\n    return len(str(n)) - 1\n{LEARN}")
    with pytest.raises(fs.PartError, match=r"choose \(.*mine.py, line 2\) cannot be compiled") as error:
        thought("tic_tac_toe", f"mcts(simulations=10,bandit={path})")
    assert "\n" not in str(error.value)


def test_a_file_is_named_as_it_was_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(f"def choose(search, here, n):\n    return len(str(n)) - 1\n{LEARN}")
    with pytest.raises(fs.PartError, match=r"^choose \(mine.py, line 2\) cannot be compiled"):
        thought("tic_tac_toe", "mcts(simulations=10,bandit=mine.py)")


MISFIT = """
def misfit(names):
    return "it is for trees of another kind"


def policy(game, search, s, n):
    return 0
"""


@pytest.mark.parametrize("name", ["mo-ismcts", "oos"])
def test_parts_that_do_not_go_together_are_refused(name, tmp_path):
    (tmp_path / "misfit.py").write_text(MISFIT)
    with pytest.raises(fs.FogspielError, match="it is for trees of another kind"):
        thought(fs.load("kuhn"), f"{name}(simulations=90,playout={tmp_path / 'misfit.py'})")


def test_a_file_that_is_not_there_is_found_at_once():
    with pytest.raises(fs.PartError, match=r"there is no bandit file nowhere.py"):
        fs.agent("mcts(bandit=nowhere.py)")


def test_a_part_that_passed_is_not_tried_again_until_it_changes(tmp_path, monkeypatch):
    path, tried = tmp_path / "mine.py", []
    monkeypatch.setattr("fogspiel.search.trial.Trial.run", lambda trial, *_: tried.append(1))
    monkeypatch.setattr("fogspiel.search.trial.compiled", lambda *_: None)
    monkeypatch.setenv("FOGSPIEL_CACHE", str(tmp_path / "cache"))
    for text in ("return 0", "return 0", "return n - 1"):
        path.write_text(f"def choose(search, here, n):\n    {text}\n{LEARN}")
        TreeSearch(fs.load("tic_tac_toe"), parts(bandit=part("bandit", str(path))), nodes=16)
    assert len(tried) == 2


# --- wherever a spec string is taken
# --------------------------------------------------------------------------------------


def test_parts_from_files_play_in_other_processes_too():
    spec = f"mo-ismcts(simulations=50,bandit={BANDIT},belief={BELIEF}(states=8,doubt=0.5))"
    one, two = (fs.match("leduc", [spec, "random"], games=4, seed=3, workers=workers) for workers in (1, 2))
    assert one.games.keys() == two.games.keys()
    for number, game in one.games.items():
        assert game.forfeit is None, game.reason
        assert game.utilities == two.games[number].utilities


def test_think_and_converge_take_parts_from_files():
    assert sum(m.visits for m in fs.think("leduc", f"mo-ismcts(simulations=50,bandit={BANDIT})", seed=1).moves) == 50
    assert converge("leduc", f"mo-ismcts(bandit={BANDIT})", [50])[0].simulations == 50


def test_an_evaluation_of_ones_own_is_what_a_cut_playout_is_worth(tmp_path):
    path = tmp_path / "quarter.py"
    path.write_text("def evaluation(game, search, s):\n    search.pay[0], search.pay[1] = 0.25, -0.25\n")
    player = thought("tic_tac_toe", f"mcts(simulations=9,evaluation={path})")
    assert [(m.visits, m.value) for m in player.found] == [(1, 0.25)] * 9
    assert player.statistics.playout == 0


def test_an_evaluation_may_be_a_rule_of_a_game():
    # 5 of 15 points are won with the first bid of five; and outcome sampling cuts its playouts there
    game = part("evaluation", EVALUATION).extends.extend(fs.load("goofspiel(cards=5)"))
    state, out = game.start(), np.zeros(2)
    for bid in (4, 0):
        state.play(bid)
    game.functions["evaluate"](state.data.ctypes.data, out.ctypes.data)
    assert out.tolist() == [5 / 15, -5 / 15]
    player = thought("goofspiel(cards=5)", f"oos(simulations=100,evaluation={EVALUATION})")
    assert player.statistics.playout == 0


MOBILITY = """
from fogspiel.game import Number
from fogspiel.game.table import actor, moves

PARAMETERS = (Number("each", 0.02, 0, 1, "what a move is worth to the player who has it"),)


def evaluation(game, search, s):
    n = moves(game, s, search.moves, 0)
    search.pay[0] = search.evaluation.each * (n if actor(game, s) == 0 else -n)
    search.pay[1] = -search.pay[0]
"""
LOOKING_AHEAD = [name for name, kind in KINDS.items() if {"table", "evaluation"} <= {p.name for p in kind.parameters}]


def test_the_agents_that_look_ahead_take_an_evaluation():
    assert {
        "alpha-beta",
        "expectimax",
        "star1",
        "star2",
        "expss",
        "star1ss",
        "star2ss",
        "do-alpha-beta",
        "ist-minimax",
    } == {*LOOKING_AHEAD}


@pytest.mark.parametrize("name", [*LOOKING_AHEAD, "mcts", "so-ismcts"])
def test_one_file_judges_in_whatever_searches(name, tmp_path):
    # a game without the rule evaluate, in which player 1 has 6 of 9 moves left after three; a playout is cut with 8
    path = tmp_path / "mobility.py"
    path.write_text(MOBILITY)
    ahead = name in LOOKING_AHEAD
    depth = 1 if name == "ist-minimax" else 3
    if name == "ist-minimax":  # what it judges are sets of states, where player 0 moves
        path.write_text(MOBILITY.replace("moves(game, s, search.moves, 0)", "-6"))
    player = thought(
        "hex(size=3)", f"{name}({f'depth={depth}' if ahead else 'simulations=9'},evaluation={path}(each=0.05))"
    )
    if ahead:
        assert player.statistics.value == pytest.approx(-0.05 * 6)
        assert not player.statistics.complete
    else:
        assert {(m.visits, m.value) for m in player.found} == {(1, -0.05 * 8)}


@pytest.mark.parametrize("name", ["alpha-beta", "star2ss", "do-alpha-beta"])
def test_an_evaluation_looks_ahead_alike_compiled_or_not(name, tmp_path):
    # it draws, counts what it is asked, and writes where moves are listed
    path = tmp_path / "drawing.py"
    path.write_text("""
import numpy as np

from fogspiel.game import uniform
from fogspiel.game.table import moves

RECORD = (("asked", "i8"),)


def memory(game, room):
    return {"sums": np.zeros(2)}


def forget(search):
    search.sums[:] = 0


def evaluation(game, search, s):
    search.evaluation.asked += 1
    for i in range(moves(game, s, search.moves, 0)):
        search.moves[i] = 77
    guess = search.low[0] + search.span[0] * uniform(search.rng)
    search.sums[0] += guess
    search.pay[0], search.pay[1] = guess, -guess
""")
    found = []
    for debug in (False, True):
        player = thought(fs.load("hex(size=3)", debug=debug), f"{name}(depth=2,evaluation={path})", seed=5)
        search = getattr(player, "oracle", None) or player.search
        judging = (search.search if name == "do-alpha-beta" else search.memory).array("judging")
        seen = player.statistics
        found.append(
            (seen.move, seen.value, seen.nodes, judging.array("sums")[0], judging.array("evaluation")["asked"][0])
        )
        if not debug:  # a trial before leaves nothing behind but what was counted there
            again = player.search.look if name != "do-alpha-beta" else player.oracle.look
            assert again(fs.load("hex(size=3)").start(), depth=2).value == seen.value
    assert found[0][:4] == found[1][:4]
    assert found[0][3] != 0
    assert found[0][4] >= found[1][4] > 0


def test_a_name_that_a_game_gives_an_evaluation_is_one_to_look_ahead_by(tmp_path):
    from fogspiel.games import tic_tac_toe

    path = tmp_path / "named.py"
    written = Path(tic_tac_toe.__file__).read_text()
    path.write_text(
        written + "\n\ndef high(s, out):\n    out[0], out[1] = 0.75, -0.75\n\n\nEVALUATIONS = {'high': high}\n"
    )
    for name in ("alpha-beta", "do-alpha-beta"):
        assert thought(str(path), f"{name}(depth=2,evaluation=high)").statistics.value == 0.75
        with pytest.raises(fs.SpecError, match="has no evaluation hig; did you mean high"):
            thought(str(path), f"{name}(depth=2,evaluation=hig)")


def test_a_rule_in_a_file_is_what_stages_are_judged_by():
    player = thought("goofspiel(cards=4,bids=open)", f"do-alpha-beta(depth=1,evaluation={EVALUATION})")
    # the first card is won by the highest bid, whatever else happens: 4 of 10 points against nothing, unless both bid
    # it
    assert player.statistics.value == 0
    assert not player.statistics.complete
    by_rule = thought("goofspiel(cards=4,bids=open)", "do-alpha-beta(depth=1)")
    assert player.statistics.nodes > 0 < by_rule.statistics.nodes


@pytest.mark.parametrize("name", ["alpha-beta", "do-alpha-beta", "ist-minimax"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "def evaluation(game, search, s):\n    search.pay[10**7] = 1.0\n",
            r"evaluation \(.*line 2\) failed: index 10000000 is outside",
        ),
        ("def evaluation(game, search, s):\n    search.pay[0] = 0.5\n", "has no finite guess for player 1"),
        ("def evaluation(game, search, s):\n    search.pay[0] = 7\n    search.pay[1] = -7\n", "guesses 7 for player 0"),
        ("def evaluation(game, search, s):\n    search.pay[0] = search.nodes[0].visits\n", "there is no search.nodes"),
        (
            "def evaluation(game, search, s):\n    while s:\n        pass\n",
            r"evaluation \(.*line [23]\) does not return",
        ),
        ("def evaluation(game, search):\n    pass\n", r"must take \(game, search, s\)"),
        (
            (
                "def evaluation(game, search, s):\n    search.pay[0] = search.pay[1] = 0.0\n\ndef capture(game, "
                "search, "
                "s):\n    pass\n"
            ),
            "never calls it",
        ),
        (
            (
                "from fogspiel.game.table import play\n\ndef evaluation(game, search, s):\n    search.pay[0] = "
                "search.pay[1] = 0.0\n    play(game, s, 0)\n"
            ),
            "changes the state",
        ),
    ],
)
def test_a_mistake_in_an_evaluation_is_told_where_it_looks_ahead(name, text, expected, tmp_path, monkeypatch):
    monkeypatch.setattr("fogspiel.game.watch.LONGEST", 0.1)
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(fs.PartError, match=expected) as error:
        thought("hex(size=3)", f"{name}(depth=1,evaluation={path})")
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_an_evaluation_to_look_ahead_by_that_cannot_be_compiled_says_where(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def evaluation(game, search, s):\n    search.pay[0] = search.pay[1] = len(str(s)) * 0.0\n")
    with pytest.raises(fs.PartError, match=r"line 2\) cannot be compiled") as error:
        thought("hex(size=3)", f"alpha-beta(depth=1,evaluation={path})")
    assert str(path) in str(error.value)


def test_a_file_of_rules_for_playouts_says_which_moves_are_made(tmp_path):
    # the centre whenever it is free, and the first free place otherwise
    path = tmp_path / "centre.py"
    path.write_text("""
from fogspiel.games.tic_tac_toe import moves


def guide(s, out, prob):
    n = moves(s, out)
    for i in range(n):
        if out[i] == 4:
            out[0] = 4
    prob[0] = 1.0
    return 1
""")
    game = fs.load("tic_tac_toe")
    for m in thought(game, f"rollouts(simulations=90,playout={path})").found:
        state = game.start()
        state.play(m.move)
        while not state.over:
            state.play(4 if 4 in state.moves() else state.moves()[0])
        assert m.value == state.payoff()[0]


def test_a_stored_match_tells_versions_of_a_file_apart(tmp_path):
    path, store = tmp_path / "mine.py", tmp_path / "match.jsonl"
    path.write_text(Path(BANDIT).read_text())
    agents = [f"mcts(simulations=20,bandit={path})", "random"]
    fs.match("tic_tac_toe", agents, games=2, seed=1, store=store)
    fs.match("tic_tac_toe", agents, games=2, seed=1, store=store, resume=True)
    path.write_text(Path(BANDIT).read_text() + "\nANOTHER = 1\n")
    with pytest.raises(fs.FogspielError, match=r"what mcts.*mine\.py.* plays by has changed since the match in"):
        fs.match("tic_tac_toe", agents, games=2, seed=1, store=store, resume=True)


@pytest.mark.parametrize("name", ["alpha-beta", "do-alpha-beta", "ist-minimax", "ist-mcts"])
def test_versions_of_an_evaluation_to_look_ahead_by_are_told_apart(name, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MOBILITY)
    one, same = (fs.agent(f"{name}(evaluation={path})").fingerprint for _ in range(2))
    path.write_text(MOBILITY.replace("0.02", "0.03"))
    other = fs.agent(f"{name}(evaluation={path})").fingerprint
    assert one == same != other
    assert fs.agent(name).fingerprint is None


def test_parts_run_un_compiled_where_the_game_does(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(f"SEEN = []\n\n\ndef choose(search, here, n):\n    SEEN.append(n)\n    return 0\n{LEARN}")
    game = fs.load("tic_tac_toe", debug=True)
    file = part("bandit", str(path))
    search = TreeSearch(game, parts(bandit=file), nodes=64)
    search.simulate(Roots([game.start()]), 0, 3)
    assert file.space.SEEN[:3] == [9, 9, 8]


def test_what_a_file_prints_is_not_repeated_in_its_trial(tmp_path, capsys):
    path = tmp_path / "talks.py"
    path.write_text(f"def choose(search, here, n):\n    print('here')\n    return 0\n{LEARN}")
    game = fs.load("tic_tac_toe")
    with pytest.raises(fs.PartError, match="print works only where the code runs un-compiled"):
        TreeSearch(game, parts(bandit=part("bandit", str(path))), nodes=64)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("spec", [f"mo-ismcts(bandit={BANDIT})", "pimc", "cheating-uct", "is-mcts", "oos", "rollouts"])
def test_a_searching_agent_can_be_copied_and_sent(spec):
    made = fs.agent(spec)
    for other in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert (other.name, other.parameters, other.fingerprint) == (made.name, made.parameters, made.fingerprint)


def test_the_page_about_parts_shows_what_works(tmp_path, monkeypatch):
    page = (EXAMPLES.parent / "docs" / "parts.md").read_text()
    bandit, *others, inheriting, composed = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "my_bandit.py").write_text(bandit)
    monkeypatch.chdir(tmp_path)
    board = fs.load("tic_tac_toe", debug=True)
    for kind, text in zip(("playout", "playout", "evaluation", "evaluation", "belief"), others, strict=True):
        Path("mine.py").write_text(text)
        thought = fs.think(board, f"mo-ismcts(simulations=20,{kind}=mine.py)", seed=1)
        assert sum(m.visits for m in thought.moves) == 20
    names = {}
    exec(inheriting, names)
    thought = fs.think(board, fs.agent("mo-ismcts", simulations=20, bandit=names["Careless"]), seed=1)
    assert sum(m.visits for m in thought.moves) == 20
    exec(composed.replace('"leduc"', '"leduc", debug=True').replace("10_000", "20"), names)
    assert names["search"].counts.done == 20
    for row in re.findall(r"^\| `(search\.\w+)", page, re.MULTILINE):
        name = row.removeprefix("search.")
        assert hasattr(names["search"].search, name) or name in ("playout", "evaluation")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (
            "bandit",
            (
                "def choose(search, here, n):\n    return n + 5000000 if here.visits > 200 else 0\n\n\ndef "
                "learn(search, "
                "d, reward, utility):\n    pass\n"
            ),
        ),
        ("playout", "def policy(game, search, s, n):\n    return -1 if search.counts.done > 200 else 0\n"),
    ],
)
def test_a_position_outside_is_told_however_late_it_comes(tmp_path, kind, text):
    file = tmp_path / "late.py"
    file.write_text(text)
    player = fs.agent(f"mo-ismcts({kind}={file},simulations=1000)")
    game = fs.load("tic_tac_toe")
    player.begin(game, 0, 1)
    with pytest.raises(fs.PartError, match="late.py chose a position outside the moves"):
        player.search.run(Roots([game.start()]), 0, simulations=1000)


def test_mistakes_of_a_belief_name_file_and_line(tmp_path):
    file = tmp_path / "wrong.py"
    file.write_text("def draw(state):\n    return [state, 1 // 0]\n")
    with pytest.raises(fs.PartError, match=r"wrong.py, line 2: draw failed: ZeroDivisionError"):
        fs.think("leduc", f"mo-ismcts(simulations=10,belief={file})", seed=1)


def test_a_view_and_a_growth_of_ones_own_tell_what_others_know_of_the_houses(tmp_path):
    game = fs.load("kuhn", debug=True)
    (tmp_path / "mine.py").write_text(
        "from fogspiel.game.table import mix, situation\nBY_INFOSET = True\n"
        "def key_of(game, search, s, who):\n    return mix(situation(game, s, who), who)\n"
    )
    (tmp_path / "low.py").write_text(
        "from fogspiel.errors import FogspielError, PartError\nfrom fogspiel.search.status import OWN\nGROWS = False\n"
        "def leaves_after(search, created, untried):\n    search.walk.status = OWN + 7 if search.counts.done == 30 "
        "else 0\n    return True\n"
        "def complaint(game, status):\n    return PartError(f'{game.name}: {status - OWN}') if status > OWN else None\n"
    )
    view, growth = (part(kind, tmp_path / f"{name}.py") for kind, name in (("view", "mine"), ("growth", "low")))
    one, other = (TreeSearch(game, chosen, seed=3) for chosen in (parts(view=view), parts(view=view, growth=growth)))
    assert (one.by_infoset, one.grows, other.by_infoset, other.grows) == (True, True, True, False)
    house = TreeSearch(fs.load("kuhn"), parts(), seed=3)
    for search in (one, house):
        search.simulate(Roots([search.game.start()]), 0, 50)
    assert memory_of(one) == memory_of(house)
    with pytest.raises(fs.PartError, match="^kuhn: 7$"):
        other.simulate(Roots([game.start()]), 0, 50)
