"""Nothing that leaves the referee tells an agent what it may not know: seeds, memory, states shown, games played
before."""

import json
import shlex
from hashlib import blake2b

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents.agent import observe
from fogspiel.agents.registry import KINDS
from fogspiel.app.arena import print_match
from fogspiel.belief.record import Record
from fogspiel.engine.primitives import GOLDEN, MASK, OFFSET, next_word
from fogspiel.evaluate.seeds import agent_seed, derived, secret
from fogspiel.game import CHANCE, mix

SEED = 0x9D2C_5680_4F1B_C3A7  # a seed that nobody guesses


def unscrambled(z):
    """What `mix` and `next_word` scramble: their last steps lose nothing, and so run backwards."""
    z ^= z >> 31 ^ z >> 62
    z = z * pow(0x94D049BB133111EB, -1, 1 << 64) & MASK
    z ^= z >> 27 ^ z >> 54
    z = z * pow(0xBF58476D1CE4E5B9, -1, 1 << 64) & MASK
    return z ^ z >> 30 ^ z >> 60


def unmixed(result, value):
    """The key that `mix` made this of."""
    return (unscrambled(result) - value - OFFSET) * pow(GOLDEN, -1, 1 << 64) & MASK


SMALL = 300
"""Constants that an attacker tries."""


def origins(seed, number):
    """What an agent's seed in game `number` may have been made of, if it was by the library's hash or generator: with a
    small constant, or with the game's number and a small constant, one before the other, or as a word of a stream."""
    once = [unmixed(seed, value) for value in range(SMALL)]
    numbers = (number, number // 2)
    twice = [unmixed(one, n) for one in once for n in numbers]
    other = [unmixed(unmixed(seed, n), value) for n in numbers for value in range(SMALL)]
    stream = [
        unscrambled(one) - (n + value) * GOLDEN & MASK
        for one in (seed, *once[:10])
        for n in numbers
        for value in range(9)
    ]
    return {*once, *twice, *other, *stream}


def common_origin(seeds):
    """Whether the seeds of one agent in games 0, 1, 2, ... give themselves away as made of one number."""
    first, *others = (origins(seed, number) for number, seed in enumerate(seeds))
    return any(first & other for other in others)


class Told:
    """Notes what `begin` is told; `seeds` by game and seat."""

    name = "told"
    seeds: list = []  # noqa: RUF012 (of the class: copies of the agent share it)

    def begin(self, game, seat, seed):
        Told.seeds.append((seat, seed))

    def choose(self, observation):
        return observation.moves[0]


def seeds_told(games, **how):
    """The seeds of the agents in a match, by game and seat, and its result."""
    Told.seeds = []
    result = fs.match("kuhn", [Told(), Told()], games=games, **how)
    assert [seat for seat, _ in Told.seeds] == [0, 1] * games
    words = [seed for _, seed in Told.seeds]
    return list(zip(words[::2], words[1::2], strict=True)), result


@pytest.mark.parametrize(
    "make",
    [
        lambda whole, number: mix(mix(mix(whole, 2), number), 100),
        lambda whole, number: mix(mix(whole, 7), number),
        lambda whole, number: mix(mix(whole, number // 2), 0x1C),
        lambda whole, number: next_word(np.array([whole + number * GOLDEN & MASK], np.uint64)),
    ],
)
def test_seeds_made_by_a_hash_that_runs_backwards_would_give_themselves_away(make):
    assert common_origin([make(SEED, number) for number in range(3)])


def test_the_seeds_of_agents_do_not_run_backwards_to_a_number_that_they_have_in_common():
    seeds, _ = seeds_told(4, seed=SEED)
    for seat in (0, 1):
        assert not common_origin([pair[seat] for pair in seeds])
    assert not any(origins(one, 0) & origins(other, 0) for one, other in seeds)


def test_what_agents_and_chance_are_given_comes_out_of_a_keyed_one_way_hash():
    def stream(key, what, number):
        person = b"fogspiel stream"
        return int.from_bytes(
            blake2b(f"{what} {number}".encode(), key=key, digest_size=8, person=person).digest(), "little"
        )

    def secret(seed):
        return blake2b(str(seed).encode(), person=b"fogspiel secret").digest()

    seeds, result = seeds_told(10, seed=SEED)
    for number, record in result.games.items():
        game = stream(secret(SEED), "game", number)
        assert seeds[number] == tuple(stream(secret(game), "agent", seat) for seat in (0, 1))
        assert record.deal == stream(secret(SEED), "deal", number // 2)


def guessed(result, seeds, tries=range(200)):
    """How many games of a match begin with an agent's seed that comes out of a seed that is easily guessed."""
    known = {agent_seed(derived(secret(seed), "game", number), 0) for seed in tries for number in range(len(seeds))}
    return sum(first in known for first, _ in seeds)


def test_a_match_without_a_seed_takes_one_that_cannot_be_guessed_and_tells_it():
    seeds, result = seeds_told(4)
    again, other = seeds_told(4)
    assert guessed(result, seeds) == 0
    assert result.schedule.seed != other.schedule.seed
    assert max(result.schedule.seed, other.schedule.seed) >= 1 << 32
    assert result.as_dict()["seed"] == result.schedule.seed
    assert result.repeat == f"match(..., seed={result.schedule.seed})"
    assert seeds_told(4, seed=result.schedule.seed)[0] == seeds != again
    simple, given = seeds_told(4, seed=7)
    assert guessed(given, simple) == 4  # which is why a seed that is given is no secret


def test_a_match_without_a_seed_is_resumed_with_the_one_in_its_file_and_repeated_by_its_command(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    first = fs.match("kuhn", ["random", "random"], games=4, store=path)
    more = fs.match("kuhn", ["random", "random"], games=10, store=path, resume=True)
    assert more.schedule.seed == first.schedule.seed == json.loads(path.read_text().splitlines()[0])["seed"]
    assert more.played == 6
    assert f"--seed {first.schedule.seed} " in more.command
    words = shlex.split(more.repeat)
    assert words[:2] == ["fogspiel", "match"]
    assert "--store" not in words
    again = fs.match(words[2], words[3:5], games=int(words[6]), seed=int(words[words.index("--seed") + 1]))
    assert [r.moves for r in again.games.values()] == [r.moves for r in more.games.values()]
    print_match(again)
    assert more.repeat in capsys.readouterr().out
    with pytest.raises(fs.FileError, match="its seed is"):
        fs.match("kuhn", ["random", "random"], games=10, store=path, resume=True, seed=0)


def test_seeds_are_of_the_match_the_game_and_the_seat_and_the_same_again():
    first = seeds_told(50, seed=SEED)[0]
    assert first == seeds_told(50, seed=SEED)[0]
    every = [seed for pair in first + seeds_told(50, seed=SEED + 1)[0] for seed in pair]
    assert len(set(every)) == 200
    assert all(0 <= seed < 1 << 64 for seed in every)


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
    fs.match("kuhn", [given, "random"], games=100, learning=learning, seed=0)
    assert any(card is not None for card in Remembering.knew) == learning
    assert hasattr(given, "card") == learning


def test_an_agent_that_cannot_be_copied_is_refused_unless_it_may_learn(tmp_path):
    class Locked(Remembering):
        def __init__(self):
            self.file = open(tmp_path / "notes", "w")  # noqa: SIM115

    with pytest.raises(fs.SpecError, match=r"remembering cannot be copied .*learning=True; --learning"):
        fs.match("kuhn", [Locked(), "random"], games=2, seed=0)
    assert len(fs.match("kuhn", [Locked(), "random"], games=2, learning=True, seed=0).games) == 2


def test_a_match_about_learning_is_played_in_order_and_is_another_match(tmp_path):
    for how in ({"workers": 2}, {"store": tmp_path / "games.jsonl", "resume": True}):
        with pytest.raises(fs.SpecError, match="in their order in one process"):
            fs.match("kuhn", ["random", "random"], games=2, learning=True, **how)
    path = tmp_path / "games.jsonl"
    result = fs.match("kuhn", ["random", "random"], games=2, learning=True, store=path, seed=0)
    assert json.loads(path.read_text().splitlines()[0])["learning"] is True
    assert result.schedule.learning
    with pytest.raises(fs.FileError, match="its learning is True, not False"):
        fs.match("kuhn", ["random", "random"], games=4, store=path, resume=True, seed=0)


CLEAR = {"alpha-beta", "expectimax", "star1", "star2", "expss", "star1ss", "star2ss"}
FEW = {
    "simulations": 61,  # no multiple of a number of moves, so that a rest shows
    "nodes": 2048,
    "determinizations": 3,
    "depth": 3,
}


@pytest.mark.parametrize("name", KINDS)
def test_what_a_search_chooses_does_not_depend_on_the_games_before(name):
    game = fs.load(
        "pig(target=20,dice=1)"
        if name in CLEAR
        else {
            "is-expectimax": "kuhn",
            "pimc-minimax": "kuhn",
            "cheating-minimax": "kuhn",
            "gib": "kuhn",
            "sm-mcts": "goofspiel(cards=4,bids=open)",
            "do-alpha-beta": "goofspiel(cards=4,bids=open)",
        }.get(name, "goofspiel(cards=4)")
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

    old, new = fs.agent(name, **budget), fs.agent(name, **budget)
    fs.play_game(game, [Noted(old, "before"), fs.agent("random")], deal=1, seed=2)
    fs.play_game(game, [fs.agent("random"), Noted(old, "before")], deal=3, seed=4)
    for one, into in ((old, "old"), (new, "new")):
        fs.play_game(game, [fs.agent("random"), Noted(one, into)], deal=5, seed=6)
    assert log["old"] == log["new"]


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "goofspiel(cards=4)", "phantom_tic_tac_toe", "bluff"])
def test_the_bytes_of_a_state_shown_do_not_tell_the_true_state_padding_included(spec):
    game = fs.load(spec)
    picks = np.random.default_rng(1)
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
                drawn = [observe(state, records[who], np.array([seed], np.uint64)).state for seed in range(4)]
                shown = tuple(one.data.tobytes() + one.stage.data.tobytes() for one in drawn)
                met.setdefault(seen, {})[state.data.tobytes() + state.stage.data.tobytes()] = shown
            move = state.moves()[picks.integers(len(state.moves()))]
            if who != CHANCE:
                records[who].own.append(move)
            state.play(move)
    several = [kinds for kinds in met.values() if len(kinds) > 1]
    assert several
    assert all(len(set(kinds.values())) == 1 for kinds in several)


CLAIMS_MOVES = """
import numpy as np
from fogspiel.game import About, OVER
MAX_MOVES = 60
State = np.dtype([("past", "i8")])
def about(): return About(players=2, utility=(-1, 1))
def start(s): s.past = 0
def actor(s): return OVER if s.past == 2 else s.past
def moves(s, out): return 60
def play(s, move): s.past += 1
def payoff(s, out): out[0], out[1] = 1, -1
def infoset(s, player): return s.past
"""


def test_moves_that_a_rule_does_not_write_are_not_those_of_another_game(tmp_path):
    path = tmp_path / "claims_moves.py"
    path.write_text(CLAIMS_MOVES)
    claims = fs.load(path, debug=True, unchecked=True).start()
    hand = fs.load("blotto(soldiers1=8,soldiers2=8)", debug=True).start()
    assert len(hand.moves()) == 45
    assert set(claims.moves()) == {0}
