"""Searches with an ICARUS, compiled or not, for tests that look into them."""

from pathlib import Path

import fogspiel as fs
from fogspiel.search.icarus import read_icarus
from fogspiel.search.parts import parts
from fogspiel.search.plain import PlainSearch
from fogspiel.search.records import found
from fogspiel.search.search import TreeSearch

TREE = Path(__file__).parent / "any_tree.py"


def search_for(game, expression, seed=1, **how):
    icarus = read_icarus(expression)
    chosen = parts(playout=icarus.policy or "uniform", icaruses=icarus.search_parts, **how)
    return TreeSearch(fs.load(game), chosen, seed=seed, nodes=5000)


def uncompiled(search):
    """The search, un-compiled from now on."""
    made = search.composition.kernel.plain
    search._simulate = lambda: made(search.game.table.tolist(), PlainSearch(search.search))
    return search


def averages(search, name, contexts):
    """Total and tries of records, by what they are about."""
    own, index, records = (getattr(search, name + end) for end in ("", "_index", "_records"))
    out = {}
    for what, key in contexts.items():
        record = found(own, index, records, key)
        theta = records[max(record, 0)]
        out[what] = (round(theta.mean * theta.tries, 9), theta.tries) if record >= 0 else None
    return out
