"""The shards that a run asks of each model, for the jobs that load one (docs/models.md).

Written when the run starts and read by its jobs: it says what can be asked, so no job depends on it.
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from afterimage.files.whole import write_text


class PendingShard(NamedTuple):
    """A shard of which this run makes the responses.

    Attributes:
        suite: The suite's name.
        items: Its file of items.
        log: The log of the job that makes its responses.
        text_first: The suite's name where the model reads texts before images, as ItemRequests takes it.
        is_remade: Whether this run makes the items, too, so that those that lie there may be an earlier run's.
    """

    suite: str
    items: str
    log: str
    text_first: Sequence[str] = ()
    is_remade: bool = False

    def is_ready(self, started: float) -> bool:
        """Tell whether the items are there, given when the run started, as the file system stamps files."""
        try:
            made = Path(self.items).stat().st_mtime
        except OSError:
            return False
        return not self.is_remade or made >= started


class Pending(NamedTuple):
    """What a run asks one model.

    Attributes:
        shards: In the order in which their jobs are likely to start.
        started: When the run started, as the file system stamps files.
        is_timed: Whether jobs are ended after their ``runtime``, as a cluster ends them.
    """

    shards: Sequence[PendingShard] = ()
    started: float = 0.0
    is_timed: bool = True


def write_pending(
    path: str | os.PathLike[str], shards: Mapping[str, Sequence[PendingShard]], is_timed: bool
) -> None:
    """Write the shards of each model, by its name, and whether jobs are ended after their time."""
    noted = {"models": shards, "is_timed": is_timed}
    write_text(path, json.dumps(noted, ensure_ascii=False) + "\n")


def read_pending(path: str | os.PathLike[str], model: str) -> Pending:
    """Return what the run asks a model; nothing where no file says so."""
    try:
        started = Path(path).stat().st_mtime
        noted = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Pending()
    shards = [PendingShard(*one) for one in noted["models"].get(model, ())]
    return Pending(shards, started, noted["is_timed"])
