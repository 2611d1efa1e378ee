"""Which files below results/ no longer belong to a study: those of suites, models, figures and tables that it left out.

Only kinds of files that the workflow makes are looked at, and those that a killed job has left half-written. What
people have sent back, the journal, logs and whatever else lies there is nobody's to tidy. Names tell what a file would
be to the study, not who made it: that is told by Snakemake's records (``commands/records.py``).
"""

import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from afterimage.command_line import afterimage
from afterimage.files.attempts import noted_answers
from afterimage.planning.plan import Plan
from afterimage.stages.charts import FIGURES_OF_NO_SUITE
from afterimage.stages.study_tables import TABLES_OF_NO_SUITE

_OVERVIEW = "index"
_MAX_NAMED = 3

#: How a file is named while it is written (``files/paths.py``), and how old one is that no job can still be writing.
_HALF_WRITTEN = re.compile(r"\.(?P<target>.+)\.[a-z0-9_]{8}(\.\w+)?")
_ABANDONED_SECONDS = 86_400

#: Tells of a path, from its kind's folder, whether it belongs.
_Belongs = Callable[[Plan, tuple[str, ...]], bool]


def left_over(plan: Plan, results: Path) -> list[Path]:
    """Return the files of a results folder that no longer belong to the study, sorted."""
    unknown = (
        path
        for kind, belongs in _KINDS.items()
        for path in _files(results / kind)
        if half_written(path) is None
        and not belongs(plan, _told_by(path).relative_to(results / kind).parts)
    )
    long_ago = time.time() - _ABANDONED_SECONDS
    abandoned = (
        path
        for path in _files(results)
        if half_written(path) is not None and path.lstat().st_mtime < long_ago
    )
    return sorted((*unknown, *abandoned))


def tables_of_others(plan: Plan, study: str | Path | None = None) -> str:
    """Return in one sentence which tables of the results folder this study does not make; "" if it makes all.

    Args:
        plan: Of the study.
        study: Its file, for the command that lists them; None for the one that is read anyway.
    """
    tables = Path(plan.results, "tables")
    names = sorted(path for path in tables.glob("*.csv") if not _is_table(plan, (path.name,)))
    if not names:
        return ""
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    return (
        f"This study does not make {', '.join(map(str, names[:_MAX_NAMED]))}{more}: of another study, or of earlier "
        f"settings; {afterimage('tidy', study=study)} lists such files."
    )


def half_written(path: Path) -> Path | None:
    """Return the file as which a half-written one was to end; None of any other file."""
    named = _HALF_WRITTEN.fullmatch(path.name)
    return None if named is None else path.with_name(named["target"])


def _told_by(path: Path) -> Path:
    """Return by whose name it is told whether a file belongs: a note about answers goes with these."""
    return next(iter(noted_answers(path)), path)


def _files(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from (path for path in folder.rglob("*") if path.is_file() or path.is_symlink())


def _of_suite(plan: Plan, parts: tuple[str, ...]) -> bool:
    return parts[0] in plan.suites


def _of_figure(plan: Plan, parts: tuple[str, ...]) -> bool:
    # Beside the figures' folders lie files of the whole suite, and files in others' forms.
    known = parts[0] in plan.suites
    is_figure = len(parts) > 2 and parts[-1] in ("stimuli.parquet", "measured.csv")
    return known and (not is_figure or parts[1] in plan.figures[parts[0]])


def _of_shard(plan: Plan, parts: tuple[str, ...]) -> bool:
    if parts[0] not in plan.suites:
        return False
    shards = {shard for model in plan.models for shard in plan.shards(parts[0], model)}
    return len(parts) != 2 or Path(parts[1]).stem in shards


def _of_model(plan: Plan, parts: tuple[str, ...], level: int = 1) -> bool:
    if parts[0] not in plan.suites:
        return False
    return len(parts) <= level or Path(parts[level]).stem in _models(plan)


def _models(plan: Plan) -> set[str]:
    # Path.stem cuts off what follows the last dot of a name, too.
    return {*plan.models, *(Path(name).stem for name in plan.models)}


def _is_table(plan: Plan, parts: tuple[str, ...]) -> bool:
    # A table in its paper's form has two endings.
    name = parts[0].partition(".")[0]
    prefixes = tuple(f"{suite}_" for suite in plan.suites)
    return name in plan.tables or name in TABLES_OF_NO_SUITE or name.startswith(prefixes)


def _is_figure(plan: Plan, parts: tuple[str, ...]) -> bool:
    known = (plan.charts, plan.sheets, plan.pages, FIGURES_OF_NO_SUITE)
    # A chart's pictures for other screens have two endings.
    name = parts[-1].split(".")[0] if len(parts) > 1 else Path(parts[0]).stem
    return any(name in drawn for drawn in known)


def _is_page(plan: Plan, parts: tuple[str, ...]) -> bool:
    return Path(parts[0]).stem in {_OVERVIEW, *plan.suites}


_KINDS: dict[str, _Belongs] = {
    "stimuli": _of_figure,
    "items": _of_shard,
    "questions": _of_suite,
    "responses": _of_model,
    "recorded": _of_model,
    "grades": _of_model,
    "automatic_grades": _of_model,
    "votes": partial(_of_model, level=2),
    "tables": _is_table,
    "figures": _is_figure,
    "report": _is_page,
}
