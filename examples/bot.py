"""A bot that needs nothing of Fogspiel: `fogspiel match leduc "python3 bot.py" random`.

It plays any game, in the protocol of https://fogspiel.readthedocs.io (docs/bots.md): a message is a line of JSON, and
so is each answer. This one raises or bets where it can, and folds to nothing.
"""

import json
import random
import sys


def pick(told, draw):
    """One of the legal moves of a decision, by its number."""
    named = dict(zip(told["moves"], told["names"], strict=True))
    bold = [move for move, name in named.items() if name.startswith(("bet", "raise"))]
    calm = [move for move, name in named.items() if name != "fold"]
    return draw.choice(bold or calm or told["moves"])


def main():
    draw = random.Random()
    for line in sys.stdin:
        told = json.loads(line)
        if told["type"] == "hello":  # once: the game, its parameters, the limits
            answer = {"type": "ready", "wants": ["names"]}
        elif told["type"] == "game":  # a game begins, and all that was before is to be forgotten
            draw.seed(told["seed"])
            answer = {"type": "ready"}
        else:  # it is our turn
            answer = {"type": "move", "move": pick(told, draw)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
