"""Strategies in words: what owners see, the way there, what is done, how often play comes there and what that is
worth."""

import sys
from functools import cache, partial

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.evaluate import strategy_table as module
from fogspiel.evaluate import told_apart


@cache
def solved(spec: str, algorithm: str = "cfr+", iterations: int | None = 20) -> fs.Strategy:
    how = {} if iterations is None else {"iterations": iterations}
    return fs.solve(spec, algorithm, **how).strategy


def walked(game: fs.Game, strategy: fs.Strategy) -> dict[tuple[int, int], tuple[float, float]]:
    """Reach and value of every information set by the definition: one recursion over all histories."""
    reach, worth = {}, {}

    def go(state, p, been):
        who = state.actor
        if who == fs.OVER:
            return np.array(state.payoff())
        options = state.chance() if who == fs.CHANCE else strategy.probabilities(state).items()
        name = (who, state.key(who)) if who >= 0 else None
        value = 0.0
        for move, q in options:
            after = state.copy()
            after.play(move)
            value = value + q * go(after, p * q, been | {name})
        if who >= 0 and name not in been:
            reach[name] = reach.get(name, 0.0) + p
            worth[name] = worth.get(name, 0.0) + p * value[who]
        return value

    go(game.start(), 1.0, frozenset())
    return {name: (reach[name], worth[name] / reach[name] if reach[name] else None) for name in reach}


@pytest.mark.parametrize(
    ("spec", "algorithm"),
    [
        ("kuhn", "cfr+"),
        ("kuhn(players=3)", "cfr"),
        ("leduc", "cfr+"),
        ("goofspiel(cards=3)", "cfr"),
        ("absent_minded_driver", "os-mccfr"),
        ("die_roll_poker(recall=sum,faces=2)", "cfr"),
    ],
)
def test_reach_and_value_are_those_of_the_definition(spec, algorithm):
    game, strategy = fs.load(spec), solved(spec, algorithm)
    table, expected = strategy.table(), walked(game, strategy)
    assert len(table) == table.total == table.fitting == len(expected)
    for row in table:
        reach, value = expected[row.player, row.key]
        assert row.reach == pytest.approx(reach, abs=1e-12)
        if reach > 0:
            assert row.value == pytest.approx(value, abs=1e-9)
        assert sum(row.prob) == pytest.approx(1)
    assert table.exact
    if game.about.perfect_recall:
        assert table.value == pytest.approx(fs.expected_values(spec, strategy), abs=1e-12)


def test_kuhn_poker_is_told_in_words_and_worth_an_eighteenth_to_the_second_player():
    table = solved("kuhn", "lp", None).table()
    assert table.value == pytest.approx((-1 / 18, 1 / 18))
    first = [row for row in table if row.player == 0 and not any(e.mover == 0 for e in row.way.events)]
    assert sum(row.reach * row.value for row in first) == pytest.approx(-1 / 18)
    assert [row.sees for row in first] == ["cards 1 ?   bets 1 1", "cards 2 ?   bets 1 1", "cards 3 ?   bets 1 1"]
    last = next(
        row
        for row in table
        if str(row.way).endswith("deal 3 to player 0, chance: something you cannot see, you: pass, player 1: bet")
    )
    assert (last.names, last.prob) == (("fold", "call"), (0.0, 1.0))
    assert last.value == pytest.approx(2)


def test_a_set_that_its_owner_never_lets_happen_has_the_value_it_would_have_and_one_that_others_avoid_has_none():
    game = fs.load("kuhn")
    uniform = solved("kuhn")
    # player 0 always passes, player 1 plays as before
    passive = fs.Strategy(
        uniform.game,
        uniform.behaviour,
        uniform.player,
        uniform.key,
        uniform.start,
        uniform.move,
        np.where(np.repeat(uniform.player, 2) == 0, np.tile([1.0, 0.0], len(uniform)), 0.5),
    )
    table = passive.table(game)
    after_bet = [row for row in table if str(row.way).endswith("player 0: bet")]
    assert [(row.reach, row.value) for row in after_bet] == [(0.0, None)] * 3
    never_bets = passive.replaced(1, passive.greedy())
    after_pass = [row for row in never_bets.table(game) if str(row.way).endswith("you: pass, player 1: bet")]
    assert [row.reach for row in after_pass] == [0.0] * 3


def test_rows_can_be_chosen_by_player_reach_and_what_happened_before():
    strategy = solved("leduc")
    everything = strategy.table()
    mine = strategy.table(player=1)
    assert {row.player for row in mine} == {1}
    assert len(mine) + len(strategy.table(player=0)) == len(everything) == 288
    often = strategy.table(reach=0.05, order="reach")
    assert [row.reach for row in often] == sorted((row.reach for row in everything if row.reach > 0.05), reverse=True)
    kings = strategy.table(after="deal k to player 0, check, bet 2", player=0)
    assert 0 < len(kings) < len(everything)
    for row in kings:
        told = [str(e) for e in row.way.events]
        assert told[0] == "chance: deal K to player 0"
        assert any(e.endswith(": check") for e in told)
        assert any(e.endswith(": bet 2") for e in told)
    few = strategy.table(most=5)
    assert (len(few), few.fitting, few.total) == (5, 288, 288)
    assert [row.key for row in few] == [row.key for row in everything][:5]
    with pytest.raises(fs.SpecError, match="has the words 'nonsense'; moves there: .*call"):
        strategy.table(after="nonsense")


def test_what_has_a_single_move_can_be_left_out():
    strategy = solved("goofspiel(cards=3)", "cfr")
    assert any(len(row.moves) == 1 for row in strategy.table())
    assert all(len(row.moves) > 1 for row in strategy.table(forced=False))


@pytest.mark.parametrize(
    "wrong",
    [
        {"player": 2},
        {"player": -1},
        {"reach": 1.5},
        {"most": 0},
        {"order": "colour"},
        {"after": 7},
        {"forced": "yes"},
        {"memory": 0},
        {"progress": 3},
    ],
)
def test_a_wrong_choice_is_refused_in_a_sentence(wrong):
    with pytest.raises(fs.SpecError, match=f"{next(iter(wrong))} must be"):
        solved("kuhn").table(**wrong)


def test_a_game_without_a_picture_is_told_by_the_moves_as_its_owner_saw_them(monkeypatch):
    monkeypatch.delattr(fs.load("kuhn").module, "show")
    table = solved("kuhn").table()
    assert {row.sees for row in table} == {""}
    ways = {str(row.way) for row in table}
    assert len(ways) == 12
    assert "chance: deal 1 to player 0, chance: something you cannot see, you: pass, player 1: bet" in ways


def test_one_who_forgets_is_told_of_every_way_to_where_it_is():
    (row,) = solved("absent_minded_driver", "os-mccfr").table()
    assert sorted(str(way) for way in row.ways) == ["", "you: straight on"]
    assert row.reach == 1


def test_an_abstraction_shows_each_information_set_with_the_strategy_it_shares():
    spec = "die_roll_poker(recall=sum,faces=2)"
    strategy = solved(spec, "es-mccfr", 2000)
    assert strategy.situations
    table = strategy.table()
    assert len(table) > len(strategy)
    assert all(row.known for row in table)
    assert len({row.prob for row in table}) < len(table)


def test_where_a_strategy_says_nothing_the_table_says_so():
    strategy = solved("kuhn")
    kept = strategy.replaced(
        1,
        fs.Strategy(
            strategy.game,
            strategy.behaviour,
            *(a[:0] for a in (strategy.player, strategy.key)),
            strategy.start[:1],
            *(a[:0] for a in (strategy.move, strategy.prob)),
        ),
    )
    for row in kept.table():
        assert row.known == (row.player == 0)
        assert row.known or row.prob == (0.5, 0.5)


def test_a_game_too_large_to_unroll_is_told_along_its_likeliest_play(monkeypatch):
    strategy = solved("leduc")
    exact = {(row.player, row.key): row for row in strategy.table()}
    monkeypatch.setattr(module, "UNROLLED", 100)
    table = strategy.table(order="reach", most=40)
    assert not table.exact
    assert table.value is None
    assert "too large to unroll" in table.note
    assert len(table) == 40
    for row in table:
        known = exact[row.player, row.key]
        assert row.reach == pytest.approx(known.reach)
        assert (row.names, row.prob, row.sees) == (known.names, known.prob, known.sees)
        # what is told was compared with histories replayed at random, so that it may hide more than it must, never less
        assert [str(e) for e in row.way.events] == [str(e) for e in known.way.events]
        assert row.value is None


def test_a_table_is_a_data_frame_with_a_line_for_each_move():
    table = solved("kuhn").table()
    frame = table.to_pandas()
    assert len(frame) == 24
    assert frame.groupby("key")["probability"].sum().to_numpy() == pytest.approx(np.ones(12))
    assert table.to_csv().splitlines()[0] == ",".join(frame.columns)
    assert len(solved("kuhn").table(player=0, after="bet, bet").to_pandas()) == 0


def test_without_pandas_one_sentence_says_what_to_install(monkeypatch):
    table = solved("kuhn").table()
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(fs.FogspielError, match="pip install pandas"):
        table.to_pandas()


def test_sets_that_their_owner_tells_apart_have_different_words(monkeypatch):
    """Player 0 of the deadlock game knows whether the deal is one of a, b or one of d, e; without a picture, the way
    must tell."""
    game = fs.load("deadlock")
    strategy = fs.solve(game, "cfr(average=abstract)", iterations=5).strategy
    monkeypatch.delattr(game.module, "show")

    def words():
        return [(row.player, str(row.way)) for row in module.strategy_table(game, strategy)]

    assert len(set(words())) == len(words())
    assert {"chance: deal a or deal b", "chance: deal d or deal e"} <= {way for player, way in words() if player == 0}
    monkeypatch.setattr(told_apart, "FEW", 1)
    assert len(set(words())) == len(words())
    assert "chance: something you cannot see (2 of 2)" in {way for player, way in words() if player == 0}


def test_how_many_ways_there_are_is_not_said_where_it_is_not_known(monkeypatch):
    forgetful = solved("deadlock", "cfr(average=abstract)")
    assert max(row.as_dict()["ways"] for row in forgetful.table()) > 1
    monkeypatch.setattr(module, "UNROLLED", 10)
    assert {row.as_dict()["ways"] for row in forgetful.table()} == {None}
    assert {row.as_dict()["ways"] for row in solved("kuhn").table()} == {1}


def test_a_game_far_too_large_is_not_walked_in_vain(monkeypatch):
    heard = []
    monkeypatch.setattr(module, "likely", partial(module.likely, histories=300))
    strategy = fs.solve("goofspiel(cards=13)", "os-mccfr", iterations=3).strategy
    table = strategy.table(order="reach", most=1, progress=lambda what, done, of: heard.append((what, done)))
    assert (table.exact, len(table)) == (False, 1)
    assert max(done for what, done in heard if what.startswith("walking")) <= 300


def test_where_enough_sets_fit_no_more_are_put_into_words():
    heard = []

    def progress(what, done, of):
        if what.endswith("words"):
            heard.append(done)

    first = solved("leduc").table(after="raise", most=2, progress=progress)
    assert (len(first), first.fitting) == (2, None)
    assert max(heard) < first.total
    every = solved("leduc").table(after="raise")
    assert [row.key for row in first] == [row.key for row in every][:2]
    assert every.fitting == len(every) > 2


def test_a_table_reads_as_lines_of_text():
    lines = str(solved("kuhn", "lp", None).table(player=0)).splitlines()
    assert lines[0] == "kuhn: 12 information sets, 6 of them here"
    assert (
        "player 0 after chance: deal 3 to player 0, chance: something you cannot see, you: pass, player 1: bet: fold "
        "0.0%, call 100.0%"
    ) in lines[-1]
    assert lines[-1].endswith("value +2.0000)")
