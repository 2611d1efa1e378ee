"""Making items: each stimulus of a shard becomes the questions that are asked about it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from afterimage.contract.design import questions_digest
from afterimage.contract.parts import resolve
from afterimage.contract.probes import CLAIMING
from afterimage.contract.question import AnswerOf
from afterimage.contract.stimulus import IMAGE, UNREADABLE, Shown, is_missing
from afterimage.errors import AfterimageError
from afterimage.files.attempts import UNREADABLE_ITEMS, WHY_NOTHING
from afterimage.files.human_responses import kept_figures
from afterimage.files.yaml import read_checked
from afterimage.stages.stage import Stage, each_suite

if TYPE_CHECKING:
    from afterimage.contract.design import Reader
    from afterimage.contract.question import Question, Turn
    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names


# ---- specs and parts ----


#: The file of the sentences before questions without image, and the probes that have one.
_PROBE_WORDS, _WITH_SENTENCE = "resources/prompts/probes.yaml", ("guess", "say_missing")
#: Probes of later versions: if they are off, they are not part of the spec, as before.
_ADDED = ("silent", "guess", "say_missing", "clean")


def items_parts(plan: Plan, at: Names) -> list[str]:
    """Return the parts that make a suite's questions and the configured kinds of probes."""
    parts, probes = plan.studied[at.suite].question_parts(), plan.probes.get(at.suite)
    if probes is None:
        return parts
    kinds = {
        "option_order": probes["option_orders"],
        "without_image": any(probes[probe] for probe in ("text_only", *CLAIMING)),
    }
    wanted = ["deriving", *(name for name, is_wanted in kinds.items() if is_wanted)]
    return [*parts, *(f"afterimage.items.{name}" for name in wanted)]


def items_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the items of one shard depend on, except stimuli and people's decisions."""
    suite, shard = at.suite, at.shard
    members = plan.studied[suite].positions.members(shard)
    figures = sorted({figure for figure, _ in members})
    questions = plan.studied[suite].question_spec(figures, shard_figures(plan, suite, shard))
    stimuli = [stimulus for _, stimulus in members]
    identity = {"stimuli": stimuli, "suite": suite, "version": plan.studied[suite].suite.version}
    return {**questions, **_probes_spec(plan, suite, figures), **identity}


def _probes_spec(plan: Plan, suite: str, figures: Sequence[str]) -> dict[str, Any]:
    if suite not in plan.probes:
        return {}
    probes = plan.probes[suite]
    words = plan.studied[suite].probe_words(figures) if probes["text_only"] else {}
    settings = {name: value for name, value in probes.items() if name not in _ADDED or value}
    settings.pop("clean", None)
    if any(probes[probe] for probe in _WITH_SENTENCE):
        sentences = read_checked(_PROBE_WORDS, "the sentences of probes")
        sentences.keys(_WITH_SENTENCE)
        settings |= {name: sentences[name].text() for name in _WITH_SENTENCE if probes[name]}
    return {"probes": {**settings, "words": words}}


def shard_figures(plan: Plan, suite: str, shard: str) -> list[str]:
    """Return the figures whose stimuli the items of a shard use, including examples."""
    studied = plan.studied[suite]
    if studied.needs_all_images:
        # The choice of examples depends on people's decisions, which are not known yet.
        return list(plan.figures[suite])
    return list(dict.fromkeys(figure for figure, _ in studied.positions.members(shard)))


def item_files(plan: Plan, suite: str) -> list[str]:
    """Return further files from which a suite's questions are made, besides stimuli and decisions; mostly none."""
    studied = plan.studied[suite]
    return list(studied.suite.item_files(studied.settings, studied.people))


# ---- functions of jobs ----


#: Images in memory at a time: that of the question, and those of its examples.
_HELD_IMAGES = 16


def make_items(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> int:
    """Write all items of one shard and return their number.

    Args:
        spec: ``suite``, its ``version``; ``questions`` (the reference to this part); ``bank`` and ``settings``, the
            words and settings of these questions; ``stimuli``, the shard's ids, of which those excluded by people's
            decisions give no items; ``read``, for figures with a Reader its reference, its settings and a hash of its
            questions; ``probes``, what is asked in addition to the suite's questions (docs/claims.md).
        inputs: ``stimuli``, records of all figures that the shard needs, including examples; ``decisions``, a CSV with
            people's decision for each figure, or none if nobody decides and all count.
        outputs: ``shard``, the Parquet file to write, schema ITEM.
    """
    from afterimage.files.parquet import write_records
    from afterimage.files.records import ITEM
    from afterimage.files.stimulus import read_stimuli

    decided = [kept_figures(path) for path in inputs["decisions"]]
    kept = decided[0] if decided else None
    shard = set(spec["stimuli"])
    files = [str(path) for path in inputs["stimuli"]]
    drawn = [row for path in files for row in read_stimuli(path)]
    missing = shard - {row["stimulus_id"] for row in drawn}
    if missing:
        raise AfterimageError(
            f"{', '.join(files)}: no stimulus '{min(missing)}'; delete it and run again."
        )
    available = [row for row in drawn if kept is None or row["figure"] in kept]
    shard_rows = [
        row for row in available if row["stimulus_id"] in shard and not is_missing(row["factors"])
    ]
    rows = _items(spec, shard_rows, available)
    if "probes" in spec:
        # By name, so that without probes their code is not part of the job.
        rows = resolve("afterimage.items.deriving:with_probes")(rows, spec["probes"])
    rows = iter(rows)
    first = list(islice(rows, 1))
    about = {"suite_version": spec["version"]} if "version" in spec else {}
    if shard and not first:
        about[WHY_NOTHING] = _why_nothing(available)
    if unreadable := list(_unreadable(spec, shard_rows, available)):
        about[UNREADABLE_ITEMS] = json.dumps(unreadable, ensure_ascii=False)
    return write_records(outputs["shard"], chain(first, rows), ITEM, batch_size=64, about=about)


def _why_nothing(available: Sequence[Mapping[str, Any]]) -> str:
    """Return why there is no question about any of a shard's images."""
    if not available:
        return "people's answers, or the paper's, leave out everything that it shows"
    if all(is_missing(row["factors"]) for row in available):
        return "none of the images that its files name is there"
    return "the study leaves no question about its images"


def item_row(
    question: Question, suite: str, image: Callable[[str], Mapping[str, Any]]
) -> dict[str, Any]:
    """Return a question as a self-contained item, schema ITEM.

    Args:
        question: The question.
        suite: The suite's name.
        image: Returns the image of a stimulus, by its id, in an item's form.
    """
    shown = question.shown
    pictures = [
        part.stimulus_id
        for turn in question.turns
        for part in turn.parts
        if isinstance(part, Shown)
    ]
    indices = {name: index for index, name in enumerate(dict.fromkeys(pictures))}
    factors = shown.factors if question.factors is None else question.factors
    return {
        "item_id": _item_id(question),
        "suite": suite,
        "stimulus_id": shown.stimulus_id,
        "figure": shown.figure if question.figure is None else question.figure,
        "prompt": question.prompt,
        "question": question.question,
        "messages": [_message(turn, indices) for turn in question.turns],
        "images": [image(name) for name in indices],
        "answer_type": question.answer_type,
        "options": [option._asdict() for option in question.options],
        "key": question.key,
        "factors": dict(factors),
    }


def _items(
    spec: Mapping[str, Any], rows: list[dict[str, Any]], available: list[dict[str, Any]]
) -> Iterable[dict[str, Any]]:
    from afterimage.files.stimulus import StimulusImages

    images = StimulusImages()
    records = {row["stimulus_id"]: row for row in available}

    @lru_cache(maxsize=_HELD_IMAGES)
    def image(name: str) -> dict[str, Any]:
        return {
            "pixels_sha256": records[name]["pixels_sha256"],
            "png": images.png(records[name]),
        }

    return (item_row(question, spec["suite"], image) for question in _ask(spec, rows, available))


def _ask(
    spec: Mapping[str, Any], rows: Iterable[Mapping[str, Any]], available: list[dict[str, Any]]
) -> Iterable[Question]:
    shown = _shown(spec, available)
    questions: Iterable[Question] = resolve(spec["questions"])(
        [shown[row["stimulus_id"]] for row in rows],
        spec["bank"],
        spec["settings"],
        list(shown.values()),
    )
    return questions


def _unreadable(
    spec: Mapping[str, Any], rows: Sequence[dict[str, Any]], available: Sequence[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield the items that are missing because an image cannot be decoded."""
    broken = {
        row["stimulus_id"]
        for row in available
        if is_missing(row["factors"])
        and UNREADABLE in json.loads(row["parameters"]).get("realised", {})
    }
    if not broken:
        return
    shard = {*spec["stimuli"]}
    whole = [
        {**row, "factors": {name: value for name, value in row["factors"].items() if name != IMAGE}}
        if row["stimulus_id"] in broken
        else row
        for row in available
    ]
    shard_rows = [
        row for row in whole if row["stimulus_id"] in shard and not is_missing(row["factors"])
    ]
    existing = {_item_id(question) for question in _ask(spec, rows, list(available))}
    names = ("item_id", "stimulus_id", "prompt", "question", "factors", "messages")
    for question in _ask(spec, shard_rows, whole):
        if _item_id(question) not in existing:
            item = item_row(question, spec["suite"], lambda name: {})
            yield {name: item[name] for name in names}


def _item_id(question: Question) -> str:
    return question.item_id or f"{question.shown.stimulus_id}/{question.question_id}"


def _shown(spec: Mapping[str, Any], records: Iterable[Mapping[str, Any]]) -> dict[str, Shown]:
    """Return the images as questions see them, those of a Reader with its questions."""
    read = {
        image.stimulus_id: image
        for figure, source in spec.get("read", {}).items()
        for image in _read(spec["suite"], figure, source)
    }
    return {
        row["stimulus_id"]: read.get(row["stimulus_id"], Shown(row["stimulus_id"]))._replace(
            factors=row["factors"], figure=row["figure"]
        )
        for row in records
    }


def _read(suite: str, figure: str, source: Mapping[str, Any]) -> list[Shown]:
    reader: Reader = resolve(source["design"])
    shown = reader.shown(figure, source["settings"])
    if questions_digest(shown) != source["sha256"]:
        raise AfterimageError(
            f"{suite}/{figure}: what is asked has changed since this run began; run again."
        )
    return shown


def _message(turn: Turn, indices: Mapping[str, int]) -> dict[str, Any]:
    return {"role": turn.role, "parts": [_part(part, indices) for part in turn.parts]}


def _part(part: object, indices: Mapping[str, int]) -> dict[str, Any]:
    if isinstance(part, Shown):
        return {"type": "image", "text": None, "image": indices[part.stimulus_id]}
    if isinstance(part, AnswerOf):
        return {"type": "answer", "text": part.item_id, "image": None}
    return {"type": "text", "text": part, "image": None}


MAKE_ITEMS = Stage(
    "make_items",
    make_items,
    "stimuli",
    parts=items_parts,
    spec=items_spec,
    jobs=each_suite(),
)
STAGES = (MAKE_ITEMS,)
