"""Published experiments as commands: they are listed, run, and judged by what is measured."""

import pytest

from fogspiel.app import targets, targets_exact


@pytest.mark.parametrize("off", [0, 1e-4])
def test_exact_players_must_win_exactly_as_often(monkeypatch, off):
    shares = {agent: targets_exact.EXPECTED[name] for name, agent in targets_exact.FIRST.items()}

    def gained(game, agents, step):
        share = shares[agents[0]][[*targets_exact.PLAYERS.values()].index(agents[1])]
        return 2 * (share + off) - 1, 1 - 2 * (share + off)

    monkeypatch.setattr(targets_exact, "agent", lambda spec: spec)
    monkeypatch.setattr(targets_exact, "every_deal", gained)
    assert targets.reproduce("W-3", "full").passed == (off == 0)
