"""A pair of moves never played counts as 0 in coupled regret matching (`bandits/coupled.py`), not as what happened."""


def worth_unplayed(search, v):
    return 0.0
