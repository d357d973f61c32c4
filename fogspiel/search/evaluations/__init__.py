"""Evaluations: what everyone can expect of a state where a playout is cut. A part of this kind fills `evaluation`."""
