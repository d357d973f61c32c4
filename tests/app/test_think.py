"""One decision, shown: the table of moves, the account, the tree and its picture."""

import itertools
import json
import sys

import matplotlib.image
import numpy as np
import pytest

import fogspiel as fs
from fogspiel.app import cli, tree_picture
from fogspiel.app.think import think
from fogspiel.belief.roots import Roots
from fogspiel.evaluate.thought import reach
from fogspiel.game import CHANCE
from fogspiel.game.hidden import hides_something
from fogspiel.search.line import Line
from fogspiel.search.outline import Node, grow

SEARCHES = (
    "mo-ismcts(simulations=400)",
    "mo-ismcts(simulations=400,view=trail)",
    "so-ismcts(simulations=400)",
    "so-ismcts(simulations=400,view=open-loop)",
    "so-ismcts-pom(simulations=400)",
    "epimc(simulations=400,depth=1)",
    "sm-mcts(simulations=400)",
    "oos(simulations=400)",
)


@pytest.fixture
def command(monkeypatch, capsys, tmp_path):
    """Run the command within this process, in an empty folder: its status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["fogspiel", "think", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        return (int(stop.value.code or 0), *capsys.readouterr())

    return run


def test_what_is_told_of_a_decision_stands_in_one_column(command):
    told = command("leduc", "mo-ismcts(simulations=10)")[1].splitlines()
    lines = [line for line in told if line.startswith(("chosen ", "tree ", "card of player 1 "))]
    assert len(lines) == 3
    assert {line[16] for line in lines} == {" "}
    assert all(line[17] != " " for line in lines)


@pytest.mark.parametrize(("depth", "told"), [(0, "to the end of the game, 9 moves"), (2, "2 decisions, 2 moves")])
def test_how_far_ahead_a_search_looked_is_told_by_what_it_came_to(command, depth, told):
    assert f"{told} at most" in command("tic_tac_toe", f"alpha-beta(depth={depth})")[1]


def states_alike(game, state, seat):
    """All states at which the seat knows the same and has to move, by walking the whole game."""
    key, found, stack = state.key(seat), {}, [game.start()]
    while stack:
        s = stack.pop()
        if s.actor == seat and s.key(seat) == key:
            found[s.data.tobytes()] = s
            continue
        for move in s.moves():
            after = s.copy()
            after.play(move)
            stack.append(after)
    return list(found.values())


@pytest.mark.parametrize("spec", SEARCHES)
@pytest.mark.parametrize(("game", "words"), [("kuhn", ["deal 2 to player 0"]), ("goofspiel(cards=3,bids=open)", [])])
def test_lines_of_play_come_to_every_node_that_a_search_has(game, words, spec):
    if spec.startswith("sm-mcts") and game == "kuhn":
        game, words = "tic_tac_toe", ["0", "3", "1", "4"]
    game, player = fs.load(game), fs.agent(spec)
    state, record, *_ = reach(game, words, 0)
    player.begin(game, record.player, 5)
    # where nothing is hidden there is one, and no need to walk the whole game
    roots = states_alike(game, state, record.player) if hides_something(game) else [state]
    begins = Roots(roots[:1] if spec.startswith("oos") else roots)
    player.search.run(begins, record.player, simulations=400)
    seen, stack = set(), [Line(player.search, root, record.player) for root in roots]
    if spec.startswith("oos"):
        # it searches from where it was told to, which here is one state of those that the player may be in
        stack = stack[:1]
    while stack:
        line = stack.pop()
        if line.state.over:
            continue
        if line.state.actor != CHANCE:
            seen.add(line.node)
        stack.extend(line.after(move) for move in line.state.moves())
    assert seen - {-1} == set(range(player.search.memory.node_count))
    assert len(seen) > 3


def test_the_tree_adds_up():
    facts = think("tic_tac_toe", "mcts(simulations=3000,view=trail)")
    tree = facts["tree"]
    assert sum(m["visits"] for m in facts["moves"]) == facts["statistics"]["simulations"] == tree["visits"] == 3000
    assert [e["name"] for e in tree["edges"]] == [m["name"] for m in facts["moves"]][: len(tree["edges"])]
    assert tree["not_shown"] == 9 - len(tree["edges"])
    for edge in tree["edges"]:
        # of the games that came through a move, the first one left the tree there
        assert edge["node"]["visits"] == edge["visits"] - 1
        assert edge["node"]["actor"] == 1


def test_what_the_mover_cannot_see_branches_and_what_nobody_tells_apart_is_joined():
    tree = think("kuhn", "mo-ismcts(simulations=2000)", "deal 2 to player 0")["tree"]
    assert {e["name"] for e in tree["edges"]} == {"pass", "bet"}
    for edge in tree["edges"]:
        assert edge["node"]["actor"] == "chance"
        knows = {e["node"]["knows"].split("   ")[0] for e in edge["node"]["edges"]}
        assert knows == {"cards ? 1", "cards ? 3"}
    # nobody sees a pending bid, so all bids of player 0 lead to one node of player 1
    stage = think("goofspiel(cards=3,bids=open)", "sm-mcts(simulations=500)")["tree"]
    assert [e["node"] is None for e in stage["edges"]] == [False, True, True]


def test_a_node_that_joins_what_its_player_can_tell_apart_is_shown_as_the_searcher_sees_it():
    tree = think("kuhn", "so-ismcts(simulations=2000)", "deal 2 to player 0")["tree"]
    bet = next(e["node"] for e in tree["edges"] if e["name"] == "bet")
    assert bet["actor"] == 1
    assert bet["knows"].startswith("cards 2 ?")


def test_chance_is_given_by_name_or_drawn_by_the_seed():
    given = think("kuhn", "oos(simulations=100)", "deal 3 to player 0,deal 1 to player 1,bet")
    assert given["played"] == ["deal 3 to player 0", "deal 1 to player 1", "bet"]
    assert given["player"] == 1
    assert given["knows"].startswith("cards ? 1")
    deals = {tuple(think("kuhn", "oos(simulations=10)", "1", seed)["played"][:2]) for seed in range(20)}
    assert len(deals) > 3


def test_one_seed_gives_one_answer():
    def answer(seed: int) -> dict:
        facts = think("leduc", "mo-ismcts(simulations=300)", "deal K to player 0,deal Q to player 1,bet 2", seed)
        return {name: facts[name] for name in ("moves", "choice", "tree")}

    assert answer(1) == answer(1)
    assert answer(1) != answer(2)


def test_every_searching_agent_can_be_asked():
    for spec in (
        "pimc(simulations=50)",
        "cheating-uct(simulations=50)",
        "is-mcts(simulations=50)",
        "rollouts(simulations=50)",
    ):
        facts = think("kuhn", spec, "pass")
        assert sum(m["visits"] for m in facts["moves"]) > 0, spec
    exact = think("kuhn", "is-expectimax", "deal 1 to player 0,deal 3 to player 1,bet")
    assert {m["name"]: m["value"] for m in exact["moves"]} == {"fold": -1.0, "call": 2.0}
    assert think("tic_tac_toe", "alpha-beta", "a1")["moves"][0]["value"] == 0.0


@pytest.mark.parametrize("ending", ["png", "pdf", "svg"])
def test_the_picture_is_written_with_names_and_numbers(tmp_path, ending):
    path = tmp_path / f"tree.{ending}"
    facts = think("kuhn", "mo-ismcts", "deal 3 to player 0", plot=path)
    if ending == "png":
        pixels = matplotlib.image.imread(path)
        assert pixels.shape[1] > 1000
        assert pixels[..., :3].std() > 0.05
    elif ending == "svg":
        text = path.read_text()
        for m in facts["moves"]:
            assert m["name"] in text
            assert f"{m['visits']:,}" in text
    else:
        assert path.read_bytes().startswith(b"%PDF")


def test_a_picture_shows_boards_row_by_row_and_shortens_what_is_too_long(tmp_path):
    path = tmp_path / "tree.svg"
    facts = think("leduc", "mo-ismcts(simulations=200)", "deal K to player 0", plot=path)
    assert "   " in facts["knows"]
    assert facts["knows"] in path.read_text()
    facts = think("dominion", "mcts(simulations=40)", plot=path)
    row = facts["knows"].splitlines()[0]
    assert len(row) > 100
    assert row[:40] in path.read_text()
    assert "…" in path.read_text()
    assert row not in path.read_text()
    assert facts["tree"]["knows"] == facts["knows"]
    box = tree_picture.lay_out(Node(0, 1, "\n".join(f"row {i}    {i}" for i in range(40)))).text.splitlines()
    assert len(box) == tree_picture.TALLEST
    assert (box[0], box[-1]) == ("row 0    0", "row 39    39")


@pytest.mark.parametrize(
    ("game", "spec", "moves"),
    [
        ("goofspiel(cards=4,order=random)", "is-mcts(simulations=3000,belief=usual)", ""),
        ("leduc", "mo-ismcts(simulations=3000)", "deal K to player 0"),
    ],
)
def test_edges_carry_their_own_visits_and_not_those_of_the_node_they_lead_to(game, spec, moves):
    state, record, *_ = reach(fs.load(game), [m for m in moves.split(",") if m], 0)
    player = fs.agent(spec)
    player.begin(fs.load(game), record.player, 1)
    player.search.run(Roots([state], redraw=True), record.player, simulations=3000)
    roots, rng = [state.copy() for _ in range(32)], np.array([3], np.uint64)
    for root in roots:
        root.resample(record.player, rng)
    stack, into = [grow(player.search, roots, record.player)], {}
    while stack:
        node = stack.pop()
        if node.actor == CHANCE:
            assert sum(e.visits for e in node.edges) <= node.visits
        for edge in node.edges:
            if node.actor == CHANCE and edge.child.actor >= 0:
                into.setdefault(id(edge.child), (edge.child, []))[1].append(edge)
            if edge.owned:
                stack.append(edge.child)
    shared = [(child, edges) for child, edges in into.values() if len(edges) > 1]
    assert shared
    for child, edges in shared:
        assert all(e.estimated for e in edges)
        assert sum(e.visits for e in edges) <= 1.3 * child.visits
    alone = [(child, edges[0]) for child, edges in into.values() if len(edges) == 1 and not edges[0].estimated]
    assert all(edge.visits == child.visits for child, edge in alone)


def test_boxes_do_not_overlap():
    game, player = fs.load("leduc"), fs.agent("mo-ismcts(simulations=3000)")
    state, *_ = reach(game, ["deal K to player 0"], 0)
    player.begin(game, 0, 1)
    player.search.run(Roots([state], redraw=True), 0, simulations=3000)
    roots = [state.copy() for _ in range(32)]
    rng = np.array([3], np.uint64)
    for root in roots:
        root.resample(0, rng)
    tree = tree_picture.lay_out(grow(player.search, roots, 0))
    tree_picture._place(tree, 0.0)
    for column in tree_picture._columns(tree):
        column = sorted(column, key=lambda node: node.y)
        for a, b in itertools.pairwise(column):
            assert a.y + tree_picture._height(a) / 2 < b.y - tree_picture._height(b) / 2
    assert len(tree_picture._columns(tree)) > 3


def test_the_command_prints_saves_and_draws(tmp_path, command):
    saved, drawn = tmp_path / "kuhn.json", tmp_path / "kuhn.png"
    asked = ("kuhn", "mo-ismcts(simulations=500)", "--moves", "bet", "--seed", 4)
    status, out, err = command(*asked, "--json", saved, "--plot", drawn)
    assert status == 0, err
    facts = json.loads(saved.read_text())
    assert set(facts) == {
        "game",
        "agent",
        "seed",
        "played",
        "drawn",
        "player",
        "knows",
        "choice",
        "moves",
        "believes",
        "statistics",
        "tree",
    }
    assert {"move", "name", "visits", "value", "strategy", "proven"} == set(facts["moves"][0])
    for name in ("simulations", "simulations_per_second", "nodes", "bytes", "depth", "deepest"):
        assert facts["statistics"][name] > 0, name
    for text in ("fold", "call", "visits", "simulations/s", "node", "bytes", str(facts["moves"][0]["visits"])):
        assert text in out
    assert drawn.stat().st_size > 10_000


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("kuhn", "oos", "--moves", "hello"), "pass, bet"),
        (("kuhn", "oos", "--moves", "bet,fold"), "over"),
        (("kuhn", "random"), "does not search"),
        (("kuhn", "human"), "does not search"),
        (("tic_tac_toe", "alpha-beta", "--plot", "tree.png"), "none to draw"),
        (("kuhn", "oos", "--plot", "tree.gif"), ".png"),
        (("goofspiel(cards=2)", "oos", "--moves", "1,1"), "single move"),
        (("kuhn", "nobody"), "no agent"),
    ],
)
def test_bad_input_gets_one_sentence(arguments, word, command):
    status, _, err = command(*arguments)
    assert status == 2
    assert word in err
    assert len(err.splitlines()) == 1
    assert err.startswith("fogspiel: ")
