"""Exact players of Mini Dou Di Zhu (Whitehouse 2014, sec. 5.1.2, fig. 5.7)."""

from fogspiel.app.verdict import Scale, Target, Verdict
from fogspiel.evaluate.every_deal import every_deal

GAME = "mini_dou_di_zhu"
_MINIMAX = "table=2000000,ties=first"
PLAYERS = {
    "cheating-minimax": f"cheating-minimax({_MINIMAX})",
    "pimc-minimax": f"pimc-minimax({_MINIMAX})",
    "is-expectimax": "is-expectimax(states=100000000,table=4000000,ties=first)",
}
OPEN_CARDS = 0.7071
"""How often the first player wins if both see all cards (sec. 4.2.2: approximately 70.7%)."""


def exact_players(scale: Scale) -> Verdict:
    """Without inference, with inference by the right model, and expectimax, against each; the small scale plays one deal of 100."""
    small = scale.name == "small"
    rows, ordered = [], True

    def share(first: str, second: str) -> float:
        won = (1 + every_deal(GAME, [first, second], step=100 if small else 1)[0]) / 2
        rows.append({"game": GAME, "algorithm": f"{first} - {second}", "won": won})
        return won

    cheat = PLAYERS["cheating-minimax"]
    even = share(cheat, cheat)
    for name, second in PLAYERS.items():
        infers = f"pimc-minimax({_MINIMAX},states=100000000,model={name})"
        plain, right, best = (share(one, second) for one in (PLAYERS["pimc-minimax"], infers, PLAYERS["is-expectimax"]))
        ordered &= plain < right < best
    return Verdict(rows, ordered and (small or abs(even - OPEN_CARDS) < 5e-5))


TARGETS: dict[str, Target] = {
    "W-3": Target(
        "Mini Dou Di Zhu, exact players (sec. 5.1.2, fig. 5.7)",
        "against each player the right model helps determinized minimax, and expectimax without any is better still; at full scale, cheating minimax wins "
        "0.7071 against itself",
        exact_players,
        "the bars of the figure have no numbers, so that their order is asked for",
    ),
}
