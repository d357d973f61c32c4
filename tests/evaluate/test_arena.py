"""What people see of matches and games."""

from dataclasses import replace

import pytest

import fogspiel as fs
from fogspiel.app import arena
from fogspiel.app.arena import play_game_with_people, print_match
from fogspiel.evaluate.match import match


class Table:
    """A person who gives these answers, then leaves; keeps all that was told and asked."""

    def __init__(self, *answers, leave=EOFError):
        self.answers, self.leave, self.told = list(answers), leave, []

    def ask(self, prompt):
        self.told.append(prompt)
        if not self.answers:
            raise self.leave
        return self.answers.pop(0)

    def tell(self, text):
        self.told.append(text)

    @property
    def text(self):
        return "\n".join(self.told)


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    monkeypatch.setattr(arena.console, "width", 80)


def test_a_result_shows_everything_within_80_columns(capsys):
    result = match("leduc", ["mo-ismcts(simulations=50)", "cheating-uct(simulations=20,determinizations=1)"], games=20)
    print_match(result)
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 85
    for shown in ("leduc: 20 games (10 deals, each in every seat), seed 0", "#1 mo-ismcts(simulations=50)", "[sees everything]", "a move",
                  "win rate", "mean utility", "judged by       utility", "utility lead", "superiority", "games/s", "all 20 games were played"):  # fmt: skip
        assert shown in out
    assert "…" not in out
    assert "Elo" not in out
    assert "forfeits" not in out
    assert "to go on" not in out


def test_a_result_tells_of_forfeits_interruptions_and_tests(capsys, tmp_path):
    class Wrong:
        name = "wrong"

        def begin(self, game, seat, seed):
            pass

        def choose(self, observation):
            return -1

    def stop(_, done, __):
        if done == 8:
            raise KeyboardInterrupt

    print_match(match("kuhn", ["random", Wrong()], games=20, progress=stop, sprt=(0, 1, 0.05, 0.05)))
    out = capsys.readouterr().out
    assert "forfeits        8" in out
    assert "game 0: wrong (seat 1) made the illegal move -1" in out
    assert "and 3 more" in out
    assert "interrupted after 8 of 20 games" in out
    print_match(match("kuhn", ["random", "random"], games=20, progress=stop, store=tmp_path / "g.jsonl"))
    assert (
        f"to go on        fogspiel match kuhn random random --games 20 --seed 0 --workers 1 --store {tmp_path / 'g.jsonl'} --resume"
        in capsys.readouterr().out
    )


def test_a_result_without_games_can_be_shown(capsys):
    for game, agents in (("kuhn", ["random"] * 2), ("kuhn", ["random"] * 3), ("hidden_coin", ["random"])):
        result = match(game, agents, games=4)
        empty = replace(result, games={}, stopped="interrupted", played=0)
        print_match(empty)
        empty.as_dict()
        assert "interrupted after 0 of" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("game", "shown"), [("hidden_coin", "utility"), ("kuhn(players=3)", "utility"), ("tic_tac_toe", "Elo")]
)
def test_results_of_more_agents_than_two_are_ratings(game, shown, capsys):
    print_match(match(game, ["random"] * 3, games=6))
    out = capsys.readouterr().out
    assert out.count(f"{shown} rating") == 3
    assert out.count(" rating") == 3
    assert "#3" in out


def test_a_person_plays_to_the_end_and_sees_only_its_own_cards_until_then():
    person = Table("check", "nonsense", "7", *["1"] * 10)
    record = play_game_with_people("leduc", ["human", "random"], seed=3, ask=person.ask, tell=person.tell)
    *before, last, outcome = person.told
    own = last.partition("hands ")[2][0]
    assert all(f"hands {own} ?" in text for text in before if "hands" in text and "paid 1 1" not in text)
    assert "?" not in last
    assert "player 0 (you): " in outcome
    assert "player 1 (random): " in outcome
    assert sum("type a number" in text for text in person.told) == 2
    assert record.forfeit is None
    assert record.decisions[0] == sum("your move> " in text for text in person.told) - 2


def test_what_others_do_in_the_open_is_shown_and_what_is_hidden_is_not():
    person = Table(*["1"] * 20)
    play_game_with_people("phantom_tic_tac_toe", ["random", "human"], seed=5, ask=person.ask, tell=person.tell)
    boards = [text for text in person.told if text.startswith("\n")][:-1]
    assert boards[0].strip() == "...\n...\n..."  # player 0 has moved, unseen
    person = Table(*["1"] * 20)
    play_game_with_people("kuhn(players=3)", ["human", "random", "random"], seed=2, ask=person.ask, tell=person.tell)
    assert len(person.told) > 4


@pytest.mark.parametrize("leave", [EOFError, KeyboardInterrupt])
def test_a_person_who_leaves_ends_the_game_with_one_sentence(leave):
    person = Table("1", leave=leave)
    assert play_game_with_people("phantom_tic_tac_toe", ["human", "random"], ask=person.ask, tell=person.tell) is None
    assert person.told[-1].strip() == "The game was left before its end."


def test_two_people_are_told_whose_move_it_is():
    people = Table("1", "2")
    play_game_with_people("tic_tac_toe", ["human", "human"], ask=people.ask, tell=people.tell)
    assert "player 1, your move> " in people.told


def test_the_wrong_number_of_seats_is_refused():
    with pytest.raises(fs.SpecError, match="has 2 seats, 1 given"):
        play_game_with_people("kuhn", ["human"])
