"""What the answers cost: requests, tokens and prices, per model and suite.

One row per model, role (``model``, or ``judge`` of others' answers) and suite, and where there are several, one for all
of them; what suites ask in common was paid for once.
"""

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from afterimage.contract.readings import Ending, ending_of, tally
from afterimage.errors import plain
from afterimage.files.parquet import read_table
from afterimage.note import Note, joined
from afterimage.showing.tables.columns import NOT_AVAILABLE, Cell, Printed, Row, rounded
from afterimage.showing.tables.declaration import Settings, Table

#: Name of the row over all suites, where there are several.
ALL_SUITES = "all"
#: Columns that identify a request; a model's have no round and no attempt, a judge's no repeat.
REQUEST = ("request_sha256", "repeat", "round", "attempt")
#: Tokens of prompts that were read from a provider's cache, and written to it.
CACHE = ("cached_tokens", "cache_written_tokens")
# Servers may send any text as a finish reason, and a different one each time.
_MAX_NAMED = 8
_LONGEST_WORD = 40
_COLUMNS = (
    "model",
    "role",
    "suite",
    "answers",
    "requests",
    "prompt_tokens",
    "completion_tokens",
    *CACHE,
    "uncounted",
    "reasoning_tokens",
    "reasoning_uncounted",
    "refused",
    "empty",
    "truncated",
    "mode",
    "price_per_million_input",
    "price_per_million_output",
    "cost",
    "currency",
)


# A function, since costs need the prices of a model's entry, which are not in the answers.
def _rows(answers: pd.DataFrame, spec: Settings) -> pd.DataFrame:
    """Sum the tokens and costs of answers.

    Args:
        answers: ``role``, ``model``, ``suite``, ``text``, ``finish_reason``, ``prompt_tokens``,
            ``completion_tokens``, ``reasoning_tokens``, :data:`CACHE` and :data:`REQUEST`.
        spec: See :func:`afterimage.stages.study_tables.make_cost`.
    """
    rows: list[dict[str, object]] = []
    of_models = answers[answers["role"] == "model"]
    for entry in spec["models"]:
        rows += _entry_rows(of_models[of_models["model"] == entry["name"]], entry["name"], entry)
    judged = answers[answers["role"] == "judge"]
    if len(judged):
        rows += _entry_rows(judged, spec["judge"]["name"], spec["judge"])
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def _entry_rows(
    answers: pd.DataFrame, name: str, entry: Mapping[str, Any]
) -> Iterator[dict[str, object]]:
    parts = list(answers.groupby(["role", "suite"], sort=False))
    if len(parts) > 1:
        parts.append(((answers["role"].iloc[0], ALL_SUITES), answers))
    for (role, suite), part in parts:
        yield {"model": name, "role": role, "suite": suite, **_usage(part, entry)}


def _usage(answers: pd.DataFrame, entry: Mapping[str, Any]) -> dict[str, object]:
    requests = answers if entry["by_item"] else answers.drop_duplicates(list(REQUEST))
    prompt, completion = requests["prompt_tokens"].sum(), requests["completion_tokens"].sum()
    counted = requests[["prompt_tokens", "completion_tokens"]].notna().all(axis=1)
    prices = entry["prices"]
    endings = requests["finish_reason"].map(ending_of)
    is_free = prices is not None and not any(prices)
    cached, written = (requests[name].sum() for name in CACHE)
    cost = (
        math.nan
        if prices is None
        else cost_of((prompt, completion, cached, written), prices, entry.get("cache_prices"))
    )
    return {
        "answers": len(answers),
        "requests": len(requests),
        "prompt_tokens": int(prompt),
        "completion_tokens": int(completion),
        # Unknown, not 0, where no request has a count.
        **{name: requests[name].sum(min_count=1) for name in CACHE},
        # Free requests need no counts.
        "uncounted": 0 if is_free else int((~counted).sum()),
        "reasoning_tokens": requests["reasoning_tokens"].sum(min_count=1),
        "reasoning_uncounted": 0 if is_free else int(requests["reasoning_tokens"].isna().sum()),
        "refused": int((endings == Ending.WITHHELD).sum()),
        "empty": int((requests["text"].str.strip() == "").sum()),
        "truncated": int((endings == Ending.CUT_OFF).sum()),
        "mode": entry["mode"],
        "price_per_million_input": math.nan if prices is None else float(prices[0]),
        "price_per_million_output": math.nan if prices is None else float(prices[1]),
        "cost": cost,
        "currency": "" if prices is None or is_free else entry["currency"],
    }


def cost_of(
    tokens: Sequence[float], prices: Sequence[float], cache_prices: Sequence[float] | None = None
) -> float:
    """Return the cost of tokens, in the currency of the prices.

    Args:
        tokens: Numbers of prompt and answer tokens, and of the prompt tokens read from and written to a cache.
        prices: Prices per million prompt and answer tokens.
        cache_prices: Prices per million tokens read from and written to a cache, where they differ.
    """
    prompt, completion, cached, written = tokens
    cost = prompt * prices[0] + completion * prices[1]
    if cache_prices is not None:
        cost += cached * (cache_prices[0] - prices[0]) + written * (cache_prices[1] - prices[0])
    return cost / 1e6


def _suite(row: Row) -> str:
    """Print the suite, marked where the model was asked as a judge."""
    suite = "all suites" if row["suite"] == ALL_SUITES else row["suite"]
    return Note("{suite}, as judge", suite=suite) if row["role"] == "judge" else suite


def _count(header: str, column: str) -> Printed:
    """Return a column of whole numbers that may be large."""
    return Printed(header, lambda row: Cell(f"{row[column]:,}", value=float(row[column])))


def _reasoning(row: Row) -> str:
    """Print the reasoning tokens, as a lower bound where some requests have no separate count."""
    printed = rounded(row["reasoning_tokens"], 0)
    at_least = row["reasoning_uncounted"] and printed != NOT_AVAILABLE
    return printed.with_text(Note("at least {printed}", printed=printed)) if at_least else printed


def _cost(row: Row) -> str:
    """Print the cost, as a lower bound where tokens were not counted."""
    printed = rounded(row["cost"], 2 if row["cost"] == 0 or row["cost"] >= 0.1 else 4)
    at_least = row["uncounted"] and printed != NOT_AVAILABLE
    money = f"{printed} {row['currency']}" if row["currency"] else printed
    return printed.with_text(Note("at least {money}", money=money) if at_least else money)


def _unknown_reasons(answers: pd.DataFrame, spec: Settings) -> Iterator[str]:
    """Yield the unknown finish reasons, with the number of answers of each."""
    named = [
        f"{model if role == 'model' else spec['judge']['name']} '{_short(word)}' ({count:,})"
        for (role, model), part in answers.groupby(["role", "model"], sort=False)
        for word, count in tally(part["finish_reason"]).get(Ending.UNKNOWN, {}).items()
    ]
    if named:
        more = f" and {len(named) - _MAX_NAMED} more" if len(named) > _MAX_NAMED else ""
        yield (
            "Finish reasons that are not known, whose answers count as they came: "
            f"{', '.join(named[:_MAX_NAMED])}{more}."
        )


def _cached(answers: pd.DataFrame, spec: Settings) -> Iterator[str]:
    """Yield the number of prompt tokens read from and written to providers' caches, and their prices."""
    entries = [(entry, "model", entry["name"]) for entry in spec["models"]]
    if spec["judge"] is not None:
        entries.append((spec["judge"], "judge", None))
    sentences = []
    for entry, role, model in entries:
        replies = answers[
            (answers["role"] == role) & (True if model is None else answers["model"] == model)
        ]
        requests = replies if entry["by_item"] else replies.drop_duplicates(list(REQUEST))
        for index, (name, verb) in enumerate(zip(CACHE, ("read from", "written to"), strict=True)):
            if tokens := requests[name].sum():
                prices = entry.get("cache_prices")
                price = f" at {prices[index]:g}" if prices else " at the price of the others"
                sentences.append(f"{entry['name']} {tokens:,.0f} {verb} it{price}")
    if sentences:
        yield f"Tokens of prompts in the provider's cache, and their price per million: {'; '.join(sentences)}."


def _short(word: str) -> str:
    return plain(word if len(word) <= _LONGEST_WORD else f"{word[:_LONGEST_WORD]}...")


_BY_REQUEST = "{model} {prompts:g} and {answers:g} {currency}"
_IN_BATCHES = "{model} {prompts:g} and {answers:g} {currency} (batches, half of the entry's)"


def _prices(frame: pd.DataFrame, spec: Settings) -> Iterator[str]:
    entries = list(spec["models"])
    if spec["judge"] is not None:
        entries.append({**spec["judge"], "name": f"{spec['judge']['name']} as judge"})
    priced = [_price(entry) for entry in entries if entry["prices"] and any(entry["prices"])]
    if priced:
        yield (
            Note(
                "Prices per million tokens of prompts and of answers: {priced}.",
                priced=joined(priced, "; "),
            )
        )
    unpriced = [entry["name"] for entry in entries if entry["prices"] is None]
    if unpriced:
        yield Note("No prices in the entries of: {unpriced}.", unpriced=", ".join(unpriced))


def _price(entry: Mapping[str, Any]) -> str:
    return Note(
        _IN_BATCHES if entry["mode"] == "batch" else _BY_REQUEST,
        model=entry["name"],
        prompts=entry["prices"][0],
        answers=entry["prices"][1],
        currency=entry["currency"],
    )


TABLE = Table(
    "cost",
    "What the answers took and cost",
    rows=_rows,
    csv=_COLUMNS,
    columns=(
        Printed("Suite", _suite, numeric=False),
        _count("Answers", "answers"),
        _count("Requests", "requests"),
        _count("Prompt\ntokens", "prompt_tokens"),
        _count("Answer\ntokens", "completion_tokens"),
        Printed("Of them\nreasoning", _reasoning),
        _count("Not\ncounted", "uncounted"),
        _count("Refused", "refused"),
        _count("Empty", "empty"),
        _count("Cut\noff", "truncated"),
        Printed("Cost", _cost),
    ),
    group_by="model",
    notes=(
        "Requests: answers to different questions; what several items ask in the same words about the same pixels is "
        "asked and paid for once. The columns to its right count requests.",
        "Not counted: requests whose tokens the server did not count. Refused: refusals and what a provider's filter "
        "held back. Empty: nothing but blanks. Cut off: at the limit of tokens.",
        "Of them reasoning: as far as servers report such tokens separately; n/a if none does.",
        "Withdrawn answers, and attempts that brought none, are not in here; a provider's bill may be higher.",
        _unknown_reasons,
        _cached,
        _prices,
    ),
    csv_formats={
        "cost": "%.6f",
        **dict.fromkeys((*CACHE, "reasoning_tokens"), "%.0f"),
        "price_per_million_input": "%g",
        "price_per_million_output": "%g",
    },
)


_USED = (
    *("model", "suite", "text", "finish_reason"),
    *("prompt_tokens", "completion_tokens", "reasoning_tokens"),
    *CACHE,
)


def read_costs(
    paths: Sequence[str | os.PathLike[str]], schema: pa.Schema, role: str
) -> pd.DataFrame:
    columns = [*_USED, *(name for name in REQUEST if name in schema.names)]
    tables = [read_table(path, schema, columns) for path in paths]
    read = pa.concat_tables(tables or [schema.empty_table().select(columns)]).to_pandas()
    return read.assign(role=role).reindex(columns=["role", *_USED, *REQUEST])
