"""Common random numbers (Lanctot 2013, sec. 7.2): the n-th simulation of every move has the same stream of chance, so
that moves are compared under the same chance."""

WITH = ("stream",)


def streamed(seed, move):
    return seed
