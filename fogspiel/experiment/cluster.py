"""A Dask cluster. Its workers need Fogspiel, and the files that the experiment names at the same places."""

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fogspiel.errors import FogspielError
from fogspiel.experiment.extras import needs

PATIENCE = 30
"""Seconds in which the scheduler must answer."""


class Cluster:
    """Somewhere to do runs (`pool.Executor`)."""

    def __init__(self, client: Any, address: str):
        self.client, self.address = client, address
        self.executor = client.get_executor(pure=False)

    def workers(self) -> list[str] | None:
        if self.client.status == "connecting":
            return None
        known = self.client.scheduler_info(-1).get("workers") if self.client.status == "running" else None
        if known is None:
            raise FogspielError(
                f"the scheduler at {self.address} is gone; what was stored is kept, and the same command goes on"
            )
        return list(known)

    def submit(
        self, function: Callable[..., Any], *arguments: Any, among: Sequence[str] | None = None
    ) -> "Future[Any]":
        only = {} if among is None else {"workers": list(among)}
        return self.executor.submit(function, *arguments, **only)


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """The cluster at an address: that of the scheduler (`tcp://host:8786`), or a file that it wrote with
    `--scheduler-file`."""
    distributed = needs("distributed", "run on a cluster")
    with _quiet("distributed.client", "tornado.application"):
        try:
            where = {"scheduler_file": address} if Path(address).is_file() else {"address": address}
            client = distributed.Client(timeout=PATIENCE, **where)
        except (OSError, ValueError) as error:
            raise FogspielError(f"no scheduler answers at {address}: {error or type(error).__name__}") from error
        with client:
            yield Cluster(client, address)


@contextmanager
def _quiet(*names: str) -> Iterator[None]:
    """Within this, what goes wrong is told by an error, and not by these loggers as well."""
    loggers = {name: logging.getLogger(name).level for name in names}
    for name in loggers:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in loggers.items():
            logging.getLogger(name).setLevel(level)
