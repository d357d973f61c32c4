"""Out of the tree after the first move that was never tried (Whitehouse 2014, sec. 3.2, Algorithm 1)."""


def leaves_after(search, created, untried):
    return untried
