"""Random playouts, and redraws of what is hidden."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from fogspiel.app.bench.duels import goofspiel
from fogspiel.app.bench.measuring import FOGSPIEL, Bench
from fogspiel.app.peers import MANY, SOME, rollouts
from fogspiel.game.game import Game
from fogspiel.game.load import load
from fogspiel.game.playout import playouts, redraws
from fogspiel.game.rules import CHANCE
from fogspiel.game.state import State

PLAYOUTS = (
    ("Kuhn", "kuhn", "kuhn_poker"),
    ("Leduc", "poker(see_suits=yes)", "leduc_poker"),
    ("liar's dice 6", "bluff(faces=6)", "liars_dice(numdice=1,dice_sides=6)"),
    ("goofspiel 13", "goofspiel(cards=13)", goofspiel(13)),
    ("tic-tac-toe", "tic_tac_toe", "tic_tac_toe"),
    ("phantom tic-tac-toe", "phantom_tic_tac_toe", "phantom_ttt"),
    ("connect four", "connect_four", "connect_four"),
    ("breakthrough", "breakthrough", "breakthrough"),
    ("Othello", "othello", "othello"),
    ("checkers", "checkers", "checkers"),
    ("backgammon", "backgammon", "backgammon"),
    ("hearts", "hearts(passing=random)", "hearts"),
    ("spades", "spades(breaking=never,payoff=points)", "spades"),
)
REDRAWN = ("hearts", "spades", "oh_hell", "knockout_whist", "dou_di_zhu")
"""Card games in which a redraw of what is hidden is measured beside a playout."""


def random_playouts(bench: Bench) -> None:
    for name, spec, openspiel in PLAYOUTS:
        game = load(spec)
        works: dict[str, Callable[[int], Any]] = {FOGSPIEL: partial(playouts, game, starts=first_decisions(game))}
        if "OpenSpiel" in bench.peers:
            works["OpenSpiel"] = rollouts(openspiel)
        rates = bench.rates(f"random playouts of {name}", works)
        bench.row("random playouts", name, "playouts/s", rates.pop(FOGSPIEL), rates)
    bench.notes.append("random playouts begin where the first player moves: each deal or roll before that as often")
    _redraws(bench)


def _redraws(bench: Bench) -> None:
    """What it takes to redraw what the first player to move cannot see, and what a playout takes from there."""
    told = []
    for spec in REDRAWN:
        game = load(spec)
        starts = first_decisions(game)
        works: dict[str, Callable[[int], Any]] = {
            FOGSPIEL: partial(redraws, game, starts=starts),
            "playouts": partial(playouts, game, starts=starts),
        }
        rates = bench.rates(f"redraws of {spec}", works)
        part = rates["playouts"] / rates[FOGSPIEL]
        bench.row("redraws", spec, "redraws/s", rates[FOGSPIEL], of_a_playout=part)
        told.append(f"{spec} {part:.2f}")
    bench.notes.append(f"a redraw takes this part of a playout: {', '.join(told)}")


def first_decisions(game: Game) -> list[State]:
    """The states in which a player moves first, whatever chance did before; where they are too many, some drawn at
    random."""
    found: list[State] = []
    deals = [game.start()]
    while deals:
        if len(found) + len(deals) > MANY:
            return [_dealt(game, seed) for seed in range(SOME)]
        state = deals.pop()
        if state.actor != CHANCE:
            found.append(state)
            continue
        for move in state.moves():
            deals.append(state.copy())
            deals[-1].play(move)
    return found


def _dealt(game: Game, seed: int) -> State:
    state, rng = game.start(), random.Random(seed)
    while state.actor == CHANCE:
        moves, odds = zip(*state.chance(), strict=True)
        state.play(rng.choices(moves, odds)[0])
    return state
