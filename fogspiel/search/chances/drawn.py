"""Outcomes are drawn by their probabilities, and nothing is kept."""

from fogspiel.search.hooks import happen


def outcome(game, search, s, n):
    return happen(game, search, s, n)
