"""Lists of moves that are sets of bits, for rules."""

from fogspiel.engine.primitives import count_bits, fitting, lowest_bit


def list_from(first, places, out):
    """Write `first` plus the position of each bit of a word into `out`, from the lowest; returns how many. `out` needs
    room for a multiple of four.

    Four at a time: a processor cannot foretell how long a loop over few members will go on, and loses twenty steps when
    it ends.
    """
    n = count_bits(places)
    out = fitting(out, (n + 3) & ~3)
    i = 0
    for _ in range((n + 3) >> 2):
        second = places & (places - 1)
        third = second & (second - 1)
        fourth = third & (third - 1)
        out[i] = first + lowest_bit(places)
        out[i + 1] = first + lowest_bit(second)
        out[i + 2] = first + lowest_bit(third)
        out[i + 3] = first + lowest_bit(fourth)
        places = fourth & (fourth - 1)
        i += 4
    return n
