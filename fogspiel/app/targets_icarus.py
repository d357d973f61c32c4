"""What is learned beside the tree (Whitehouse 2014, ch. 8): one player with it against players without."""

from fogspiel.agents.registry import agent
from fogspiel.app.verdict import Scale, Target, Verdict
from fogspiel.evaluate.referee import play_game
from fogspiel.evaluate.statistics import mean_interval
from fogspiel.game.load import load

GAMES = {
    "dou_di_zhu": "mo-ismcts",
    "hearts(threshold=50,payoff=places)": "mo-ismcts",
    "checkers": "mcts",
    "othello": "mcts",
    "backgammon": "mcts",
    "lotr_confrontation": "mo-ismcts",
}
"""The search that is enhanced in each game. In Dou Di Zhu the landlord has it, elsewhere each seat in turn."""


def enhanced(spec: str, icarus: str, simulations: int, games: int) -> list[tuple[int, int]]:
    """Whether a player with an ICARUS wins, or shares the first place, in each game, and the game's deal. A draw of all is no win."""
    search, players = GAMES[spec], load(spec).players
    one, others = agent(f"{search}(icarus={icarus},simulations={simulations})"), f"{search}(simulations={simulations})"
    table = [agent(others) for _ in range(players - 1)]
    found = []
    for number in range(games):
        deal, seat = (number, 0) if spec == "dou_di_zhu" else divmod(number, players)
        utilities = play_game(spec, [*table[:seat], one, *table[seat:]], deal=deal, seed=number).utilities
        found.append((int(utilities[seat] == max(utilities) > min(utilities)), deal))
    return found


def epic_and_lgrf(scale: Scale) -> Verdict:
    """What each wins more than the plain search does in its place, on the same deals."""
    small = scale.name == "small"
    simulations, games = (1000, 500) if small else (5000, 1000)
    rows, gain = [], {}
    for spec in ["dou_di_zhu"] if small else GAMES:
        plain, deals = zip(*enhanced(spec, "baseline", simulations, games), strict=True)
        for icarus in ("epic", "lgrf"):
            won = [w for w, _ in enhanced(spec, icarus, simulations, games)]
            more = mean_interval([w - p for w, p in zip(won, plain, strict=True)], deals, (-1, 1))
            gain[spec, icarus] = more
            rows.append(
                {
                    "game": spec, "algorithm": icarus, "simulations": simulations, "games": games, "wins %": 100 * sum(won) / games,
                    "plain %": 100 * sum(plain) / games, "gain": 100 * more.value, "from": 100 * more.low, "to": 100 * more.high,
                }
            )  # fmt: skip
    harmed = any(more.high < 0 for (_, icarus), more in gain.items() if icarus == "epic")
    return Verdict(rows, gain["dou_di_zhu", "epic"].low > 0 and not harmed and gain["dou_di_zhu", "lgrf"].low <= 0)


TARGETS: dict[str, Target] = {
    "W-4": Target(
        "EPIC and LGRF in playouts (figs. 8.3, 8.4); at the small scale in Dou Di Zhu alone",
        "EPIC helps the landlord in Dou Di Zhu beyond the interval and harms in no game; LGRF by itself does not help the landlord beyond it",
        epic_and_lgrf,
        "both sides of The Lord of the Rings are counted together; 1000 games in each cell, printed are 1000 to 2500",
    ),
}
