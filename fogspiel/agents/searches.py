"""The searching agents: each is a row in the table below, a loop with parts, a belief, and how the move is taken from what it found."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from fogspiel.agents.bluffing import DETERMINIZE, FINAL, SELVES, SelfDeterminizing
from fogspiel.agents.decisions import by_strategy, by_visits, most_valued, most_visited
from fogspiel.agents.epimc import Epimc
from fogspiel.agents.gib import PARAMETERS as GIB
from fogspiel.agents.gib import Gib
from fogspiel.agents.ignoring import IGNORE, Ignoring
from fogspiel.agents.kind import Kind
from fogspiel.agents.outcome_sampling import FromTheStart, OutcomeSamplingAgent
from fogspiel.agents.pomcp import PARAMETERS as POMCP
from fogspiel.agents.pomcp import Pomcp
from fogspiel.agents.searching import MakeSearch, PerfectInformationMonteCarlo, SearchAgent
from fogspiel.agents.smooth_uct import SmoothUct
from fogspiel.agents.use import OTHER_NODES
from fogspiel.belief.belief import BELIEFS, Belief, named, usual
from fogspiel.belief.inference import BOOST, INJECT, NOISE, REVEALS
from fogspiel.belief.replaying import REPLAYS
from fogspiel.belief.resampling import PENDING
from fogspiel.belief.tracked import CONSECUTIVE, PARTICLES, K
from fogspiel.errors import FogspielError, SpecError
from fogspiel.game.game import Game
from fogspiel.game.needs import OPEN_BUT_PENDING, require
from fogspiel.game.spec import Choice, Number, Whole
from fogspiel.search.bandits import coupled, exp3p, near_ties, regret_matching, smooth, staged, ucb
from fogspiel.search.enhancements import control, stream
from fogspiel.search.icarus import Icarus, IcarusText, read_icarus
from fogspiel.search.outcome_sampling import OutcomeSampling
from fogspiel.search.own import Offered, OfferedChoice, Own, PartChoice, chosen
from fogspiel.search.parts import Part, part, parts
from fogspiel.search.search import TreeSearch
from fogspiel.search.views import postponed

BUDGET = (
    Whole("simulations", 1000, 1, 10**9, "simulations a move"),
    Number("seconds", 0, 0, 1e6, "seconds a move; 0: count simulations instead"),
    Whole("nodes", 1 << 17, 16, 1 << 28, "most nodes in memory"),
    Whole("threads", 1, 1, 64, "searches side by side, their opinions added up; they share the simulations"),
)
_BELIEF = PartChoice(
    "belief", "usual", ("usual", *BELIEFS), "what states are drawn from: the game's rule resample, replays of the record, tracked beliefs, or inferred ones; usual: resample, or replay where there is none"
)  # fmt: skip
_INFERENCE = (BOOST, NOISE, INJECT, REVEALS)
BELIEF = (_BELIEF, REPLAYS, K, PARTICLES, *_INFERENCE)
PLAYOUT = OfferedChoice(
    "playout", "uniform", ("uniform", "guide"), "how games are played out: at random, or by the game's rule guide"
)
_EVALUATION = OfferedChoice(
    "evaluation", "rule", ("rule",), "what a playout that is cut is worth: the game's rule evaluate"
)
_CUT = Whole(
    "cut",
    -1,
    -1,
    10**6,
    "moves of a playout before an evaluation is taken; -1: play to the end, or 0 with an evaluation that is named",
)
CUTTING = (_CUT, _EVALUATION)
CUT_FROM = Choice(
    "cut_from", "leaf", ("leaf", "root"), "whether the moves before a cut are counted from where the tree is left, or from the root"
)  # fmt: skip
EXPLORATION, _GAMMA, _HORIZON = ucb.PARAMETERS[0], regret_matching.PARAMETERS[0], exp3p.PARAMETERS[:2]
_TRIALS, _SMOOTH = staged.PARAMETERS[-1], smooth.PARAMETERS[-3:]
_BANDITS = {
    "ucb": "ucb", "tuned": "tuned", "exp3": "exp3", "exp3p": "exp3p", "rm": "regret_matching", "ucb+exp3": "staged", "smooth": "smooth", "uniform": "uniform",
}  # fmt: skip
"""Bandits by their short names."""
_BANDIT = PartChoice(
    "bandit", "ucb", tuple(_BANDITS), "how a node chooses: UCB1, UCB1-Tuned, Exp3, Exp3.P, regret matching, UCB1 with Exp3 where several choose at once, UCB1 mixed with its own average, at random"
)  # fmt: skip
_ICARUS = IcarusText(
    "icarus", "baseline", "what is learned beside the tree and where it is used (Whitehouse 2014, ch. 8), as rave, mast, rave>mast+epic"
)  # fmt: skip
_WIDENING = (
    Number("widen_c", 0, 0, 1e9, "a node with v visits has ceil(c v^alpha) moves or outcomes of chance; 0: all"),
    Number("widen_alpha", 0.5, 0, 1, "the alpha of the same"),
)
_PROVEN = Choice(
    "proven", "no", ("no", "yes"), "prove values and search no more what is proven, where everything is seen"
)
_TRANSPOSITIONS = Choice("transpositions", "yes", ("yes", "no"), "whether what was reached in two ways is one node")
_TREES = Choice(
    "trees", "infosets", ("infosets", "players"), "of others: a tree for each information set that they may be in at the root (sec. 7.2), or one for each player (sec. 6.3.1)"
)  # fmt: skip
_CHANCE = Choice(
    "chance", "explicit", ("explicit", "balanced"), "whether outcomes that are equally likely come in turn"
)
_OPEN = Choice(
    "chance", "explicit", ("explicit", "balanced", "open"), "the same; open: outcomes do not tell nodes apart"
)
_MIXES = (
    "none", "control", "common", "antithetic", "control+common", "control+antithetic", "common+antithetic", "control+common+antithetic",
)  # fmt: skip
_VARIATES = (
    Choice(
        "variates", "none", _MIXES, "variance reduction: control variates, common random numbers, antithetic variates"
    ),
    *stream.PARAMETERS,
    *control.PARAMETERS,
    Choice("final", "visits", ("visits", "value"), "take the most visited move, or the one of the highest mean"),
)


def given_parts(p: dict[str, Any]) -> list[Own | Offered]:
    """The parts that an agent's parameters name from files, or that games offer."""
    named = [chosen(kind, p[kind], p)[1] for kind in ("playout", "evaluation") if kind in p]
    if ".py" in p.get("bandit", ""):
        named.append(chosen("bandit", p["bandit"], p)[1])
    return [own for own in named if own is not None]


def played_out_by(p: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """Whether playouts are cut, and the parts of playing out."""
    cut = p.get("cut", -1)
    made: dict[str, Any] = {"playout": chosen("playout", p.get("playout", "uniform"), p)[0]}
    if p.get("evaluation", "rule") != "rule" and cut < 0:
        cut = 0
    if cut < 0:
        return [], made
    enhancement = "cut_from_root" if p.get("cut_from") == "root" else "cut"
    return [enhancement], made | {"evaluation": chosen("evaluation", p["evaluation"], p)[0], "cut": cut}


def _composed(game: Game, p: dict[str, Any], enhancements: Sequence[str] = (), **made_of: Any) -> TreeSearch:
    """A search of these parts, which plays out as its parameters say."""
    cut, played_out = played_out_by(p)
    settings = p | {"cut": played_out.pop("cut", 0)}
    return _make(game, p, parts(enhancements=[*enhancements, *cut], settings=settings, **(played_out | made_of)))


def _bandit(p: dict[str, Any]) -> Part:
    return chosen("bandit", _BANDITS.get(p["bandit"], p["bandit"]), p)[0]


def _icarus(p: dict[str, Any]) -> Icarus:
    """The ICARUS that is asked for, which must not be at odds with other parts."""
    icarus = read_icarus(p["icarus"])
    if icarus.playout and p["playout"] != "uniform":
        raise SpecError(f"icarus={p['icarus']} and playout={p['playout']} both say how games are played out")
    if icarus.tree and p["bandit"] not in ("ucb", "tuned"):
        raise SpecError(f"icarus={p['icarus']} changes the bounds of UCB, and bandit={p['bandit']} has none")
    return icarus


def _enhanced(p: dict[str, Any]) -> tuple[list[str], str]:
    """The enhancements that parameters ask for, and what becomes of chance."""
    enhancements = [] if p.get("variates", "none") == "none" else p["variates"].split("+")
    if p.get("streams") == "each" and not {"common", "antithetic"} & {*enhancements}:
        raise FogspielError("streams=each is about common and antithetic chance: ask for one of them in variates")
    chance = "balanced" if p.get("chance") == "balanced" else "stored" if p.get("proven") == "yes" else "drawn"
    if p.get("proven") == "yes":
        enhancements.append("proofs")
    if p.get("widen_c", 0) > 0:
        if chance == "balanced":
            raise SpecError("chance=balanced is for chance with all its outcomes, and widen_c above 0 leaves some out")
        enhancements.append("widening")
        chance = "widened"
    return enhancements, chance


def _make(game: Game, p: dict[str, Any], made: list[Part]) -> TreeSearch:
    return TreeSearch(_extended(game, p), made, nodes=p["nodes"])


def _extended(game: Game, p: dict[str, Any]) -> Game:
    """The game with the rules that are in files of a person's own, or that it offers itself."""
    for own in given_parts(p):
        game = own.extend(game)
    return game


def _tree(view: str, game: Game, p: dict[str, Any]) -> TreeSearch:
    """MCTS, in which a node is what a view makes of it."""
    if len(asked := [f"{name}={word}" for name, word in OTHER_NODES.items() if p.get(name) == word]) > 1:
        raise SpecError(f"{' and '.join(asked)} each say what a node is: ask for one of them")
    seen = "open_loop" if p.get("chance") == "open" else "trail" if p.get("transpositions") == "no" else view
    if p.get("trees") == "players":
        seen = "observer"
    enhancements, chance = _enhanced(p)
    icarus = _icarus(p)
    policy = {} if icarus.policy is None else {"playout": icarus.policy}
    return _composed(
        game, p, enhancements, view=seen, bandit=_bandit(p), chance=chance, icaruses=icarus.search_parts, **policy
    )


def _is_mcts(game: Game, p: dict[str, Any]) -> TreeSearch:
    bandit = {"uct": "ucb", "ruct": "ucb", "exp3": "exp3", "rm": "regret_matching"}[p["selection"]]
    ties = "first" if p["selection"] == "uct" else "random"
    growth = "created" if p["pending"] == "tree" else "created_alone"
    return _composed(game, p | {"ties": ties}, bandit=bandit, growth=growth)


def _sm_mcts(game: Game, p: dict[str, Any]) -> TreeSearch:
    require(game, "sm-mcts", (OPEN_BUT_PENDING,), instead="is-mcts or mo-ismcts")
    if p["selection"] == "rm":
        require(game, "coupled regret matching", coupled.NEEDS, instead="sm-mcts(selection=drm)")
    bandit = {"duct": "ucb", "exp3": "exp3", "exp3p": "exp3p", "drm": "regret_matching", "rm": "coupled"}[
        p["selection"]
    ]
    if p["selection"] == "duct" and p["near"] > 0:
        bandit = "near_ties"
    enhancements = [name for name, wanted in (("means", p["means"] == "yes"), ("aside", p["aside"] > 0)) if wanted]
    return _composed(game, p, enhancements, bandit=bandit, growth=p["growth"])


def _many_trees(game: Game, p: dict[str, Any]) -> TreeSearch:
    enhancements = {"two-step": ["settled"], "bluffing": ["squares"] if p["bandit"] != "tuned" else []}.get(
        p["determinize"], []
    )
    return _composed(game, p, enhancements, bandit=_bandit(p))


def _determinized(game: Game, p: dict[str, Any]) -> TreeSearch:
    enhancements, chance = _enhanced(p)
    return _composed(game, p, enhancements, view="history", chance=chance)


def _postponed(game: Game, p: dict[str, Any]) -> TreeSearch:
    return _composed(game, p, view="postponed")


def _pomcp(game: Game, p: dict[str, Any]) -> TreeSearch:
    return _composed(game, p, ["particles"], view="pomdp")


def _smooth_uct(game: Game, p: dict[str, Any]) -> TreeSearch:
    return _composed(game, p, bandit="smooth")


def _rollouts(game: Game, p: dict[str, Any]) -> TreeSearch:
    _, played_out = played_out_by(p)
    return _make(game, p | {"nodes": 1024}, parts(bandit="in_turn", growth="root", **played_out))


def _oos(game: Game, p: dict[str, Any]) -> OutcomeSampling:
    if p["progress"] != "target":
        require(game, f"oos(progress={p['progress']})", (OPEN_BUT_PENDING,), instead="progress=target")
    cut, played_out = played_out_by(p)
    made = [played_out["playout"]]
    if cut:
        made += [played_out["evaluation"], part("enhancement", "cut", played_out)]
    return OutcomeSampling(
        _extended(game, p), parts=tuple(made), gamma=p["gamma"], delta=p["delta"], epsilon=p["epsilon"], public=p["target"] == "public",
        baselines=p["baselines"] == "yes", nodes=p["nodes"],
    )  # fmt: skip


def believed(game: Game, p: dict[str, Any]) -> Belief:
    """The belief that parameters ask for."""
    name = usual(game) if p["belief"] == "usual" else p["belief"]
    own = BELIEFS[name].parameters if name in BELIEFS else ()
    return named(name, {q.name: p[q.name] for q in own if q.name in p})


def _at_the_true_state(game: Game, p: dict[str, Any]) -> Belief:
    """Nothing is believed: the state is known."""
    return FromTheStart()


def _from_the_start(game: Game, p: dict[str, Any]) -> Belief:
    return believed(game, {"belief": "usual"}) if p["progress"] != "target" else FromTheStart()


def _agent(make: MakeSearch) -> Callable[[str, dict[str, Any]], SearchAgent]:
    return lambda name, p: SearchAgent(
        name, p, make, believed, most_valued if p.get("final") == "value" else most_visited
    )


def _is_mcts_agent(name: str, p: dict[str, Any]) -> SearchAgent:
    if p["pending"] == "random" and p["belief"] == "tracked":
        raise SpecError(f"{name}: tracked beliefs have a model of pending moves; pending=random needs another belief")
    return (Ignoring if p["ignore"] else SearchAgent)(name, p, _is_mcts, believed, by_visits, reuse=True)


def _sm_mcts_agent(name: str, p: dict[str, Any]) -> SearchAgent:
    decide = (most_visited if p["final"] == "max" else by_visits) if p["selection"] == "duct" else by_strategy
    return SearchAgent(name, p, _sm_mcts, believed, decide, reuse=True)


_FAMILY = (
    *BUDGET,
    *BELIEF,
    EXPLORATION,
    _BANDIT,
    _GAMMA,
    *_HORIZON,
    _TRIALS,
    *_SMOOTH,
    _ICARUS,
    PLAYOUT,
    *CUTTING,
    *_WIDENING,
)
_WORLDS = (
    *BUDGET, Whole("determinizations", 20, 1, 10**6, "states searched; each gets all the simulations"), EXPLORATION, PLAYOUT, *CUTTING, _PROVEN,
    Choice("combine", "vote", ("vote", "visits", "values"), "each state's best move has a vote, or visits or values are added up"),
)  # fmt: skip

KINDS: dict[str, Kind] = {
    "mcts": Kind("UCT, for any number of players (max^n); a node is what the player to move knows", (*_FAMILY, _OPEN, _TRANSPOSITIONS, _PROVEN, *_VARIATES), _agent(partial(_tree, "infoset")), by_infoset=True),
    "so-ismcts": Kind(
        "single-observer information set MCTS (Whitehouse 2014, sec. 5.2.3)",
        (*_FAMILY, _OPEN), _agent(partial(_tree, "history")),
    ),
    "so-ismcts-pom": Kind("the same with partially observable moves (Whitehouse 2014, sec. 6.3)", (*_FAMILY, _CHANCE), _agent(partial(_tree, "searcher"))),
    "mo-ismcts": Kind("multiple-observer information set MCTS, one node an information set or one tree a player (Whitehouse 2014, sec. 6.3, 7.2)", (*_FAMILY, _CHANCE, _TRANSPOSITIONS, _TREES), _agent(partial(_tree, "infoset")), by_infoset=True),
    "bluffing-ismcts": Kind(
        "information set MCTS that infers, and takes its secret for hidden: self-determinization and bluffing (Whitehouse 2014, sec. 7.4)",
        (*BUDGET, DETERMINIZE, SELVES, FINAL, replace(_BELIEF, default="inferred"), REPLAYS, K, PARTICLES, *_INFERENCE, replace(_BANDIT, default="tuned"),
         EXPLORATION, _GAMMA, *_HORIZON, _TRIALS, *_SMOOTH, PLAYOUT, *CUTTING),
        lambda name, p: SelfDeterminizing(name, p, _many_trees, believed), by_infoset=True,
    ),
    "is-mcts": Kind(
        "information set MCTS of Lisý 2014, sec. 3.2.3; moves drawn by use",
        (*BUDGET, replace(_BELIEF, default="tracked"), REPLAYS, K, PARTICLES, *_INFERENCE, CONSECUTIVE, PENDING, IGNORE,
         Choice("selection", "ruct", ("uct", "ruct", "exp3", "rm"), "UCB with ties to the first or at random, Exp3, regret matching"),
         Number("exploration", 1, 0, 1e6, EXPLORATION.about), _GAMMA, PLAYOUT, *CUTTING, CUT_FROM), _is_mcts_agent, by_infoset=True,
    ),
    "sm-mcts": Kind(
        "MCTS for simultaneous moves (Lisý et al. 2013; Lisý 2014, sec. 3.1.1)",
        (*BUDGET, *BELIEF, Choice("selection", "rm", ("duct", "exp3", "exp3p", "drm", "rm"), "decoupled UCT, Exp3, Exp3.P, decoupled or coupled regret matching"),
         Number("exploration", 1, 0, 1e6, EXPLORATION.about), Number("near", 0, 0, 1, f"DUCT: {near_ties.PARAMETERS[1].about}"), _GAMMA, *_HORIZON,
         *coupled.PARAMETERS[2:], Choice("means", "no", ("no", "yes"), "pass on means (SM-MCTS-A)"),
         Choice("growth", "stage", ("stage", "joint"), "a simulation adds one stage; or all joint moves of a stage are tried first (Lisý et al. 2013)"),
         Choice("pure", "yes", ("yes", "no"), "leave exploration out of the mean strategy"),
         Number("aside", 0, 0, 1, "exploration that teaches nothing (A*)"),
         Choice("final", "mix", ("mix", "max"), "DUCT: draw the move by visits, or take the most visited"), PLAYOUT, *CUTTING), _sm_mcts_agent, by_infoset=True,
    ),
    "pimc": Kind("perfect-information Monte Carlo: determinized UCT (Whitehouse 2014, sec. 5.1)", (*_WORLDS, *BELIEF),
        lambda name, p: PerfectInformationMonteCarlo(name, p, _determinized, believed)),
    "gib": Kind("perfect-information Monte Carlo as in GIB: moves are scored in deals by minimax with all cards open (Ginsberg 2001)", (*GIB, *BELIEF),
        lambda name, p: Gib(name, p, believed)),
    "epimc": Kind(
        "perfect-information Monte Carlo with postponed reasoning: all is taken to be seen after some moves only (Arjonilla et al. 2024)",
        (*BUDGET, Whole("determinizations", 20, 1, 10**6, "states that the simulations start from"), *postponed.PARAMETERS, *BELIEF, EXPLORATION, PLAYOUT, *CUTTING),
        lambda name, p: Epimc(name, p, _postponed, believed),
    ),
    "cheating-uct": Kind("UCT on the true state; marked in all results", _WORLDS,
        lambda name, p: PerfectInformationMonteCarlo(name, p, _determinized, _at_the_true_state, cheats=True)),
    "pomcp": Kind(
        "POMCP: one's own tree, from particles of the search, with others as part of the environment (Silver and Veness 2010)",
        (*BUDGET, *POMCP, replace(_BELIEF, choices=("usual", "resample", "replay")), REPLAYS, EXPLORATION, PLAYOUT, *CUTTING),
        lambda name, p: Pomcp(name, p, _pomcp, believed, most_valued, reuse=True),
    ),
    "smooth-uct": Kind(
        "Smooth UCT: self-play of the whole game that mixes in its own average, which approaches an equilibrium (Heinrich and Silver 2015); moves drawn by use",
        (*BUDGET, *BELIEF, EXPLORATION, *_SMOOTH, PLAYOUT, *CUTTING), lambda name, p: SmoothUct(name, p, _smooth_uct, believed, by_visits, reuse=True), by_infoset=True,
    ),
    "oos": Kind(
        "online outcome sampling (Lisý 2014, sec. 3.2.4)",
        (*BUDGET, Number("gamma", 0.4, 0, 1, "exploration"), Number("delta", 0.9, 0, 1, "how often iterations are targeted"),
         Number("epsilon", 0.01, 0, 1, "least share of uniform play in the strategy"),
         Choice("target", "infoset", ("infoset", "public"), "what targeted iterations keep to: the player's record, or the public one"),
         Choice("progress", "target", ("target", "root", "reach"), "from the start, targeted; or from the state at hand, as new or with its reach (SM-OOS)"),
         Choice("baselines", "no", ("no", "yes"), "guesses stand in for moves not sampled (Schmid et al. 2019)"), PLAYOUT, *CUTTING),
        lambda name, p: OutcomeSamplingAgent(name, p, _oos, _from_the_start, by_strategy, reuse=True),
    ),
    "rollouts": Kind(
        "one-ply rollout planning: the move after which a default policy fares best (Lanctot 2013, sec. 2.3.2)",
        (Whole("simulations", 1000, 1, 10**9, "rollouts a move"),
         Number("seconds", 0, 0, 1e6, "seconds a move; 0: count rollouts instead"),
         Whole("threads", 1, 1, 64, "searches side by side, their opinions added up; they share the rollouts"), *BELIEF, PLAYOUT),
        lambda name, p: SearchAgent(name, p, _rollouts, believed, most_valued),
    ),
}  # fmt: skip
