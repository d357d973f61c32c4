"""What tests of the check share."""

import pytest

from fogspiel.game.check import _Check


@pytest.fixture
def uncompiled(monkeypatch):
    """Have un-compiled rules stand for compiled ones in the check, behind the same table: to compile a variant of a game takes far
    longer than to check it."""
    usual = _Check._game
    monkeypatch.setattr(_Check, "_game", lambda run, **_: usual(run, debug=True))
