"""Whether the model that answered is the model that was asked, by the names that servers give in their replies.

Names of one model differ: providers add a date (``gpt-4o-2024-11-20`` for ``gpt-4o``), a number of a version, their own
name (``openai/gpt-4o``) or the folder of a checkpoint. Two dates that differ are two models. Standard library only.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

#: In a grade's ``readings``, of an answer by another model: its name.
ANSWERED_BY = "answered_by"
#: Settings of a model's entry: what becomes of such answers, and further names of the model.
ON_OTHER_MODEL, ALSO_NAMED = "on_other_model", "also_named"
REFUSE = "refuse"
#: Backends whose replies name the model; of others a revision is a version of the weights.
_NAMING = ("openai_compatible", "served")
# What names weights, and no model: a commit or another hash, a branch, a number of a version.
_NO_NAME = re.compile(
    r"(sampled-)?sha256-[0-9a-f]+(\+.*)?|[0-9a-f]{7,64}|main|master"
    r"|v?\d+([._-](\d+|(alpha|beta|rc|preview)\d*))*",
    re.IGNORECASE,
)
# A provider's name and region before a dot, which have no numbers of versions: ``us.anthropic.``.
_PROVIDER = re.compile(r"([a-z-]{2,}\.)+")
_VERSION = re.compile(
    r"[-@](?P<date>\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4}|\d{3}|latest)(-v\d+(:\d+)?)?$"
)
_TAGS = (":latest", ":free", ".gguf")


def is_other_model(asked: str, answered: str | None, also_named: Collection[str] = ()) -> bool:
    """Tell whether a reply names another model than was asked.

    Args:
        asked: The name by which it was asked.
        answered: The name in the reply; None where it names none.
        also_named: Further names of the model that was asked.
    """
    if answered is None or answered in also_named or _NO_NAME.fullmatch(answered):
        return False
    (one, date), (other, other_date) = _parts(asked), _parts(answered)
    if date and other_date and date != other_date:
        return True
    # A provider's name stands before a slash or a dot.
    return not (one == other or _is_of_provider(one, other) or _is_of_provider(other, one))


def _is_of_provider(name: str, plain: str) -> bool:
    return bool(plain) and name.endswith(plain) and bool(_PROVIDER.fullmatch(name[: -len(plain)]))


def other_model(row: Mapping[str, Any]) -> str | None:
    """Return which other model gave the answer in a row with a reply's columns; None for the one that was asked."""
    if row.get("backend") not in _NAMING or row.get("text") is None:
        return None
    name: str | None = row.get("revision")
    return name if is_other_model(row["model_id"], name) else None


def noting_others(rows: Iterable[dict[str, Any]], counts: Counter[str]) -> Iterator[dict[str, Any]]:
    """Yield rows with the columns of a reply as they are, and count in ``counts`` which other models gave them."""
    for row in rows:
        counts.update(filter(None, [other_model(row)]))
        yield row


def refuses(backend: str, model_id: str, settings: Mapping[str, Any], answered: str | None) -> bool:
    """Tell whether an answer does not count, since a model's entry refuses those of others."""
    return (
        settings.get(ON_OTHER_MODEL) == REFUSE
        and backend in _NAMING
        and is_other_model(model_id, answered, settings.get(ALSO_NAMED) or ())
    )


def by_others(counts: Mapping[str, Mapping[str, int]]) -> str:
    """Return which models' answers other models gave, and how many, in one sentence; "" for none.

    Args:
        counts: For each model, the names of others and how many of its answers each gave.
    """
    parts = [
        f"{count:,} of {model} by {name}"
        for model, names in counts.items()
        for name, count in names.items()
    ]
    return (
        f"Answers that another model gave, as the server says: {'; '.join(parts)}." if parts else ""
    )


def _parts(name: str) -> tuple[str, str]:
    """Return a name without provider, date and case, and the date; "" where there is none."""
    plain = name.strip().rstrip("/").rpartition("/")[2].lower().replace("_", "-")
    for tag in _TAGS:
        plain = plain.removesuffix(tag)
    version = _VERSION.search(plain)
    if version is None:
        return plain, ""
    date = version["date"].replace("-", "")
    return plain[: version.start()], "" if date == "latest" else date
