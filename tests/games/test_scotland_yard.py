"""Scotland Yard: the map of 199 stations, tickets and surfacing, captures and escapes, and where Mr X may be."""

import random
from collections import Counter

import pytest
from hints import guided
from positions import after, child, generator, load

from fogspiel import CHANCE
from fogspiel.games.scotland_yard import MR_X_STARTS, SEEKER_STARTS, connections, reckoned, tables

TAXI, BUS, UNDERGROUND, BLACK = range(4)
MR_X, SEEKERS = 0, 1


def by(kind, station, double=False):
    return station + 200 * kind + 800 * double


def neighbours(kind, station):
    return {b if a == station else a for a, b in connections()[kind] if station in (a, b)}


def test_the_map_has_199_stations_and_467_connections():
    taxi, bus, underground, every = map(set, connections())
    assert (len(taxi), len(bus), len(underground), len(every)) == (345, 99, 20, len(taxi | bus | underground) + 3)
    assert sum(map(len, connections()[:3])) + 3 == 467
    assert {station for pair in taxi for station in pair} == set(range(1, 200))
    assert all(a < b for a, b in every)
    assert every - taxi - bus - underground == {(108, 115), (115, 157), (157, 194)}  # the boats


def test_every_station_can_be_reached_by_taxi():
    met, todo = {1}, [1]
    while todo:
        todo += (new := neighbours(TAXI, todo.pop()) - met)
        met |= new
    assert met == set(range(1, 200))


def test_buses_and_undergrounds_stop_where_they_do_on_the_board():
    stops = [{station for pair in connections()[kind] for station in pair} for kind in (BUS, UNDERGROUND)]
    assert len(stops[0]) == 62
    assert stops[1] == {1, 13, 46, 67, 74, 79, 89, 93, 111, 128, 140, 153, 163, 185}
    assert stops[1] <= stops[0]


@pytest.mark.parametrize(
    ("kind", "station", "ends"),
    [
        (TAXI, 11, {3, 10, 22}),  # Whitehouse 2014, sec. 7.4
        (TAXI, 12, {3, 23}),
        (TAXI, 1, {8, 9}),
        (TAXI, 128, {142, 143, 160, 172, 188}),
        (TAXI, 142, {118, 128, 129, 134, 141, 143, 158}),
        (TAXI, 199, {171, 188, 198}),
        (BUS, 128, {135, 142, 161, 187, 199}),
        (BUS, 46, {1, 34, 58, 78}),
        (BUS, 7, {42}),
        (UNDERGROUND, 67, {13, 79, 89, 111}),
        (UNDERGROUND, 74, {46}),
        (BLACK, 108, {105, 115, 116, 117, 119, 135}),
    ],
)
def test_stations_lead_where_they_do_on_the_board(kind, station, ends):
    assert neighbours(kind, station) == ends


def test_rides_between_stations_are_counted_without_the_boat():
    far = tables()["far"].reshape(200, 200)[1:, 1:]
    assert (far == far.T).all()
    assert far[0, 45] == 1
    assert far[107, 114] > 1
    assert far.max() < 20


def begun(spec, mr_x, *seekers):
    """The position after the start cards; stations that are on no card are put in by hand."""
    state = load(spec).start()
    for card in SEEKER_STARTS[: len(seekers)]:
        state.play(card)
    state.play(MR_X_STARTS[0])
    view = state.view
    for word in range(4):
        view.taken[word] = view.possible[word] = 0
    for piece, station in enumerate((mr_x, *seekers)):
        view.at[piece] = station
        (view.taken if piece else view.possible)[station // 50] |= 1 << station % 50
    return state


def test_start_stations_are_drawn_from_the_cards():
    state = load("scotland_yard").start()
    for dealt in range(5):
        assert state.actor == CHANCE
        assert len(state.moves()) == 16 - dealt
        state.play(state.moves()[dealt])
    assert state.moves() == list(MR_X_STARTS)
    keys = {child(state, station).key(SEEKERS) for station in MR_X_STARTS}
    assert len(keys) == 1
    state.play(35)
    assert state.actor == MR_X
    assert reckoned(state.view) == list(MR_X_STARTS)


def test_a_ride_needs_a_ticket_and_a_station_without_a_seeker():
    state = begun("scotland_yard(seekers=1,double=0,black=0)", 11, 10)
    assert set(state.moves()) == {by(TAXI, 3), by(TAXI, 22)}
    assert begun("scotland_yard(seekers=1,double=0)", 46, 1).moves() == [
        *(by(TAXI, end) for end in (33, 45, 47, 61)),
        *(by(BUS, end) for end in (34, 58, 78)),
        *(by(UNDERGROUND, end) for end in (13, 74, 79)),
        *(by(BLACK, end) for end in (13, 33, 34, 45, 47, 58, 61, 74, 78, 79)),
    ]


def test_the_boat_takes_a_black_ticket():
    assert by(BLACK, 115) in begun("scotland_yard(seekers=1)", 108, 1).moves()
    assert by(BLACK, 115) not in begun("scotland_yard(seekers=1,black=0)", 108, 1).moves()


def test_what_a_seeker_pays_goes_to_mr_x():
    state = begun("scotland_yard(seekers=1)", 11, 67)
    state.play(by(TAXI, 22))
    assert list(state.view.tickets[0]) == [3, 3, 3, 5]
    assert list(state.view.tickets[1]) == [10, 8, 4, 0]
    state.play(by(UNDERGROUND, 111))
    assert list(state.view.tickets[0]) == [3, 3, 4, 5]
    assert list(state.view.tickets[1]) == [10, 8, 3, 0]


def test_a_double_ticket_gives_two_rides_in_a_row():
    state = begun("scotland_yard(seekers=2)", 11, 67, 1)
    state.play(by(TAXI, 22, double=True))
    assert state.actor == MR_X
    assert not any(move >= 800 for move in state.moves())
    state.play(by(TAXI, 35))
    assert state.actor == SEEKERS
    assert (state.view.doubles, state.view.rides) == (1, 2)
    last = begun("scotland_yard(seekers=1,log=1)", 11, 67)
    assert not any(move >= 800 for move in last.moves())


def test_mr_x_is_seen_after_his_third_ride():
    known = []
    for stations in ((22, 35, 36), (22, 34, 48)):
        state = begun("scotland_yard(seekers=1,double=0)", 11, 199)
        for ride, station in enumerate(stations):
            state.play(by(TAXI, station))
            known.append((state.key(SEEKERS), reckoned(state.view)))
            if ride < 2:
                state.play(by(TAXI, (188, 199)[ride]))
    assert known[0] == known[3]
    assert known[1] == known[4]
    assert [known[2][1], known[5][1]] == [[36], [48]]
    assert known[2][0] != known[5][0]


def test_a_hidden_ride_shows_its_ticket_only():
    state = begun("scotland_yard(seekers=1,double=0)", 46, 1)
    keys = {move: child(state, move).key(SEEKERS) for move in state.moves()}
    assert len(set(keys.values())) == 4
    assert all(len({keys[move] for move in keys if move // 200 == kind}) == 1 for kind in range(4))
    assert len({child(state, move).key(MR_X) for move in keys}) == len(keys)


def test_a_seeker_who_enters_his_station_catches_mr_x():
    state = begun("scotland_yard(seekers=1)", 11, 23)
    state.play(by(TAXI, 22))
    state.play(by(TAXI, 22))
    assert state.payoff() == [-1, 1]
    assert "caught" in state.show(SEEKERS)


def test_mr_x_who_cannot_move_is_caught():
    twelve = begun("scotland_yard(seekers=2,double=0)", 23, 4, 22)
    twelve.play(by(TAXI, 12))
    twelve.play(by(TAXI, 3))
    assert not twelve.over
    twelve.play(by(TAXI, 23))
    assert twelve.payoff() == [-1, 1]


def test_mr_x_escapes_when_no_seeker_can_move_or_his_log_is_full():
    state = begun("scotland_yard(seekers=2)", 11, 67, 1)
    for seeker in (1, 2):
        for kind in range(3):
            state.view.tickets[seeker][kind] = 0
    state.view.tickets[2][TAXI] = 1
    state.play(by(TAXI, 22))
    assert state.view.turn == 2  # the first seeker stays
    state.play(by(TAXI, 8))
    assert state.actor == MR_X
    state.play(by(TAXI, 35))
    assert state.payoff() == [1, -1]
    full = begun("scotland_yard(seekers=1,log=1)", 11, 67)
    full.play(by(TAXI, 22))
    assert not full.over  # the seekers have a last move
    full.play(by(TAXI, 84))
    assert full.payoff() == [1, -1]


def told_apart(state):
    """Where Mr X can be after a move, by trying all his moves from all stations where he might have been before it."""

    def from_station(station):
        twin = state.copy()
        twin.view.at[0] = station
        return twin

    return {station: from_station(station) for station in reckoned(state.view)}


@pytest.mark.parametrize("spec", ["scotland_yard", "scotland_yard(seekers=2,black=1)"])
def test_the_seekers_reckon_with_the_stations_that_fit_what_they_saw_and_no_others(spec):
    rng = random.Random(7)
    sizes = []
    for _ in range(12):
        state = load(spec).start()
        while not state.over:
            if state.actor == CHANCE:
                state.play(rng.choice(state.moves()))
                continue
            twins, mover = told_apart(state), state.actor
            assert {twin.key(SEEKERS) for twin in twins.values()} == {state.key(SEEKERS)}
            move = rng.choice(state.moves())
            state.play(move)
            if state.over:
                break
            left = set()
            for twin in twins.values():
                for same in twin.moves() if mover == MR_X else [move]:
                    then = child(twin, same)
                    if not then.over and then.key(SEEKERS) == state.key(SEEKERS):
                        left.add(then.view.at[0])
            assert left == set(reckoned(state.view))
            sizes.append(len(left))
    assert min(sizes) == 1
    assert max(sizes) > 40


def test_mr_x_is_redrawn_on_each_station_where_he_may_be_equally_often():
    state = begun("scotland_yard(seekers=1,double=0)", 46, 199)
    state.play(by(BLACK, 78))
    stations, drawn, rng = reckoned(state.view), Counter(), generator(2)
    assert len(stations) == 11
    for _ in range(11_000):
        state.resample(SEEKERS, rng)
        drawn[state.view.at[0]] += 1
    assert set(drawn) == set(stations)
    assert min(drawn.values()) > 850
    assert max(drawn.values()) < 1150
    mine = state.copy()
    mine.resample(MR_X, rng)
    assert bytes(mine.data) == bytes(state.data)


def test_sensible_play_catches_and_keeps_away():
    state = begun("scotland_yard(seekers=1,double=0,black=0)", 11, 67)
    odds = guided(state)
    assert odds[by(TAXI, 10)] > odds[by(TAXI, 22)]  # 22 is two rides from the seeker
    state = begun("scotland_yard(seekers=1)", 11, 23)
    state.play(by(TAXI, 22))
    assert guided(state)[by(TAXI, 22)] + guided(state)[by(BUS, 22)] > 0.9


def test_a_game_ends_within_the_log():
    rng = random.Random(3)
    state = after("scotland_yard")
    while not state.over:
        state.play(rng.choice(state.moves()))
    assert state.view.rides <= 24
