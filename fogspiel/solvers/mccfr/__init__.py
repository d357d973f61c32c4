"""Monte Carlo CFR over the rules of a game, for games of any size (Lanctot 2013, ch. 4).

One loop (`traversal.py`) goes down a game by what is sampled; where something is learned or branches, it asks the
scheme. A scheme is a row of parts (`schemes.py`), each in a file of its own, which are linked into the loop (`parts.py`
says what a part may do):

=======================  =====================  ========================  =================  ===========================
scheme                   file                   the updating player       the other players  chance
=======================  =====================  ========================  =================  ===========================
walk (vanilla CFR)       `vanilla.py`           every action              every action       each (`chance/every.py`)
chance sampling          `vanilla.py`           every action              every action       one; paired, common, public
public tree (PCS)        `public.py`            every action              every action       public: one, private: all
external sampling        `external.py`          every action              one                one (`chance/one.py`)
pure CFR                 `pure.py`              every action              one                one
average-strategy sampl.  `average_strategy.py`  each with its own chance  one                one
outcome sampling         `outcome.py`           one, with exploration     one                one
the same with probes     `probing.py`           one, with exploration     one                one
the same with baselines  `baseline.py`          one, with exploration     one                one
=======================  =====================  ========================  =================  ===========================

Averages are kept by a part of `averaging`, and the others may be held to a fixed strategy (`opponents.py`).
"""
