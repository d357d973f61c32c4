"""As `created`, and the rest of a stage's moves is made by the playout: the printed reading of IS-MCTS (Lisý 2014, sec.
4.4)."""

from fogspiel.search.growths.created import adds, leaves_after

__all__ = ["adds", "finishes_stage", "leaves_after"]


def finishes_stage(search):
    return False
