"""Whether states are redrawn as likely as they are if the others move at random."""

from collections import Counter

from positions import child, generator

from fogspiel import CHANCE


def assert_redrawn_as_by_random_moves(state, player, draws=5_000, distance=0.06):
    """Every history of the player's information set is drawn, as often as it should be. Histories are told apart by
    `show`."""
    alike, todo = Counter(), [(state.game.start(), 1.0)]
    while todo:
        s, weight = todo.pop()
        if s.over:
            continue
        if s.actor == state.actor and s.key(player) == state.key(player):
            alike[s.show()] += weight
        odds = s.chance() if s.actor == CHANCE else [(move, 1 / len(s.moves())) for move in s.moves()]
        todo += [(child(s, move), weight * (1 if s.actor == player else p)) for move, p in odds]
    rng, drawn = generator(3), Counter()
    for _ in range(draws):
        s = state.copy()
        s.resample(player, rng)
        assert s.key(player) == state.key(player)
        drawn[s.show()] += 1
    assert set(drawn) == set(alike)
    total = alike.total()
    assert sum(abs(weight / total - drawn[shown] / draws) for shown, weight in alike.items()) / 2 < distance
