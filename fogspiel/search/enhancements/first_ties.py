"""Of equal bounds the first is taken: UCT of Lisý 2014, sec. 3.1.1, where random ties are RUCT."""


def highest_bound(search, n):
    best = 0
    for i in range(1, n):
        best = i if search.prob[i] > search.prob[best] else best
    return best
