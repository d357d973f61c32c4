"""ICARUSes: information capture and reuse strategies (Whitehouse 2014, sec. 8.2, Definition 12). Each is one file that
shows its seven parts:

* R, the records, and what tells them apart: `key`, or columns of the tree's own slots (SLOT). `read(search, i, who,
  move)` is the key of the record that is read for a move after i moves of the line (`search/sharing.py` draws it);
* Theta, what a record holds: THETA, and theta_init, which is zero in every field, where nothing else is said;
* alpha, the policy: `policy` outside the tree (simulation nodes), `bound` inside it (selection and expansion nodes),
  where it changes the bounds that the bandit compares. ACTS tells which;
* Psi and xi, what is captured: `capture`, which is called with the whole simulation (`search/enhancements/line.py`),
  and the contexts that it hands to
* omega, back-propagation: `update`, or `add` where records are averages (`averages.py`).

A search may have several (`search/icarus.py`): all of them capture, whichever of them acts.
FADES tells of one that acts in the tree whether its influence there goes to 0 with the visits of the node (Theorem 1),
ADDS = True that it adds to the bounds that it finds, so that it may follow another.
ABOUT is a row of the comparison in sec. 8.4: records, information, policy.
"""
