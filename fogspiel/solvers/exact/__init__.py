"""Equilibria at once: linear programs, the double oracle, backward induction, value iteration; matrix games by hand."""
