"""Whatever is given, the answer is a value or one sentence: never a crash, a hang or an error of Python, NumPy or ctypes.

`python tests/fuzz --calls 100000` makes more calls of the same kinds."""

import pytest
from fuzz_calls import batches
from fuzz_driver import Child, Tally
from hypothesis import HealthCheck, Phase, given, settings


@pytest.fixture(scope="module")
def child():
    child = Child()
    yield child
    child.close()


@settings(
    max_examples=125, derandomize=True, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)  # fmt: skip
@given(calls=batches(40))
def test_generated_calls_return_a_value_or_say_one_sentence(child, calls):
    tally = Tally()
    child.make(calls, tally)
    assert not tally.wrong, "\n\n".join(tally.wrong)
