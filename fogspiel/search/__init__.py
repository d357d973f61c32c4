"""Online search: bandits, MCTS and its relatives for hidden information and simultaneous moves."""
