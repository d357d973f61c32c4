"""Information-set trees that games come with (`search/information_sets.py`): one file a game, with rules as a
game's."""
