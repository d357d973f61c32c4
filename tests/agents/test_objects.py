"""Parts given as classes and functions: they play, and are stored and sent where a change of them would be noticed."""

import pickle
import threading

import pytest

import fogspiel as fs
from fogspiel.belief.belief import BELIEF
from fogspiel.game.parts import part_of_object, version_of

STEP = 1


class Here:
    """Believes in the state that it is shown."""

    def update(self, record, state, model):
        self.state = state

    def draw(self):
        return [self.state] * STEP


class Twice(Here):
    def draw(self):
        return [self.state] * 2


class Counting(Here):
    seen = threading.Lock()

    def draw(self):
        return [self.state]


def believing(thing):
    """A function of an object."""

    def draw(state):
        return [state] * len(thing)

    return draw


def shown(state):
    return [state]


def agents(belief):
    yield fs.agent("mo-ismcts", simulations=20, belief=belief)
    yield fs.agent("oos", simulations=20, progress=fs.part("target", belief=belief))


def version(held):
    return version_of(part_of_object(BELIEF, held))


class Things:
    def __len__(self):
        return 1


@pytest.mark.parametrize("belief", [Here, shown, believing([0]), Counting, believing(Things())])
def test_a_class_or_a_function_plays(belief):
    for agent in agents(belief):
        assert len(fs.match("kuhn", [agent, "random"], games=4, seed=1, strict=True).games) == 4


@pytest.mark.parametrize("belief", [Here, shown, believing([0])])
def test_what_it_did_is_stored_where_a_change_of_its_code_would_be_noticed(tmp_path, belief):
    for i, agent in enumerate(agents(belief)):
        whole = fs.match("kuhn", [agent, "random"], games=4, seed=1, store=tmp_path / f"{i}.jsonl")
        again = fs.match("kuhn", [agent, "random"], games=4, seed=1, store=tmp_path / f"{i}.jsonl", resume=True)
        assert again.utility == whole.utility


def test_a_class_that_was_changed_goes_on_with_no_stored_match(tmp_path, monkeypatch):
    def play(**more):
        agent = fs.agent("mo-ismcts", simulations=20, belief=Here)
        return fs.match("kuhn", [agent, "random"], games=4, seed=1, store=tmp_path / "x.jsonl", **more)

    play()
    monkeypatch.setattr(Here, "draw", Twice.draw)
    with pytest.raises(fs.FileError, match=r"what mo-ismcts\(.*belief=Here\) plays by has changed"):
        play(resume=True)


def test_the_version_of_a_class_changes_with_what_it_inherits_and_with_what_it_reads(monkeypatch):
    found = [version(Here), version(Twice), version(shown), version(believing([0])), version(believing([0, 0]))]
    assert version(Here) == found[0]
    monkeypatch.setitem(Here.draw.__globals__, "STEP", 2)
    found.append(version(Here))
    monkeypatch.setattr(Here, "update", lambda self, record, state, model: None)
    found += [version(Here), version(Twice)]
    assert len({*found}) == 8


@pytest.mark.parametrize(
    ("belief", "told"),
    [
        (
            Counting,
            "Counting has no version: Counting.seen is an object of lock, which nothing tells from others; write it",
        ),
        (
            believing(Things()),
            "draw has no version: thing, which believing.<locals>.draw holds, is an object of Things, which nothing",
        ),
    ],
)
def test_what_has_no_version_is_stored_nowhere(tmp_path, belief, told):
    for agent in agents(belief):
        with pytest.raises(fs.PartError, match=told):
            fs.match("kuhn", [agent, "random"], games=2, seed=1, store=tmp_path / "x.jsonl")
        with pytest.raises(fs.PartError, match=told):
            _ = agent.fingerprint
        assert not (tmp_path / "x.jsonl").exists()


def test_what_another_process_would_not_find_is_not_sent_there():
    for agent in agents(believing([0])):
        with pytest.raises(fs.PartError, match=r"draw cannot be sent to another process \(.*\); write it into a file"):
            pickle.dumps(agent)
        with pytest.raises(fs.FogspielError, match="cannot be sent to another process"):
            fs.match("kuhn", [agent, "random"], games=4, seed=1, workers=2)
    for agent in agents(Here):
        sent = pickle.loads(pickle.dumps(agent))
        assert (sent.name, sent.fingerprint) == (agent.name, agent.fingerprint)
        one, two = (fs.match("kuhn", [agent, "random"], games=4, seed=1, workers=n) for n in (1, 2))
        assert one.utility == two.utility


def test_a_bandit_of_an_object_is_refused_by_its_name():
    def choose(search, here, n):
        return len(things) % n

    def learn(search, d, reward, utility):
        pass

    things = Things()
    with pytest.raises(fs.PartError, match="dict cannot be compiled: a function holds things, an object of Things"):
        fs.think("kuhn", fs.agent("mo-ismcts", bandit={"choose": choose, "learn": learn}), seed=1)
