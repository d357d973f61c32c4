"""`python -m fogspiel`, and the command `fogspiel`: Ctrl-C is met with a sentence even while the program is still
loading."""

import os
import sys


def main() -> None:
    try:
        _be_modest()
        from fogspiel.app.cli import main as run
    except KeyboardInterrupt:
        sys.stderr.write("fogspiel: interrupted\n")
        sys.exit(130)
    run()


def _be_modest() -> None:
    """Where address space is limited, none of it goes to threads of NumPy's linear algebra, each of which would set
    much aside."""
    from fogspiel.engine.address_space import address_space_limit

    if address_space_limit() < float("inf"):
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


if __name__ == "__main__":
    main()
