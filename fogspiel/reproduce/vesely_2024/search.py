"""The search game with four estimates beyond the horizon: tables 6.5 and 6.6."""

from fogspiel.experiment import every
from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.verdict import Answer
from fogspiel.reproduce.judging import at_most
from fogspiel.reproduce.vesely_2024.bounded import (
    DRAWS,
    FIVE_RUNS,
    best_responses,
    by_game,
    iterations,
    most_iterations,
    printed,
    rn_as_printed,
)

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


def _v_is_second(table: Table) -> Answer:
    """With one or two zones; with three RN is best. It takes games of both kinds."""
    found = by_game(table)
    second = every(
        at_most(f["v"], f[kind], 0.5) for name, f in found.items() if not _three_zones(name) for kind in ("0", "h")
    )
    best = every(
        at_most(f["rn"], f[kind], -CLEARLY)
        for name, f in found.items()
        if _three_zones(name)
        for kind in ("0", "h", "v")
    )
    return every([rn_as_printed(RESPONSES, ERRORS, table), second, best])


def _rn_is_slow(table: Table) -> Answer:
    """Of the games with three zones, which must be there."""

    def never(name: str, f: dict[str, Row]) -> Answer:
        return every([f["rn"].value == most_iterations(name), *(at_most(f[kind], 6001) for kind in ("0", "h", "v"))])

    return every(never(name, f) for name, f in by_game(table).items() if _three_zones(name))


CLEARLY = 2
GAME = "the search game"
TABLE_6_5 = best_responses(
    "table 6.5",
    GAME,
    RESPONSES,
    ERRORS,
    SCALES,
    criterion="RN is as near to the exact value as the printed numbers; with one or two zones V is no worse than 0 "
    "and H by more than 0.5; with three, which only the "
    "scale paper has, RN is clearly best, by 2",
    passes=_v_is_second,
    apart=FIVE_RUNS,
    remarks=(
        "At the medium scale, with one or two zones, RN is as near to the exact value as printed. What 0 and H come to "
        "depends on which of many equilibria a solver ends in, and is not to be expected to agree."
    ),
)
TABLE_6_6 = iterations(
    "table 6.6",
    GAME,
    ITERATIONS,
    ERRORS,
    SCALES,
    most="",
    criterion=(
        "with three zones, which only the scale paper has, RN does not get there, and the others do by iteration 6001"
    ),
    passes=_rn_is_slow,
    apart=FIVE_RUNS,
    remarks=(
        f"{DRAWS}. At the medium scale, with one or two zones, all get there, after 0.75 to 2.4 times the "
        "printed iterations."
    ),
    needs="paper",
)
