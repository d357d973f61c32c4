"""The searching agents: each is a row in the table below, a loop with parts, a belief, and how the move is taken from
what it found."""

from collections.abc import Callable, Sequence
from typing import Any

from fogspiel.agents.bluffing import DETERMINIZE, FINAL, SelfDeterminizing
from fogspiel.agents.decisions import by_strategy, by_visits, most_valued, most_visited
from fogspiel.agents.epimc import Epimc
from fogspiel.agents.gib import NEEDS as GIB_NEEDS
from fogspiel.agents.gib import PARAMETERS as GIB
from fogspiel.agents.gib import Gib
from fogspiel.agents.ignoring import IGNORE, Ignoring
from fogspiel.agents.kind import Kind
from fogspiel.agents.offers import (
    BUDGET,
    CHANCE,
    CONTROL,
    CUT,
    CUT_FROM,
    ICARUS,
    IS_MCTS,
    PLAYOUT,
    PROVEN,
    SM_MCTS,
    STREAMS,
    WIDENING,
    bandit,
    belief,
    believed,
    enhancements_of,
    one_each,
    played_out_by,
    usually,
    with_rules,
)
from fogspiel.agents.outcome_sampling import PROGRESS, progressing
from fogspiel.agents.pomcp import PARAMETERS as POMCP
from fogspiel.agents.pomcp import Pomcp
from fogspiel.agents.searching import MakeSearch, PerfectInformationMonteCarlo, SearchAgent
from fogspiel.agents.smooth_uct import SmoothUct
from fogspiel.engine.part import Part
from fogspiel.errors import SpecError
from fogspiel.game.game import Game
from fogspiel.game.needs import OPEN_BUT_PENDING
from fogspiel.game.parts import PartOf
from fogspiel.game.spec import Choice, Number, Whole
from fogspiel.search import kinds, outcome_sampling
from fogspiel.search.icarus import read_icarus
from fogspiel.search.nodes import STAGES
from fogspiel.search.outcome_sampling import OutcomeSampling
from fogspiel.search.parts import part, parts
from fogspiel.search.proofs import Proofs
from fogspiel.search.search import TreeSearch
from fogspiel.search.variates import Baselines
from fogspiel.search.views import Postponed
from fogspiel.search.wrappers import Aside, Means

BELIEF, BELIEF_OF_EACH = belief(), belief(counted=False)
BANDIT = bandit()


def _view(usual: str, *others: str) -> PartOf:
    """What counts as the same situation in an agent's tree."""
    words = (usual, *others)
    return PartOf("view", usual, kinds.VIEW, kinds.VIEW.about, {word: word for word in words}, only=True)


def _composed(game: Game, p: dict[str, Any], enhancements: Sequence[str | Part] = (), **made_of: Any) -> TreeSearch:
    """A search of these parts, which chooses and plays out as its parameters say."""
    cut, played_out = played_out_by(p)
    made = parts(enhancements=[*enhancements, *cut], **({"bandit": p["bandit"]} | played_out | made_of))
    return _make(game, p, made)


def _make(game: Game, p: dict[str, Any], made: list[Part]) -> TreeSearch:
    return TreeSearch(with_rules(game, p), made, nodes=max(p["nodes"], STAGES * game.players))


def _icarus(p: dict[str, Any]) -> dict[str, Any]:
    """The parts of the ICARUS that is asked for, which must not be at odds with others."""
    icarus = read_icarus(p["icarus"])
    if icarus.playout and p["playout"].name != "uniform":
        raise SpecError(f"icarus={p['icarus']} and playout={p['playout']} both say how games are played out")
    if icarus.tree and not p["bandit"].tells("BOUNDS"):
        raise SpecError(f"icarus={p['icarus']} changes the bounds of UCB, and bandit={p['bandit']} has none")
    policy = {} if icarus.policy is None else {"playout": icarus.policy}
    return {"icaruses": icarus.search_parts, **policy}


def _chance(p: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """What becomes of chance and of moves in the tree: the enhancements for that, and parts."""
    chance, widening = p.get("chance", CHANCE.default), p.get("widening", WIDENING.default)
    enhancements = ["proofs"] * (p.get("proven") == "yes")
    if enhancements and chance.name == "drawn":
        chance = part("chance", "stored")
    if not widening.tells("NOTHING"):
        if chance.name == "balanced":
            raise SpecError(
                f"chance=balanced is for chance with all its outcomes, and widening={widening} leaves some out"
            )
        chance = part("chance", "widened")
    return enhancements, {"chance": chance, "widening": widening}


def _tree(game: Game, p: dict[str, Any]) -> TreeSearch:
    """MCTS, in which a node is what a view makes of it."""
    enhancements, chance = _chance(p)
    reduced = [one for name in ("control", "streams") if name in p for one in enhancements_of(p[name])]
    return _composed(game, p, [*reduced, *enhancements], view=p["view"], **chance, **_icarus(p))


def _is_mcts(game: Game, p: dict[str, Any]) -> TreeSearch:
    pending = p["belief"].settings.get("pending", "tree")
    return _composed(game, p, growth="created" if pending == "tree" else "created_alone")


def _sm_mcts(game: Game, p: dict[str, Any]) -> TreeSearch:
    enhancements = ["means"] * (p["means"] == "yes")
    if p["aside"] > 0:
        enhancements.append(f"aside(aside={p['aside']!r})")
    return _composed(game, p, enhancements, growth=p["growth"])


def _many_trees(game: Game, p: dict[str, Any]) -> TreeSearch:
    wanted = {"two-step": ["settled"], "bluffing": ["squares"]}.get(p["determinize"].name, [])
    # a bandit may keep squares itself
    kept = {name for name, *_ in p["bandit"].columns("SLOT", 2)}
    return _composed(game, p, [name for name in wanted if name not in kept])


def _determinized(game: Game, p: dict[str, Any]) -> TreeSearch:
    enhancements, chance = _chance(p)
    return _composed(game, p, enhancements, view="history", **chance)


def _postponed(game: Game, p: dict[str, Any]) -> TreeSearch:
    return _composed(game, p, view=part("view", "postponed", p))


def _pomcp(game: Game, p: dict[str, Any]) -> TreeSearch:
    return _composed(game, p, ["particles"], view="pomdp")


def _smooth_uct(game: Game, p: dict[str, Any]) -> TreeSearch:
    return _composed(game, p)


def _rollouts(game: Game, p: dict[str, Any]) -> TreeSearch:
    return _make(game, p | {"nodes": 1024}, parts(bandit="in_turn", growth="root", playout=p["playout"]))


def _oos(game: Game, p: dict[str, Any]) -> OutcomeSampling:
    cut, played_out = played_out_by(p)
    baseline = [part("enhancement", "baselines")] * (p["baselines"] == "yes")
    return OutcomeSampling(
        with_rules(game, p),
        parts=(*played_out.values(), *cut, *baseline),
        gamma=p["gamma"],
        delta=p["delta"],
        epsilon=p["epsilon"],
        public=p["target"] == "public",
        nodes=p["nodes"],
    )


def _agent(make: MakeSearch) -> Callable[[str, dict[str, Any]], SearchAgent]:
    return lambda name, p: SearchAgent(
        name, p, make, believed, most_valued if p.get("final") == "value" else most_visited
    )


def _is_mcts_agent(name: str, p: dict[str, Any]) -> SearchAgent:
    return (Ignoring if p["ignore"] else SearchAgent)(name, p, _is_mcts, believed, by_visits, reuse=True)


def _sm_mcts_agent(name: str, p: dict[str, Any]) -> SearchAgent:
    averages = any(column == "strategy" for column, *_ in p["bandit"].columns("SLOT", 2))
    decide = by_strategy if averages else most_visited if p["final"] == "max" else by_visits
    return SearchAgent(name, p, _sm_mcts, believed, decide, reuse=True)


_FAMILY = (*BUDGET, BELIEF, BANDIT, ICARUS, PLAYOUT, CUT, WIDENING)
_WORLDS = (
    *BUDGET,
    Whole("determinizations", 20, 1, 10**6, "states searched; each gets all the simulations"),
    BANDIT,
    PLAYOUT,
    CUT,
    PROVEN,
    Choice(
        "combine",
        "vote",
        ("vote", "visits", "values"),
        "each state's best move has a vote, or visits or values are added up",
    ),
)

KINDS: dict[str, Kind] = {
    "mcts": Kind(
        "UCT, for any number of players (max^n); a node is what the player to move knows",
        (
            *_FAMILY,
            _view("infoset", "trail", "open-loop"),
            CHANCE,
            PROVEN,
            CONTROL,
            STREAMS,
            Choice(
                "final", "visits", ("visits", "value"), "take the most visited move, or the one of the highest mean"
            ),
        ),
        _agent(_tree),
        settings_need={"proven": {"yes": Proofs.SEEN}},
    ),
    "so-ismcts": Kind(
        "single-observer information set MCTS (Whitehouse 2014, sec. 5.2.3)",
        (*_FAMILY, _view("history", "open-loop"), CHANCE),
        _agent(_tree),
    ),
    "so-ismcts-pom": Kind(
        "the same with partially observable moves (Whitehouse 2014, sec. 6.3)",
        (*_FAMILY, _view("searcher"), CHANCE),
        _agent(_tree),
    ),
    "mo-ismcts": Kind(
        (
            "multiple-observer information set MCTS, one node an information set or one tree a player (Whitehouse "
            "2014, sec. 6.3, 7.2)"
        ),
        (*_FAMILY, _view("infoset", "trail", "observer"), CHANCE),
        _agent(_tree),
    ),
    "bluffing-ismcts": Kind(
        (
            "information set MCTS that infers, and takes its secret for hidden: self-determinization and bluffing "
            "(Whitehouse 2014, sec. 7.4)"
        ),
        (*BUDGET, DETERMINIZE, FINAL, belief("inferred"), bandit("tuned"), PLAYOUT, CUT),
        lambda name, p: SelfDeterminizing(name, p, _many_trees, believed),
        by_infoset=True,
    ),
    "is-mcts": Kind(
        "information set MCTS of Lisý 2014, sec. 3.2.3; moves drawn by use",
        (*BUDGET, belief("tracked", pending=True), IGNORE, bandit("ruct", IS_MCTS), PLAYOUT, CUT_FROM),
        _is_mcts_agent,
        by_infoset=True,
    ),
    "sm-mcts": Kind(
        "MCTS for simultaneous moves (Lisý et al. 2013; Lisý 2014, sec. 3.1.1)",
        (
            *BUDGET,
            BELIEF,
            bandit("rm", SM_MCTS),
            Choice("means", "no", ("no", "yes"), "pass on means (SM-MCTS-A)"),
            PartOf(
                "growth",
                "stage",
                kinds.GROWTH,
                "a simulation adds one stage; or all joint moves of a stage are tried first (Lisý et al. 2013)",
                {"stage": "stage", "joint": "joint"},
                only=True,
            ),
            *Aside.PARAMETERS,
            Choice(
                "final",
                "mix",
                ("mix", "max"),
                "with a bandit that keeps no mean strategy: draw the move by visits, or take the most visited",
            ),
            PLAYOUT,
            CUT,
        ),
        _sm_mcts_agent,
        by_infoset=True,
        needs=(OPEN_BUT_PENDING,),
        settings_need={"means": {"yes": Means.NEEDS}},
    ),
    "pimc": Kind(
        "perfect-information Monte Carlo: determinized UCT (Whitehouse 2014, sec. 5.1)",
        (*_WORLDS, BELIEF_OF_EACH),
        lambda name, p: PerfectInformationMonteCarlo(name, p, _determinized, one_each),
    ),
    "gib": Kind(
        (
            "perfect-information Monte Carlo as in GIB: moves are scored in deals by minimax with all cards open "
            "(Ginsberg 2001)"
        ),
        (*GIB, BELIEF_OF_EACH),
        lambda name, p: Gib(name, p, one_each),
        needs=GIB_NEEDS,
        instead="pimc",
    ),
    "epimc": Kind(
        (
            "perfect-information Monte Carlo with postponed reasoning: all is taken to be seen after some moves only "
            "(Arjonilla et al. 2024)"
        ),
        (
            *BUDGET,
            Whole("determinizations", 20, 1, 10**6, "states that the simulations start from"),
            *Postponed.PARAMETERS,
            BELIEF_OF_EACH,
            BANDIT,
            PLAYOUT,
            CUT,
        ),
        lambda name, p: Epimc(name, p, _postponed, one_each),
    ),
    "cheating-uct": Kind(
        "UCT on the true state; marked in all results",
        _WORLDS,
        lambda name, p: PerfectInformationMonteCarlo(name, p, _determinized, usually, cheats=True),
    ),
    "pomcp": Kind(
        (
            "POMCP: one's own tree, from particles of the search, with others as part of the environment (Silver and "
            "Veness 2010)"
        ),
        (*BUDGET, *POMCP, BELIEF, BANDIT, PLAYOUT, CUT),
        lambda name, p: Pomcp(name, p, _pomcp, believed, most_valued, reuse=True),
    ),
    "smooth-uct": Kind(
        (
            "Smooth UCT: self-play of the whole game that mixes in its own average, which approaches an equilibrium "
            "(Heinrich and Silver 2015); moves drawn by use"
        ),
        (*BUDGET, BELIEF, bandit("smooth"), PLAYOUT, CUT),
        lambda name, p: SmoothUct(name, p, _smooth_uct, believed, by_visits, reuse=True),
        by_infoset=True,
    ),
    "oos": Kind(
        "online outcome sampling (Lisý 2014, sec. 3.2.4)",
        (
            *BUDGET,
            PROGRESS,
            Number("gamma", 0.4, 0, 1, "exploration"),
            Number("delta", 0.9, 0, 1, "how often iterations are targeted"),
            Number("epsilon", 0.01, 0, 1, "least share of uniform play in the strategy"),
            Choice(
                "target",
                "infoset",
                ("infoset", "public"),
                "what targeted iterations keep to: the player's record, or the public one",
            ),
            Choice("baselines", "no", ("no", "yes"), "guesses stand in for moves not sampled (Schmid et al. 2019)"),
            PLAYOUT,
            CUT,
        ),
        lambda name, p: p["progress"].space.AGENT(name, p, _oos, progressing, by_strategy, reuse=True),
        by_infoset=True,
        needs=outcome_sampling.NEEDS,
        settings_need={"baselines": {"yes": Baselines.NEEDS}},
    ),
    "rollouts": Kind(
        "one-ply rollout planning: the move after which a default policy fares best (Lanctot 2013, sec. 2.3.2)",
        (
            Whole("simulations", 1000, 1, 10**9, "rollouts a move"),
            Number("seconds", 0, 0, 1e6, "seconds a move; 0: count rollouts instead"),
            Whole("threads", 1, 1, 64, "searches side by side, their opinions added up; they share the rollouts"),
            BELIEF,
            PLAYOUT,
        ),
        lambda name, p: SearchAgent(name, p, _rollouts, believed, most_valued),
    ),
}
