"""Drawing by given probabilities."""

import numpy as np
import pytest

from fogspiel.game import table


@pytest.mark.parametrize("prob", [(0.5, 0.5), (0.2, 0.0, 0.5, 0.3), (1.0,), (0.0, 1.0), (0.125,) * 8])
def test_an_outcome_is_drawn_by_its_part_of_the_line(monkeypatch, prob):
    steps = 1000
    found, sampled = np.zeros(len(prob)), np.zeros(len(prob))
    given = np.array([-1.0, *prob])
    for i in range(steps):
        x = (i + 0.5) / steps
        monkeypatch.setattr(table, "uniform", lambda rng, x=x: x)
        found[table.part(given, 1, len(prob), x)] += 1
        sampled[table.sample(given, 1, len(prob), None)] += 1
    assert found / steps == pytest.approx(prob, abs=1 / steps)
    assert sampled.tolist() == found.tolist()


def test_rounding_does_not_draw_what_has_no_part():
    assert table.part(np.array([0.1] * 3 + [0.0, 0.0]), 0, 5, 0.1 + 0.1 + 0.1) == 2
    assert table.part(np.array([0.0, 0.0]), 0, 2, 0.5) == 0
