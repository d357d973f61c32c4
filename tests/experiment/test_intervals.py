"""Which interval results have, by what a store knows of their experiment."""

import pytest

from fogspiel.experiment.intervals import interval_of


@pytest.mark.parametrize(
    ("facts", "interval"),
    [({}, "auto"), ({"deterministic": False}, "auto"), ({"deterministic": True}, "none"), ({"luck": True}, "auto"), ({"luck": False}, "none")],
)  # fmt: skip
def test_what_is_deterministic_has_none_in_stores_of_before_too(facts, interval):
    assert interval_of(facts) == interval
