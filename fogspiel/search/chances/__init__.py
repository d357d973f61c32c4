"""Chance in the tree: what is kept of it, and how its outcomes are drawn. A part of this kind fills `outcome`."""
