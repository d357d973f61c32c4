"""One-sided partially observable stochastic games: heuristic search value iteration, bounded games as linear
programs."""
