"""Questions: stimuli become items, each complete in itself.

What is asked in which words is handed over as plain values (``bank.py`` cuts them out of the prompt file), so that a
change in how that file is checked asks no model anything anew.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from afterimage.errors import unknown_name
from afterimage.files.png import check_png
from afterimage.suites.illusion_strength.catalogue import QUESTIONS


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
        settings: ``prompts`` (ids).
        read_png: Gives a stimulus record's PNG bytes.
        examples: Not used; no prompt shows any.

    Raises:
        AfterimageError: A figure is not in the bank's slice, or an image holds metadata or cannot be read.
    """
    for row in stimuli:
        if row["figure"] not in bank_slice["figures"]:
            where = f"stimulus '{row['stimulus_id']}'"
            raise unknown_name("illusion", row["figure"], bank_slice["figures"], where)
        png = read_png(row)
        check_png(png, f"stimulus '{row['stimulus_id']}'")
        image = {"pixels_sha256": row["pixels_sha256"], "png": png}
        for prompt in settings["prompts"]:
            for question in QUESTIONS:
                yield _item(bank_slice, prompt, question, row, image)


def key(question: str, factors: Mapping[str, str]) -> str:
    """Return the option that counts as right.

    Of the actual question: what is true by the realised difference. Of the apparent one: what the illusion suggests,
    and without an inducer what is true. Two of these are conventions, which the tables of this suite do not use: in
    conflict cells (a difference against the illusion) what a person would see depends on the illusion's size, and a
    forced choice without a difference has no true option; there the first counts as right.

    Args:
        question: ``actual`` or ``apparent``.
        factors: ``strength``, ``realised``, ``first``, ``second`` and ``neutral`` of an item.
    """
    deciding = float(factors["realised"])
    if question == "apparent" and float(factors["strength"]):
        deciding = float(factors["strength"])
    if deciding:
        return factors["first"] if deciding > 0 else factors["second"]
    return factors["neutral"] or factors["first"]


def _item(bank_slice: Mapping, prompt: str, question: str, row: Mapping, image: Mapping) -> dict:
    words = bank_slice["figures"][row["figure"]][row["factors"]["variant"]]
    asked = words["asked"][prompt][question]
    offered = dict(asked["options"])
    factors = {
        **row["factors"],
        "first": words["first"],
        "second": words["second"],
        "neutral": words["neutral"] if words["neutral"] in offered else "",
    }
    parts = [
        {"type": "image", "text": None, "image": 0},
        {"type": "text", "text": asked["text"], "image": None},
    ]
    return {
        "item_id": f"{row['stimulus_id']}/{question}/{prompt}",
        "suite": "illusion_strength",
        "stimulus_id": row["stimulus_id"],
        "figure": row["figure"],
        "prompt": prompt,
        "question": question,
        "messages": [{"role": "user", "parts": parts}],
        "images": [image],
        "answer_type": bank_slice["prompts"][prompt]["answer_type"],
        "options": [{"option_id": name, "text": text} for name, text in asked["options"]],
        "key": key(question, factors),
        "factors": factors,
    }
