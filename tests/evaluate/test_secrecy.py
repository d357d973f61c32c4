"""Nothing that leaves the referee tells an agent what it may not know: seeds, memory, states shown, games played before."""

import json

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents.agent import observe
from fogspiel.agents.registry import KINDS, agent
from fogspiel.belief.replay import Record
from fogspiel.engine.primitives import MASK, next_word, uniform
from fogspiel.evaluate.match import match
from fogspiel.evaluate.referee import play_game
from fogspiel.game.rules import CHANCE

SEED = 0x9D2C_5680_4F1B_C3A7  # a seed that nobody guesses
GOLDEN = 0x9E3779B97F4A7C15


def hashed(key, value):
    """The 64-bit hash that seeds were once made by; as all of its kind it runs backwards."""
    z = (key ^ value) + GOLDEN & MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return (z ^ (z >> 31)) * GOLDEN & MASK


def unhashed(result, value):
    """The key that `hashed` made this of."""
    z = result * pow(GOLDEN, -1, 1 << 64) & MASK
    z ^= z >> 31 ^ z >> 62
    z = z * pow(0x94D049BB133111EB, -1, 1 << 64) & MASK
    z ^= z >> 27 ^ z >> 54
    z = z * pow(0xBF58476D1CE4E5B9, -1, 1 << 64) & MASK
    z ^= z >> 30 ^ z >> 60
    return (z - GOLDEN & MASK) ^ value


class Foreteller:
    """Works backwards from its seed to the match's, then forwards to the cards. It is told the number of the game, which it
    could count; `claims` are the cards that it foretells."""

    name = "foreteller"
    numbers = iter(())
    claims: list = []  # noqa: RUF012 (of the class: copies of the agent share it)

    def begin(self, game, seat, seed):
        number = next(Foreteller.numbers)
        whole = unhashed(unhashed(unhashed(seed, 100 + seat), number), 2)
        luck = np.array([hashed(hashed(hashed(whole, 1), number // 2), 0x1CE)], np.uint64)
        state = game.start()
        while state.actor == CHANCE:
            outcomes = state.chance()
            state.play(outcomes[int(uniform(luck) * len(outcomes))][0])
        Foreteller.claims.append(state.view.card[:2])

    def choose(self, observation):
        return observation.moves[0]


def test_the_hash_runs_backwards_so_that_the_foreteller_would_succeed_with_seeds_made_by_it():
    words = np.array([7], np.uint64)
    for value in range(50):
        key = next_word(words)
        assert unhashed(hashed(key, value), value) == key


def test_an_agent_cannot_foretell_chance_from_its_seed():
    Foreteller.numbers, Foreteller.claims = iter(range(400)), []
    result = match("kuhn", [Foreteller(), "random"], games=400, seed=SEED)
    right = [
        claim == list(record.moves[:2]) for claim, record in zip(Foreteller.claims, result.games.values(), strict=True)
    ]
    assert 400 / 6 * 0.5 < sum(right) < 400 / 6 * 1.5  # as often as by guessing one of six deals


def test_seeds_are_of_the_match_the_game_and_the_seat_and_the_same_again():
    class Told:
        name = "told"
        seeds: list = []  # noqa: RUF012

        def begin(self, game, seat, seed):
            Told.seeds.append(seed)

        def choose(self, observation):
            return observation.moves[0]

    def seeds(seed):
        Told.seeds = []
        match("kuhn", [Told(), Told()], games=50, seed=seed)
        return Told.seeds

    first = seeds(SEED)
    assert first == seeds(SEED)
    assert len(set(first) | set(seeds(SEED + 1))) == 200
    assert all(0 <= seed < 1 << 64 for seed in first)


class Remembering:
    """Knows its card of the game before, which in the second game of a deal is the other's."""

    name = "remembering"
    knew: list = []  # noqa: RUF012

    def begin(self, game, seat, seed):
        self.before, self.card = getattr(self, "card", None), None

    def choose(self, observation):
        self.card = observation.state.view.card[observation.seat]
        Remembering.knew.append(self.before)
        return observation.moves[0]


@pytest.mark.parametrize("learning", [False, True])
def test_an_agent_remembers_earlier_games_only_where_the_match_is_about_learning(learning):
    Remembering.knew = []
    given = Remembering()
    match("kuhn", [given, "random"], games=100, learning=learning)
    assert any(card is not None for card in Remembering.knew) == learning
    assert hasattr(given, "card") == learning


def test_an_agent_that_cannot_be_copied_is_refused_unless_it_may_learn(tmp_path):
    class Locked(Remembering):
        def __init__(self):
            self.file = open(tmp_path / "notes", "w")  # noqa: SIM115

    with pytest.raises(fs.SpecError, match=r"remembering cannot be copied .*learning=True; --learning"):
        match("kuhn", [Locked(), "random"], games=2)
    assert len(match("kuhn", [Locked(), "random"], games=2, learning=True).games) == 2


def test_a_match_about_learning_is_played_in_order_and_is_another_match(tmp_path):
    for how in ({"workers": 2}, {"store": tmp_path / "games.jsonl", "resume": True}):
        with pytest.raises(fs.SpecError, match="in their order in one process"):
            match("kuhn", ["random", "random"], games=2, learning=True, **how)
    path = tmp_path / "games.jsonl"
    result = match("kuhn", ["random", "random"], games=2, learning=True, store=path)
    assert json.loads(path.read_text().splitlines()[0])["learning"] is True
    assert result.schedule.learning
    with pytest.raises(fs.FileError, match="its learning is True, not False"):
        match("kuhn", ["random", "random"], games=4, store=path, resume=True)


CLEAR = {"alpha-beta", "expectimax", "star1", "star2", "expss", "star1ss", "star2ss"}
FEW = {"simulations": 60, "nodes": 2048, "determinizations": 3, "depth": 3}


@pytest.mark.parametrize("name", KINDS)
def test_what_a_search_chooses_does_not_depend_on_the_games_before(name):
    game = fs.load(
        "pig(target=20,dice=1)"
        if name in CLEAR
        else {"is-expectimax": "kuhn", "sm-mcts": "goofspiel(cards=4,bids=open)"}.get(name, "goofspiel(cards=4)")
    )
    budget = {p.name: FEW[p.name] for p in KINDS[name].parameters if p.name in FEW}
    log: dict[str, list] = {}

    class Noted:
        def __init__(self, inner, into):
            self.inner, self.into, self.name, self.cheats = (
                inner,
                into,
                name,
                inner.cheats if hasattr(inner, "cheats") else False,
            )

        def begin(self, game, seat, seed):
            self.inner.begin(game, seat, seed)

        def choose(self, observation):
            move = self.inner.choose(observation)
            log.setdefault(self.into, []).append((move, getattr(self.inner, "found", None)))
            return move

    old, new = agent(name, **budget), agent(name, **budget)
    play_game(game, [Noted(old, "before"), agent("random")], deal=1, seed=2)
    play_game(game, [agent("random"), Noted(old, "before")], deal=3, seed=4)
    for one, into in ((old, "old"), (new, "new")):
        play_game(game, [agent("random"), Noted(one, into)], deal=5, seed=6)
    assert log["old"] == log["new"]


class Digger:
    """Asks for memory as it is, of the sizes that the referee uses."""

    name = "digger"

    def __init__(self):
        self.found: set[bytes] = set()

    def begin(self, game, seat, seed):
        self.game = game

    def choose(self, observation):
        size = self.game.dtype.itemsize
        blocks = [np.empty(size, np.uint8) for _ in range(16)] + [np.empty(257 * size, np.uint8)]
        for block in blocks:
            self.found |= {block[at : at + size].tobytes() for at in range(0, len(block), size)}
        return observation.moves[0]


class Watched:
    """A random agent of which is noted what it is shown."""

    name = "watched"

    def __init__(self, shown):
        self.shown, self.inner = shown, agent("random")

    def begin(self, game, seat, seed):
        self.inner.begin(game, seat, seed)

    def choose(self, observation):
        self.shown.add(observation.state.data.tobytes())
        return self.inner.choose(observation)


@pytest.mark.parametrize("redrawn", [True, False])
def test_memory_that_an_agent_is_handed_uninitialised_shows_no_state_of_the_game(redrawn, tmp_path):
    game = fs.load("kuhn")
    if not redrawn:
        with open(game.module.__file__) as file:
            (tmp_path / "replayed.py").write_text(file.read().replace("def resample(", "def not_a_rule("))
        game = fs.load(tmp_path / "replayed.py")
    states: set[bytes] = set()
    digger = Digger()
    for deal in range(60):
        seats = [digger, Watched(states)]
        play_game(
            game,
            seats if deal % 2 else seats[::-1],
            deal=deal,
            seed=deal,
            watch=lambda state: states.add(state.data.tobytes()),
        )
    assert len(states) > 30
    assert not digger.found & states


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "goofspiel(cards=4)", "phantom_tic_tac_toe", "bluff"])
def test_the_bytes_of_a_state_shown_do_not_tell_the_true_state_padding_included(spec):
    game = fs.load(spec)
    luck = np.random.default_rng(1)
    met: dict[tuple, dict[bytes, tuple]] = {}
    for _ in range(300):
        state, records = game.start(), [Record(p) for p in range(game.players)]
        while True:
            for record in records:
                record.see(state)
            who = state.actor
            if state.over:
                break
            if who != CHANCE:
                seen = (who, tuple(records[who].keys), tuple(records[who].own))
                shown = tuple(
                    observe(state, records[who], np.array([seed], np.uint64)).state.data.tobytes() for seed in range(4)
                )
                met.setdefault(seen, {})[state.data.tobytes()] = shown
            move = state.moves()[luck.integers(len(state.moves()))]
            if who != CHANCE:
                records[who].own.append(move)
            state.play(move)
    several = [kinds for kinds in met.values() if len(kinds) > 1]
    assert several
    assert all(len(set(kinds.values())) == 1 for kinds in several)
