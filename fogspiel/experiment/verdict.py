"""Whether an experiment passes: it does, it does not, or what was run cannot tell."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fogspiel import given
from fogspiel.errors import SpecError
from fogspiel.experiment.functions import went_wrong

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
    """The verdict on a table; none without a criterion. Of an empty table nothing can be told. Raises SpecError where
    the criterion fails or answers with something else."""
    if experiment.passes is None:
        return ""
    try:
        answer = experiment.passes(table) if len(table) else None
    except (Exception, SystemExit) as error:
        raise SpecError(f"passes fails on this table: {went_wrong(error, experiment.passes)}") from error
    if answer not in (True, False, None):
        raise SpecError(f"passes must return True, False or None, not {given.shown(answer)}")
    return _WORDS[answer]


def together(verdicts: Iterable[str]) -> str:
    """The verdict on several."""
    return _WORDS[every(_ANSWERS[verdict] for verdict in verdicts if verdict)]


_WORDS: dict[Answer, str] = {True: PASSED, False: FAILED, None: UNDECIDED}
_ANSWERS: dict[str, Answer] = {word: answer for answer, word in _WORDS.items()}
