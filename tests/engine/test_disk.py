"""One process at a time: whoever comes second waits, but for no one that was killed, and not for ever."""

import threading
import time

from fogspiel.engine.disk import PART, alone, lock


def test_the_second_waits_for_the_first(tmp_path):
    order = []

    def second():
        with alone(tmp_path / "code", patience=60):
            order.append("second")

    with alone(tmp_path / "code", patience=60):
        other = threading.Thread(target=second)
        other.start()
        time.sleep(0.2)
        order.append("first")
    other.join()
    assert order == ["first", "second"]
    assert not list(tmp_path.iterdir())


def test_whoever_waits_too_long_goes_on(tmp_path):
    with (
        alone(tmp_path / "code", patience=60),
        alone(tmp_path / "code", patience=0.1),
        alone(tmp_path / "other", patience=60),
    ):
        assert len(list(tmp_path.iterdir())) == 2
    assert not list(tmp_path.iterdir())


def test_nobody_waits_for_a_process_that_was_killed(tmp_path):
    left = tmp_path / f".code{PART}"
    left.write_bytes(b"")
    with alone(tmp_path / "code", patience=0.5), open(left, "rb") as file:
        assert not lock(file)
    assert not list(tmp_path.iterdir())


def test_where_nothing_can_be_written_nobody_waits(tmp_path):
    (tmp_path / "file").write_text("a file where a folder should be")
    with alone(tmp_path / "file" / "code", patience=60):
        pass
