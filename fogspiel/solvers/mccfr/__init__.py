"""Monte Carlo CFR over the rules of a game, for games of any size (Lanctot 2013, ch. 4).

To read one scheme, such as external sampling: the loop with the functions that parts put in (`traversal.py`), what is
done at decisions (`sampling.py`: External), at chance nodes (`chance.py`: One), and for averages (`averaging.py`:
Weighted). Below these lies a table of information sets (`arena.py`, `node.py`, `table.py`) and the memory of a
traversal (`frames.py`); above, the table of schemes (`schemes.py`, `kinds.py`) and the solver (`solver.py`).

================  ====================  =====================  ===================  ==============
The others may be held to a fixed strategy (`opponents.py`). A person's own parts are tried first (`trial.py`).
"""
