"""The minimax family: depth-limited search of games in which nothing is hidden (Lanctot 2013, sec. 2.3.2 and ch. 6).

One recursion (`recursion.py`), made of parts (`parts.py`). What is cut: nothing (`expectimax.py`), at decisions
(`alpha_beta.py`), at chance nodes too (`star1.py`, `star2.py`). Which outcomes of chance are searched: all, or a sample
(`sparse_sampling.py`). Where the horizon lies (`horizons.py`), what is remembered (`transpositions.py`), and what a
decision is worth (`mistakes.py`). `search/lookahead.py` drives it.
"""
