"""Questions: stimuli become items, each complete in itself (paper, section 2.1).

What is asked in which words is handed over as plain values (``bank.py`` of the suite cuts them out
of the prompt file), so that a change in how that file is checked asks no model anything anew.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import cycle, groupby, islice
from operator import itemgetter

from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.png import check_png
from afterimage.suites.illusion_vqa.catalogue import (
    CONDITIONS,
    QUESTIONS,
    VARIANTS,
    is_representative,
)

_SUITE = "illusion_vqa"


def questions(
    stimuli: Iterable[Mapping],
    bank_slice: Mapping,
    settings: Mapping,
    read_png: Callable[[Mapping], bytes],
    examples: Iterable[Mapping] = (),
) -> Iterator[dict]:
    """Yield the items of a shard: each stimulus with each prompt and each question, schema ITEM.

    Args:
        stimuli: Stimulus records, schema STIMULUS, of the shard.
        bank_slice: What ``bank.select`` returned for these prompts and figures.
        settings: ``prompts`` (ids) and, for prompts with examples, ``few_shot_examples`` (their
            number, 1 or more).
        read_png: Gives a stimulus record's PNG bytes.
        examples: Stimulus records that few-shot examples may be taken from: all that the human
            filter kept, not only the shard's; see :func:`choose_examples`. Not read when no prompt
            uses examples.

    Raises:
        AfterimageError: A prompt or figure is unknown, an image holds metadata or cannot be read,
            or there are fewer examples than asked for.
    """
    for prompt in settings["prompts"]:
        _require(prompt, "prompt", bank_slice["prompts"])
    with_examples = [
        name for name in settings["prompts"] if bank_slice["prompts"][name]["examples"]
    ]
    candidates = list(examples) if with_examples else []
    for figure, rows in groupby(stimuli, key=itemgetter("figure")):
        shots = {
            prompt: [
                (row, _image(row, read_png))
                for row in choose_examples(
                    figure, prompt, candidates, settings["few_shot_examples"]
                )
            ]
            for prompt in with_examples
        }
        for row in rows:
            image = _image(row, read_png)
            for prompt in settings["prompts"]:
                for question in QUESTIONS:
                    yield _item(bank_slice, prompt, question, row, image, shots.get(prompt, []))


def choose_examples(
    figure: str, prompt: str, candidates: Iterable[Mapping], count: int
) -> list[Mapping]:
    """Choose the solved examples that precede every question about one illusion.

    Each example comes from a different one of the other illusions. Their conditions cycle through
    genuine, fake, control_genuine, control_fake, so a multiple of four is balanced in what is
    right. All images of an illusion get the same examples, so that differences between its
    conditions are not due to the examples. The choice and the order of presentation follow hashes
    of names: they depend on the illusion, the prompt and the candidates, not on the shard or on any
    order, and removing an illusion from the candidates changes only lists that would have used it.

    Args:
        figure: The illusion that is asked about.
        prompt: The prompt's id.
        candidates: Stimulus records to choose from; those of ``figure`` itself are never chosen.
        count: How many examples, 1 or more.

    Raises:
        AfterimageError: ``count`` is not a whole number above 0, or exceeds the other illusions.
    """
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise AfterimageError(
            f"few_shot_examples: found {count!r}; expected a whole number, at least 1."
        )

    def rank(row: Mapping) -> str:
        return hashlib.sha256(f"{figure}/{prompt}/{row['stimulus_id']}".encode()).hexdigest()

    others = sorted((row for row in candidates if row["figure"] != figure), key=rank)
    chosen: dict[str, Mapping] = {}
    for condition in islice(cycle(CONDITIONS), count):
        row = next(
            (
                row
                for row in others
                if row["figure"] not in chosen and _factor(row, "condition") == condition
            ),
            None,
        )
        if row is None:
            available = len({row["figure"] for row in others})
            raise AfterimageError(
                f"few_shot_examples: {count} examples asked for, each from another illusion, but "
                f"only {available} illusions are left beside '{figure}', and {len(chosen)} of them "
                f"fit; expected at most {len(chosen)}."
            )
        chosen[row["figure"]] = row
    return sorted(chosen.values(), key=rank)


def _item(
    bank_slice: Mapping,
    prompt: str,
    question: str,
    row: Mapping,
    image: Mapping,
    shots: Sequence[tuple],
) -> dict:
    messages = []
    for number, (shot, _) in enumerate(shots):
        texts = dict(_asked(bank_slice, shot)["questions"][question]["options"])
        messages.append(_user_turn(bank_slice, prompt, question, shot, number))
        messages.append(
            {"role": "assistant", "parts": [_text_part(texts[_key(bank_slice, shot, question)])]}
        )
    messages.append(_user_turn(bank_slice, prompt, question, row, len(shots)))
    options = _asked(bank_slice, row)["questions"][question]["options"]
    return {
        "item_id": f"{row['stimulus_id']}/{question}/{prompt}",
        "suite": _SUITE,
        "stimulus_id": row["stimulus_id"],
        "figure": row["figure"],
        "prompt": prompt,
        "question": question,
        "messages": messages,
        "images": [*(shot_image for _, shot_image in shots), image],
        "answer_type": bank_slice["prompts"][prompt]["answer_type"],
        "options": [{"option_id": name, "text": text} for name, text in options],
        "key": _key(bank_slice, row, question),
        "factors": _item_factors(bank_slice, row, len(options)),
    }


def _item_factors(bank_slice: Mapping, row: Mapping, option_count: int) -> dict[str, str]:
    asked = _asked(bank_slice, row)
    variant, condition = _factor(row, "variant"), _factor(row, "condition")
    return {
        "variant": variant,
        "condition": condition,
        "inducer": "absent" if condition.startswith("control_") else "present",
        "neutral": asked["neutral"],
        "illusory": asked["illusory"],
        "human_subset": "true" if is_representative(row["figure"], variant) else "false",
        "option_count": str(option_count),
    }


def _user_turn(bank_slice: Mapping, prompt: str, question: str, row: Mapping, image: int) -> dict:
    wording = _asked(bank_slice, row)["questions"][question]
    text = bank_slice["prompts"][prompt]["text"].format(
        preamble=bank_slice["preambles"][question],
        stem=wording["stem"],
        options="\n".join(option for _, option in wording["options"]),
    )
    return {
        "role": "user",
        "parts": [{"type": "image", "text": None, "image": image}, _text_part(text)],
    }


def _text_part(text: str) -> dict:
    return {"type": "text", "text": text, "image": None}


def _image(row: Mapping, read_png: Callable[[Mapping], bytes]) -> dict:
    png = read_png(row)
    check_png(png, f"stimulus '{row['stimulus_id']}'")
    return {"pixels_sha256": row["pixels_sha256"], "png": png}


def _key(bank_slice: Mapping, row: Mapping, question: str) -> str:
    return _asked(bank_slice, row)["intended"][_factor(row, "condition")][question]


def _asked(bank_slice: Mapping, row: Mapping) -> Mapping:
    _require(row["figure"], "illusion", bank_slice["figures"], f"stimulus '{row['stimulus_id']}'")
    return bank_slice["figures"][row["figure"]][_factor(row, "variant")]


def _factor(row: Mapping, name: str) -> str:
    valid = {"variant": VARIANTS, "condition": CONDITIONS}[name]
    value = row["factors"].get(name)
    _require(value, name, valid, f"stimulus '{row['stimulus_id']}', factors")
    return value


def _require(name: object, kind: str, valid: Iterable[str], where: str = "") -> None:
    valid = tuple(valid)
    if name not in valid:
        raise unknown_name(kind, name, valid, where)
