"""The provenance of a page's numbers: code, packages, models, settings, dates. None of it makes a page run again."""

import json
import os
import platform
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from afterimage.contract.model import by_others, other_model
from afterimage.files.parquet import read_table
from afterimage.files.records import RESPONSE
from afterimage.note import Note
from afterimage.version import VERSION

_ANSWERED_BY = ("backend", "model_id", "revision", "settings")


def code_rows(
    root: str | os.PathLike[str], items: str = "", tables: Mapping[str, str] | None = None
) -> list[list[str]]:
    """Return rows that identify the code: the commit where there is one, and the fingerprints that jobs depend on.

    Args:
        root: The folder of the Snakefile.
        items: The hash of the code that made a suite's items.
        tables: Table to the hash of the code that made it.
    """
    commit = _git(root, "rev-parse", "HEAD")
    changed = _git(root, "status", "--porcelain", "--untracked-files=no") if commit else ""
    if commit and changed:
        commit = Note("{commit} with changes that are not committed", commit=commit)
    rows = [
        ["Afterimage", VERSION],
        ["Commit when this page was made", commit or "not known (no git checkout)"],
    ]
    if items:
        rows.append(["Code of the items", items])
    rows += [
        [Note("Code of the table {name}", name=name), code] for name, code in (tables or {}).items()
    ]
    return [*rows, ["Python", platform.python_version()], ["System", platform.system()]]


def settings_rows(settings: Mapping[str, Any]) -> list[list[str]]:
    """Return settings as rows, nested ones as JSON."""
    return [
        [name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)]
        for name, value in settings.items()
    ]


def answer_rows(responses: Mapping[str, str | os.PathLike[str]]) -> list[dict[str, Any]]:
    """Return for each model what answered, and how much, from its answers.

    Returns:
        ``model``, ``answers`` (count), ``by`` (each distinct backend, model id, revision and settings), ``tokens``
        (text, "" if no backend counted), ``written`` (the day of the file, UTC) and ``others`` (a sentence about
        answers from other models).
    """
    return [_answers(model, path) for model, path in responses.items()]


def answered_by_rows(answers: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Return the results of :func:`answer_rows` as rows of a page."""
    rows = []
    for entry in answers:
        words = [f"{entry['answers']:,} answers, {entry['written']}", entry["tokens"], *entry["by"]]
        words.append(entry["others"])
        rows.append([entry["model"], "; ".join(filter(None, words))])
    return rows


def _answers(model: str, path: str | os.PathLike[str]) -> dict[str, Any]:
    columns = (*_ANSWERED_BY, "prompt_tokens", "completion_tokens")
    table = read_table(path, RESPONSE, ("text", *columns))
    # Without text there is no answer yet.
    table = table.filter(pc.is_valid(table["text"]))
    others = Counter(filter(None, map(other_model, _answer_records(table))))
    known = table.select(_ANSWERED_BY).group_by(list(_ANSWERED_BY), use_threads=False).aggregate([])
    tokens = [
        sum(value for value in table[name].to_pylist() if value is not None)
        for name in columns[-2:]
    ]
    return {
        "model": model,
        "answers": len(table),
        "by": [_answerer(row) for row in known.to_pylist()],
        "tokens": f"{tokens[0]:,} + {tokens[1]:,} tokens" if any(tokens) else "",
        "written": _day(path),
        "others": by_others({model: others}),
    }


def _answer_records(table: pa.Table) -> Iterator[dict[str, Any]]:
    return (
        row
        for batch in table.to_batches()
        for row in batch.select(["text", *_ANSWERED_BY]).to_pylist()
    )


def _answerer(row: Mapping[str, Any]) -> str:
    revision = f", revision {row['revision']}" if row["revision"] else ""
    return f"{row['model_id']} by {row['backend']}{revision}, {row['settings']}"


def _day(path: str | os.PathLike[str]) -> str:
    return datetime.fromtimestamp(Path(path).stat().st_mtime, UTC).date().isoformat()


def _git(root: str | os.PathLike[str], *command: str) -> str:
    try:
        # Only the checkout of the workflow itself; a results folder may lie in a repository of the user's.
        if not (Path(root) / ".git").exists():
            return ""
        done = subprocess.run(
            ["git", "-C", str(root), *command],
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
