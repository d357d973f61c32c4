"""A match is judged by wins where a game is about nothing else, and by utility where stakes differ."""

import math

import numpy as np
import pytest
from scipy import stats

import fogspiel as fs
from fogspiel.evaluate.bout import Schedule
from fogspiel.evaluate.judging import judged_by
from fogspiel.evaluate.ratings import utility_ratings
from fogspiel.evaluate.referee import GameRecord, forfeited
from fogspiel.evaluate.samples import UNBOUNDED, sample
from fogspiel.evaluate.sequential import Sequence, SequentialTest, UtilityTest
from fogspiel.evaluate.standings import Comparison
from fogspiel.evaluate.statistics import student_share

BY_WINS = [
    "bluff",
    "cant_stop",
    "dominion",
    "einstein",
    "goofspiel",
    "latent_tic_tac_toe",
    "matrix",
    "one_answer",
    "oshi_zumo",
    "phantom_tic_tac_toe",
    "pig",
    "tic_tac_toe",
    "forgetful_player",
]
BY_UTILITY = [
    "absent_minded_driver",
    "coin_or_sure",
    "deadlock",
    "die_roll_poker",
    "hidden_coin",
    "kuhn",
    "kuhn(players=3)",
    "leduc",
    "nonlocality",
    "observed_moves",
    "one_card_poker",
    "princess_and_monster",
    "random_game",
    "stacked_matrix",
    "strategy_fusion",
    "worst_case",
    "goofspiel(payoff=points)",
    "matrix(game=battle_of_the_sexes)",
    "matrix(payoffs=[[2,0],[0,1]])",
]

STAKES = """
'''Chance sets the stake, which is one, or once in `odds` games five; player 0 takes it or gives it away.'''
import numpy as np
from fogspiel.game import About, CHANCE, Choice, OVER, Whole, mix

PARAMETERS = (Whole("odds", 3, 1, 1000000, ""), Choice("declared", "yes", ("yes", "no"), ""))
State = np.dtype([("odds", "i8"), ("declared", "i1"), ("stake", "i8"), ("choice", "i8")], align=True)

def about(odds, declared):
    return About(utility=(-5, 5) if declared == "yes" else None)

def start(s):
    s.stake, s.choice = 0, -1

def actor(s):
    return CHANCE if s.stake == 0 else 0 if s.choice < 0 else OVER

def moves(s, out):
    out[0], out[1] = 1, 5
    return 2

def chance(s, out, prob):
    out[0], out[1] = 1, 5
    prob[0], prob[1] = 1 - 1 / s.odds, 1 / s.odds
    return 2

def play(s, move):
    if s.stake == 0:
        s.stake = move
    else:
        s.choice = move

def payoff(s, out):
    out[0] = s.stake if s.choice == s.stake else -s.stake
    out[1] = -out[0]

def infoset(s, player):
    return mix(mix(0, s.stake), s.choice)

def resample(s, player, rng):
    pass
"""


class Always:
    """Makes the same move in the list, whatever happens: the first, or the last."""

    def __init__(self, place, name):
        self.place, self.name = place, name

    def begin(self, game, seat, seed):
        pass

    def choose(self, observation):
        return observation.moves[self.place]


class Faulty(Always):
    def choose(self, observation):
        return 99


@pytest.fixture(scope="module")
def stakes(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "stakes.py"
    path.write_text(STAKES)
    return path


@pytest.fixture(scope="module")
def equilibrium():
    return fs.solve("leduc", "cfr+", iterations=300).strategy


@pytest.mark.parametrize("game", BY_WINS)
def test_games_of_winning_and_losing_are_judged_by_wins(game):
    assert judged_by(fs.load(game)) == "wins"


@pytest.mark.parametrize("game", BY_UTILITY)
def test_games_in_which_more_or_less_is_at_stake_are_judged_by_utility(game):
    assert judged_by(fs.load(game)) == "utility"


def test_a_declared_range_tells_of_stakes_that_random_play_never_meets(stakes):
    assert judged_by(fs.load(stakes, odds=1_000_000)) == "utility"
    assert judged_by(fs.load(stakes, odds=1_000_000, declared="no")) == "wins"
    assert judged_by(fs.load(stakes, declared="no")) == "utility"


def test_an_equilibrium_of_leduc_is_surely_stronger_than_random_play(equilibrium):
    result = fs.match("leduc", [equilibrium, "random"], games=400, seed=0)
    assert result.judged_by == "utility"
    assert result.superiority > 0.99
    assert result.elo is None
    # in a zero-sum game of two the lead is twice the utility, with its interval
    mine, lead = result.standings[0].utility, result.lead
    assert (lead.value, lead.low, lead.high) == pytest.approx((2 * mine.value, 2 * mine.low, 2 * mine.high))
    assert lead.low > 0
    swapped = fs.match("leduc", ["random", equilibrium], games=400, seed=0)
    assert swapped.superiority < 0.01


def test_wins_are_counted_and_can_be_asked_for(equilibrium):
    result = fs.match("leduc", [equilibrium, "random"], games=200, by="wins", seed=0)
    assert (result.superiority > 0.975) == (result.elo.low > 0)
    assert result.lead is None
    usual = fs.match("leduc", [equilibrium, "random"], games=200, seed=0)
    assert [s.wins for s in usual.standings] == [s.wins for s in result.standings]
    with pytest.raises(fs.SpecError, match="by must be one of wins, utility, not 'chance'"):
        fs.match("leduc", ["random", "random"], by="chance", seed=0)


def test_who_wins_often_but_little_is_not_the_stronger(stakes):
    # the one takes every small stake and gives the large ones away, the other does the opposite
    result = fs.match(fs.load(stakes), [Always(0, "small"), Always(1, "large")], games=400, seed=0)
    assert result.standings[0].wins > 1.5 * result.standings[1].wins
    assert result.superiority < 0.01


@pytest.mark.parametrize("workers", [1, 2])
def test_a_sequential_test_of_utilities_ends_the_match_when_the_winner_is_clear(equilibrium, workers, tmp_path):
    path = tmp_path / "leduc.fog"
    fs.save(equilibrium, path)
    result = fs.match("leduc", [path, "random"], games=4000, sprt=(0, 1, 0.05, 0.05), workers=workers, seed=0)
    assert (result.stopped, result.test) == ("sprt", UtilityTest(0, 1, 0.05, 0.05))
    assert 20 < len(result.games) < 2000
    assert result.why.startswith("the test found a utility difference of 1 likelier than one of 0 (log-likelihood")
    assert result.as_dict()["sprt"]["utility1"] == 1
    other = fs.match("leduc", ["random", path], games=4000, sprt=(0, 1, 0.05, 0.05), seed=0)
    assert "of 0 likelier than one of 1 " in other.why


def test_a_test_that_does_not_fit_the_match_is_refused(stakes):
    both = ["random", "random"]
    with pytest.raises(fs.SpecError, match=r"judged by utility, so the test must be a UtilityTest; or set by='wins'"):
        fs.match("leduc", both, sprt=SequentialTest(0, 10), seed=0)
    with pytest.raises(fs.SpecError, match="must be a SequentialTest"):
        fs.match("tic_tac_toe", both, sprt=UtilityTest(0, 10), seed=0)
    with pytest.raises(fs.SpecError, match="between -26 and 26"):
        fs.match("leduc", both, sprt=(0, 30, 0.05, 0.05), seed=0)
    with pytest.raises(fs.SpecError, match="two utility differences, the smaller first"):
        fs.match("leduc", both, sprt=(3, 1, 0.05, 0.05), seed=0)
    with pytest.raises(fs.SpecError, match="declare utility"):
        fs.match(fs.load(stakes, declared="no"), both, sprt=(0, 1, 0.05, 0.05), seed=0)
    assert fs.match("leduc", both, games=4, sprt=SequentialTest(0, 10), by="wins", seed=0).test == SequentialTest(0, 10)


@pytest.mark.parametrize("true", [0, 1])
def test_the_test_of_utilities_errs_no_oftener_than_it_may(true):
    draw, test, runs = np.random.default_rng(5 + true), UtilityTest(0, 1, 0.1, 0.1), 60
    results = np.array([-6.0, -2.0, -1.0, 0.0, 1.0, 8.0])
    share = np.array([0.1, 0.2, 0.15, 0.2, 0.25, 0.1])  # a long tail
    results += true - share @ results
    wrong = 0
    for _ in range(runs):
        counts, verdict = {-26.0: 0, 26.0: 0}, None
        while verdict is None:
            one = float(draw.choice(results, p=share))
            counts[one] = counts.get(one, 0) + 1
            verdict = test.verdict(test.ratio(counts))
        wrong += verdict != true
    assert wrong <= stats.binom.ppf(0.995, runs, 0.1)


def test_the_work_of_a_test_grows_with_its_deals_and_not_with_their_square(monkeypatch):
    draw, looked_at, deals = np.random.default_rng(1), [], 3000
    usual = UtilityTest.ratio
    monkeypatch.setattr(UtilityTest, "ratio", lambda self, counts: looked_at.append(len(counts)) or usual(self, counts))
    schedule = Schedule(2, 2, 2 * deals, 0, True)
    games = {}
    for n in range(2 * deals):
        mine = 0.005 + float(draw.normal())
        games[n] = GameRecord((mine, -mine), (), (0.0, 0.0), (0, 0), None, None, n // 2, (0, 1))
    # so close to each other that it never decides
    test = Sequence(UtilityTest(0.0049, 0.0051), schedule, (-10.0, 10.0))
    assert not test.decided(games)
    assert test.reached == 2 * deals
    assert looked_at[-1] == deals + 2
    assert looked_at[:100] == list(range(3, 103))
    assert sum(looked_at) < 250 * deals


def test_a_run_of_equal_deals_decides_the_test_of_utilities_only_after_a_while():
    test = UtilityTest(0, 1)
    ratios = [test.ratio({-4.0: 0, 4.0: 0, 2.0: n}) for n in range(1, 40)]
    # all deals at 2, so the mean is made by deals at -4 that have not been seen: 4/6 and 5/6 of all are at 2
    assert ratios[9] == pytest.approx(10 * math.log(5 / 4), rel=0.01)
    assert test.verdict(ratios[9]) is None
    assert test.verdict(ratios[19]) == 1


def test_superiority_by_utility_is_a_share_of_students_distribution():
    values = [1.0, -1.0, 0.5, 0.25, -0.5, 1.0]
    t = stats.ttest_1samp(values, 0.0)
    assert sample(values, range(6)).superiority(UNBOUNDED) == pytest.approx(stats.t.cdf(t.statistic, 5))
    pairs = [np.mean(values[i : i + 2]) for i in (0, 2, 4)]
    assert sample(values, [0, 0, 1, 1, 2, 2]).superiority(UNBOUNDED) == pytest.approx(
        stats.t.cdf(stats.ttest_1samp(pairs, 0.0).statistic, 2)
    )
    for x in (-3.0, 0.0, 0.4, 20.0):
        assert student_share(x, 7) == pytest.approx(stats.t.cdf(x, 7), abs=1e-12)
    # where all deals agree there is no spread to go by: a share of 1/4 at -6 would make up for deals at 2
    assert sample([2.0] * 4, range(4)).superiority((-6.0, 6.0)) == pytest.approx(1 - 0.75**4)
    assert sample([-2.0] * 4, range(4)).superiority((-6.0, 6.0)) == pytest.approx(0.75**4)
    assert sample([-2.0], [0]).superiority((-2.0, 2.0)) == 0.5
    assert sample([0.0, 0.0], [0, 1]).superiority((-2.0, 2.0)) == 0.5


@pytest.mark.parametrize("value", [-0.01, 0.01, -1.0, 1.0, -26.0, 26.0])
@pytest.mark.parametrize("deals", [1, 3, 10, 95, 96, 100, 5000])
@pytest.mark.parametrize("spread", [0.0, 0.5])
def test_superiority_is_sure_just_where_the_interval_of_the_lead_is_on_one_side(value, deals, spread):
    values = [value + spread * (-1) ** i for i in range(deals)]
    lead = sample(values, range(deals)).interval((-26.0, 26.0))
    sure = sample(values, range(deals)).superiority((-26.0, 26.0))
    assert (sure > 0.975) == (lead.low > 0)
    assert (sure < 0.025) == (lead.high < 0)
    assert (sure - 0.5) * lead.value >= 0


def test_utility_ratings_differ_by_the_leads_to_be_expected():
    draw, strength = np.random.default_rng(2), np.array([1.0, 0.2, -1.2])

    def tournament(deals):
        games = []
        for deal in range(deals):
            deal = draw.normal()
            for a, b in ((0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)):
                lead = (strength[a] - strength[b] + deal + 0.5 * draw.normal()) / 2
                games.append(Comparison(deal, (a, b), (0, 1), (lead, -lead)))
        return utility_ratings(games, 3, 20.0)

    found = tournament(200)
    assert [r.value for r in found] == pytest.approx(strength, abs=0.1)
    assert sum(r.value for r in found) == pytest.approx(0, abs=1e-9)
    # chance that both seats share counts for nothing, and the interval knows that
    assert all(0 < r.high - r.low < 0.1 for r in found)
    held = sum(r.low <= s <= r.high for _ in range(150) for r, s in zip(tournament(12), strength, strict=True))
    assert 0.91 <= held / 450 <= 0.985


def test_who_is_always_behind_by_as_much_is_not_rated_with_certainty_though_others_vary():
    games = [Comparison(d, (0, 1), (0, 1), (u, -u)) for d, u in enumerate((1.0, 1.0, -1.0, -1.0))]
    games += [Comparison(d, (one, 2), (0, 1), (1.0, -1.0)) for d in range(4) for one in (0, 1)]
    behind = utility_ratings(games, 3, 2.0)[2]
    assert behind.high - behind.value >= 2 * (1 - 0.025 ** (1 / 4)) * 0.999


def test_agents_that_nobody_met_have_no_rating():
    games = [Comparison(d, (0, 1), (0, 1), (1.0 + d, -1.0 - d)) for d in range(4)]
    first, second, lonely = utility_ratings(games, 3, 10.0)
    assert (first.value, second.value) == (pytest.approx(2.5), pytest.approx(-2.5))
    assert (lonely.value, lonely.low, lonely.high) == (0, -math.inf, math.inf)
    alike = utility_ratings([Comparison(0, (0, 1, 2), (0, 1, 2), (2.0, -1.0, -1.0))], 3, 6.0)
    assert [r.value for r in alike] == pytest.approx([2, -1, -1])
    assert all(r.low < r.value < r.high for r in alike)


def test_who_forfeits_is_behind_even_if_nobody_else_gets_anything():
    result = fs.match("matrix(game=battle_of_the_sexes)", [Faulty(0, "faulty"), Always(0, "first")], games=20, seed=0)
    assert result.judged_by == "utility"
    assert result.superiority < 0.01
    assert result.lead.high < 0


ABOVE = """
'''Two players choose at the same time; each gets more for its second move, and always something.'''
import numpy as np
from fogspiel.game import OVER, PUBLIC, About

State = np.dtype([("choice", "i1", 2), ("chosen", "i1")], align=True)

def about():
    return About(players=2, zero_sum=False, utility=(1, 10))

def start(s):
    s.chosen = 0

def actor(s):
    return OVER if s.chosen == 2 else s.chosen

def moves(s, out):
    out[0], out[1] = 0, 1
    return 2

def play(s, move):
    s.choice[s.chosen] = move
    s.chosen += 1

def payoff(s, out):
    out[0] = 1 + 9 * s.choice[0]
    out[1] = 1 + 4 * s.choice[1]

def infoset(s, player):
    return 0 if player == PUBLIC else player + 1
"""


def test_a_forfeit_leaves_everyone_within_the_range_of_utilities(tmp_path):
    path = tmp_path / "above.py"
    path.write_text(ABOVE)
    result = fs.match(str(path), [Faulty(0, "faulty"), "random"], games=20, notice=lambda text: None, seed=0)
    assert result.standings[0].forfeits == 20
    for one in (*(s.utility for s in result.standings), result.lead):
        assert one.low <= one.value <= one.high
    assert {record.utilities for record in result.games.values()} == {(1.0, 1.0)}
    # in a zero-sum game of three, two share what one loses
    three = fs.load("kuhn(players=3)")
    assert forfeited(three, 1) == [1.0, -2.0, 1.0]


def test_a_mean_is_in_its_interval_even_where_it_is_beyond_what_can_be():
    for values in ([0.0, 0.0], [0.0, 0.5, 0.2], [12.0], [11.0, 12.0]):
        found = sample(values, range(len(values))).interval((1.0, 10.0))
        assert found.low <= found.value <= found.high


def test_games_for_one_are_judged_by_the_difference_on_the_same_deal():
    result = fs.match("hidden_coin", ["mo-ismcts(simulations=100)", "random"], games=40, seed=0)
    assert result.judged_by == "utility"
    mine, others = (s.utility.value for s in result.standings)
    assert result.lead.value == pytest.approx(mine - others)
    assert result.superiority > 0.9
