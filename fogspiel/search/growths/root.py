"""Out of the tree after the root: there is no other node."""

GROWS = False


def leaves_after(search, created, untried):
    return True
