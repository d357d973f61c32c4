"""Offline solvers: the CFR family, linear programs, first-order methods, best response and exploitability."""
