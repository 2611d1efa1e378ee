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


# ---- what the jobs depend on ----


#: Where the sentences before questions without image stand, and the probes that have one.
_PROBE_WORDS, _TOLD = "resources/prompts/probes.yaml", ("guess", "say_missing")
#: Probes of later versions: where they are off, items depend on what they did before.
_ADDED = ("silent", "guess", "say_missing", "clean")


def items_parts(plan: Plan, at: Names) -> list[str]:
    """Return what makes a suite's questions, and the kinds of probes that are asked for."""
    own, asked = plan.studied[at.suite].question_parts(), plan.probes.get(at.suite)
    if asked is None:
        return own
    kinds = {
        "option_order": asked["option_orders"],
        "without_image": any(asked[probe] for probe in ("text_only", *CLAIMING)),
    }
    wanted = ["deriving", *(name for name, is_asked in kinds.items() if is_asked)]
    return [*own, *(f"afterimage.items.{name}" for name in wanted)]


def items_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the items of one shard depend on, the stimuli and people's decisions apart."""
    suite, shard = at.suite, at.shard
    members = plan.studied[suite].positions.members(shard)
    figures = sorted({figure for figure, _ in members})
    asked = plan.studied[suite].question_spec(figures, shard_figures(plan, suite, shard))
    stimuli = [stimulus for _, stimulus in members]
    own = {"stimuli": stimuli, "suite": suite, "version": plan.studied[suite].suite.version}
    return {**asked, **_probes_spec(plan, suite, figures), **own}


def _probes_spec(plan: Plan, suite: str, figures: Sequence[str]) -> dict[str, Any]:
    if suite not in plan.probes:
        return {}
    probes = plan.probes[suite]
    words = plan.studied[suite].probe_words(figures) if probes["text_only"] else {}
    asked = {name: value for name, value in probes.items() if name not in _ADDED or value}
    asked.pop("clean", None)
    if any(probes[probe] for probe in _TOLD):
        sentences = read_checked(_PROBE_WORDS, "the sentences of probes")
        sentences.keys(_TOLD)
        asked |= {name: sentences[name].text() for name in _TOLD if probes[name]}
    return {"probes": {**asked, "words": words}}


def shard_figures(plan: Plan, suite: str, shard: str) -> list[str]:
    """Return the figures whose stimuli the items of a shard are made of, examples included."""
    own = plan.studied[suite]
    if own.needs_all_images:
        # Which stimuli become examples is decided only when people's decisions are known.
        return list(plan.figures[suite])
    return list(dict.fromkeys(figure for figure, _ in own.positions.members(shard)))


def item_files(plan: Plan, suite: str) -> list[str]:
    """Return the files, beside stimuli and decisions, that a suite's questions are made from; mostly none."""
    own = plan.studied[suite]
    return list(own.suite.item_files(own.settings, own.people))


# ---- what the jobs do ----


#: Images that are held at a time: that of the question, and those of its examples.
_HELD_IMAGES = 16


def make_items(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> int:
    """Write all items of one shard and return their number.

    Args:
        spec: ``suite``, its ``version``; ``questions`` (where this part is); ``bank`` and ``settings``, the words and
            settings that bear on these questions; ``stimuli``, the shard's ids, of which those that people's decisions
            exclude give no items; ``read``, of figures with a Reader where it is, its settings and a hash of what it
            asks; ``probes``, what is asked beside the suite's own questions (docs/claims.md).
        inputs: ``stimuli``, records of all figures that the shard needs, examples included; ``decisions``, a CSV with
            people's decision for each figure, or none where nobody decides and all count.
        outputs: ``shard``, the Parquet file to write, schema ITEM.
        beside: Nothing.
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
    asked = [
        row for row in available if row["stimulus_id"] in shard and not is_missing(row["factors"])
    ]
    rows = _items(spec, asked, available)
    if "probes" in spec:
        # By name: without probes, the code of probes is no part of the job.
        rows = resolve("afterimage.items.deriving:with_probes")(rows, spec["probes"])
    rows = iter(rows)
    first = list(islice(rows, 1))
    about = {"suite_version": spec["version"]} if "version" in spec else {}
    if shard and not first:
        about[WHY_NOTHING] = _why_nothing(available)
    if unreadable := list(_unreadable(spec, asked, available)):
        about[UNREADABLE_ITEMS] = json.dumps(unreadable, ensure_ascii=False)
    return write_records(outputs["shard"], chain(first, rows), ITEM, batch_size=64, about=about)


def _why_nothing(available: Sequence[Mapping[str, Any]]) -> str:
    """Return why none of a shard's images is asked about."""
    if not available:
        return "people's answers, or the paper's, leave out everything that it shows"
    if all(is_missing(row["factors"]) for row in available):
        return "none of the images that its files name is there"
    return "the study leaves no question about its images"


def item_row(
    question: Question, suite: str, image: Callable[[str], Mapping[str, Any]]
) -> dict[str, Any]:
    """Return a question as an item, schema ITEM, complete in itself.

    Args:
        question: The question.
        suite: The suite's name.
        image: Gives the image of a stimulus, by its id, as it stands in an item.
    """
    shown = question.shown
    pictures = [
        part.stimulus_id
        for turn in question.turns
        for part in turn.parts
        if isinstance(part, Shown)
    ]
    places = {name: place for place, name in enumerate(dict.fromkeys(pictures))}
    factors = shown.factors if question.factors is None else question.factors
    return {
        "item_id": _item_id(question),
        "suite": suite,
        "stimulus_id": shown.stimulus_id,
        "figure": shown.figure if question.figure is None else question.figure,
        "prompt": question.prompt,
        "question": question.question,
        "messages": [_message(turn, places) for turn in question.turns],
        "images": [image(name) for name in places],
        "answer_type": question.answer_type,
        "options": [option._asdict() for option in question.options],
        "key": question.key,
        "factors": dict(factors),
    }


def _items(
    spec: Mapping[str, Any], asked: list[dict[str, Any]], available: list[dict[str, Any]]
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

    return (item_row(question, spec["suite"], image) for question in _ask(spec, asked, available))


def _ask(
    spec: Mapping[str, Any], asked: Iterable[Mapping[str, Any]], available: list[dict[str, Any]]
) -> Iterable[Question]:
    shown = _shown(spec, available)
    questions: Iterable[Question] = resolve(spec["questions"])(
        [shown[row["stimulus_id"]] for row in asked],
        spec["bank"],
        spec["settings"],
        list(shown.values()),
    )
    return questions


def _unreadable(
    spec: Mapping[str, Any], asked: Sequence[dict[str, Any]], available: Sequence[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield what would be asked beside that if every image could be decoded; nothing where all can be."""
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
        {**row, "factors": {name: own for name, own in row["factors"].items() if name != IMAGE}}
        if row["stimulus_id"] in broken
        else row
        for row in available
    ]
    here = [row for row in whole if row["stimulus_id"] in shard and not is_missing(row["factors"])]
    there = {_item_id(question) for question in _ask(spec, asked, list(available))}
    names = ("item_id", "stimulus_id", "prompt", "question", "factors", "messages")
    for question in _ask(spec, here, whole):
        if _item_id(question) not in there:
            item = item_row(question, spec["suite"], lambda name: {})
            yield {name: item[name] for name in names}


def _item_id(question: Question) -> str:
    return question.item_id or f"{question.shown.stimulus_id}/{question.question_id}"


def _shown(spec: Mapping[str, Any], records: Iterable[Mapping[str, Any]]) -> dict[str, Shown]:
    """Return the images as questions see them, those of a Reader with what it asks about them."""
    read = {
        one.stimulus_id: one
        for figure, source in spec.get("read", {}).items()
        for one in _read(spec["suite"], figure, source)
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


def _message(turn: Turn, places: Mapping[str, int]) -> dict[str, Any]:
    return {"role": turn.role, "parts": [_part(part, places) for part in turn.parts]}


def _part(part: object, places: Mapping[str, int]) -> dict[str, Any]:
    if isinstance(part, Shown):
        return {"type": "image", "text": None, "image": places[part.stimulus_id]}
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
