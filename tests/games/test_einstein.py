"""EinStein würfelt nicht!: setups, stones, play as in OpenSpiel, the value of small boards."""

import itertools
import random
from functools import cache

import pytest
from hints import assert_rising, guessed
from positions import after, child, solved

import fogspiel as fs
from fogspiel import CHANCE, OVER
from fogspiel.games import einstein


def board(s):
    """Where the stones of each player stand."""
    return {6 * player + stone: s.view.square[6 * player + stone] for player in range(2) for stone in range(6)}


def with_stones(game, mine, yours, die):
    """A position with the given squares of the stones of both players, and the die of player 0."""
    s = after(game)
    for i in range(12):
        s.view.square[i] = einstein.GONE
    for player, stones in enumerate((mine, yours)):
        for stone, square in stones.items():
            s.view.square[6 * player + stone - 1] = square
    s.view.placed, s.view.die, s.view.player = 2 * s.view.stones, die, 0
    return s


def test_every_setup_of_stones_is_as_likely():
    setups, todo = {}, [(fs.load("einstein(size=3,stones=3)").start(), 1.0)]
    while todo:
        s, p = todo.pop()
        if s.view.placed == 6:
            setups[s.data.tobytes()] = p
        else:
            todo += [(child(s, move), p * q) for move, q in s.chance()]
    assert len(setups) == 6 * 6
    assert all(p == pytest.approx(1 / 36) for p in setups.values())
    s, ways = after("einstein"), 1
    while s.view.placed < 12:
        ways *= len(s.moves())
        s.play(s.moves()[-1])
    assert ways == 720**2
    assert sorted(board(s).values()) == sorted([0, 1, 2, 5, 6, 10, 24, 23, 22, 19, 18, 14])


@pytest.mark.parametrize(("die", "movable"), [(1, {1}), (5, {5}), (6, {6}), (2, {1, 5}), (3, {1, 5}), (4, {1, 5})])
def test_a_stone_that_is_gone_is_replaced_by_its_neighbours(die, movable):
    """The example of Bonnet and Viennot 2017: stones 1, 5 and 6 are left."""
    s = with_stones("einstein", {1: 0, 5: 7, 6: 12}, {1: 24}, die)
    assert {move // 3 + 1 for move in s.moves()} == movable


def test_stones_take_what_they_meet_and_win_in_the_corner_or_by_the_last_stone():
    own = with_stones("einstein", {1: 0, 2: 1}, {1: 24}, 1)
    own.play(0)
    assert (board(own)[0], board(own)[1], own.actor) == (1, einstein.GONE, CHANCE)
    last = with_stones("einstein", {1: 12}, {3: 18}, 4)
    last.play(2)
    assert (last.actor, last.payoff()) == (OVER, [1, -1])
    corner = with_stones("einstein", {1: 23}, {3: 18, 4: 2}, 4)
    assert corner.moves() == [0]
    corner.play(0)
    assert (corner.actor, corner.payoff()) == (OVER, [1, -1])


def test_einstein_plays_and_pays_as_in_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    theirs, rng = pyspiel.load_game("einstein_wurfelt_nicht"), random.Random(3)

    def seen(text, first):
        """Their board as ours: the stones of who moves first start in the top left corner."""
        cells = text.replace("\n", "").strip("|").split("||")
        if first == 1:
            cells = cells[::-1]
        return {6 * ("bw".index(c[0]) ^ first) + int(c[1]) - 1: at for at, c in enumerate(cells) if c != "__"}

    def shown(s):
        return {stone: at for stone, at in board(s).items() if at >= 0}

    for _ in range(40):
        t = theirs.new_initial_state()
        for _ in range(2):
            t.apply_action(rng.randrange(720))
        die = rng.randrange(6)
        first = t.child(die).current_player()
        s, setup = after("einstein"), seen(str(t), first)
        while s.view.placed < 12:
            player, stone = divmod(s.view.placed, 6)
            spots = {einstein.home(s.view, player, spot): spot for spot in range(6)}
            s.play(spots[setup[6 * player + stone]])
        while not t.is_terminal():
            t.apply_action(die)
            s.play(die + 1)
            assert s.actor == t.current_player() ^ first
            ours = {frozenset(shown(child(s, move)).items()): move for move in s.moves()}
            others = {frozenset(seen(str(t.child(a)), first).items()): a for a in t.legal_actions()}
            assert ours.keys() == others.keys()
            chosen = rng.choice(sorted(ours, key=sorted))
            s.play(ours[chosen])
            t.apply_action(others[chosen])
            die = rng.randrange(6)
        assert s.over
        assert s.payoff() == [t.returns()[first], t.returns()[1 - first]]


@pytest.mark.parametrize(
    ("size", "stones", "setup"),
    [(2, 1, "random"), (3, 1, "random"), (3, 2, "random"), (4, 1, "random"), (3, 3, "ordered"), (4, 2, "ordered")],
)
def test_einstein_has_the_value_of_plain_recursion(size, stones, setup):
    home = sorted(itertools.product(range(size), repeat=2), key=lambda at: (sum(at), at))[:stones]
    far = size - 1

    @cache
    def value(mine, yours):
        """For the player to move, which goes down and right; None is a stone that is gone."""
        total = 0.0
        for rolled in range(stones):
            there = [i for i in range(stones) if mine[i]]
            low, high = [i for i in there if i <= rolled], [i for i in there if i >= rolled]
            best = -1.0
            for i in {*low[-1:], *high[:1]} if rolled not in there else {rolled}:
                for row, column in itertools.product((0, 1), repeat=2):
                    at = (mine[i][0] + row, mine[i][1] + column)
                    if (row or column) and max(at) <= far:
                        stay = [None if j != i and mine[j] == at else mine[j] for j in range(stones)]
                        stay[i] = at
                        rest = [None if other == at else other for other in yours]
                        over = at == (far, far) or not any(rest)
                        best = max(best, 1.0 if over else -value(turned(rest), turned(stay)))
            total += best
        return total / stones

    def turned(squares):
        return tuple(at and (far - at[0], far - at[1]) for at in squares)

    setups = list(itertools.permutations(home)) if setup == "random" else [tuple(home)]
    mean = sum(value(a, turned(b)) for a in setups for b in setups) / len(setups) ** 2
    assert solved(f"einstein(size={size},stones={stones},setup={setup})") == pytest.approx(mean)


def test_stones_must_fit_on_the_board_of_einstein():
    with pytest.raises(fs.FogspielError, match="do not fit"):
        fs.load("einstein(size=3,stones=4)")


def test_guesses_rise_on_the_way_to_the_corner():
    assert guessed(after("einstein(setup=ordered)"))[0] == 0
    assert_rising(*(with_stones("einstein", {1: square, 2: 0}, {1: 24, 3: 19}, 1) for square in (1, 7, 13, 19)))
