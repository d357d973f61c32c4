"""Figures of ch. 2 to 4, 7 and app. B that state facts: matrix games, alpha-beta, graphs, the shape of trees."""

from collections import Counter
from math import sqrt
from pathlib import Path

from fogspiel.game.load import load
from fogspiel.game.rules import CHANCE
from fogspiel.games.toolkit.graphs import circle, distances, grid
from fogspiel.reproduce.item import Missing
from fogspiel.reproduce.lanctot_2013.facts import child, every_history, facts, item
from fogspiel.search.lookahead import Minimax
from fogspiel.solvers.exact.dominance import dominance, pure_equilibria
from fogspiel.solvers.run import solve
from fogspiel.tree.tree import Tree, unroll

SHOWN = "it shows what something looks like, and states nothing that could be measured"


def pure(seed: int, game: str, fact: str) -> dict[str, float]:
    spec = f"matrix(game={game})"
    return {"value": len(pure_equilibria(spec) if fact == "pure equilibria" else dominance(spec).left[0])}


FIG_2_1 = item(
    "fig. 2.1",
    "rock, paper, scissors and the prisoner's dilemma",
    facts(
        pure,
        "pure equilibria, and the rows that are left when dominated moves are eliminated",
        {
            ("rps", "pure equilibria"): 0,
            ("rps", "rows left"): 3,
            ("prisoners_dilemma", "pure equilibria"): 1,
            ("prisoners_dilemma", "rows left"): 1,
        },
        game=["rps", "prisoners_dilemma"],
        fact=["pure equilibria", "rows left"],
    ),
)


def program(seed: int, payoffs: str, fact: str) -> dict[str, float]:
    solution = solve(f"matrix(payoffs={payoffs})", "lp")
    return {"value": solution.value[0] if fact == "z" else float(max(solution.strategy.prob))}


ROCK_PAPER_SCISSORS = "[[0,-1,1],[1,0,-1],[-1,1,0]]"

FIG_2_2 = item(
    "fig. 2.2",
    "the linear program of a matrix game",
    facts(
        program,
        "the program's z, and the largest probability in its solutions",
        {"z": 0, "largest": 1 / 3},
        payoffs=[ROCK_PAPER_SCISSORS],
        fact=["z", "largest"],
    ),
    "The figure has the program and no numbers; those beside ours are of rock, paper, scissors, in fig. 2.1.",
)


def size(seed: int, of: str) -> dict[str, float]:
    tree = unroll("matrix(game=rps)")
    return {"value": {"information sets": tree.infosets, "actions": tree.pairs, "ends": tree.terminals}[of]}


FIG_2_3 = item(
    "fig. 2.3",
    "rock, paper, scissors in extensive form",
    facts(
        size,
        "sizes of the tree, of both players together",
        {"information sets": 2, "actions": 6, "ends": 9},
        of=["information sets", "actions", "ends"],
    ),
    "The second tree of the figure is an example without names or numbers.",
)


def searched(seed: int, search: str, fact: str) -> dict[str, float]:
    """The tree of fig. 2.4, from the root."""
    game = load(str(Path(__file__).parent / "minimax_tree.py"))
    pruning = {"minimax": "nothing", "alpha-beta": "alpha-beta"}[search]
    found = Minimax(game, pruning, table=0).look(game.start(), depth=9)
    return {"value": found.value if fact == "value" else found.nodes}


FIG_2_4 = item(
    "fig. 2.4",
    "what alpha-beta cuts off",
    facts(
        searched,
        "minimax with and without cuts",
        {("minimax", "value"): 5, ("alpha-beta", "value"): 5, ("alpha-beta", "nodes"): 7},
        search=["minimax", "alpha-beta"],
        fact=["value", "nodes"],
    ),
    "Of the drawing only what the text tells is left: a move worth 5, the 8 that cuts node (a), the 4 that cuts node "
    "(b). So alpha-beta looks at 7 nodes. The leaves that are cut off are ours, and with them how many minimax looks "
    "at.",
)

FIG_2_5 = Missing(where="fig. 2.5", about="the four phases of Monte Carlo tree search", reason=SHOWN)
FIG_3_1 = Missing(where="fig. 3.1", about="a game of Bluff", reason=SHOWN)


def graph(seed: int, name: str, fact: str) -> dict[str, float]:
    edges = circle(8) if name == "circle" else grid(3, 3)
    found = {"nodes": len(edges), "edges": sum(map(len, edges)) / 2, "farthest": distances(edges).max()}
    return {"value": float(found[fact])}


FIG_3_2 = item(
    "fig. 3.2",
    "the graphs of princess and monster",
    facts(
        graph,
        "nodes, edges, and how far apart nodes can be",
        {
            ("circle", "nodes"): 8,
            ("circle", "edges"): 8,
            ("circle", "farthest"): 4,
            ("grid", "nodes"): 9,
            ("grid", "edges"): 12,
            ("grid", "farthest"): 4,
        },
        name=["circle", "grid"],
        fact=["nodes", "edges", "farthest"],
    ),
)

FIG_3_3 = Missing(where="fig. 3.3", about="a board of EinStein würfelt nicht!", reason=SHOWN)
FIG_3_4 = Missing(where="fig. 3.4", about="a board of Can't Stop", reason=SHOWN)
FIG_3_5 = Missing(where="fig. 3.5", about="cards of Dominion", reason=SHOWN)


def own_actions(tree: Tree, infoset: int) -> tuple[int, ...]:
    """The actions of the player before an information set, the last first."""
    found, action = [], tree.parent[infoset]
    while action >= 0:
        at = int((tree.first <= action).nonzero()[0][-1])
        found.append(int(tree.move[action]))
        action = tree.parent[at]
    return tuple(found)


def structure(seed: int, game: str, fact: str) -> dict[str, float]:
    """M_2, the sum of the roots of how many information sets follow the same own actions (sec. 4.2)."""
    tree = unroll(game)
    sets = [i for i in range(tree.infosets) if tree.player[i] == 1]
    groups = Counter(own_actions(tree, i) for i in sets)
    return {"value": len(sets) if fact == "information sets" else sum(sqrt(n) for n in groups.values())}


FIG_4_1 = item(
    "fig. 4.1",
    "a game in which the bound of MCCFR is as good as it can be",
    facts(
        structure,
        "information sets and M of the second player",
        {"information sets": 4, "M": 2},
        game=["one_card_poker(cards=2)"],
        fact=["information sets", "M"],
    ),
    "The drawing is lost; one-card poker with two cards has the stated property, four information sets before which "
    "the second player has done nothing.",
)


def chance_nodes(seed: int, fact: str) -> dict[str, float]:
    nodes = [load("bluff").start()]
    for state in nodes:
        nodes += [after for move, _ in state.chance() if (after := child(state, move)).actor == CHANCE]
    outcomes = [len(state.chance()) for state in nodes]
    deals = sum(outcomes) - len(nodes) + 1
    return {"value": {"chance nodes": len(nodes), "outcomes of each": max(outcomes), "deals": deals}[fact]}


FIG_7_4 = item(
    "fig. 7.4",
    "two models of chance in Bluff(1,1)",
    facts(
        chance_nodes,
        "the model of 7 nodes, and the outcomes of the model of one",
        {"chance nodes": 7, "outcomes of each": 6, "deals": 36},
        fact=["chance nodes", "outcomes of each", "deals"],
    ),
)


def outcomes_of_an_action(seed: int, game: str) -> dict[str, float]:
    """The most situations to which one action at one information set leads the player who takes it."""
    seen: dict[tuple[int, int, int], set[int]] = {}
    for state in every_history(game):
        who = state.actor
        for move in state.moves() if who >= 0 else ():
            after = child(state, move)
            if not after.over:
                seen.setdefault((who, state.key(who), move), set()).add(after.key(who))
    return {"value": max(map(len, seen.values()))}


FIG_B_1 = item(
    "fig. B.1",
    "what follows an action where all see it, and where not",
    facts(
        outcomes_of_an_action,
        "situations of its player right after an action, at most",
        {"bluff(faces=2)": 1, "kuhn": 1, "goofspiel(cards=3)": 3},
        game=["bluff(faces=2)", "kuhn", "goofspiel(cards=3)"],
    ),
    "In goofspiel the player of the second card then knows whether it has won, lost or tied: two situations in the "
    "printed example, which leaves the tie out.",
)
