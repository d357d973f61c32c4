"""What the numbers of a strategy mean in games that have no value of their own."""


def meaning(players: int, opposed: bool) -> str:
    """What value and exploitability tell, where they tell something else than for two opposed players (`Tree.opposed`); else empty."""
    if players == 1 or opposed:
        return ""
    kind = f"{players} players" if players > 2 else "utilities that do not add up to a constant"
    return (
        f"With {kind}, a game has no value of its own: a value here is a player's expected utility when all play this strategy, "
        "and equilibria may differ in it. CFR promises no Nash equilibrium; exploitability tells how far this strategy is from one "
        "(and, since its players act independently, from a coarse correlated equilibrium). What regrets "
        "that vanish do promise is that average joint play approaches a coarse correlated equilibrium."
    )
