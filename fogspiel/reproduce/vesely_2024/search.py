"""The search game with four estimates beyond the horizon: tables 6.5 and 6.6."""

from fogspiel.experiment.tables import Table
from fogspiel.reproduce.item import Item
from fogspiel.reproduce.vesely_2024.bounded import by_game, measured, most_iterations, near_exact, printed, sampled

RESPONSES = printed("""
    W1_H2_L6_00       50.44 50.46 50.13 50.56
    W1_H3_L6_01_02    42.82 42.84 38.64 38.13
    W2_H2_L6_00_10    22.49 20.25 20.25 20.59
    W2_H3_L6_01_11    54.20 64.37 47.07 43.25
    W2_H3_L8_01_11    54.47 59.94 47.87 43.31
    W3_H3_L8_01_11_21 36.21 32.64 32.97 28.25
    W3_H3_L8_01_20_22 36.63 40.01 40.17 29.48
""")
ITERATIONS = printed("""
    W1_H2_L6_00        7001  5001 13001   8001
    W1_H3_L6_01_02    34001 35001 61001  34001
    W2_H2_L6_00_10     1001  1001  1001  13001
    W2_H3_L6_01_11    13001 10001 26001  15001
    W2_H3_L8_01_11    84001 71001 89001  86001
    W3_H3_L8_01_11_21  3001  5001  6001 100000
    W3_H3_L8_01_20_22  2001  3001  4001  40000
""")
ERRORS = printed("""
    W1_H2_L6_00       0.81 0.70 0.89 0.86
    W1_H3_L6_01_02    0.95 0.74 0.99 0.99
    W2_H2_L6_00_10    0.39 0.32 0.80 0.96
    W2_H3_L6_01_11    0.95 0.77 0.97 0.96
    W2_H3_L8_01_11    0.92 0.99 0.98 0.99
    W3_H3_L8_01_11_21 0.90 0.88 0.94 3.68
    W3_H3_L8_01_20_22 0.75 0.88 0.87 2.50
""")
SCALES = {
    "small": ("W1_H2_L6_00", "W1_H3_L6_01_02", "W2_H2_L6_00_10"),
    "medium": ("W1_H2_L6_00", "W1_H3_L6_01_02", "W2_H2_L6_00_10", "W2_H3_L6_01_11"),
}


def _three_zones(name: str) -> bool:
    return name.startswith("W3")


def _v_is_second(table: Table) -> bool:
    return all(
        f["rn"] <= min(f["0"], f["h"], f["v"]) - 2 if _three_zones(name) else f["v"] <= min(f["0"], f["h"]) + 0.5
        for name, f in by_game(table).items()
    )


def _rn_is_slow(table: Table) -> bool:
    return all(
        f["rn"] == most_iterations(name) and max(f["0"], f["h"], f["v"]) <= 6001
        if _three_zones(name)
        else max(f["0"], f["h"]) <= max(f["v"], f["rn"]) < most_iterations(name)
        for name, f in by_game(table).items()
    )


TABLE_6_5 = Item(
    where="table 6.5",
    about="the search game, best responses to external sampling with four estimates beyond the horizon",
    experiments={
        "best responses": measured(
            sampled, "response", RESPONSES, SCALES,
            about="what a best response gets where the estimate is RN",
            criterion="with one or two zones V is no worse than 0 and H by more than 0.5; with three RN is best by 2",
            passes=_v_is_second,
        ),
        "exact": near_exact(RESPONSES, ERRORS, SCALES),
    },
    remarks="What 0 and H come to depends on which of many equilibria a solver ends in, and is not to be expected to agree.",
)  # fmt: skip
TABLE_6_6 = Item(
    where="table 6.6",
    about="the search game, iterations of external sampling until NashConv is below 1",
    experiments={
        "iterations": measured(
            sampled, "iterations", ITERATIONS, SCALES,
            about="iterations until NashConv is below 1, measured after the first and every 1000",
            criterion="with one or two zones all get there, the slower of V and RN no sooner than the slower of 0 and H; with three, RN does not, and the others "
            "do by iteration 6001",
            passes=_rn_is_slow,
        ),
        "exploitability": measured(sampled, "exploitability", ERRORS, SCALES, about="NashConv at the end, with the same estimate"),
    },
    remarks=(
        "The scale paper will fail, by a little. With V, W3_H3_L8_01_11_21 took 7,001 iterations in three runs (printed: 6,001, which the criterion allows), and "
        "W3_H3_L8_01_20_22 5,001 in two and 4,001 in one (printed: 4,001): NashConv falls as 1 / t, and after 6,001 iterations of the first is 1.11 to 1.14 (printed: 0.94). OpenSpiel's "
        "external sampling, which was used there, changes regrets in the midst of a traversal, and comes nearer in as many iterations elsewhere, too: after 2,000 of "
        "goofspiel with 4 cards and hidden bids NashConv is 0.032 by it and 0.044 here (means of 4 and 8 runs). Coarse values beyond the horizon are not the reason: with exact ones the same "
        "iterations are taken. Nor is it that other players' actions are drawn once for an information set here, and there at every node: both come to 1.0 after 4,001 iterations."
    ),
)  # fmt: skip
