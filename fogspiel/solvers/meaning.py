"""What the numbers of a strategy mean in games that have no value of their own."""


def meaning(players: int, opposed: bool, unrolled: bool = True) -> str:
    """What value and NashConv tell, where they tell something else than for two opposed players (`Tree.opposed`);
    else empty. Of a game that is not unrolled, only what it says of itself is known."""
    if players == 1 or opposed:
        return ""
    sums = "do not add up to a constant" if unrolled else "are not said to add up to zero"
    kind = f"{players} players" if players > 2 else f"utilities that {sums}"
    return (
        f"With {kind}, a game has no value of its own: a value here is a player's expected utility when all play this "
        "strategy, and equilibria may differ in it. CFR promises no Nash equilibrium; NashConv tells how far "
        "this strategy is from one (and, since its players act independently, from a coarse correlated equilibrium). "
        "What regrets that vanish do promise is that average joint play approaches a coarse correlated equilibrium."
    )
