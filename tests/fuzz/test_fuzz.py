"""Whatever is given, the answer is a value or one sentence: never a crash, a hang or an error of Python, NumPy or ctypes.

`python tests/fuzz --calls 100000` makes more calls of the same kinds."""

import contextlib

from fuzz_calls import generated
from fuzz_driver import Child, Tally


def test_generated_calls_return_a_value_or_say_one_sentence():
    tally = Tally()
    with contextlib.closing(Child()) as child:
        child.make(generated(4000, start=1), tally)
    assert not tally.wrong, "\n\n".join(tally.wrong)
    assert sum(tally.counts.values()) == 4000
