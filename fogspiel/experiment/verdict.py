"""Whether an experiment passes: it does, it does not, or what was run cannot tell."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fogspiel.experiment.design import Experiment
    from fogspiel.experiment.tables import Table

PASSED, FAILED, UNDECIDED = "passed", "failed", "undecided"
Answer = bool | None
"""None: the intervals are too wide to tell."""


def every(answers: Iterable[Answer]) -> Answer:
    """Whether all hold: not, if one does not; else it cannot be told, if it cannot be of one, or there are none."""
    found = list(answers)
    return False if False in found else None if None in found or not found else True


def some(answers: Iterable[Answer]) -> Answer:
    """Whether one holds."""
    found = every(None if answer is None else not answer for answer in answers)
    return None if found is None else not found


def judged(experiment: "Experiment", table: "Table") -> str:
    """The verdict on a table; none without a criterion. Of an empty table nothing can be told."""
    if experiment.passes is None:
        return ""
    return _WORDS[experiment.passes(table) if len(table) else None]


def together(verdicts: Iterable[str]) -> str:
    """The verdict on several."""
    return _WORDS[every(_ANSWERS[verdict] for verdict in verdicts if verdict)]


_WORDS: dict[Answer, str] = {True: PASSED, False: FAILED, None: UNDECIDED}
_ANSWERS: dict[str, Answer] = {word: answer for answer, word in _WORDS.items()}
