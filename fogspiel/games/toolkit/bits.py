"""Sets of small whole numbers, 0 to 63, as the bits of one word."""

from fogspiel.game import bit, count_bits, lowest_bit, nth_bit, pick

__all__ = ["bit", "count_bits", "has", "lowest_bit", "nth_bit", "pick_bit"]


def has(word, i):
    """Whether a set holds i."""
    return (word >> int(i)) & 1 != 0


def pick_bit(word, rng):
    """A member of a set that is not empty, each as likely."""
    return nth_bit(word, pick(rng, count_bits(word)))
