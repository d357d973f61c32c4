"""ICARUSes: information capture and reuse strategies (Whitehouse 2014, sec. 8.2, Definition 12). Each shows its seven
parts:

* R, the records, and what tells them apart: a key, or columns of the tree's own slots (SLOT). `read(search, i, who,
  move)` is the key of the record that is read for a move after i moves of the line (`search/sharing.py` draws it);
* Theta, what a record holds: its fields, and theta_init, which is zero in every field, where nothing else is said;
* alpha, the policy: `policy` outside the tree (simulation nodes), `bound` inside it (selection and expansion nodes),
  where it changes the bounds that the bandit compares. ACTS tells which;
* Psi and xi, what is captured: `capture`, which is called with the whole simulation (`search/traces.py`: Line), and the
  contexts that it hands to
* omega, back-propagation: what a record makes of a reward.

Those that act in the tree are in `tree.py`. In playouts act averages of moves (`averages.py`), what answered a move
before (`replies.py`), and trees of episodes (`epic.py`). A search may have several (`search/icarus.py`): all of them
capture, whichever of them acts.
FADES tells of one that acts in the tree whether its influence there goes to 0 with the visits of the node (Theorem 1),
ADDS = True that it adds to the bounds that it finds, so that it may follow another.
ABOUT is a row of the comparison in sec. 8.4: records, information, policy.
"""
