"""Bandits: how a node chooses among its moves, and what it learns from a reward. Every node is one of its own.

A bandit fills `choose` and `learn`. search.slot[0:n] are the slots of the moves that can be played now;
search.prob[0:n] is scratch, and holds the probabilities that a randomised bandit drew from. Rewards reach UCB and Exp3
scaled to [0, 1]; regret matching gets utilities as they are, since it does not mind their scale (Lisý 2014, sec.
3.1.1).

A bandit whose slots have the column `strategy` keeps its mean strategy there. BOUNDS = True tells that it tries the
move of the highest bound, after others had a say in the bounds (`bound`) and in what is the highest (`highest_bound`):
ICARUSes that act in the tree are for such bandits.
"""
