"""The kinds of parts that Monte Carlo CFR is made of (`engine/part.py`), and what each may tell beside its functions.

Of the table: how many words the HEADER of a node has, and how many COLUMNS (`arena.py`); ALONE, that no other thread
may use it. ENUMERATES: a traversal follows every action of the updating player. BOTH: it updates both players. FREE:
nobody can be held to a fixed strategy in it. FOR: the names of the samplings with which averages can be kept so. Its
record is `run.sampling`, `run.baseline` and so on, by the name of the kind; what its `memory(game, room)` returns are
arrays of `run`.
"""

from importlib import import_module
from typing import Any

from fogspiel.engine.part import PartKind
from fogspiel.solvers.mccfr import averaging, traversal


def _kind(name: str, about: str, stubs: tuple[str, ...], required: str, record: str, **parts: str) -> PartKind:
    """Its parts are written MODULE.CLASS, by their words; a module is imported when one of them is first wanted."""
    stands = {stub: vars(averaging if stub == "owed" else traversal)[stub] for stub in stubs}
    offers = lambda: {word.replace("_", "-"): _found(at) for word, at in parts.items()}  # noqa: E731
    return PartKind(name, about, __name__, offers, stands, ((required,),), record)


def _found(at: str) -> Any:
    module, _, name = at.partition(".")
    return getattr(import_module(f"fogspiel.solvers.mccfr.{module}"), name)


SAMPLING = _kind(
    "sampling",
    "what a traversal follows, and what it learns",
    ("at_decision", "sample_other", "averaged", "traverse"),
    "at_decision",
    "sampling",
    external="sampling.External",
    outcome="outcome.Outcome",
    vanilla="sampling.Vanilla",
    average_strategy="sampling.AverageStrategy",
    pure="sampling.Pure",
    probing="outcome.Probing",
    corrected="outcome.Corrected",
    public_tree="public.PublicTree",
)
DRAWS = _kind(
    "draws",
    "for what an action of another player is drawn",
    ("sample_other",),
    "sample_other",
    "draws",
    infosets="sampling.ByInfoset",
    histories="sampling.ByHistory",
)
UPDATED = _kind(
    "updated",
    "whom a sample of outcome sampling updates",
    ("sample_other", "averaged", "is_mine"),
    "sample_other",
    "updated",
    alternating="outcome.Alternating",
    parallel="outcome.Parallel",
)
BASELINE = _kind(
    "baseline",
    "what an action is taken to bring",
    ("baseline", "learn_baseline"),
    "baseline",
    "baseline",
    learned="outcome.Learned",
    zero="outcome.Zero",
)
CHANCE = _kind(
    "chance-sampling",
    "which outcomes of chance are followed",
    ("sample_chance", "at_chance"),
    "sample_chance",
    "chance",
    one="chance.One",
    paired="chance.Paired",
    common="chance.Common",
    public="chance.Public",
    every="chance.Every",
)
AVERAGING = _kind(
    "averaging",
    "how average strategies are kept",
    ("average", "hand_down", "begin_average", "owed"),
    "average",
    "averaging",
    weighted="averaging.Weighted",
    optimistic="averaging.Optimistic",
    lazy="averaging.Lazy",
    lazy_printed="averaging.LazyPrinted",
    counts="averaging.Counts",
)
OPPONENTS = _kind(
    "opponents",
    "what the others may do",
    ("begin", "is_held", "sample_fixed"),
    "is_held",
    "opponents",
    held="opponents.Held",
)
