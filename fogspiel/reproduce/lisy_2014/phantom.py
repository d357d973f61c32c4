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
    apart="seven squares in a row, where three in line win, for phantom tic-tac-toe whose first tries are the "
    "centre, which "
    "takes more than 12 GB to unroll; that rm came to 0.13 after 30 minutes, and who was worst before, is told of "
    "that game, so it is no criterion here; simulations as "
    "30 minutes at the printed speeds give",
    remarks=(
        "At the medium scale, after 10^7 simulations, OOS (0.018), RM (0.13), Exp3 (0.19) and both UCTs (0.25) follow "
        "in the printed order, and RM ends where print has it. UCT and RUCT have nearly stopped, but do not rise."
    ),
    cause=Cause(
        "rules",
        (
            "the game is another, of seven squares in a row; and the medium scale ends where the UCTs began to rise in "
            "print, after 100 s, which are 9 * 10^6 simulations of UCT and 5 * 10^6 of RUCT."
        ),
    ),
)

WINS = (
    "in the first seat every search wins 80 to 90% against each, and random play 46 to 63%, give or take the 2 and 3 "
    "points of printed intervals; in the second, "
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
            oos    85.3 (1.8) 84.5 (1.8) 84.3 (1.9) 85.2 (1.8) 84.2 (1.9) 93.9 (1.3)
            ruct   86.8 (1.6) 85.9 (1.7) 84.5 (1.7) 84.8 (1.7) 82.3 (1.8) 95.6 (1.1)
            uct    85.0 (1.7) 84.5 (1.8) 82.9 (1.9) 82.8 (1.8) 80.0 (1.9) 94.0 (1.4)
            exp3   86.7 (1.6) 87.2 (1.6) 85.8 (1.7) 88.1 (1.5) 85.3 (1.6) 96.6 (1.0)
            rm     87.8 (1.5) 87.7 (1.6) 88.0 (1.4) 88.1 (1.4) 85.2 (1.5) 96.0 (1.0)
            random 62.4 (2.9) 50.5 (3.0) 49.3 (3.0) 46.1 (3.0) 48.0 (3.0) 71.4 (2.7)
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
            oos    86.0 (1.7) 85.8 (1.8) 85.2 (1.9) 85.5 (1.8) 84.0 (1.9) 92.9 (1.4)
            ruct   86.8 (1.5) 86.5 (1.8) 86.8 (1.7) 86.3 (1.7) 84.0 (1.8) 95.2 (1.1)
            uct    86.2 (1.6) 88.5 (1.6) 87.5 (1.7) 86.7 (1.7) 84.2 (1.8) 94.4 (1.3)
            exp3   87.9 (1.6) 88.5 (1.6) 88.0 (1.6) 88.5 (1.5) 87.0 (1.6) 96.2 (1.0)
            rm     88.1 (1.4) 90.0 (1.4) 89.0 (1.4) 87.4 (1.5) 85.2 (1.5) 96.3 (1.0)
            random 63.4 (2.8) 52.0 (3.0) 52.5 (3.0) 48.9 (3.0) 46.2 (2.9) 70.9 (2.7)
            """,
            timed(1, (6, 10_000), (20, 10_000)),
            criterion=WINS,
            passes=first_seat_wins,
        ),
    },
    apart=SECONDS,
    remarks=(
        "At the medium scale, with 5,000 and 10,000 simulations, the first seat wins 76 and 82% between searches in "
        "the mean, where print has 85 and 87, and random play wins 27 and 28% there, where print has 51 and 53, by "
        "which this fails. Between searches print seems to count draws as halves, as is done here: if all games were "
        "won or lost, its half-widths would be of 1,340 to 2,150 games, of different numbers where means are the same "
        "(85.2 ±1.8 and ±1.5), and 1000 games with 13 to 27% of draws have all of them. In the row of random play "
        "they leave room for 3 to 9% with 0.1 s a move; here there are about 12."
    ),
    cause=Cause(
        "unknown",
        "no rule that was tried explains the row of random play. Against itself, in games that are those of "
        "tic-tac-toe, it wins 64.8%, where 71.4 and 70.9 are printed; 65.7 if a failed try loses the turn, 58.8 if "
        "any of the nine squares may then be tried, 89.7 if only "
        "the second seat loses it, 75.0 with the first stone in the centre. Draws as wins would give 71.2, or 70.0 "
        "with lost turns, but between searches they seem to be halves; and even so random play gets 31 to 54% from "
        "searches with 3000 simulations, in 500 games each, where "
        "print has 46 to 63. That is not the budget (36, 38 and 51% from RM, UCT and OOS with 1000, 41, 32 and 47% "
        "with 10,000), nor the beliefs (from RM with 3000, where print has 48, 35% with k = 100, 31 with 10^5, 37 "
        "with k = 1000 and 5000 states, and 27 without), nor "
        "that turns are lost (39 and 53% from RM and OOS, but then the first seat wins only 67 to 75% between "
        "searches).",
    ),
)
