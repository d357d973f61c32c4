"""A script as a user would write it. It is not run: `make lint` checks its types, strictly, against those of the public
face."""

import random
from pathlib import Path

import numpy as np

import fogspiel as fs


class Bold:
    """An agent of one's own: it takes the last of its moves, and sometimes another."""

    name = "bold"

    def begin(self, game: fs.Game, seat: int, seed: int) -> None:
        self.seat, self.random = seat, random.Random(seed)

    def choose(self, observation: fs.Observation) -> int:
        after = observation.state.copy()
        after.play(observation.moves[-1])
        if after.over and after.payoff()[self.seat] < 0:
            return self.random.choice(observation.moves)
        return observation.moves[-1]


def solved(spec: str, folder: Path) -> fs.Strategy:
    game: fs.Game = fs.load(spec)
    result: fs.Result = fs.solve(game, "cfr+", iterations=1000, callback=lambda point: point.iterations > 500)
    values: tuple[float, ...] = result.value
    nash_conv: float | None = result.nash_conv
    print(values, nash_conv, result.exploitability, [(point.iterations, point.seconds) for point in result.curve])
    fs.save(result.strategy, folder / "found.fog")
    return fs.read(folder / "found.fog")


def solved_at_once(folder: Path) -> float:
    strategy = fs.solve("kuhn").strategy
    bounds = fs.solve(fs.read_osposg(folder / "peg03.osposg"), "hsvi", until="nash_conv=1")
    pair: fs.Controllers = bounds.strategy
    print(strategy.table(), pair.guaranteed(), fs.measure("kuhn", strategy))
    return fs.nash_conv("kuhn", strategy)


def told(game: fs.Game, strategy: fs.Strategy) -> list[str]:
    table: fs.StrategyTable = strategy.table(game, player=0, reach=0.01)
    lines = [f"{row.sees} {row.names} {row.prob} {row.reach:.3f}" for row in table]
    value, response = fs.best_response(game, strategy, 1)
    measured: float = fs.nash_conv(game, response) + value + fs.expected_values(game, strategy)[0]
    missing: np.ndarray = strategy.knows(fs.unroll(game))
    here: bool = strategy.knows(first_decision(game))
    return [*lines, f"{measured:.3f}", str(missing.sum()), str(here)]


def first_decision(game: fs.Game) -> fs.State:
    state = game.start()
    while state.actor == fs.CHANCE:
        outcome, probability = max(state.chance(), key=lambda pair: pair[1])
        print(f"{game.move_name(state, outcome)} with probability {probability:.2f}")
        state.play(outcome)
    return state


def compared(game: fs.Game, strategy: fs.Strategy) -> str:
    agents: list[str | Path | fs.Strategy | fs.Agent] = [Bold(), strategy, "mo-ismcts(simulations=200)"]
    found: fs.MatchResult = fs.match(game, agents, games=50, seed=7)
    best = max(found.standings, key=lambda standing: standing.utility.value if standing.utility else 0.0)
    record = fs.play_game(game, [lambda seen: seen.moves[0], fs.agent("random")], deal=1, seed=2)
    return f"{found.agents[found.standings.index(best)]}: {best.wins} won; {record.utilities[0]:+g}"


def thought(game: fs.Game) -> int:
    decision: fs.Thought = fs.think(game, "mo-ismcts(simulations=500)", ["deal K to player 0"], seed=1)
    visits = sum(move.visits for move in decision.moves)
    nodes = [] if decision.tree is None else list(decision.tree.walk())
    return decision.choice + visits + len(nodes)


def mistaken() -> None:
    """What a type checker must find: an ignored error that is none is reported as well."""
    fs.slove("kuhn")  # type: ignore[attr-defined]
    fs.solve("kuhn", iterations="many")  # type: ignore[call-overload]
    fs.load("kuhn").start().play("fold")  # type: ignore[arg-type]
    fs.match("kuhn", [random, "random"])  # type: ignore[list-item]


def main(folder: Path) -> None:
    game = fs.load("leduc")
    try:
        strategy = solved("leduc", folder)
        print(*told(game, strategy), compared(game, strategy), thought(game), sep="\n")
    except fs.FogspielError as error:
        print(f"error: {error}")


if __name__ == "__main__":
    main(Path.cwd())
