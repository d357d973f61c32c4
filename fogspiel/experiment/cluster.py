"""A Dask cluster as an executor. Its workers need Fogspiel, and the files that the experiment names at the same
places."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path

from fogspiel.errors import FogspielError
from fogspiel.experiment.extras import needs

PATIENCE = 30
"""Seconds in which the scheduler must answer."""


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, Callable[[], int]]]:
    """The executor of a cluster, and a function that tells how many processes it has now. `address` is that of the
    scheduler (`tcp://host:8786`), or a file that it wrote with `--scheduler-file`."""
    distributed = needs("distributed", "run on a cluster")
    try:
        where = {"scheduler_file": address} if Path(address).is_file() else {"address": address}
        client = distributed.Client(timeout=PATIENCE, **where)
    except (OSError, ValueError) as error:
        raise FogspielError(f"no scheduler answers at {address}: {error or type(error).__name__}") from error
    with client, client.get_executor(pure=False) as executor:
        yield executor, lambda: max(len(client.scheduler_info(-1)["workers"]), 1)
