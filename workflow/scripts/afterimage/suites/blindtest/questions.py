"""Questions: stimuli become items, each complete in itself.

What is asked in which words is handed over as plain values (``bank.py`` of the suite cuts them out of
the prompt file), so that a change in how that file is checked asks no model anything anew. The image
stands before the text. Each item offers the set of possible answers, which graders of open answers
do not look at and uniform guessing guesses over.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from afterimage.suites.blindtest.factors import COMMON, FACTORS, answer_set
from afterimage.suites.blindtest.names import parse_figure

_SUITE = "blindtest"


def questions(
    stimuli: Iterable[Mapping],
    bank_slice: Mapping,
    settings: Mapping,
    read_png: Callable[[Mapping], bytes],
    examples: Iterable[Mapping] = (),
) -> Iterator[dict]:
    """Yield the items of a shard: each stimulus with each prompt of its task, schema ITEM.

    A subway map is asked about once for every pair of stations that a path joins, or, with
    ``subway_unconnected``, for every pair.

    Args:
        stimuli: Stimulus records, schema STIMULUS, of the shard.
        bank_slice: What ``bank.select`` returned for these figures.
        settings: ``prompts`` (task to ids) and, where there are subway maps,
            ``subway_unconnected``.
        read_png: Gives a stimulus record's PNG bytes.
        examples: Not read; no prompt uses examples.
    """
    for row in stimuli:
        task = parse_figure(row["figure"]).task
        image = {"pixels_sha256": row["pixels_sha256"], "png": read_png(row)}
        for prompt in settings["prompts"][task]:
            wording = bank_slice["prompts"][prompt]
            for key, asked in _asked(row, wording["question"], settings):
                factors = _factors(row, task, asked)
                yield {
                    "item_id": "/".join((row["stimulus_id"], *_place(factors), prompt)),
                    "suite": _SUITE,
                    "stimulus_id": row["stimulus_id"],
                    "figure": task,
                    "prompt": prompt,
                    "question": wording["question"],
                    "messages": [_turn(_text(wording["text"], factors))],
                    "images": [image],
                    "answer_type": wording["answer_type"],
                    "options": _options(task, factors["subtask"], key, settings),
                    "key": key,
                    "factors": factors,
                }


def _asked(row: Mapping, question: str, settings: Mapping) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the key of each question about a stimulus and the factors that it adds."""
    truth = row["factors"]["truth"]
    if question in ("overlap", "touch"):
        subtask = {"overlap": "overlapping", "touch": "touching"}[question]
        yield _parts(truth)[question], {"subtask": subtask}
    elif question == "paths":
        for pair, count in _parts(truth).items():
            if count != "0" or settings["subway_unconnected"]:
                yield count, {"pair": pair}
    else:
        yield truth, {}


def _parts(truth: str) -> dict[str, str]:
    return dict(part.split("=") for part in truth.split(";"))


def _factors(row: Mapping, task: str, asked: Mapping[str, str]) -> dict[str, str]:
    known = row["factors"] | asked
    return {name: known[name] for name in ("task", *COMMON, *FACTORS[task])}


def _place(factors: Mapping[str, str]) -> tuple[str, ...]:
    """Return what an item's id needs beyond stimulus and prompt."""
    return (factors["pair"],) if "pair" in factors else ()


def _text(text: str, factors: Mapping[str, str]) -> str:
    """Fill the slots in; no other brace is touched."""
    first, second = factors.get("pair", "  ")
    slots = {"shapes": factors["subtask"], "station1": first, "station2": second}
    for name, value in slots.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _turn(text: str) -> dict:
    return {
        "role": "user",
        "parts": [
            {"type": "image", "text": None, "image": 0},
            {"type": "text", "text": text, "image": None},
        ],
    }


def _options(task: str, subtask: str, key: str, settings: Mapping) -> list[dict]:
    # No paths at all is a possible answer to every question as soon as it is right for some.
    right = {key, "0"} if settings.get("subway_unconnected") and task == "subway" else {key}
    return [{"option_id": value, "text": value} for value in answer_set(task, subtask, right)]
