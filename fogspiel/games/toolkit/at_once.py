"""Games in which two players choose at the same time and then see both choices."""

from fogspiel.game import mix


def seen_at_once(pending, player, move):
    """What a player sees of a choice, where that of player 0 is pending, or is being made (below 0): of a pending one
    that it was made, and with the other's both."""
    if pending < 0:
        return mix(1, 0)
    return mix(0, move) if player == 0 else mix(2, pending)
