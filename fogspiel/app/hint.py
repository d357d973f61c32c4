"""What an agent would do in a person's place, in words."""

from fogspiel.agents.agent import Agent, Observation, describe
from fogspiel.agents.human import HumanAgent
from fogspiel.agents.registry import agent as make_agent
from fogspiel.agents.simple import StrategyAgent
from fogspiel.agents.suited import suited
from fogspiel.errors import SpecError
from fogspiel.game.game import Game
from fogspiel.search.statistics import MoveStatistics


class Adviser:
    """An agent that is asked what it would do. It is given what the person's seat may know, and nothing else."""

    def __init__(self, game: Game, spec: str | None = None):
        self.game, self.spec = game, spec
        self.agent: Agent | None = None if spec is None else _honest(spec)

    def advise(self, observation: Observation, seed: int) -> str:
        """What to do, and why. Raises what the agent raises."""
        names = dict(zip(observation.moves, observation.names, strict=True))
        if len(names) == 1:
            return f"There is only one move: {names[observation.moves[0]]}."
        if self.agent is None:
            self.agent = make_agent(suited(self.game))
        self.agent.begin(observation.state.game, observation.seat, seed)
        chosen = self.agent.choose(observation)
        head = f"{describe(self.agent)} would play {names.get(chosen, chosen)}."
        return "\n".join([head, *_reasons(self.agent, observation, names)])


def _honest(spec: str) -> Agent:
    agent = make_agent(spec)
    if getattr(agent, "cheats", False) or isinstance(agent, HumanAgent):
        why = "is you" if isinstance(agent, HumanAgent) else "sees everything, and a hint must know no more than you do"
        raise SpecError(f"{spec} cannot give hints: it {why}; try mo-ismcts")
    return agent


def _reasons(agent: Agent, observation: Observation, names: dict[int, str]) -> list[str]:
    """A line for each move of which the agent thought something, the best first."""
    if isinstance(agent, StrategyAgent):
        plan = agent.strategy.probabilities(observation.state)
        rows = [(p, names[move], f"{p:.1%} of the time") for move, p in plan.items()]
    else:
        found: tuple[MoveStatistics, ...] = getattr(agent, "found", ())
        tries = sum(m.visits for m in found)
        # an agent that draws its move from a mean strategy goes by that, others by what they tried most
        mixed = getattr(agent, "measure", "visits") == "mean"
        rows = [((m.strategy or 0.0) if mixed else m.visits, m.name, _thought(m, tries, mixed)) for m in found]
    wide = max((len(name) for _, name, thought in rows if thought), default=0)
    rows.sort(key=lambda row: -row[0])
    return [f"  {name:<{wide}}   {thought}" for _, name, thought in rows if thought]


def _thought(m: MoveStatistics, tries: int, mixed: bool) -> str:
    parts = []
    if mixed and m.strategy is not None:
        parts.append(f"{m.strategy:.1%} of the time")
    elif m.visits and tries > 1:
        parts.append(f"tried {m.visits:,} of {tries:,} times")
    if m.proven is not None:
        parts.append(f"proven to give {m.proven:+g}")
    elif m.value is not None:
        parts.append(f"worth {m.value:+.3g} on average")
    return ", ".join(parts)
