"""`python -m fogspiel`, and the command `fogspiel`: Ctrl-C is met with a sentence even while the program is still loading."""

import sys


def main() -> None:
    try:
        from fogspiel.app.cli import main as run
    except KeyboardInterrupt:
        sys.stderr.write("fogspiel: interrupted\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
