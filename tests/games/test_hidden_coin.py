"""The hidden coin: what it is worth to who sees it, and to who does not."""

from positions import after, every_history, expected, told

import fogspiel as fs


def test_the_hidden_coin_is_worth_less_than_it_seems():
    root = fs.load("hidden_coin").start()
    take, heads, tails = ((1, 0), (0, 1)), ((0, 1), (1, 0)), ((0, 1), (0, 1))
    values = [expected(root, lambda s: plan[s.view.stage - 1]) for plan in (take, heads, tails)]  # noqa: B023
    assert values == [0.9, 0.5, 0.5]
    assert told(after("hidden_coin", 0, 1)) == told(after("hidden_coin", 1, 1)) == 1
    assert len({s.key(0) for s in every_history("hidden_coin") if s.actor == 0}) == 2
