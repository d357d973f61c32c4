"""Solvers that improve plans step by step and are no CFR: fictitious play, the excessive gap technique."""
