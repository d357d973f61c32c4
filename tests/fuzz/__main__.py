"""Many generated calls: `python tests/fuzz --calls 100000 --seed 1`. Tells what went wrong as it goes, and counts by kind."""

import argparse
import sys
import time

from fuzz_calls import KINDS, batches
from fuzz_driver import Child, Tally
from hypothesis import HealthCheck, Phase, given, seed, settings

SIZE = 40


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--calls", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", choices=list(KINDS), help="calls of one kind alone")
    asked = options.parse_args()
    tally, child, began = Tally(), Child(), time.monotonic()
    shown: set[str] = set()

    @seed(asked.seed)
    @settings(
        max_examples=-(-asked.calls // SIZE), database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )  # fmt: skip
    @given(calls=batches(SIZE, asked.only))
    def make(calls):
        child.make(calls, tally)
        for report in tally.wrong:
            if report not in shown:
                print(report, flush=True)
                shown.add(report)
        made = sum(tally.counts.values())
        if made % (100 * SIZE) == 0:
            print(f"{made:,} calls, {len(tally.wrong)} wrong, {time.monotonic() - began:.0f} s", flush=True)

    make()
    child.close()
    print(tally)
    sys.exit(bool(tally.wrong))


if __name__ == "__main__":
    main()
