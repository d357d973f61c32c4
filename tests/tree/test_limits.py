"""A game that is too large, too deep or takes too long is given up with a reason, before it does harm."""

import contextlib
import re
import tracemalloc

import pytest

import fogspiel as fs


def too_large(spec, **limits):
    with pytest.raises(fs.TooLarge) as caught:
        fs.unroll(spec, **limits)
    return str(caught.value)


def reached(message):
    return int(re.search(r"\(([\d,]+) histories reached\)", message)[1].replace(",", ""))


@pytest.mark.parametrize("histories", [False, True])
@pytest.mark.parametrize("spec", ["goofspiel(cards=5)", "bluff", "random_game(actions=4,depth=4)"])
def test_the_arrays_never_take_more_than_the_memory_allowed(spec, histories):
    """Every array counts, also while it grows and its smaller copy is still there."""
    game = fs.load(spec)
    fs.unroll("kuhn", histories=True)
    fits = set()
    for memory in (1 << 20, 2 << 20, 5 << 20, 10 << 20, 20 << 20, 40 << 20):
        tracemalloc.start()
        with contextlib.suppress(fs.TooLarge):
            assert fs.unroll(game, memory=memory, histories=histories).bytes < memory
            fits.add(memory)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < memory + 100_000
    assert 0 < len(fits) < 6
    assert 40 << 20 in fits


def test_the_message_tells_how_far_the_walk_came_and_what_to_do():
    message = too_large("goofspiel(cards=7)", memory=8 << 20)
    assert message.startswith(
        "goofspiel(cards=7) is too large to unroll: its arrays would take more than the 8 MiB allowed"
    )
    assert "solve it with what needs no tree (es-mccfr, os-mccfr)" in message
    assert message.endswith("choose smaller parameters, or allow more memory")
    assert 10_000 < reached(message) < 2_000_000
    assert reached(too_large("goofspiel(cards=7)", memory=16 << 20)) > reached(message)


def test_a_game_that_is_surely_too_large_is_refused_after_a_first_look():
    heard = []
    message = too_large("dou_di_zhu", progress=heard.append)
    assert message.startswith("dou_di_zhu is too large to unroll: it has about 2e+50 histories; ")
    assert "more memory" not in message
    assert max(heard, default=0) < 1_000_000, "an estimate tells before the walk has gone far"


def test_no_more_than_so_many_histories_are_walked():
    message = too_large("tic_tac_toe", most=1000)
    assert "more than 1,000 histories" in message
    assert reached(message) == 1000
    assert reached(too_large("tic_tac_toe", most=549_945)) == 549_945
    assert fs.unroll("tic_tac_toe", most=549_946).size == 549_946
    assert fs.unroll("kuhn", most=58).size == 58
    assert reached(too_large("kuhn", most=57)) == 57


def test_the_walk_ends_after_so_many_seconds():
    message = too_large("phantom_tic_tac_toe", seconds=0.01)
    assert "more than can be walked in 0.01 s" in message
    assert reached(message) > 0


def test_a_game_with_cycles_is_given_up_with_a_hint():
    message = too_large("pig")
    assert message.startswith("pig has histories of more than 131,072 moves: it may have cycles")
    assert "use value-iteration, or search it" in message
    assert "MiB allowed" in too_large("pig", memory=4 << 20)


def test_progress_hears_how_many_histories_there_are_so_far():
    heard = []
    tree = fs.unroll("goofspiel(cards=6)", progress=heard.append)
    assert heard == sorted(heard)
    assert len(heard) >= 2
    assert 0 < heard[0] <= heard[-1] <= tree.size


def test_an_exception_of_progress_ends_the_walk():
    def stop(count):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fs.unroll("goofspiel(cards=6)", progress=stop)


def test_a_deep_game_that_ends_is_walked_to_its_end(tmp_path):
    """Thirty thousand moves one after another: the stack grows many times, and histories keep their parents."""
    path = tmp_path / "deep.py"
    path.write_text(DEEP)
    tree = fs.unroll(path, histories=True)
    assert (tree.size, tree.depth, tree.terminals) == (60_001, 30_000, 30_001)
    assert tree.infosets == 30_000
    h = tree.histories
    assert (h.parent[1:] < range(1, tree.size)).all()
    assert (h.infoset[h.parent[1:]] >= 0).all()
    assert tree.pay[:, 0].tolist() == list(range(30_000, -1, -1))


DEEP = """
import numpy as np
from fogspiel.game import OVER, About

State = np.dtype([("at", "i8"), ("stopped", "i1")], align=True)

def about():
    return About(players=1, zero_sum=False)

def start(s):
    s.at = 0
    s.stopped = 0

def actor(s):
    return OVER if s.stopped or s.at == 30000 else 0

def moves(s, out):
    out[0] = 0
    out[1] = 1
    return 2

def play(s, move):
    if move == 1:
        s.stopped = 1
    else:
        s.at += 1

def payoff(s, out):
    out[0] = s.at

def infoset(s, player):
    return s.at
"""
