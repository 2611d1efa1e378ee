"""Records of Every Eval Ever (release 0.3.0 of its schemas: ``resources/schemas/every_eval_ever``).

One evaluation per suite and model, in a JSON file, with a JSON Lines file of one record per answer. Made
from ``all_answers.parquet`` alone; every record is checked before its file gets its name.
"""

import hashlib
import json
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from jsonschema import Draft7Validator

from afterimage.contract.readings import OPEN_ANSWERS
from afterimage.errors import fault
from afterimage.files.parquet import read_records, read_table
from afterimage.files.paths import atomic_path
from afterimage.files.records import ANSWER
from afterimage.showing.tables.bounds import share_of
from afterimage.version import VERSION

_SCHEMAS = Path(__file__).resolve().parents[4] / "resources" / "schemas" / "every_eval_ever"
_CONFIDENCE = 0.95
_NEEDLESS = " /\\:"
#: Backends that load weights themselves: where the model runs, and what is open.
_OWN_WEIGHTS = ("transformers", "served")

Row = Mapping[str, Any]


class Publisher(NamedTuple):
    """Who publishes: the organisation's name, and its relationship to the models, in the schema's words."""

    organization: str
    relationship: str


class Answers(NamedTuple):
    """A file of all answers.

    Attributes:
        groups: Each suite and model in it, with the model's backend.
        timestamp: When it was made, seconds since 1970.
    """

    path: Path
    groups: list[tuple[str, str, str]]
    timestamp: str


def answers_in(results: Path) -> Answers:
    """Return the file of all answers of a folder of results.

    Raises:
        AfterimageError: There is none, or it is of another version.
    """
    path = results / "all_answers.parquet"
    named = read_table(path, ANSWER, ("suite", "model", "backend"))
    groups = named.group_by(["suite", "model"], use_threads=False).aggregate([("backend", "first")])
    columns = [groups[name].to_pylist() for name in ("suite", "model", "backend_first")]
    return Answers(path, list(zip(*columns, strict=True)), str(int(path.stat().st_mtime)))


def export(
    answers: Answers, models: Collection[str], output: Path, publisher: Publisher
) -> Iterator[tuple[Path, int]]:
    """Write the records of some models; yields each evaluation's file and how many answers it has.

    Raises:
        AfterimageError: A record does not follow the schema.
    """
    rows = read_records(answers.path, ANSWER, batch_size=4096)
    for (suite, model), model_rows in groupby(rows, key=lambda row: (row["suite"], row["model"])):
        if model not in models:
            continue
        # Probes are no part of the benchmark.
        given = [row for row in model_rows if row["probe"] is None]
        if given:
            yield _written(given, (suite, model), answers, output, publisher), len(given)


def _written(
    rows: Sequence[Row],
    which: tuple[str, str],
    answers: Answers,
    output: Path,
    publisher: Publisher,
) -> Path:
    suite, model = which
    identity = _model_id(rows[0])
    run = f"{suite}/{identity}/{answers.timestamp}"
    developer, name = (_folder(part) for part in identity.split("/", 1))
    folder = Path("data", _folder(suite), developer, name)
    # The same study gives the same name: version 4 in form, a hash in truth.
    run_id = uuid.UUID(bytes=hashlib.sha256(f"{run}/{model}".encode()).digest()[:16], version=4)
    samples = folder / f"{run_id}_samples.jsonl"
    digest = hashlib.sha256()
    with atomic_path(output / samples) as temporary, temporary.open("wb") as file:
        for row in rows:
            line = (
                _json(_checked("instance_level_eval", _instance(row, run), row["item_id"])) + b"\n"
            )
            digest.update(line)
            file.write(line)
    record = {
        **_evaluation(rows, run, answers.timestamp, publisher),
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": samples.as_posix(),
            "hash_algorithm": "sha256",
            "checksum": digest.hexdigest(),
            "total_rows": len(rows),
        },
    }
    path = output / folder / f"{run_id}.json"
    with atomic_path(path) as temporary:
        temporary.write_bytes(_json(_checked("eval", record, run)))
    return path


# ---- one evaluation ----


def _evaluation(
    rows: Sequence[Row], run: str, timestamp: str, publisher: Publisher
) -> dict[str, Any]:
    return {
        "schema_version": _validator("eval").schema["version"],
        "evaluation_id": run,
        "retrieved_timestamp": timestamp,
        "source_metadata": {
            "source_type": "evaluation_run",
            "source_organization_name": publisher.organization,
            "evaluator_relationship": publisher.relationship,
        },
        "eval_library": {"name": "afterimage", "version": VERSION},
        "model_info": _model(rows[0]),
        "evaluation_results": [
            _result(name, result_rows)
            for name, result_rows in _by_result(rows).items()
            if _decided(result_rows)
        ],
    }


def _by_result(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(_result_id(row), []).append(row)
    return found


def _result_id(row: Row) -> str:
    return f"{row['suite']}/{row['question']}/{row['prompt']}"


def _decided(rows: Iterable[Row]) -> list[Row]:
    """Leave out what is neither right nor wrong: scores, and free texts that wait for one."""
    return [row for row in rows if row["score"] is None and row["answer_type"] not in OPEN_ANSWERS]


def _result(name: str, rows: list[Row]) -> dict[str, Any]:
    decided = _decided(rows)
    share = share_of(
        [row["correct"] for row in decided],
        [row["stimulus_id"] for row in decided],
        {"confidence": _CONFIDENCE},
    )
    suite = decided[0]["suite"]
    return {
        "evaluation_result_id": name,
        "evaluation_name": name,
        "source_data": {
            "dataset_name": suite,
            "source_type": "other",
            "additional_details": {"version": decided[0]["suite_version"]},
        },
        "metric_config": {
            "evaluation_description": "Share of right answers; an answer that cannot be read is not right",
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0,
            "max_score": 1,
        },
        "score_details": {
            "score": sum(row["correct"] for row in decided) / len(decided),
            "details": {
                "right": str(sum(row["correct"] for row in decided)),
                "unparsed": str(sum(row["outcome"] == "unparsed" for row in decided)),
                "images": str(len({row["stimulus_id"] for row in decided})),
            },
            "uncertainty": {
                "confidence_interval": {
                    "lower": share.low,
                    "upper": share.high,
                    "confidence_level": _CONFIDENCE,
                    "method": "Wilson on what the answers are worth, clustered by image",
                },
                "num_samples": len(decided),
            },
        },
        "generation_config": {"additional_details": {"settings": decided[0]["settings"]}},
    }


def _model(row: Row) -> dict[str, Any]:
    has_weights = row["backend"] in _OWN_WEIGHTS
    return {
        "name": row["model"],
        "id": _model_id(row),
        "inference_engine": {"name": row["backend"]},
        "additional_details": {
            "deployment_type": "self_deployed" if has_weights else "unknown",
            "model_availability": "open_weights" if has_weights else "unknown",
            **({"revision": row["revision"]} if row["revision"] else {}),
        },
    }


def _model_id(row: Row) -> str:
    """Return the model as owner and name: a checkpoint's folder, or a name without owner, is its backend's."""
    parts = [part for part in row["model_id"].split("/") if part]
    if len(parts) == 2 and not row["model_id"].startswith(("/", ".")):
        return "/".join(parts)
    return f"{row['backend']}/{parts[-1] if parts else row['model']}"


# ---- one answer ----


def _instance(row: Row, run: str) -> dict[str, Any]:
    texts: dict[str, str] = {option["option_id"]: option["text"] for option in row["options"]}
    key: str = row["key"]
    reference = [texts.get(key, key)]
    raw = row["question_text"]
    return {
        "schema_version": _validator("instance_level_eval").schema["version"],
        "evaluation_id": run,
        "model_id": _model_id(row),
        "evaluation_name": _result_id(row),
        **({"evaluation_result_id": _result_id(row)} if _decided([row]) else {}),
        "sample_id": row["item_id"],
        "sample_hash": hashlib.sha256((raw + "".join(reference)).encode()).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": raw, "reference": reference, "choices": list(texts.values()) or None},
        "output": {"raw": [row["reply"]]},
        "answer_attribution": _read(row, texts),
        "evaluation": {
            "score": float(row["correct"]) if row["score"] is None else row["score"],
            "is_correct": row["correct"],
        },
        **_took(row),
        "metadata": {
            **row["factors"],
            "repeat": str(row["repeat"]),
            "stimulus_id": row["stimulus_id"],
            "suite_version": row["suite_version"],
        },
    }


def _read(row: Row, texts: Mapping[str, str]) -> list[dict[str, Any]]:
    if row["reading"] is None:
        return []
    return [
        {
            "turn_idx": 0,
            "source": "output.raw",
            "extracted_value": texts.get(row["reading"], row["reading"]),
            "extraction_method": f"{row['decided_by']}: {row['outcome']}",
            "is_terminal": True,
        }
    ]


def _took(row: Row) -> dict[str, Any]:
    took: dict[str, Any] = {}
    counts = row["prompt_tokens"], row["completion_tokens"]
    if None not in counts:
        took["token_usage"] = {
            "input_tokens": counts[0],
            "output_tokens": counts[1],
            "total_tokens": sum(counts),
            "reasoning_tokens": row["reasoning_tokens"],
        }
    if row["latency_seconds"] is not None:
        took["performance"] = {"latency_ms": 1000 * row["latency_seconds"]}
    return took


# ---- files ----


@cache
def _validator(name: str) -> Draft7Validator:
    return Draft7Validator(json.loads((_SCHEMAS / f"{name}.schema.json").read_text("utf-8")))


def _checked(schema: str, record: dict[str, Any], where: str) -> dict[str, Any]:
    error = next(_validator(schema).iter_errors(record), None)
    if error is not None:
        raise fault(
            where,
            f"its record does not follow {schema}.schema.json at {error.json_path}: {error.message}.",
        )
    return record


def _json(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False, allow_nan=False).encode()


def _folder(name: str) -> str:
    return "".join("_" if sign in _NEEDLESS else sign for sign in name).strip(".") or "_"
