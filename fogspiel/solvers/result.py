"""What solvers return: points of a curve, a result, an exact solution."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic

from fogspiel import given
from fogspiel.solvers.cfr.joint import JointPlay
from fogspiel.solvers.strategy import Strategy

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from fogspiel.solvers.posg.controllers import Controllers

    Found = TypeVar("Found", bound="Strategy | Controllers", default=Strategy)
else:
    from typing import TypeVar

    Found = TypeVar("Found")


def nonnegative(measured: float) -> float:
    """A NashConv as measured: there is none below zero, though rounding may put the sum there."""
    return max(measured, 0.0)


def amount(utility: float, error: float | None) -> str:
    """A utility as it is shown: with nine decimals, or nine digits where it is smaller and the error of what was found
    is smaller still."""
    small = 1e-15 < abs(utility) < 1e-6 and 100 * (error or 0.0) < abs(utility)
    return f"{utility:+.9e}" if small else f"{utility:+z.9f}"


@dataclass(frozen=True)
class Point:
    """One point of a convergence curve. Seconds are of solving only, not of measuring. `cce_gap` is the average joint
    play's, where that is kept; `lower` and `upper` bound the value to player 0, where it is bounded, and
    `nash_conv` is then the gap between them."""

    iterations: int
    seconds: float
    touched: int
    nash_conv: float | None
    cce_gap: float | None = None
    lower: float | None = None
    upper: float | None = None

    def as_dict(self) -> dict[str, Any]:
        out = {k: v for k, v in vars(self).items() if k not in ("cce_gap", "lower", "upper") or v is not None}
        if self.lower is not None:
            del out["touched"]
        return out


@dataclass(frozen=True)
class Result(Generic[Found]):
    """What a solver found. `value` holds each player's expected utility under `strategy`, `nash_conv` the sum of
    what best responses to it gain. Where the game was not unrolled to measure that, the one is empty and the other
    None, and `unmeasured` says why. Where players forget, sampling solvers tell the value alone.

    `stopped` says why it ended: iterations, seconds, nash_conv or exploitability (`until`), callback, interrupted,
    memory, precision, or exact. `unsaved` says why the last checkpoint could not be written, if it could not: the
    result is worth more than its checkpoint. `memory` tells what a table that grows came to, `restricted` how large a
    double oracle's restricted game did. `seconds` are of solving alone, `elapsed` of all: unrolling and measuring, too,
    and making the strategy from what the solver had in memory, which took `making`. Of the `iterations`, so many as
    `resumed` tells were in the checkpoint that the run went on from.

    With three or more players, or two who are not opposed, `meaning` says what these numbers mean; else it is empty.
    There the CFR family also keeps its average joint play, `joint` (`solvers/cfr/joint.py`).

    Of a one-sided POSG, `bounds` are the least and the most that its value can be, to player 0, and `nash_conv` is the
    gap between them: best responses gain no more in all. `value` is empty, and `strategy` holds a finite-state
    controller for each player (`solvers/posg/controllers.py`): `Result[Controllers]`, to type checkers.
    """

    game: str
    algorithm: str
    strategy: Found = field(repr=False)
    value: tuple[float, ...]
    nash_conv: float | None
    iterations: int
    seconds: float
    touched: int
    stopped: str
    seed: int = 0
    curve: tuple[Point, ...] = field(repr=False, default=())
    unsaved: str = ""
    memory: dict[str, float] = field(default_factory=dict)
    elapsed: float = 0.0
    meaning: str = ""
    joint: JointPlay | None = None
    restricted: dict[str, int] = field(default_factory=dict)
    resumed: int = 0
    making: float = 0.0
    bounds: tuple[float, float] | None = None
    unmeasured: str = ""

    @property
    def exploitability(self) -> float | None:
        """NashConv divided by the number of players."""
        players = 2 if self.bounds is not None else len(self.value)
        return None if self.nash_conv is None else self.nash_conv / players

    @property
    def cce_gap(self) -> float | None:
        """How far the average joint play is from a coarse correlated equilibrium: the sum over players of what each
        would have gained by a fixed strategy. None where it is not kept. That of `strategy`, whose players act
        independently, is its NashConv."""
        return None if self.joint is None else self.joint.gap

    def as_dict(self) -> dict[str, Any]:
        """The result without the strategy, ready for JSON. What is about games without a value of their own, or about
        bounds, is there only for those; bounds come instead of `value` and of the histories `touched`, of which a
        one-sided POSG has none."""
        out = {k: v for k, v in vars(self).items() if k not in ("strategy", "unsaved", "meaning", "joint", "bounds")}
        out |= {
            "exploitability": self.exploitability,
            "value": list(self.value),
            "curve": [p.as_dict() for p in self.curve],
        }
        for name in ("restricted", "unmeasured"):
            if not out[name]:
                del out[name]
        if self.bounds is not None:
            del out["value"], out["touched"]
            out |= dict(zip(("lower", "upper"), self.bounds, strict=True))
        if self.meaning:
            out |= {"meaning": self.meaning, "cce_gap": self.cce_gap, "joint": self.joint and self.joint.as_dict()}
        return out

    def __str__(self) -> str:
        """A summary in a few lines."""
        rows = [
            f"{self.game}, {self.algorithm}: {self.iterations:,} iterations in {self.seconds:.2f} s ({self.stopped})"
        ]
        if self.value:
            rows.append(f"value           {'  '.join(amount(v, self.nash_conv) for v in self.value)}")
        if self.bounds is not None:
            low, high = self.bounds
            return "\n".join(
                [*rows, f"value           from {low:+z.9f} to {high:+z.9f}", f"gap             {high - low:.3e}"]
            )
        for name, far in (("nash_conv", self.nash_conv), ("exploitability", self.exploitability)):
            rows.append(f"{name:<15} {'not measured' if far is None else f'{nonnegative(far):.3e}'}")
        if self.joint is not None:
            rows.append(f"CCE gap         {self.cce_gap:.3e} of the average joint play")
        return "\n".join(
            [*rows, f"strategy        {len(self.strategy):,} information sets", *[self.meaning] * bool(self.meaning)]
        )


Given = Strategy | Result[Strategy]
"""What functions take for a strategy."""


def strategy_in(strategy: Any) -> Strategy:
    """A strategy that is given, or that of a result. Raises SpecError for anything else."""
    if isinstance(strategy, Result):
        strategy = strategy.strategy
    return given.kind("strategy", strategy, Strategy, "a strategy or a result, as solve finds and read reads it")


@dataclass(frozen=True)
class Solution:
    """What an exact solver returns."""

    strategy: Strategy
    value: tuple[float, ...]
    nash_conv: float | None
    iterations: int = 1
    touched: int = 0
    restricted: dict[str, int] = field(default_factory=dict)
