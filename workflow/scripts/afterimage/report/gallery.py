"""The gallery: the items that it shows, their pictures, and every model's answers."""

import hashlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice, zip_longest
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from afterimage.contract.probes import without_probes
from afterimage.contract.readings import OPEN_ANSWERS
from afterimage.files.parquet import read_records, read_table
from afterimage.files.records import GRADE, ITEM, RESPONSE
from afterimage.note import Note
from afterimage.report.page_entries import thumbnail

#: Outcomes of an answer; ``scored``: an open one got points; ``not_graded``: it has no grade yet.
OUTCOMES = ("right", "wrong", "unparsed", "scored", "not_graded")
#: Filters of a page in every suite.
_COLUMNS = ("figure", "question", "prompt")
# A factor with more values is no filter.
_MAX_VALUES = 40
# Limits of a picture's own file, in bytes, and of all such files of a page, in characters, so that it opens quickly.
_MAX_EXACT, _MAX_EXACT_PAGE = 600_000, 10_000_000
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ITEM_COLUMNS = ("item_id", "figure", "prompt", "question", "factors")


def gallery(
    spec: Mapping[str, Any],
    shards: Sequence[str | os.PathLike[str]],
    responses: Mapping[str, str | os.PathLike[str]],
    grades: Mapping[str, str | os.PathLike[str]],
    threads: int = 1,
) -> dict[str, Any]:
    """Return the values of the gallery.

    Args:
        spec: ``gallery_items``: the limit of items; ``image_side``: the pictures' size in pixels.
        shards: The suite's item files; an item in several of them is shown once.
        responses: Model to its replies; of repeats, the first is shown.
        grades: Model to its grades.

    Returns:
        ``total_items``, ``shown_items``, ``left_out`` (a sentence, or ""), ``models``, ``factors`` (``name`` and
        ``values``), ``outcomes``, ``images``, ``texts`` and ``items``. An item has ``id``, ``image`` (indices into
        ``images``), ``question`` and ``key`` (indices into ``texts``), ``briefs`` (pairs of indices into ``texts``: an
        option, and its letter with the words in which it differs), ``factors`` (index of the value of each factor, or
        -1) and ``answers``: for each model None or the indices of outcome, reply and reading, and of the reasoning
        where there is some.
    """
    everything = {
        row["item_id"]: row
        for shard in shards
        for row in without_probes(read_records(shard, ITEM, _ITEM_COLUMNS, batch_size=1024))
    }
    names = choose(everything.values(), spec["gallery_items"])
    shown = [everything[name] for name in names]
    factors = _factors(shown)
    texts = UniqueTexts()
    pictures, questions = _read_questions(shards, names, spec["image_side"], threads)
    keep_within(_MAX_EXACT_PAGE, pictures)
    answers = {
        model: _answers(responses[model], grades[model], questions, texts) for model in responses
    }
    return {
        "total_items": len(everything),
        "shown_items": len(names),
        "left_out": _left_out(len(everything), len(names)),
        "models": list(responses),
        "factors": [{"name": name, "values": list(values)} for name, values in factors.items()],
        "outcomes": list(OUTCOMES),
        "images": list(pictures.values()),
        "items": [
            _shown(row, questions[row["item_id"]], texts, factors, answers.values())
            for row in shown
        ],
        "texts": texts.values,
    }


def _shown(
    row: Mapping[str, Any],
    question: Mapping[str, Any],
    texts: "UniqueTexts",
    factors: Mapping[str, Mapping[str, Any]],
    answers: Iterable[Mapping[str, Any]],
) -> dict[str, Any]:
    """Return an item as the page stores it: indices in place of texts, pictures and values."""
    return {
        "id": row["item_id"],
        "image": question["image"],
        "question": texts.number(question["question"]),
        "key": texts.number(question["key"]),
        "briefs": [
            [texts.number(option), texts.number(brief)]
            for option, brief in question["briefs"].items()
        ],
        "factors": [
            -1 if (value := _value(row, name)) is None else values[value]
            for name, values in factors.items()
        ],
        "answers": [model_answers.get(row["item_id"]) for model_answers in answers],
    }


class UniqueTexts:
    """Distinct texts, each with an index."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    @property
    def values(self) -> list[str]:
        """All texts, in order of their indices."""
        return list(self._numbers)


def choose(rows: Iterable[Mapping[str, Any]], limit: int) -> list[str]:
    """Return the ids of at most ``limit`` items, in the order in which they came.

    Evenly over figures, prompts and questions, and within these by a hash of the id, so that the choice does not depend
    on answers or on the number of another group's items.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        group = tuple(row[name] for name in _COLUMNS)
        groups.setdefault(group, []).append(row["item_id"])
    order = {name: index for index, name in enumerate(chain.from_iterable(groups.values()))}
    if len(order) <= limit:
        return list(order)
    rounds = zip_longest(*(sorted(names, key=_hash) for names in groups.values()))
    chosen = islice(
        (name for round_names in rounds for name in round_names if name is not None), limit
    )
    return sorted(chosen, key=order.__getitem__)


def _factors(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Return the factors that are useful as filters, each with its values and their indices."""
    names = [*_COLUMNS, *dict.fromkeys(name for row in rows for name in row["factors"])]
    found = {}
    for name in names:
        values = dict.fromkeys(value for row in rows if (value := _value(row, name)) is not None)
        if 1 < len(values) <= _MAX_VALUES:
            found[name] = {value: index for index, value in enumerate(values)}
    return found


def _value(row: Mapping[str, Any], name: str) -> str | None:
    value: str | None = row[name] if name in _COLUMNS else row["factors"].get(name)
    return value


def _answers(
    responses: str | os.PathLike[str],
    grades: str | os.PathLike[str],
    questions: Mapping[str, Mapping[str, Any]],
    texts: UniqueTexts,
) -> dict[str, list[int]]:
    """Return for each item the indices of outcome, reply, reading and any reasoning of one model's first answer."""
    columns = ("item_id", "repeat", "answer", "outcome", "correct", "score")
    read = {row["item_id"]: row for row in _rows(grades, GRADE, columns, questions)}
    answers = {}
    replied = ("item_id", "repeat", "reasoning", "answer_text", "text")
    for row in _rows(responses, RESPONSE, replied, questions):
        if row["text"] is None:
            # There is no answer yet.
            continue
        item, grade = questions[row["item_id"]], read.get(row["item_id"])
        answers[row["item_id"]] = [
            OUTCOMES.index(_outcome(grade, item["answer_type"])),
            texts.number(row["answer_text"] or ""),
            texts.number(_reading(grade, item["options"])),
            *([texts.number(row["reasoning"])] if row["reasoning"] else []),
        ]
    return answers


def _outcome(grade: Mapping[str, Any] | None, answer_type: str) -> str:
    if grade is None or answer_type in OPEN_ANSWERS:
        return "not_graded" if grade is None or grade["score"] is None else "scored"
    if grade["correct"]:
        return "right"
    return "unparsed" if grade["outcome"] == "unparsed" else "wrong"


def _reading(grade: Mapping[str, Any] | None, options: Mapping[str, str]) -> str:
    if grade is None or grade["answer"] is None:
        return ""
    points = "" if grade["score"] is None else f" ({grade['score']:g} points)"
    return f"{options.get(grade['answer'], grade['answer'])}{points}"


def _rows(
    path: str | os.PathLike[str], schema: pa.Schema, columns: Sequence[str], names: Iterable[str]
) -> list[dict[str, Any]]:
    table = read_table(path, schema, columns)
    wanted = pa.array(names, pa.string())
    first = (pc.field("repeat") == 0) & pc.field("item_id").isin(wanted)
    rows: list[dict[str, Any]] = table.filter(first).to_pylist()
    return rows


def _read_questions(
    shards: Sequence[str | os.PathLike[str]], names: Sequence[str], side: int, threads: int
) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    """Return the pictures by the hash of their pixels, and each item's question, options and pictures."""
    wanted, pictures, questions = set(names), {}, {}
    columns = ("item_id", "messages", "images", "options", "key", "answer_type")
    with ThreadPoolExecutor(threads) as pool:
        for shard in shards:
            for row in read_records(shard, ITEM, columns):
                if row["item_id"] not in wanted or row["item_id"] in questions:
                    continue
                digests = []
                for image in _question_images(row):
                    digest = image["pixels_sha256"]
                    if digest not in pictures:
                        pictures[digest] = pool.submit(thumbnail, image["png"], side, _MAX_EXACT)
                    digests.append(digest)
                questions[row["item_id"]] = {
                    "answer_type": row["answer_type"],
                    "image": digests,
                    "question": question_text(row),
                    "key": _option_texts(row).get(row["key"], row["key"]),
                    "options": _option_texts(row),
                    "briefs": brief_options(question_text(row), list(_option_texts(row).values())),
                }
        made = {digest: picture.result() for digest, picture in pictures.items()}
    indices = {digest: index for index, digest in enumerate(made)}
    for item in questions.values():
        item["image"] = [indices[digest] for digest in item["image"]]
    return made, questions


def keep_within(limit: int, pictures: Mapping[str, dict[str, Any]]) -> None:
    """Drop the largest files, so that those of a page have at most ``limit`` characters together."""
    held = 0
    for picture in sorted(pictures.values(), key=lambda entry: len(entry.get("full") or "")):
        held += len(picture.get("full") or "")
        if held > limit:
            picture.pop("full", None)


def _question_images(item: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the images of the last turn; earlier turns show those of solved examples."""
    parts = item["messages"][-1]["parts"]
    return [item["images"][part["image"]] for part in parts if part["type"] == "image"]


def question_text(item: Mapping[str, Any]) -> str:
    """Return the text of all turns; the model's own earlier answers are named, not quoted."""
    turns = []
    for message in item["messages"]:
        words = [
            {"text": part["text"], "answer": f"[its answer to {part['text']}]"}.get(part["type"])
            for part in message["parts"]
        ]
        turns.append((message["role"], "\n".join(word for word in words if word)))
    if len(turns) == 1:
        return turns[0][1]
    return "\n\n".join(f"{role}: {text}" for role, text in turns)


def _option_texts(item: Mapping[str, Any]) -> dict[str, str]:
    return {option["option_id"]: option["text"] for option in item["options"]}


def brief_options(question: str, options: Sequence[str]) -> dict[str, str]:
    """Return each option as a card shows it: its letter, and its words from the first that differs.

    Where the question gives no letters, options of several words are lettered in order.

    Args:
        question: The model's question; ``A. The left one.``, ``B: ...`` and ``0: ...`` are letters.
        options: Distinct texts.
    """
    shared = _shared_words([option.split() for option in options])
    briefs = {}
    for index, option in enumerate(options):
        found = re.search(rf"(?<!\w)(\w)[.:)]\s*{re.escape(option)}", question)
        words = " ".join(option.split()[shared:])
        shortened = f"… {words}" if shared else option
        letter = found[1] if found else _LETTERS[index : index + 1] * (" " in option)
        briefs[option] = f"{letter}: {shortened}" if letter else shortened
    return {option: brief for option, brief in briefs.items() if brief != option}


def _shared_words(options: Sequence[Sequence[str]]) -> int:
    """Return the number of first words that all options share, 0 where it is below 2; no option becomes empty."""
    shared = 0
    for words in zip(*options, strict=False):
        if len(set(words)) > 1:
            break
        shared += 1
    shortest = min(map(len, options), default=0)
    return min(shared, shortest - 1) if len(options) > 1 and shared > 1 else 0


def _left_out(total: int, shown: int) -> str:
    if shown == total:
        return ""
    return Note(
        "{shown:,} of {total:,} items, evenly over figures, prompts and questions and "
        "without regard to the answers (config key 'report.gallery_items'); all answers are "
        "in responses/ and grades/ of the study's results.",
        shown=shown,
        total=total,
    )


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()
