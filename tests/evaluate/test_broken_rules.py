"""Rules that fail in a match: no agent is at fault, and no result is made of the games in which they did not."""

import re
from pathlib import Path

import pytest

import fogspiel as fs

README = (Path(__file__).parents[2] / "README.md").read_text()
COIN = re.search(r"<!-- example: coin_poker.py -->\n```python\n(.*?)```", README, re.DOTALL)[1]
KEY, PAID = "return mix(key, s.coin) if player == 0 else key", "out[0], out[1] = won, -won"
SEARCH = "mo-ismcts(simulations=5)"


@pytest.fixture
def coin(tmp_path):
    """Coin poker with one line replaced."""

    def made(old, new):
        assert old in COIN
        path = tmp_path / "coin_poker.py"
        path.write_text(COIN.replace(old, new))
        return path

    return made


@pytest.mark.parametrize("how", [{}, {"workers": 2}, {"apart": True}])
def test_a_search_is_not_at_fault_where_the_rules_of_the_game_fail(coin, how):
    """A key that tells player 1 the coin, which is then redrawn."""
    leaky = coin(KEY, "return mix(key, s.coin)")
    with pytest.raises(
        fs.GameError,
        match=r"rule resample \(.*coin_poker.py, line 51\) changes what the player knows, after the moves ",
    ):
        fs.match(leaky, ["random", SEARCH], games=40, seed=1, **how)


@pytest.mark.parametrize("workers", [1, 2])
def test_rules_that_fail_in_some_games_end_the_match(coin, workers):
    """Tails are rare, and payoffs do not balance there."""
    uneven = coin(PAID, "out[0], out[1] = won, -won + int(s.coin == TAILS)")
    odds = "\n\ndef chance(s, out, prob):\n    out[0], out[1], prob[0], prob[1] = 0, 1, 0.998, 0.002\n    return 2\n"
    uneven.write_text(uneven.read_text() + odds)
    with pytest.raises(fs.GameError, match=r"rule payoff .* sum to 1; .*, after the moves tails"):
        fs.match(uneven, ["random", "random"], games=4000, seed=1, workers=workers)


def test_a_payoff_outside_the_declared_range_is_told_wherever_a_game_is_played(coin):
    rich = coin(PAID, "out[0], out[1] = 50 * won, -50 * won")
    said = r"rule payoff \(.*coin_poker.py, line 39\) gives player \d -?\d+, and about declares utility=\(-2, 2\)"
    for debug in (False, True):
        state = fs.load(rich, unchecked=True, debug=debug).start()
        for name in (0, 1, 1):
            state.play(name)
        with pytest.raises(fs.GameError, match=said):
            state.payoff()
        with pytest.raises(fs.GameError, match=said):
            fs.play_game(fs.load(rich, unchecked=True, debug=debug), ["random", "random"], deal=1, seed=1)
