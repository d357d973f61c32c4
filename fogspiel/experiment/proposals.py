"""Candidates that Optuna's sampler proposes, batch by batch."""

from collections.abc import Mapping
from typing import Any

from fogspiel.experiment.between import Between, Range
from fogspiel.experiment.extras import needs
from fogspiel.experiment.racing import Candidate


class Proposals:
    """What was proposed, and which candidates came `through` to the end; the others are told as pruned. What is found
    of a candidate, such as its rank among all, changes with those that come after it: so each batch is asked for with
    all that are known judged anew."""

    def __init__(self, parameters: Mapping[str, Range], seed: int, *, lowest: bool):
        """`lowest` tells that what is found is to be low."""
        self.optuna = needs("optuna", "tune with Optuna")
        self.optuna.logging.set_verbosity(self.optuna.logging.WARNING)
        self.sampler = self.optuna.samplers.TPESampler(seed=seed)
        self.parameters, self.direction = parameters, "minimize" if lowest else "maximize"
        self.trials: list[tuple[Any, Candidate]] = []
        self.through: set[Candidate] = set()

    @property
    def candidates(self) -> list[Candidate]:
        return list(dict.fromkeys(candidate for _, candidate in self.trials))

    def ask(self, size: int, found: Mapping[Candidate, float], runs: Mapping[Candidate, int]) -> list[Candidate]:
        """The next candidates, so many at most, by what was found of those before, each in so many runs; nothing of
        those whose runs all failed."""
        study = self.optuna.create_study(direction=self.direction, sampler=self.sampler)
        for trial, candidate in self.trials:
            study.add_trial(self._told(trial, candidate in self.through, found.get(candidate), runs[candidate]))
        batch = []
        for _ in range(size):
            trial = study.ask()
            batch.append((trial, tuple(_suggest(trial, name, values) for name, values in self.parameters.items())))
        self.trials += batch
        return list(dict.fromkeys(candidate for _, candidate in batch))

    def _told(self, trial: Any, through: bool, found: float | None, runs: int) -> Any:
        state, told = self.optuna.trial.TrialState, through and found is not None
        return self.optuna.trial.create_trial(
            params=trial.params,
            distributions=trial.distributions,
            state=state.COMPLETE if told else state.PRUNED,
            value=found if told else None,
            intermediate_values={} if found is None else {runs: found},
        )


def _suggest(trial: Any, name: str, values: Range) -> Any:
    if not isinstance(values, Between):
        return trial.suggest_categorical(name, list(values))
    if values.whole:
        return trial.suggest_int(name, int(values.low), int(values.high), log=values.log)
    return float(f"{trial.suggest_float(name, values.low, values.high, log=values.log):.6g}")
