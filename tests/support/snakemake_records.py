"""Records as Snakemake itself writes them, by its own classes, for files that no run has made."""

from collections.abc import Iterable
from pathlib import Path

from snakemake.persistence import MetadataRecord
from snakemake.persistence.db import DbPersistence
from snakemake.persistence.file import FilePersistence

BACKENDS = {"file": FilePersistence, "db": DbPersistence}
#: What every rule of this workflow has among its parameters.
OWN = ("'code of make_table 488e7423593daf01'", "'tables:make_table'")


def record(
    root: Path,
    outputs: Iterable[str],
    backend: str = "file",
    params: Iterable[str] = OWN,
    times: tuple[float, float] | None = None,
    log: str = "",
) -> None:
    """Record files below ``root`` as outputs; by default they were written when their time stamps say."""
    store = BACKENDS[backend](path=root.resolve() / ".snakemake")
    for output in outputs:
        path = root / output
        end = path.stat().st_mtime if path.exists() else 0.0
        start, end = times or (end - 1, end)
        about = MetadataRecord(
            rule="make_table",
            params=list(params),
            log=[log] if log else [],
            starttime=start,
            endtime=end,
            record_format_version=6,
            incomplete=False,
        )
        store._write_record(output, about)


def mark_incomplete(root: Path, output: str, backend: str = "file") -> None:
    """Record that the job that makes an output was begun and never ended."""
    BACKENDS[backend](path=root.resolve() / ".snakemake")._mark_incomplete(output, None)
