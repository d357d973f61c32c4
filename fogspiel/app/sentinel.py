"""Ctrl-C while machine code runs that never comes to an end.

Python hears of a signal only when the code that it called returns, and a rule with an endless loop does not. A thread
beside it is woken by the signal at once, and asks the main thread for a sign of life. Where none comes, it ends the
process in its place.
"""

import ctypes
import os
import signal
import socket
import threading
from typing import Any

from fogspiel.engine.stake import is_at_stake

_PATIENCE = 2.0
"""Seconds in which the main thread can show that it heard."""


def watch() -> None:
    """From now on, the first Ctrl-C that is not heard ends the process; while a result is at stake, the second one."""
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_listen, args=(reader, writer), name="sentinel", daemon=True).start()


def _listen(reader: socket.socket, _writer: socket.socket) -> None:
    pressed = 0
    while True:
        if signal.SIGINT not in reader.recv(64):
            continue
        pressed += 1
        heard = threading.Event()
        _ask_main_thread(heard)
        if heard.wait(_PATIENCE):
            continue
        if is_at_stake() and pressed == 1:
            _say("the step under way has not ended yet; Ctrl-C again ends the program without a result")
            if not _pressed_again(reader, heard):
                continue
        _say("interrupted")
        os._exit(130)


def _pressed_again(reader: socket.socket, heard: threading.Event) -> bool:
    """Wait until Ctrl-C comes again (True) or the main thread has heard the first."""
    reader.settimeout(0.1)
    try:
        while not heard.is_set():
            try:
                if signal.SIGINT in reader.recv(64):
                    return True
            except TimeoutError:
                pass
        return False
    finally:
        reader.settimeout(None)


_CALL = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_asked: list[Any] = []
"""What the main thread has been asked to call; kept, since it may still do so."""


def _ask_main_thread(heard: threading.Event) -> None:
    """Have the main thread set `heard` as soon as it runs Python again; signals are dealt with at the same moment."""

    def answer(_: object) -> int:
        heard.set()
        return 0

    called = _CALL(answer)
    _asked.append(called)
    ctypes.pythonapi.Py_AddPendingCall(called, None)


def _say(text: str) -> None:
    os.write(2, f"fogspiel: {text}\n".encode())
