"""Monte Carlo CFR over the rules of a game, for games of any size (Lanctot 2013, ch. 4).

To read one scheme, such as external sampling: the loop with the functions that parts put in (`traversal.py`), what is
done at decisions (`sampling.py`: External), at chance nodes (`chance.py`: One), and for averages (`averaging.py`:
Weighted). Below these lies a table of information sets (`arena.py`, `node.py`, `table.py`) and the memory of a
traversal (`frames.py`); above, the table of schemes (`schemes.py`, `kinds.py`) and the solver (`solver.py`).

================  ====================  =====================  ===================  =====================
sampling          in                    the updating player    the other players    usual chance
================  ====================  =====================  ===================  =====================
external          `sampling.py`         every action           one                  one
pure              `sampling.py`         every action           one                  one
average-strategy  `sampling.py`         each with a chance     one                  one
vanilla           `sampling.py`         every action           every action         every, one, ...
outcome           `outcome.py`          one, with exploration  one                  one
probing           `outcome.py`          one, with exploration  one                  one
corrected         `outcome.py`          one, with exploration  one                  one
public-tree       `public.py`           every action           every action         public: one; private:
                                                                                    a vector
================  ====================  =====================  ===================  =====================

The others may be held to a fixed strategy (`opponents.py`). A person's own parts are tried first (`trial.py`).
"""
