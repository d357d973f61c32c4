"""Views: what counts as the same situation in a search, and so is one node.

A view fills `key_of`; where a node is told apart by the way to it, `begin_view`, `told`, `stage_begins` and `stage_ends`, with what it
keeps in its record `search.seen`; where moves are not told apart, `slots_for` and `meant`; and `see` and `go`, where a look at a state
tells more than who moves. `label(search, state, searcher, move)`, for people, is what a node calls a move.
"""
