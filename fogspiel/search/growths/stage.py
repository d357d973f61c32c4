"""Out of the tree at a new stage, which does not learn from this simulation (SM-MCTS, Lisý 2014, sec. 3.1.1). The rest
of a stage belongs to the node that its first player made."""


def leaves_at(search, created, pending):
    return created and not pending


def leaves_after(search, created, untried):
    return False
