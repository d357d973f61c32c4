"""Many generated calls: `python tests/fuzz --calls 100000 --seed 1`. Tells what went wrong as it goes, and counts by
kind."""

import argparse
import sys
import time

from fuzz_calls import KINDS, generated
from fuzz_driver import Child, Tally

SIZE = 5000


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--calls", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", choices=list(KINDS), help="calls of one kind alone")
    asked = options.parse_args()
    tally, child, began = Tally(), Child(), time.monotonic()
    made, known = 0, set()
    while made < asked.calls:
        told = len(tally.wrong)
        calls = generated(min(SIZE, asked.calls - made), (asked.seed << 32) + made, asked.only, known)
        if not calls:
            break
        child.make(calls, tally)
        made += len(calls)
        print(*tally.wrong[told:], sep="\n")
        print(f"{made:,} calls, {len(tally.wrong)} wrong, {time.monotonic() - began:.0f} s", flush=True)
    child.close()
    print(tally)
    sys.exit(bool(tally.wrong))


if __name__ == "__main__":
    main()
