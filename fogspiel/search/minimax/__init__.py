"""The minimax family: depth-limited search of games in which nothing is hidden (Lanctot 2013, sec. 2.3.2 and ch. 6).

One recursion (`recursion.py`), made of parts (`hooks.py` says where they take part): what is cut, and which outcomes of
chance are searched (`pruning.py`); where the horizon lies, and what a decision is worth (`horizons.py`); what is
remembered (`transpositions.py`). `search/lookahead.py` drives it.
"""
