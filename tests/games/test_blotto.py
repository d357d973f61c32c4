"""Colonel Blotto: payoffs as in OpenSpiel, values from the literature, pending choices unseen."""

import pytest
from positions import after, load

import fogspiel as fs
from fogspiel import PUBLIC


@pytest.mark.parametrize(("soldiers", "fields"), [(10, 3), (5, 4), (4, 2)])
def test_blotto_pays_as_in_openspiel(soldiers, fields):
    peer = pytest.importorskip("pyspiel").load_game(f"blotto(coins={soldiers},fields={fields},players=2)")
    game = load(f"blotto(soldiers1={soldiers},soldiers2={soldiers},fields={fields})")
    state, other = game.start(), peer.new_initial_state()
    assert state.moves() == other.legal_actions(0)
    names = [other.action_to_string(0, move).strip("[]").replace(",", "-") for move in state.moves()]
    assert [game.move_name(state, move) for move in state.moves()] == names
    for mine in state.moves()[::3]:
        for theirs in state.moves():
            end = other.clone()
            end.apply_actions([mine, theirs])
            assert after(game, mine, theirs).payoff() == end.returns()


def test_four_soldiers_against_three_are_worth_14_ninths():
    # McDonald and Tucker 1949: two fields, a field won brings 1 and what the enemy had there
    game = load("blotto(soldiers1=4,soldiers2=3,fields=2,payoff=regiments)")
    rows = [[after(game, mine, theirs).payoff()[0] for theirs in range(4)] for mine in range(5)]
    assert rows[4] == [0, 1, 2, 4]  # all four on the first field, against 0 to 3 there
    assert rows[2] == [-2, 2, 2, -2]
    assert fs.solve(game, "lp").value[0] == pytest.approx(14 / 9)


@pytest.mark.parametrize("payoff", ["majority", "fields", "regiments"])
def test_with_as_many_soldiers_blotto_is_worth_nothing(payoff):
    assert fs.solve(f"blotto(soldiers1=6,soldiers2=6,payoff={payoff})", "lp").value[0] == pytest.approx(0, abs=1e-9)


def test_a_pending_sharing_is_known_to_its_player_alone():
    states = [after("blotto", move) for move in (0, 7, 65)]
    assert len({s.key(0) for s in states}) == 3
    assert len({s.key(1) for s in states}) == len({s.key(PUBLIC) for s in states}) == 1
    assert len({s.show(1) for s in states}) == 1


def test_too_many_ways_to_share_soldiers_out_are_refused():
    with pytest.raises(
        fs.SpecError, match="100 soldiers can be shared out among 3 fields in 5151 ways, where 256 is the most"
    ):
        load("blotto(soldiers1=100)")
