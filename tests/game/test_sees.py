"""What players see of moves: the rule `sees`, what the check finds wrong with one, and what searches and accounts make
of it."""

from pathlib import Path

import numpy as np
import pytest
from test_check import KUHN, PENNIES

import fogspiel as fs
from fogspiel.belief import account
from fogspiel.belief.roots import Roots
from fogspiel.game import check_report as names
from fogspiel.game.state import sees
from fogspiel.games import goofspiel, latent_tic_tac_toe, phantom_tic_tac_toe
from fogspiel.search.line import Line
from fogspiel.search.parts import parts
from fogspiel.search.search import TreeSearch

RIGHT = "return mix(1, 0) if face_down else mix(0, move)"
BLIND = PENNIES.replace("PUBLIC, About", "PUBLIC, UNSEEN, About") + "\ndef sees(s, player, move):\n    return UNSEEN\n"

BROKEN = {
    "a card that is dealt to the player itself is told as another's is": (
        (KUHN, RIGHT, "return mix(1, 0) if s.dealt < s.players else mix(0, move)"),
        names.SEES,
        "sees the same of them, and has different keys",
        2,
    ),
    "a bet that is heard is not seen": (
        (KUHN, RIGHT, f"{RIGHT} if s.dealt < s.players else np.uint64(0)"),
        names.SEES,
        "sees nothing of the last move, and its key changes",
        1,
    ),
    "a card that is dealt face down is shown": (
        (KUHN, RIGHT, "return mix(2, move)"),
        names.SHOWN,
        "the same after them, and does not see the same",
        2,
    ),
    "what is not seen has the key of a move that is": (
        (KUHN, RIGHT, "return mix(0, 1) if face_down else mix(0, move)"),
        names.SHOWN,
        "sees one of the last moves of these two histories as it is",
        2,
    ),
    "a pending move is noticed that no key tells of": (
        (BLIND, "    return UNSEEN", "    return mix(1, 0)"),
        names.SHOWN,
        "sees something of the last move, and its key stays",
        1,
    ),
    "a pending move is shown": (
        (BLIND, "    return UNSEEN", "    return mix(0, move) if s.made == 0 else UNSEEN"),
        names.SHOWN,
        "sees something of the last move, and its key stays",
        1,
    ),
}


def write(path, text, before="", after=""):
    assert before in text
    path.write_text(text.replace(before, after) if before else text)
    return path


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.usefixtures("uncompiled")
def test_a_rule_that_tells_too_much_or_too_little_is_found(name, tmp_path):
    made, finding, text, histories = BROKEN[name]
    report = fs.check(fs.load(str(write(tmp_path / "game.py", *made))), playouts=100)
    found = report.finding(finding)
    assert found.status == "failed"
    assert text in found.text
    assert len(found.histories) == histories


@pytest.mark.parametrize("text", [KUHN, BLIND])
@pytest.mark.usefixtures("uncompiled")
def test_a_rule_that_tells_what_is_learnt_passes(text, tmp_path):
    report = fs.check(fs.load(str(write(tmp_path / "game.py", text))), playouts=100)
    assert report.finding(names.SEES).status == report.finding(names.SHOWN).status == "passed"
    assert report.ok


def test_what_is_hidden_and_told_is_found_in_a_game_too_large_to_walk(tmp_path):
    text = Path(phantom_tic_tac_toe.__file__).read_text()
    right = "    return seen_of_try("
    told = text.replace(right, f"    return mix(s.board[0], 0) if s.turns > turns else {right.strip().split()[1]}")
    report = fs.check(fs.load(str(write(tmp_path / "told.py", told))), playouts=20, histories=10)
    assert report.finding(names.SHOWN).status == "failed"
    assert "the same after them, and does not see the same" in report.finding(names.SHOWN).text


def test_a_key_that_loses_digits_compiled_is_found(tmp_path):
    """A plain number on one way and what mix returns on the other are a real number to the compiler."""
    told = write(tmp_path / "game.py", KUHN, RIGHT, "return 7 if face_down else mix(0, move)")
    found = fs.check(fs.load(str(told)), playouts=50).finding(names.AGREE)
    assert found.status == "failed"
    assert "what a player sees of a move" in found.text
    assert "let every return give what mix returns" in found.text


def test_a_rule_may_make_the_move_without_harm_to_the_state():
    game = fs.load("phantom_tic_tac_toe")
    state = game.start()
    state.play(4)
    before = state.data.tobytes()
    assert sees(state, 0, 4) == 0
    assert 0 != sees(state, 1, 4) != sees(state, 1, 0) != 0
    assert state.data.tobytes() == before


def follow(search, root, searcher, moves):
    line = Line(search, root, searcher)
    for move in moves:
        line = line.after(move)
    return line.key


def test_what_a_player_held_at_the_root_does_not_tell_its_nodes_apart():
    """Whitehouse 2014, sec. 6.3.1: a tree holds what its player has seen since the root. Player 0 has a stone that the
    searcher does not see, and tries another square, where there may be one of the searcher's."""
    game = fs.load("phantom_tic_tac_toe(retry=no)")
    search = TreeSearch(game, parts(view="observer"), seed=1)
    keys = {}
    for stone in (0, 1, 3):
        root = game.start()
        root.play(stone)
        for square in (4, 8):
            keys[stone, square] = follow(search, root, 1, [4, square, 7])
    assert len(set(keys.values())) == 2
    assert all(keys[stone, square] == keys[0, square] != keys[0, 12 - square] for stone, square in keys)


@pytest.mark.parametrize("module", [goofspiel, latent_tic_tac_toe])
def test_trees_of_what_is_seen_are_those_that_are_found_without_the_rule_where_that_finds_it(module, tmp_path):
    text = Path(module.__file__).read_text()
    without = write(tmp_path / "without.py", text, "def sees(", "def _sees(")
    trees = []
    for source in (Path(module.__file__).stem, str(without)):
        game = fs.load(source, debug=True)
        search = TreeSearch(game, parts(view="observer"), seed=3)
        state = game.start()
        if state.game.about.simultaneous is False:
            state.play(4)
        search.run(Roots([state], redraw=True), state.actor, simulations=150)
        nodes = search.memory.nodes[: search.memory.node_count]
        trees.append((nodes.owner.tolist(), nodes.visits.tolist()))
    assert trees[0] == trees[1]
    assert len(trees[0][0]) > 20


def test_a_move_that_a_player_sees_as_it_is_is_told_without_a_look_at_other_histories(monkeypatch):
    game = fs.load("leduc")
    state, moves = game.start(), []
    for name in ("deal Q to player 0", "deal K to player 1", "check", "bet 2", "call", "deal J to the board"):
        moves.append(next(m for m in state.moves() if game.move_name(state, m) == name))
        state.play(moves[-1])
    for limit in ("EVERY_TRIED", "DRAW_TRIED"):
        monkeypatch.setattr(account, limit, 1)
    told = account.told(game, moves, 0, np.array([1], np.uint64))
    assert [str(event) for event in told.events] == [
        "chance: deal Q to player 0",
        "something happened",
        "you: check",
        "player 1: bet 2",
        "you: call",
        "chance: deal J to the board",
    ]


def test_nobody_asks_the_rule_in_playouts_matches_and_solvers(tmp_path):
    """One that fails harms only who asks it."""
    text = KUHN.replace(RIGHT, "return 1 // (s.dealt - s.dealt)")
    game = fs.load(str(write(tmp_path / "failing.py", text)), debug=True, unchecked=True)
    assert fs.match(game, ["mo-ismcts(simulations=20)", "random"], games=2, seed=1).games
    assert fs.solve(game, "cfr", iterations=2).strategy is not None
    search = TreeSearch(game, parts(view="observer"), seed=1)
    state = game.start()
    state.play(0)
    state.play(1)
    with pytest.raises(fs.GameError, match="rule sees .* failed"):
        search.run(Roots([state], redraw=True), 0, simulations=20)
