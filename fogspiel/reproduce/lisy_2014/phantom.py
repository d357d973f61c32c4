"""Phantom tic-tac-toe: fig. 4.15 and table 4.12."""

from itertools import product

from fogspiel.experiment import Scale
from fogspiel.experiment.tables import Table
from fogspiel.experiment.verdict import Answer, every
from fogspiel.reproduce.item import Cause, Item
from fogspiel.reproduce.judging import between, each, ends, lowest, rises_somewhere
from fogspiel.reproduce.lisy_2014.imperfect import (
    BELIEFS,
    SEARCHES,
    SECONDS,
    cross_table,
    from_the_root,
    players,
    timed,
)


def oos_first_rm_second(table: Table) -> Answer:
    end = ends(table)
    rest = {name: row for name, row in end.items() if name != "oos"}
    return every(
        [lowest("oos", end), lowest("rm", rest), rises_somewhere(table, "uct"), rises_somewhere(table, "ruct")]
    )


def first_seat_wins(table: Table) -> Answer:
    ahead = each((table[pair] for pair in product(SEARCHES, SEARCHES)), lambda row: row.inside(80 - 2, 90 + 2))
    random = each((table["random", name] for name in SEARCHES), lambda row: row.inside(46 - 3, 63 + 3))
    return every([ahead, lowest("rm", {name: between(table, SEARCHES, [name]) for name in SEARCHES}), random])


CONVERGENCE = from_the_root(
    "phantom_mnk(m=7,n=1,k=3)",
    {
        "small": Scale(2, budgets=(10_000, 100_000, 1_000_000, 10_000_000)),
        "medium": Scale(3, budgets=(10**4, 10**5, 10**6, 10**7)),
        "paper": Scale(20, budgets=(10**4, 10**5, 10**6, 10**7, 3 * 10**7, 10**8)),
    },
    criterion="at the end oos is the lowest and rm next, and uct and ruct rise somewhere",
    passes=oos_first_rm_second,
)

FIG_4_15 = Item(
    where="fig. 4.15",
    about="a small phantom game, convergence",
    experiments=CONVERGENCE,
    apart="seven squares in a row, where three in line win, for phantom tic-tac-toe whose first tries are the centre, which "
    "takes more than 12 GB to unroll; that rm came to 0.13 after 30 minutes, and who was worst before, is told of that game, so it is no criterion here; simulations as "
    "30 minutes at the printed speeds give",
    remarks=(
        "At the medium scale, after 10^7 simulations, OOS (0.018), RM (0.13), Exp3 (0.19) and both UCTs (0.25) follow in "
        "the printed order, and RM ends where print has it. UCT and RUCT have nearly stopped, but do not rise."
    ),
    cause=Cause(
        "rules",
        "the game is another, of seven squares in a row; and the medium scale ends where the UCTs began to rise in print, after 100 s, which are 9 * 10^6 simulations of UCT and 5 * 10^6 of RUCT.",
    ),
)

WINS = (
    "in the first seat every search wins 80 to 90% against each, and random play 46 to 63%, give or take the 2 and 3 points of printed intervals; in the second, "
    "over all searches, rm loses least"
)
TABLE_4_12 = Item(
    where="table 4.12",
    about="phantom tic-tac-toe, matches",
    experiments={
        "0.1 s": cross_table(
            "with beliefs, where print has 0.1 s a move",
            "phantom_tic_tac_toe",
            players(BELIEFS),
            """
            oos    85.3 84.5 84.3 85.2 84.2 93.9
            ruct   86.8 85.9 84.5 84.8 82.3 95.6
            uct    85.0 84.5 82.9 82.8 80.0 94.0
            exp3   86.7 87.2 85.8 88.1 85.3 96.6
            rm     87.8 87.7 88.0 88.1 85.2 96.0
            random 62.4 50.5 49.3 46.1 48.0 71.4
            """,
            timed(0.1, (8, 3_000), (24, 5_000)),
            criterion=WINS,
            passes=first_seat_wins,
        ),
        "1 s": cross_table(
            "with beliefs, where print has 1 s a move",
            "phantom_tic_tac_toe",
            players(BELIEFS),
            """
            oos    86.0 85.8 85.2 85.5 84.0 92.9
            ruct   86.8 86.5 86.8 86.3 84.0 95.2
            uct    86.2 88.5 87.5 86.7 84.2 94.4
            exp3   87.9 88.5 88.0 88.5 87.0 96.2
            rm     88.1 90.0 89.0 87.4 85.2 96.3
            random 63.4 52.0 52.5 48.9 46.2 70.9
            """,
            timed(1, (6, 10_000), (20, 10_000)),
            criterion=WINS,
            passes=first_seat_wins,
        ),
    },
    apart=SECONDS,
    remarks=(
        "At the medium scale, with 5,000 and 10,000 simulations, the first seat wins 77 and 81% between searches in the "
        "mean, where print has 85 and 87, and random play wins 24 and 30% there, where print has 51 and 53, by which this "
        "fails. Print seems to take draws for wins of the first seat: of random games, which are those of tic-tac-toe, the "
        "first wins 58.5%, and 12.7% are draws. That is 64.8% with draws as halves, and 71.2% with draws as wins; 71.4 and "
        "70.9 are printed. (With the first stone in the centre it would be 75.0 and 80.7%.)"
    ),
    cause=Cause(
        "unknown",
        "draws as wins of the first seat explain what searches win of each other, 80 to 89% with 3000 simulations, but not that random play, so counted, gets 46 to 63% there in print, and 35 to 51% here. That is not the budget: with 1000 simulations "
        "it gets 36, 38 and 51% from RM, UCT and OOS, in 300 games each, and with 10,000, in 100 games, 41, 32 and 47%, where print has 48, 49 and 62% in 0.1 s and 46, 53 and 63% in 1 s. Nor is it that the turn is lost where a "
        "try fails: then it gets 39 and 53% from RM and OOS, but the first seat only 67 to 75% between searches.",
    ),
)
