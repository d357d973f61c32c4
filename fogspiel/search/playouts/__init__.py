"""Playouts: how a game is played to the end outside the tree.

A playout policy fills `policy`, and `candidates` where it lists moves in its own way. The loop of a playout is the
game's own random play, compiled with its rules (`game/rollout.py`), or, where a part has a say in it,
`playouts/stepwise.py`.
"""
