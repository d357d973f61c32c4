"""Offline solvers, a folder for each subject, and beside them what all share: the table of solvers, what drives them,
strategies."""
