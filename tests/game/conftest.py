"""What tests of the check share."""

import pytest

from fogspiel.game import check_resample
from fogspiel.game.check import _Check


@pytest.fixture
def uncompiled(monkeypatch):
    """Have un-compiled rules stand for compiled ones in the check, behind the same table: to compile a variant of a
    game takes far longer than to check it. A state that `resample` never draws, and a rule that does not return, are
    waited for less long: those of a small game come soon."""
    monkeypatch.setattr(check_resample, "_PATIENCE", 5_000)
    monkeypatch.setattr("fogspiel.game.watch.LONGEST", 0.2)
    usual = _Check._game
    monkeypatch.setattr(_Check, "_game", lambda run, **_: usual(run, debug=True))
