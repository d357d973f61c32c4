"""The searching agents: each is a row in the table below, a loop with parts, a belief, and how the move is taken from
what it found."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from fogspiel.agents.bandits import IS_MCTS, SM_MCTS, Bandit, bandits, chosen_bandit
from fogspiel.agents.beliefs import beliefs, believed, one_each, usually
from fogspiel.agents.bluffing import DETERMINIZE, FINAL, SELVES, SelfDeterminizing
from fogspiel.agents.decisions import by_strategy, by_visits, most_valued, most_visited
from fogspiel.agents.epimc import Epimc
from fogspiel.agents.gib import NEEDS as GIB_NEEDS
from fogspiel.agents.gib import PARAMETERS as GIB
from fogspiel.agents.gib import Gib
from fogspiel.agents.ignoring import IGNORE, Ignoring
from fogspiel.agents.kind import Kind
from fogspiel.agents.outcome_sampling import KeptReach, NewRoots, OutcomeSamplingAgent
from fogspiel.agents.pomcp import PARAMETERS as POMCP
from fogspiel.agents.pomcp import Pomcp
from fogspiel.agents.searching import MakeSearch, PerfectInformationMonteCarlo, SearchAgent
from fogspiel.agents.smooth_uct import SmoothUct
from fogspiel.agents.use import OTHER_NODES
from fogspiel.belief.resampling import PENDING
from fogspiel.belief.tracked import CONSECUTIVE
from fogspiel.errors import SpecError
from fogspiel.game.game import Game
from fogspiel.game.menu import Menu, Word
from fogspiel.game.needs import OPEN_BUT_PENDING
from fogspiel.game.spec import Choice, Number, Parameter, Whole
from fogspiel.search import outcome_sampling
from fogspiel.search.bandits import ucb
from fogspiel.search.bandits.mixed import PURE
from fogspiel.search.enhancements import aside, baselines, control, means, near_ties, proofs, stream
from fogspiel.search.growths import joint
from fogspiel.search.icarus import Icarus, IcarusText, read_icarus
from fogspiel.search.nodes import STAGES
from fogspiel.search.outcome_sampling import OutcomeSampling
from fogspiel.search.own import Offered, OfferedChoice, Own, chosen
from fogspiel.search.parts import Part, part, parts
from fogspiel.search.search import TreeSearch
from fogspiel.search.views import postponed

BUDGET = (
    Whole("simulations", 1000, 1, 10**9, "simulations a move"),
    Number("seconds", 0, 0, 1e6, "seconds a move; 0: count simulations instead"),
    Whole("nodes", 1 << 17, 16, 1 << 28, "most nodes in memory"),
    Whole("threads", 1, 1, 64, "searches side by side, their opinions added up; they share the simulations"),
)
BELIEF = beliefs()
_BELIEF_OF_EACH = beliefs(counted=False)
"""Of agents with determinizations, for each of which a state is drawn."""
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
    "cut_from",
    "leaf",
    ("leaf", "root"),
    "whether the moves before a cut are counted from where the tree is left, or from the root",
)
EXPLORATION = ucb.PARAMETERS[0]
BANDIT = bandits()
_ICARUS = IcarusText(
    "icarus",
    "baseline",
    "what is learned beside the tree and where it is used (Whitehouse 2014, ch. 8), as rave, mast, rave>mast+epic",
)
_WIDENING = (
    Number("widen_c", 0, 0, 1e9, "a node with v visits has ceil(c v^alpha) moves or outcomes of chance; 0: all"),
    Number("widen_alpha", 0.5, 0, 1, "the alpha of the same"),
)
_PROVEN = Choice(
    "proven", "no", ("no", "yes"), "prove values and search no more what is proven, where everything is seen"
)
_TRANSPOSITIONS = Choice("transpositions", "yes", ("yes", "no"), "whether what was reached in two ways is one node")
_TREES = Choice(
    "trees",
    "infosets",
    ("infosets", "players"),
    (
        "of others: a tree for each information set that they may be in at the root (sec. 7.2), or one for each player "
        "(sec. 6.3.1)"
    ),
)
_CHANCE = Choice(
    "chance", "explicit", ("explicit", "balanced"), "whether outcomes that are equally likely come in turn"
)
_OPEN = Choice(
    "chance", "explicit", ("explicit", "balanced", "open"), "the same; open: outcomes do not tell nodes apart"
)
_MIXES = (
    "none",
    "control",
    "common",
    "antithetic",
    "control+common",
    "control+antithetic",
    "common+antithetic",
    "control+common+antithetic",
)
_REDUCES = {"control": control.PARAMETERS, "common": stream.PARAMETERS, "antithetic": stream.PARAMETERS}
_VARIATES = (
    Menu(
        Choice(
            "variates",
            "none",
            _MIXES,
            "variance reduction: control variates, common random numbers, antithetic variates",
        ),
        {mix: Word(tuple(p for one in mix.split("+") for p in _REDUCES.get(one, ()))) for mix in _MIXES},
    ),
    *stream.PARAMETERS,
    *control.PARAMETERS,
    Choice("final", "visits", ("visits", "value"), "take the most visited move, or the one of the highest mean"),
)


def given_parts(p: dict[str, Any]) -> list[Own | Offered]:
    """The playouts and evaluations that an agent's parameters name from files, or that games offer."""
    named = [chosen(kind, p[kind], p)[1] for kind in ("playout", "evaluation") if kind in p]
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


def _composed(
    game: Game, p: dict[str, Any], enhancements: Sequence[str] = (), *, bandit: Bandit | None = None, **made_of: Any
) -> TreeSearch:
    """A search of these parts, which chooses and plays out as its parameters say."""
    cut, played_out = played_out_by(p)
    bandit = bandit or chosen_bandit(p)
    settings = p | {"cut": played_out.pop("cut", 0)}
    wanted = [*enhancements, *bandit.enhancements, *cut]
    made = parts(
        enhancements=wanted, settings=settings, **(played_out | {"bandit": bandit.with_values(settings)} | made_of)
    )
    return _make(game, p, made)


def _icarus(p: dict[str, Any]) -> Icarus:
    """The ICARUS that is asked for, which must not be at odds with other parts."""
    icarus = read_icarus(p["icarus"])
    if icarus.playout and p["playout"] != "uniform":
        raise SpecError(f"icarus={p['icarus']} and playout={p['playout']} both say how games are played out")
    if icarus.tree and not chosen_bandit(p).bounds:
        raise SpecError(f"icarus={p['icarus']} changes the bounds of UCB, and bandit={p['bandit']} has none")
    return icarus


def _enhanced(p: dict[str, Any]) -> tuple[list[str], str]:
    """The enhancements that parameters ask for, and what becomes of chance."""
    enhancements = [] if p.get("variates", "none") == "none" else p["variates"].split("+")
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
    return TreeSearch(_extended(game, p), made, nodes=max(p["nodes"], STAGES * game.players))


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
    policy: dict[str, Any] = {} if icarus.policy is None else {"playout": icarus.policy}
    return _composed(game, p, enhancements, view=seen, chance=chance, icaruses=icarus.search_parts, **policy)


def _is_mcts(game: Game, p: dict[str, Any]) -> TreeSearch:
    growth = "created" if p["pending"] == "tree" else "created_alone"
    return _composed(game, p, bandit=chosen_bandit(p, IS_MCTS), growth=growth)


def _sm_mcts(game: Game, p: dict[str, Any]) -> TreeSearch:
    wanted = {
        "means": p["means"] == "yes",
        "aside": p["aside"] > 0,
        "near_ties": p["near"] > 0,
        "unplayed_zero": p["unplayed"] == "zero",
    }
    enhancements = [name for name, is_wanted in wanted.items() if is_wanted]
    return _composed(game, p, enhancements, bandit=chosen_bandit(p, SM_MCTS), growth=p["growth"])


def _many_trees(game: Game, p: dict[str, Any]) -> TreeSearch:
    wanted = {"two-step": ["settled"], "bluffing": ["squares"]}.get(p["determinize"], [])
    # a bandit may keep squares itself
    return _composed(game, p, [name for name in wanted if name not in chosen_bandit(p).columns])


def _determinized(game: Game, p: dict[str, Any]) -> TreeSearch:
    enhancements, chance = _enhanced(p)
    return _composed(game, p, enhancements, view="history", chance=chance)


def _postponed(game: Game, p: dict[str, Any]) -> TreeSearch:
    return _composed(game, p, view="postponed")


def _pomcp(game: Game, p: dict[str, Any]) -> TreeSearch:
    return _composed(game, p, ["particles"], view="pomdp")


def _smooth_uct(game: Game, p: dict[str, Any]) -> TreeSearch:
    return _composed(game, p)


def _rollouts(game: Game, p: dict[str, Any]) -> TreeSearch:
    _, played_out = played_out_by(p)
    return _make(game, p | {"nodes": 1024}, parts(bandit="in_turn", growth="root", **played_out))


def _oos(game: Game, p: dict[str, Any]) -> OutcomeSampling:
    cut, played_out = played_out_by(p)
    made = [played_out["playout"]]
    if cut:
        made += [played_out["evaluation"], part("enhancement", "cut", played_out)]
    if p["baselines"] == "yes":
        made.append(part("enhancement", "baselines"))
    return OutcomeSampling(
        _extended(game, p),
        parts=tuple(made),
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
    decide = by_strategy if chosen_bandit(p, SM_MCTS).averages else most_visited if p["final"] == "max" else by_visits
    return SearchAgent(name, p, _sm_mcts, believed, decide, reuse=True)


_EXPLORATION_1 = replace(EXPLORATION, default=1)
_NEAR = Number("near", 0, 0, 1, f"UCB: {near_ties.PARAMETERS[0].about}")
_FINAL = Choice(
    "final", "mix", ("mix", "max"), "without a mean strategy: draw the move by visits, or take the most visited"
)
_UNPLAYED = Choice(
    "unplayed", "happened", ("happened", "zero"), "coupled regret matching: what a pair of moves never played counts as"
)


def _at_once(one: Bandit) -> tuple[Parameter, ...]:
    """What is asked of sm-mcts with a bandit alone."""
    wanted: dict[Parameter, bool] = {
        _NEAR: one.bounds,
        _FINAL: not one.averages,
        _UNPLAYED: "worth_unplayed" in vars(one.made.module),
    }
    return tuple(parameter for parameter, is_wanted in wanted.items() if is_wanted)


_SELECTION = bandits(IS_MCTS, "ruct", "selection")
_SELECTION_AT_ONCE = bandits(SM_MCTS, "rm", "selection", also=_at_once)
_FAMILY = (*BUDGET, BELIEF, EXPLORATION, BANDIT, _ICARUS, PLAYOUT, *CUTTING, *_WIDENING)
_WORLDS = (
    *BUDGET,
    Whole("determinizations", 20, 1, 10**6, "states searched; each gets all the simulations"),
    EXPLORATION,
    BANDIT,
    PLAYOUT,
    *CUTTING,
    _PROVEN,
    Choice(
        "combine",
        "vote",
        ("vote", "visits", "values"),
        "each state's best move has a vote, or visits or values are added up",
    ),
)

_PROGRESSING: dict[str, type[SearchAgent]] = {"target": OutcomeSamplingAgent, "root": NewRoots, "reach": KeptReach}
_AT_HAND = Word(needs=(OPEN_BUT_PENDING,))
"""Where the state at hand is known, nothing is believed."""
_PROGRESS = Menu(
    Choice(
        "progress",
        "target",
        tuple(_PROGRESSING),
        "from the start, targeted; or from the state at hand, as new or with its reach (SM-OOS)",
    ),
    {"target": Word((BELIEF.choice,)), "root": _AT_HAND, "reach": _AT_HAND},
)

KINDS: dict[str, Kind] = {
    "mcts": Kind(
        "UCT, for any number of players (max^n); a node is what the player to move knows",
        (*_FAMILY, _OPEN, _TRANSPOSITIONS, _PROVEN, *_VARIATES),
        _agent(partial(_tree, "infoset")),
        by_infoset=True,
        settings_need={"proven": {"yes": proofs.SEEN}},
    ),
    "so-ismcts": Kind(
        "single-observer information set MCTS (Whitehouse 2014, sec. 5.2.3)",
        (*_FAMILY, _OPEN),
        _agent(partial(_tree, "history")),
    ),
    "so-ismcts-pom": Kind(
        "the same with partially observable moves (Whitehouse 2014, sec. 6.3)",
        (*_FAMILY, _CHANCE),
        _agent(partial(_tree, "searcher")),
    ),
    "mo-ismcts": Kind(
        (
            "multiple-observer information set MCTS, one node an information set or one tree a player (Whitehouse "
            "2014, sec. 6.3, 7.2)"
        ),
        (*_FAMILY, _CHANCE, _TRANSPOSITIONS, _TREES),
        _agent(partial(_tree, "infoset")),
        by_infoset=True,
    ),
    "bluffing-ismcts": Kind(
        (
            "information set MCTS that infers, and takes its secret for hidden: self-determinization and bluffing "
            "(Whitehouse 2014, sec. 7.4)"
        ),
        (
            *BUDGET,
            DETERMINIZE.choice,
            SELVES,
            FINAL,
            beliefs("inferred"),
            bandits(default="tuned"),
            PLAYOUT,
            *CUTTING,
            DETERMINIZE,
        ),
        lambda name, p: SelfDeterminizing(name, p, _many_trees, believed),
        by_infoset=True,
    ),
    "is-mcts": Kind(
        "information set MCTS of Lisý 2014, sec. 3.2.3; moves drawn by use",
        (
            *BUDGET,
            beliefs("tracked", pending=True),
            CONSECUTIVE,
            PENDING,
            IGNORE,
            _SELECTION.choice,
            _EXPLORATION_1,
            _SELECTION,
            PLAYOUT,
            *CUTTING,
            CUT_FROM,
        ),
        _is_mcts_agent,
        by_infoset=True,
    ),
    "sm-mcts": Kind(
        "MCTS for simultaneous moves (Lisý et al. 2013; Lisý 2014, sec. 3.1.1)",
        (
            *BUDGET,
            BELIEF,
            _SELECTION_AT_ONCE.choice,
            _EXPLORATION_1,
            _NEAR,
            _SELECTION_AT_ONCE,
            _UNPLAYED,
            Choice("means", "no", ("no", "yes"), "pass on means (SM-MCTS-A)"),
            Choice(
                "growth",
                "stage",
                ("stage", "joint"),
                "a simulation adds one stage; or all joint moves of a stage are tried first (Lisý et al. 2013)",
            ),
            replace(PURE, default="yes"),
            *aside.PARAMETERS,
            _FINAL,
            PLAYOUT,
            *CUTTING,
        ),
        _sm_mcts_agent,
        by_infoset=True,
        needs=(OPEN_BUT_PENDING,),
        settings_need={"means": {"yes": means.NEEDS}, "growth": {"joint": joint.NEEDS}},
    ),
    "pimc": Kind(
        "perfect-information Monte Carlo: determinized UCT (Whitehouse 2014, sec. 5.1)",
        (*_WORLDS, _BELIEF_OF_EACH),
        lambda name, p: PerfectInformationMonteCarlo(name, p, _determinized, one_each),
    ),
    "gib": Kind(
        (
            "perfect-information Monte Carlo as in GIB: moves are scored in deals by minimax with all cards open "
            "(Ginsberg 2001)"
        ),
        (*GIB, _BELIEF_OF_EACH),
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
            *postponed.PARAMETERS,
            _BELIEF_OF_EACH,
            EXPLORATION,
            BANDIT,
            PLAYOUT,
            *CUTTING,
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
        (*BUDGET, *POMCP, BELIEF, EXPLORATION, BANDIT, PLAYOUT, *CUTTING),
        lambda name, p: Pomcp(name, p, _pomcp, believed, most_valued, reuse=True),
    ),
    "smooth-uct": Kind(
        (
            "Smooth UCT: self-play of the whole game that mixes in its own average, which approaches an equilibrium "
            "(Heinrich and Silver 2015); moves drawn by use"
        ),
        (*BUDGET, BELIEF, EXPLORATION, bandits(default="smooth"), PLAYOUT, *CUTTING),
        lambda name, p: SmoothUct(name, p, _smooth_uct, believed, by_visits, reuse=True),
        by_infoset=True,
    ),
    "oos": Kind(
        "online outcome sampling (Lisý 2014, sec. 3.2.4)",
        (
            *BUDGET,
            BELIEF,
            Number("gamma", 0.4, 0, 1, "exploration"),
            Number("delta", 0.9, 0, 1, "how often iterations are targeted"),
            Number("epsilon", 0.01, 0, 1, "least share of uniform play in the strategy"),
            Choice(
                "target",
                "infoset",
                ("infoset", "public"),
                "what targeted iterations keep to: the player's record, or the public one",
            ),
            _PROGRESS,
            Choice("baselines", "no", ("no", "yes"), "guesses stand in for moves not sampled (Schmid et al. 2019)"),
            PLAYOUT,
            *CUTTING,
        ),
        lambda name, p: _PROGRESSING[p["progress"]](name, p, _oos, believed, by_strategy, reuse=True),
        by_infoset=True,
        needs=outcome_sampling.NEEDS,
        settings_need={"baselines": {"yes": baselines.NEEDS}},
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
