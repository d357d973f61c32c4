"""Joint moves: the moves of several pieces as the digits of one number, the first piece's first."""


def move_of(joint, choices, pieces, piece):
    """The move of one piece, where each of them has so many choices."""
    for _ in range(pieces - 1 - piece):
        joint //= choices
    return joint % choices


def joint_name(joint, choices, pieces, names):
    return " ".join(names[move_of(joint, choices, pieces, piece)] for piece in range(pieces))
