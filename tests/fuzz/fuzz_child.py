"""The process in which generated calls are made: a crash ends it, and the last call it named is the one to blame.

Reads a line of JSON a call, [number, expression]; writes [number, "begin"] before, and [number, outcome, text] after
it. The outcome is `fine` (a value came back), `told` (a sentence, as it should be) or `raw` (any other exception).
"""

import contextlib
import faulthandler
import io
import json
import os
import random
import sys
import tempfile
import types
import zipfile
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import count
from pathlib import Path

import numpy as np
import typer.main

import fogspiel as fs
from fogspiel.app import cli as command_line
from fogspiel.belief.record import Record
from fogspiel.experiment.files import read_experiments
from fogspiel.experiment.run import run
from fogspiel.solvers import files

ROOT = Path(__file__).parent.parent.parent
LONGEST = 600
"""Letters of the longest sentence."""


class Rude:
    """An object that answers nothing."""

    def __init__(self, *_):
        pass

    def __repr__(self):
        raise RuntimeError("no")

    __str__ = __repr__


class First:
    name = "first"

    def begin(self, game, seat, seed):
        pass

    def choose(self, observation):
        return observation.moves[0]


class Wild(First):
    """An agent whose answers are no moves."""

    def __init__(self, answer):
        self.answer = answer

    def choose(self, observation):
        return self.answer


class Still:
    """A solver that stays where it begins."""

    FORM = "sequence form"

    def __init__(self, form, weight=1.0):
        self.form, self.weight = form, weight

    def iterate(self):
        pass

    def strategy(self):
        return self.weight * self.form.uniform()


class Raw(Exception):
    """What a person must never see."""


def at(game, seed, moves):
    """A state after so many random moves, or at the end of the game."""
    state, rng = game.start(), random.Random(seed)
    for _ in range(moves):
        legal = state.moves()
        if not legal:
            break
        state.play(rng.choice(legal))
    return state


def tour(game):
    """A few random games in which everything is asked of every state."""
    for seed in range(3):
        for moves in range(8):
            state = at(game, seed, moves)
            state.show()
            for player in range(game.players):
                state.show(player), state.key(player), state.situation(player)
                if "resample" in game.functions:
                    state.copy().resample(player, np.array([seed], np.uint64))
            game.move_names(state)
            if state.over:
                state.payoff()


STUDY = """
from fogspiel.experiment import Matches, Scale
STUDY = Matches(about="a study", games="kuhn", agents={"a": "random", "b": "random"}, scales={"small": Scale(2)})
"""
AGENT = """
class Mine:
    name = "mine"

    def begin(self, game, seat, seed):
        self.seat = seat

    def choose(self, observation):
        return observation.moves[self.seat % len(observation.moves)]
"""


def _game() -> str:
    """README's game file."""
    text = (ROOT / "README.md").read_text().split("<!-- example: coin_poker.py -->")[1]
    return text.split("```python\n")[1].split("```")[0]


def _pieces(text: str) -> list[str]:
    """A text in words and single letters, which are changed for one another."""
    pieces, word = [], ""
    for letter in text:
        if letter.isalnum() or letter == "_":
            word += letter
            continue
        pieces += [word, letter] if word else [letter]
        word = ""
    return [*pieces, word]


def mutant(text, edits):
    """A file with some pieces of a text replaced: (which piece, by what), or a word by another word: (which, which
    other)."""
    pieces = _pieces(text)
    words = [i for i, piece in enumerate(pieces) if piece.isalnum() or "_" in piece]
    known = [pieces[i] for i in words]
    for where, what in edits:
        if isinstance(what, int):
            pieces[words[where % len(words)]] = known[what % len(known)]
        else:
            pieces[where % len(pieces)] = what
    path = Path("mutant.py")
    path.write_text("".join(pieces), errors="surrogateescape")
    return path


def game_file(edits, **how):
    return fs.load(mutant(_game(), edits), **how)


def agent_file(edits):
    return mutant(AGENT, edits)


@cache
def kept(name):
    """What was in a file when this was first asked, whatever calls have written there since."""
    return Path(name).read_bytes()


def damaged(name, edits):
    """A copy of a file with bytes changed, cut out or put in."""
    content = bytearray(kept(name))
    for where, what in edits:
        where %= max(len(content), 1)
        if what is None:
            del content[where:]
        else:
            content[where : where + (what % 3)] = bytes([what % 256])
    path = Path(f"damaged_{name}")
    path.write_bytes(content)
    return path


def crafted(name, kind, arrays, header=()):
    """A copy of an archive that is whole in every way, but in which some arrays or words of the header are others."""
    path = Path(f"crafted_{name}")
    with zipfile.ZipFile(io.BytesIO(kept(name))) as archive:
        words = json.loads(archive.read("header.json"))
        held = {
            n.removesuffix(".npy"): np.lib.format.read_array(io.BytesIO(archive.read(n)))
            for n in archive.namelist()
            if n.endswith(".npy")
        }
    words = {k: v for k, v in words.items() if k not in ("format", "version", "digest")}
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        files.write_archive(
            path, kind, words | dict(header), held | {k: np.asarray(v) for k, v in dict(arrays).items()}
        )
    return path


def cli(*arguments):
    """A command, as if typed: it must end with a status, and say what is wrong in a sentence."""
    out, err, usual = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = ["fogspiel", *arguments]
    status = None
    try:
        with contextlib.redirect_stdout(_Stream(out)), contextlib.redirect_stderr(err):
            command_line.main()
    except SystemExit as stop:
        status = stop.code or 0
    finally:
        sys.argv = usual
    text = err.getvalue()
    if status not in (0, 1, 2, 130) or "Traceback" in text:
        raise Raw(f"status {status}: {text[-300:]}")
    if status == 2:
        if not text.strip():
            raise Raw("status 2 without a word")
        raise fs.FogspielError(text.strip().splitlines()[-1])
    return status, out.getvalue()[:200]


_NOWHERE = os.open(os.devnull, os.O_WRONLY)


class _Stream:
    """Standard output of a command: text that may be reconfigured."""

    def __init__(self, buffer):
        self.buffer_ = buffer
        self.encoding = "utf-8"

    def write(self, text):
        return self.buffer_.write(text)

    def flush(self):
        pass

    def isatty(self):
        return False

    def fileno(self):
        return _NOWHERE

    def reconfigure(self, **_):
        pass


def names() -> dict:
    """What expressions may name."""
    kuhn = fs.load("kuhn")
    strategy = fs.solve(kuhn, iterations=20).strategy
    fs.save(strategy, "kuhn.fog")
    fs.solve(kuhn, iterations=5, checkpoint="cfr.ckpt")
    fs.solve(kuhn, "es-mccfr", iterations=5, checkpoint="es.ckpt")
    fs.match(kuhn, ["random", "random"], games=4, store="match.jsonl")
    Path("study.py").write_text(STUDY)
    run(read_experiments("study.py")["study"], "study", "study.sqlite")
    Path("mine.py").write_text(AGENT)
    Path("pennies.osposg").write_text((ROOT / "tests/data/pennies.osposg").read_text())
    posg = fs.read_osposg("pennies.osposg")
    fs.save(fs.solve(posg, iterations=2).strategy, "pennies.fog")
    for name in ("kuhn.fog", "cfr.ckpt", "es.ckpt", "match.jsonl", "pennies.osposg", "pennies.fog"):
        kept(name)
    tree = fs.unroll(kuhn)
    form = fs.sequence_form(tree)
    given = types.SimpleNamespace(**{n: getattr(strategy, n) for n in ("player", "key", "start", "move", "prob")})
    return {
        "fs": fs,
        "np": np,
        "nan": float("nan"),
        "inf": float("inf"),
        "Path": Path,
        "Fraction": Fraction,
        "Decimal": Decimal,
        "Rude": Rude,
        "First": First,
        "Wild": Wild,
        "Still": Still,
        "count": count,
        "at": at,
        "tour": tour,
        "game_file": game_file,
        "agent_file": agent_file,
        "damaged": damaged,
        "crafted": crafted,
        "cli": cli,
        "files": files,
        "Record": Record,
        "kuhn": kuhn,
        "three": fs.load("kuhn(players=3)"),
        "rps": fs.load("matrix"),
        "goof": fs.load("goofspiel(cards=3)"),
        "coin": fs.load("hidden_coin"),
        "driver": fs.load("absent_minded_driver"),
        "plain": fs.load("kuhn", debug=True),
        "strategy": strategy,
        "other": fs.solve("goofspiel(cards=3)", iterations=3).strategy,
        "tree": tree,
        "form": form,
        "plan": form.plan(form.uniform()),
        "result": fs.solve(kuhn, iterations=3),
        "rows": given,
        "rng": np.array([5], np.uint64),
        "posg": posg,
    }


def outcome(expression: str, known: dict) -> tuple[str, str]:
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            value = eval(expression, dict(known))
            str(value)
    except fs.FogspielError as error:
        text = str(error)
        good = text.strip() and len(text) <= LONGEST and "\n" not in text.strip() and "object at 0x" not in text
        return ("told", text) if good else ("raw", f"no sentence: {text[:300]!r}")
    except BaseException as error:
        return "raw", f"{type(error).__name__}: {error}"[:400]
    return "fine", ""


def main() -> None:
    faulthandler.enable()
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    questions = os.fdopen(os.dup(0), "r")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = io.StringIO("")
    typer.main.get_command = cache(typer.main.get_command)  # commands are made of their functions once
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        known = names()
        answers.write(json.dumps([-1, "ready"]) + "\n")
        for line in questions:
            number, expression = json.loads(line)
            answers.write(json.dumps([number, "begin"]) + "\n")
            answers.write(json.dumps([number, *outcome(expression, known)]) + "\n")


if __name__ == "__main__":
    main()
