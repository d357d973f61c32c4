"""Spades (Whitehouse 2014, sec. 4.2.4 and fig. 5.14): information set MCTS against flat Monte Carlo evaluation, which
the printed opponents used."""

from typing import Any

from fogspiel.agents.agent import Agent, Observation
from fogspiel.evaluate.referee import play_game
from fogspiel.experiment import Measurements, Scale
from fogspiel.experiment.printed import Printed
from fogspiel.experiment.tables import Table
from fogspiel.experiment.verdict import Answer, every
from fogspiel.game.game import Game
from fogspiel.games.spades import BID
from fogspiel.games.toolkit.cards import RANKS
from fogspiel.reproduce.item import Cause, Item
from fogspiel.reproduce.judging import difference, row_of
from fogspiel.reproduce.whitehouse_2014.playing import EVEN, loaded, sitting

GAME = "spades"
SPADE_SUIT = 3
ACE, KING, QUEEN = 12, 11, 10
SEARCH = "so-ismcts(simulations={},bandit=ucb(exploration=0.135))"
"""UCB's constant is 0.7 on the rewards of eq. 4.1, which lie within 5.17 of each other."""
FLAT = "rollouts(simulations={})"


class CountsTricks:
    """Bids the tricks that it counts: high spades, spades beyond three, aces, and kings with another card of the suit.
    Plays as another agent does."""

    name = "counts tricks"

    def __init__(self, player: Agent):
        self.player = player

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.player.begin(game, seat, seed)

    def choose(self, observation: Observation) -> int:
        if observation.moves[0] < BID:
            return self.player.choose(observation)
        bid = BID + max(1, sure_tricks(observation.state.view.hand[observation.seat]))
        return min(observation.moves, key=lambda move: abs(move - bid))


def sure_tricks(hand: int) -> int:
    """How many tricks a hand should take."""
    suits = [[rank for rank in range(RANKS) if hand >> RANKS * suit + rank & 1] for suit in range(4)]
    spades = suits.pop(SPADE_SUIT)
    high = sum(rank in spades for rank in (ACE, KING, QUEEN))
    side = sum((ACE in suit) + (KING in suit and len(suit) > 1) for suit in suits)
    return max(high, len(spades) - 3) + side


def rounds_won(seed: int, bidding: str, simulations: int, times: int) -> dict[str, float]:
    """How many of two rounds with the same cards a partnership of searchers wins, in percent: one in each pair of
    seats."""
    won = []
    for seat in (0, 1):
        table = []
        for place in range(4):
            searches = place % 2 == seat
            spec = SEARCH.format(simulations) if searches else FLAT.format(simulations * times)
            player = sitting(spec, place)
            table.append(CountsTricks(player) if searches and bidding == "rules" else player)
        value = play_game(loaded(GAME), table, deal=seed, seed=seed).utilities[seat]
        won.append(50.0 * ((value > 0) + (value >= 0)))
    return {"won": sum(won) / 2}


def against_flat(about: str, grid: dict[str, list[Any]], runs: int, **told: Any) -> Measurements:
    return Measurements(
        about=about,
        function=rounds_won,
        grid=grid,
        measure="won",
        scales={
            "small": Scale(runs, simulations=200),
            "medium": Scale(8 * runs, simulations=1000),
            "paper": Scale(500, simulations=10_000),
        },
        **told,
    )


def search_wins_and_rules_help(table: Table) -> Answer:
    search, rules = row_of(table, "search"), row_of(table, "rules")
    return every([search.above(50), difference(rules, search).above(0)])


A_ROUND = (
    "the opponents are flat Monte Carlo evaluation without heuristics; a round, won by the higher value of eq. "
    "4.1, stands for a game to 500 points"
)
ROUNDS = "In print an advantage in a round adds up over the rounds of a game."
SEC_4_2_4 = Item(
    where="sec. 4.2.4",
    about="Spades, ISMCTS against flat Monte Carlo evaluation",
    experiments=against_flat(
        "percent of rounds that ISMCTS wins, with bids by its search and by rules",
        {"bidding": ["search", "rules"], "times": [1]},
        250,
        by=("bidding",),
        printed={"search": Printed(58.3, 3.1), "rules": Printed(69.1, 2.9)},
        criterion="ISMCTS wins more than half, and more still with bids by rules, beyond the intervals",
        passes=search_wins_and_rules_help,
    ),
    apart=f"{A_ROUND}; the rules for bids are ours",
    remarks=(
        "At the medium scale ISMCTS wins 52.2% of 2000 rounds with bids by its search, give or take 1.4, more "
        f"than half as printed, and 50.2% with bids by rules; printed are 58.3 and 69.1% of games. {ROUNDS}"
    ),
    cause=Cause(
        "rules",
        (
            "the rules for bids are not printed, and ours bring no more than what the search bids by itself; and a "
            "round stands for a game, so that advantages do not add up."
        ),
    ),
)


def on_a_par_at_last(table: Table) -> Answer:
    return every([row_of(table, 1).above(50), row_of(table, 8).inside(50 - EVEN, 50 + EVEN)])


FIG_5_14 = Item(
    where="fig. 5.14",
    about="Spades, ISMCTS against more and more flat Monte Carlo evaluation",
    experiments=against_flat(
        "percent of rounds that ISMCTS wins, against so many times its simulations",
        {"bidding": ["search"], "times": [1, 8]},
        100,
        by=("times",),
        criterion=(
            "ISMCTS wins more than half against as many simulations, beyond the interval, and half against "
            "eight times as many, to within 4.4 points"
        ),
        passes=on_a_par_at_last,
    ),
    apart=f"{A_ROUND}; the bars have no numbers",
    remarks=(
        "At the medium scale it wins 52.8% of 800 rounds against as many simulations and 49.9% against eight "
        f"times as many, give or take 2.2, as printed. {ROUNDS}"
    ),
)
