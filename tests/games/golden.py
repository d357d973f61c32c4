"""Golden playthroughs: one game of each kind, played by a fixed rule and written down, so that no change of a game goes
unnoticed.

    python tests/games/golden.py NAME ...      writes them anew (all, without a name)

A playthrough tells every move by its name, and the position as each seat sees it at the start, at three places on the
way and at the end; a digest of all keys, moves and chances stands at its foot. Long games are written to their first
MOST moves.
"""

import hashlib
import sys
from pathlib import Path

import fogspiel as fs
from fogspiel import CHANCE, PUBLIC

FOLDER = Path(__file__).parent / "golden"
MOST = 400
SHOWN = 5


def playthrough(name):
    """A playthrough of a game with the parameters it has by default."""
    game = fs.load(name)
    state, digest, draw = game.start(), hashlib.sha256(), int.from_bytes(hashlib.sha256(name.encode()).digest()[:8])
    states, told = [state.copy()], []
    while not state.over and len(told) < MOST:
        who = state.actor
        choices = state.chance() if who == CHANCE else [(move, 0.0) for move in state.moves()]
        keys = [state.key(player) for player in (PUBLIC, *range(game.players))]
        digest.update(repr((who, [(move, round(p, 12)) for move, p in choices], keys)).encode())
        draw = (draw * 6364136223846793005 + 1442695040888963407) % 2**64
        move = choices[(draw >> 33) % len(choices)][0]
        told.append(
            f"{'chance' if who == CHANCE else f'player {who}'}: {game.move_name(state, move)}  ({len(choices)})"
        )
        state.play(move)
        states.append(state.copy())
    places = sorted({i * (len(states) - 1) // (SHOWN - 1) for i in range(SHOWN)})
    lines = [f"{game.spec}: each move, and of how many", ""]
    for i, at in enumerate(states):
        if i in places:
            for player in (*range(game.players), None):
                seen = "everything" if player is None else f"seen by player {player}"
                lines += [f"  [{seen}]", *(f"  {line}".rstrip() for line in at.show(player).splitlines())]
        if i < len(told):
            lines.append(told[i])
    lines.append(f"payoffs {state.payoff()}" if state.over else f"not over after {MOST} moves")
    return "\n".join([*lines, digest.hexdigest(), ""])


def stored(name):
    return FOLDER / f"{name}.txt"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for wanted in sys.argv[1:] or fs.built_in_games():
        stored(wanted).write_text(playthrough(wanted), encoding="utf-8")
