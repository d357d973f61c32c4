"""Makes generated calls in a process of their own, and tells which of them crashed, hung or let a raw error through."""

import json
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

PATIENCE = 120.0
"""Seconds after which a call counts as hanging: far more than any of them takes, on however busy a machine."""


@dataclass
class Tally:
    """Calls made by kind and outcome, and a report of each that went wrong."""

    counts: Counter = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, kind: str, outcome: str, report: str = "") -> None:
        self.counts[kind, outcome] += 1
        if outcome not in ("fine", "told"):
            self.wrong.append(report)

    def __str__(self) -> str:
        outcomes = ("fine", "told", "raw", "hang", "crash")
        kinds = sorted({kind for kind, _ in self.counts})
        rows = [("kind", "calls", *outcomes)]
        for kind in [*kinds, "all"]:
            mine = [sum(n for (k, o), n in self.counts.items() if kind in (k, "all") and o == out) for out in outcomes]
            rows.append((kind, str(sum(mine)), *map(str, mine)))
        return "\n".join("".join(cell.ljust(14) if i == 0 else cell.rjust(9) for i, cell in enumerate(r)) for r in rows)


class Child:
    """The process, started anew after each crash or hang."""

    def __init__(self):
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("fuzz_child.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
        )
        self.answers: queue.Queue = queue.Queue()
        threading.Thread(target=self._listen, args=(self.process, self.answers), daemon=True).start()
        if self._next() != [-1, "ready"]:
            raise RuntimeError(f"the process for generated calls did not start: {self._ended()}")

    @staticmethod
    def _listen(process: subprocess.Popen, answers: queue.Queue) -> None:
        for line in process.stdout:
            answers.put(json.loads(line))
        answers.put(None)

    def _next(self) -> list | None:
        return self.answers.get(timeout=PATIENCE)

    def make(self, calls: list[tuple[str, str]], tally: Tally) -> None:
        """Make the calls, (kind, expression) each, one after another."""
        done = 0
        while done < len(calls):
            if self.process is None:
                self.start()
            done += self._make(calls[done:], tally)

    def _make(self, calls: list[tuple[str, str]], tally: Tally) -> int:
        """Make calls until all are made or one ends the process; how many were made."""
        text = "".join(json.dumps([i, expression]) + "\n" for i, (_, expression) in enumerate(calls))
        threading.Thread(target=self._ask, args=(self.process, text), daemon=True).start()
        for i, (kind, expression) in enumerate(calls):
            try:
                answer = self._next()
                while answer is not None and answer[1] == "begin":
                    answer = self._next()
            except queue.Empty:
                self.process.send_signal(signal.SIGABRT)  # it says where it is
                tally.add(kind, "hang", f"hang: {expression}\n{self._ended()}")
                return i + 1
            if answer is None:
                before = "; ".join(e for _, e in calls[max(0, i - 3) : i])
                tally.add(kind, "crash", f"crash: {expression}\n(before it: {before})\n{self._ended()}")
                return i + 1
            _, outcome, told = answer
            tally.add(kind, outcome, f"{outcome}: {expression}\n  {told}")
        return len(calls)

    @staticmethod
    def _ask(process: subprocess.Popen, text: str) -> None:
        try:
            process.stdin.write(text)
            process.stdin.flush()
        except (BrokenPipeError, ValueError):
            pass  # it has crashed, and is started anew for the calls that are left

    def _ended(self) -> str:
        """How the process ended, and the last it said."""
        try:
            status = self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self.process = None
        self.errors.seek(0)
        return f"exit status {status}\n{self.errors.read().decode(errors='replace')[-1500:]}"

    def close(self) -> None:
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait(30)
            self.process = None
