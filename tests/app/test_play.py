"""People at the terminal: what they are shown, what they may ask for, and how a game ends."""

import io
import re
import sys
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.agents import suited
from fogspiel.agents.human import HumanAgent
from fogspiel.app import cli
from fogspiel.app.play import HELP, default_seats, sit
from fogspiel.evaluate.bout import warm_up

README = Path(__file__).parents[2] / "README.md"
CLEARED = "<cleared>"


class People:
    """People who give these answers, then leave; keeps all that was told and asked."""

    def __init__(self, *answers, leave=EOFError):
        self.answers, self.leave, self.told = list(answers), leave, []

    def ask(self, prompt):
        self.told.append(prompt)
        if not self.answers:
            raise self.leave
        return self.answers.pop(0)

    @property
    def text(self):
        return "\n".join(self.told)

    def sit(self, game, seats=None, **options):
        clear = lambda: self.told.append(CLEARED)  # noqa: E731
        return sit(game, seats, ask=self.ask, tell=self.told.append, clear=clear, **options)


class Scripted:
    """An agent that makes these moves, then its first; keeps its observations, and counts its beginnings."""

    name = "scripted"

    def __init__(self, *moves):
        self.moves, self.seen, self.begun = list(moves), [], 0

    def begin(self, game, seat, seed):
        self.begun += 1

    def choose(self, observation):
        assert isinstance(observation, fs.Observation)
        assert observation.true_state is None
        self.seen.append(observation)
        return self.moves.pop(0) if self.moves else observation.moves[0]


@pytest.fixture
def coin_poker(tmp_path):
    """The README's game, which has no rule `show`."""
    code = re.search(r"<!-- example: coin_poker.py -->\n```python\n(.*?)```", README.read_text(), re.S)[1]
    path = tmp_path / "coin_poker.py"
    path.write_text(code)
    return path


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(suited, "SIMULATIONS", 40)


# what a person is shown


def test_a_person_plays_to_the_end_and_sees_only_its_own_cards_until_then():
    person = People("check", "nonsense", "7", *["1"] * 10)
    (record,) = person.sit("leduc", ["human", "random"], seed=3).records
    boards = [text for text in person.told if "hands" in text]
    assert all(re.match(r"hands [JQK] \?", text) for text in boards[:-1])
    assert "?" not in boards[-1]
    assert re.search(r"player 0 \(you\): (wins \d|loses \d|draws)", person.text)
    assert re.search(r"player 1 \(random\): (wins \d|loses \d|draws)", person.text)
    assert sum("type a number from 1 to" in text for text in person.told) == 2
    assert record.forfeit is None
    assert record.decisions[0] == sum("your move> " in text for text in person.told) - 2


def test_every_public_move_is_announced_in_order_and_hidden_ones_are_told_as_hidden():
    bet = 1
    person = People("pass", "call")
    person.sit("kuhn(players=3)", ["human", Scripted(), Scripted(bet)], seed=2)
    lines = person.text.splitlines()
    dealt = [line for line in lines if line.startswith("chance: ")]
    assert re.fullmatch(r"chance: deal \d to player 0", dealt[0])
    assert dealt[1:] == ["chance: something you cannot see"] * 2
    assert lines.index("player 1: pass") < lines.index("player 2: bet") < lines.index("1: fold   2: call")
    person = People()
    person.sit("dou_di_zhu", ["human", Scripted(), Scripted()], seed=4)
    assert person.told.count("chance: something you cannot see (14 times)") == 1
    person = People("try a1", "try b1")
    person.sit("phantom_tic_tac_toe", ["human", Scripted(4, 5)])
    assert person.told.count("player 1: a move you cannot see") == 2
    assert "player 1: try" not in person.text


def test_nothing_is_told_before_the_end_that_depends_on_what_is_hidden():
    """Games in which a person has the same card, and others another: all that is told is the same."""
    told = {}
    for seed in range(12):
        person = People("pass")
        (record,) = person.sit("kuhn", ["human", Scripted(1)], seed=seed).records or [None]
        own = next(line for line in person.text.splitlines() if "to player 0" in line)
        before_the_end = person.text if record is None else person.text[: person.text.index("bets 1 2")]
        told.setdefault(own, set()).add(before_the_end)
    assert len(told) == 3
    assert [len(texts) for texts in told.values()] == [1, 1, 1]


def test_a_game_without_a_picture_is_told_by_what_the_seat_has_seen(coin_poker):
    person = People("call")
    go = 1
    (record,) = person.sit(coin_poker, [Scripted(go), "human"], seed=1).records
    before, after = person.text.split("your move> ")[:2]
    assert "player 0: bet" in before
    assert "heads" not in before
    assert "tails" not in before
    assert re.search(r"the whole game: chance: (heads|tails), player 0: bet, you: call", after)
    assert not re.search(r"[0-9a-f]{8}", person.text)
    assert record.moves[1:] == (1, 1)


def test_what_has_been_seen_before_is_told_again_where_there_is_no_picture(tmp_path):
    source = (Path(fs.load("kuhn").module.__file__)).read_text()
    path = tmp_path / "bare_kuhn.py"
    path.write_text(source[: source.index("def show(")])
    person = People("pass", "fold")
    person.sit(path, ["human", Scripted(1)], seed=1)
    assert re.search(
        (
            r"player 1: bet\nso far: chance: deal \d to player 0, chance: something you cannot see, you: pass, "
            r"player 1: "
            r"bet"
        ),
        person.text,
    )


def test_a_person_in_the_library_is_told_the_same(coin_poker):
    told = []
    person = HumanAgent(ask=lambda prompt: "2", tell=told.append)
    fs.play_game(coin_poker, [person, "random"], deal=1, seed=1)
    assert re.fullmatch(r"\nso far: chance: (heads|tails)", told[0])
    game = fs.load(coin_poker)
    assert not re.search(r"[0-9a-f]{8}", game.start().show(0))


def test_moves_that_are_named_by_numbers_are_typed_as_such(coin_poker):
    source = coin_poker.read_text()
    coin_poker.write_text(source[: source.index("def move_name(")])
    person = People("2", "1")
    (record,) = person.sit(coin_poker, ["human", Scripted(1)]).records
    assert "0   1" in person.told
    assert "type a move's name; or hint, undo, help, quit" in person.told
    assert record.moves[1] == 1


def test_many_moves_are_listed_in_lines_of_80_columns():
    person = People()
    person.sit("bluff", ["human", "random"])
    listed = next(text for text in person.told if text.startswith("1: "))
    assert len(listed.splitlines()) > 1
    assert max(map(len, listed.splitlines())) <= 80


# several people


def test_people_at_one_terminal_do_not_see_each_others_views():
    people = People("", "pass", "", "bet", "", "fold", "n")
    people.sit("kuhn", ["human", "human"], seed=1)
    assert people.told.count(CLEARED) == 2
    parts = people.text.split(CLEARED)
    for seat, part in zip((0, 1, 0), parts, strict=True):
        asked = part.index(f"player {seat}, press Enter")
        assert "cards" not in part[:asked]
        assert f"player {seat}, your move> " in part[asked:]
        own = re.search(r"cards (\S) (\S)", part[asked:])
        assert own[1 + seat] != "?"
        assert own[2 - seat] == "?"
    assert "player 1: bet" in parts[2]
    assert "player 0: fold" in parts[2]  # which player 1 has not seen before


def test_where_nothing_is_hidden_nobody_has_to_press_a_key():
    people = People("1", "2")
    people.sit("tic_tac_toe", ["human", "human"])
    assert CLEARED not in people.told
    assert "player 1, your move> " in people.told


# words at the prompt


def test_a_hint_tells_what_a_search_would_do_and_changes_nothing():
    plain, hinted = People("1", "1", "1"), People("hint", "1", "hint", "1", "/hint", "1")
    without = plain.sit("leduc", ["human", "random"], seed=3).records
    assert hinted.sit("leduc", ["human", "random"], seed=3).records[0].moves == without[0].moves
    hint = next(text for text in hinted.told if "would play" in text).splitlines()
    assert re.fullmatch(r"mo-ismcts\(simulations=40\) would play (check|bet 2)\.", hint[0])
    assert re.fullmatch(r"  (check|bet 2) +tried \d+ of 40 times, worth [+-][\d.]+ on average", hint[1])


def test_a_hint_knows_what_the_seat_knows_and_nothing_else():
    adviser = Scripted()
    person = People("hint")
    person.sit("kuhn", ["random", "human"], hint=adviser)
    (observation,) = adviser.seen
    assert (observation.seat, observation.true_state) == (1, None)
    assert "scripted would play" in person.text
    with pytest.raises(fs.SpecError, match="cheating-uct cannot give hints: it sees everything"):
        People().sit("kuhn", hint="cheating-uct")
    with pytest.raises(fs.SpecError, match="human cannot give hints"):
        People().sit("kuhn", hint="human")


def test_hints_of_strategies_and_of_mixing_searches_are_shares(tmp_path):
    fs.save(fs.solve("kuhn", iterations=200).strategy, tmp_path / "kuhn.fog")
    person = People("hint")
    person.sit("kuhn", ["human", "random"], hint=str(tmp_path / "kuhn.fog"))
    assert re.search(r"kuhn.fog would play (pass|bet)\.\n  (pass|bet) +[\d.]+% of the time", person.text)
    person = People("hint")
    person.sit("kuhn", ["human", "random"], hint="oos(simulations=50)")
    assert re.search(r"  (pass|bet) +[\d.]+% of the time", person.text)


def test_an_adviser_that_cannot_is_told_and_the_game_goes_on():
    person = People("hint", "1", "1", "1")
    assert person.sit("kuhn(players=3)", ["human", "random", "random"], hint="oos").records
    assert "There is no hint: oos needs two players; kuhn(players=3) has 3" in person.text


def test_undo_goes_back_to_the_persons_last_decision_with_the_same_chance():
    other = Scripted()
    person = People("check", "undo", "bet 2", "check", "check")
    (record,) = person.sit("leduc", ["human", other], seed=5).records
    boards = [text for text in person.told if text.startswith("hands")]
    assert boards[0] == boards[2]  # as before the move that was taken back
    assert "Taken back. Chance is the same as before." in person.told
    assert other.begun == 2
    alone = People("bet 2", "check", "check")
    assert alone.sit("leduc", ["human", Scripted()], seed=5).records[0].moves == record.moves
    # what the agent saw of the game it is in, and nothing of the one taken back
    again = Scripted()
    People("bet 2", "check", "check").sit("leduc", ["human", again], seed=5)
    assert [one.record for one in other.seen[-len(again.seen) :]] == [one.record for one in again.seen]


def test_the_last_move_can_be_taken_back_when_the_game_is_over():
    person = People("bet", "undo", "pass", "n")
    sitting = person.sit("kuhn", ["human", Scripted(0, 0)], seed=4)
    assert [record.moves[2:] for record in sitting.records] == [(0, 0)]
    assert person.text.count("player 0 (you): ") == 2
    assert person.text.count("chance: deal") == 1
    never_asked = People("undo", "n")
    sitting = never_asked.sit("tic_tac_toe", [Scripted(99), "human"])
    assert never_asked.text.count("another game?") == 2
    assert "'u' is no answer to that; type y, s or n." in never_asked.text
    assert "take back" not in never_asked.text


def test_undo_can_be_repeated_up_to_the_first_move():
    person = People("a1", "c1", "undo", "undo", "undo", "b2")
    person.sit("tic_tac_toe", ["human", Scripted(1, 3)])
    assert person.text.count("Taken back.") == 2
    assert person.text.count("There is nothing to take back: this is your first move.") == 1
    assert person.told[-4].count(".") == 7  # after b2 and one answer


def test_undo_of_one_of_two_people_takes_back_the_others_move_too():
    people = People("a1", "b1", "undo", "c3", "a1", "c1")
    people.sit("tic_tac_toe", ["human", "human"])
    boards = [text for text in people.told if re.match(r"[XO.]{3}\n", text)]
    assert boards[2].startswith("XO.")
    assert boards[3] == "...\n...\n..."
    assert "X" in boards[4].splitlines()[2]


def test_help_tells_all_words_and_a_move_of_that_name_comes_first(coin_poker):
    person = People("help", "?")
    person.sit("kuhn")
    assert person.told.count(HELP) == 2
    assert all(f"\n  {word} " in HELP for word in ("hint", "undo", "help", "quit"))
    assert max(map(len, HELP.splitlines())) <= 80
    coin_poker.write_text(coin_poker.read_text().replace('("fold", "bet"', '("quit", "bet"'))
    person = People("/undo", "quit")
    sitting = person.sit(coin_poker, ["human", "random"])
    assert "There is nothing to take back: this is your first move." in person.told
    assert not sitting.left
    assert sitting.records[0].moves[1] == 0


# ends


@pytest.mark.parametrize(
    ("people", "interrupted"),
    [
        (People("1"), False),
        (People("1", leave=KeyboardInterrupt), True),
        (People("1", "quit"), False),
        (People("1", "Q"), False),
    ],
)
def test_who_leaves_is_met_with_one_sentence(people, interrupted):
    sitting = people.sit("phantom_tic_tac_toe", ["human", "random"])
    assert people.told[-1].strip() == "The game was left before its end."
    assert (sitting.records, sitting.left, sitting.interrupted) == ((), True, interrupted)


def test_another_game_has_other_chance_and_the_seats_swap_as_asked():
    person = People("2", "maybe", "y", "2", "s", "2", "n")
    sitting = person.sit("kuhn", ["human", Scripted(0, 0, 0, 1)], seed=1)
    assert len(sitting.records) == 3
    assert not sitting.left
    deals = [record.deal for record in sitting.records]
    assert deals == [1, 2, 3]
    assert person.text.count("player 0: you") == 2
    assert person.text.count("player 1: you") == 1
    assert person.text.count("another game?") == 4


def test_results_are_told_in_words():
    person = People("a1", "b1", "c1")
    person.sit("tic_tac_toe", ["human", Scripted(3, 4)])
    assert "player 0 (you): wins\nplayer 1 (scripted): loses" in person.text
    assert "XXX" in person.text
    person = People("straight on", "turn")
    person.sit("absent_minded_driver")
    assert "player 0 (you): gets 4" in person.text
    assert "seats swapped" not in person.text
    person = People("check", "check")
    person.sit("leduc", ["human", Scripted()], seed=1)
    assert re.search(r"player 0 \(you\): (wins|loses) 1\nplayer 1 \(scripted\): (wins|loses) 1", person.text)


def test_an_agent_that_fails_gives_the_game_up_and_that_is_told():
    person = People("pass")
    person.sit("kuhn", ["human", Scripted(77)])
    assert "player 1 made the illegal move 77, and so gives the game up" in person.text
    assert "player 0 (you): wins 2" in person.text


# seats


def test_the_wrong_number_of_seats_is_refused():
    with pytest.raises(fs.SpecError, match="has 2 seats, 1 given"):
        People().sit("kuhn", ["human"])


@pytest.mark.parametrize("game", [*fs.built_in_games(), "kuhn(players=3)", "goofspiel(bids=open)"])
def test_the_agents_in_the_default_seats_can_play(game):
    loaded = fs.load(game)
    person, *others = default_seats(loaded)
    assert person == "human"
    assert len(others) == loaded.players - 1
    warm_up(loaded, [fs.agent(one) for one in others])


def test_default_seats_go_by_what_a_game_hides():
    name = lambda game: default_seats(fs.load(game))[1].split("(")[0]  # noqa: E731
    assert [name(game) for game in ("tic_tac_toe", "pig", "oshi_zumo", "matrix", "goofspiel(bids=open)")] == [
        "mcts",
        "mcts",
        "sm-mcts",
        "sm-mcts",
        "sm-mcts",
    ]
    assert {name(game) for game in ("goofspiel", "leduc", "kuhn(players=3)", "latent_tic_tac_toe")} == {"mo-ismcts"}


def test_play_needs_nothing_but_a_game_and_reads_moves_from_anywhere(monkeypatch, capsys):
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(sys, "stdin", io.StringIO("check\n1\n1\n1\n1\n1\nn\n"))
    monkeypatch.setattr(sys, "argv", ["fogspiel", "play", "leduc", "--seed", "3"])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    out = capsys.readouterr().out
    assert not stop.value.code
    assert out.startswith("leduc\nplayer 0: you\nplayer 1: mo-ismcts(simulations=40)\n")
    assert "your move> check\n" in out
    assert "player 0 (you): " in out
    assert out.endswith("the same chance again: fogspiel play leduc --seed 3\n")


def test_a_seed_that_was_not_asked_for_is_64_random_bits_and_told_at_the_end(monkeypatch, capsys):
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    seeds = []
    for again in (False, False, True):
        given = ["--seed", str(seeds[0])] if again else []
        monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
        monkeypatch.setattr(sys, "argv", ["fogspiel", "play", "leduc", "--seat", "human", "--seat", "random", *given])
        with pytest.raises(SystemExit):
            cli.main()
        last = capsys.readouterr().out.splitlines()[-1]
        command, _, seed = last.rpartition(" ")
        assert command == "the same chance again: fogspiel play leduc --seat human --seat random --seed"
        seeds.append(int(seed))
    assert seeds[0] != seeds[1]
    assert seeds[2] == seeds[0]
    assert max(seeds) >= 1 << 40
