"""Out of the tree after the first move of a new node, which learns from it (IS-MCTS, Lisý 2014, sec. 3.2.3)."""


def leaves_after(search, created, untried):
    return created


def adds(search, created):
    return created
