"""Views: what counts as the same situation in a search, and so is one node.

A view fills `key_of`; where a node is told apart by the way to it, `begin_view`, `told`, `stage_begins` and
`stage_ends`, with what it keeps in its record `search.seen`; where moves are not told apart, `slots_for` and `meant`;
and `see` and `go`, where a look at a state tells more than who moves. Where `key_of` needs that look, `key_unseen` is
the same key without it, for whoever follows a line of play outside the loop. `label(search, state, searcher, move)`,
for people, is what a node calls a move. BY_INFOSET = True tells that nodes are the information sets of the players to
move, each found by mix(the key by which the player chooses its strategy, the player): then the search is a model of the
others, and has a strategy that can be measured.
"""
