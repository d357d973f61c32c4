"""Growths: when a simulation leaves the tree, and so how many nodes it adds. A growth fills `leaves_at`,
`leaves_after`, `adds` and `finishes_stage`.

GROWS = False tells that there is no node but the root's, and so nothing to be known of later decisions.
"""
