"""Questions: each image with each prompt and both questions (paper, section 2.1).

What is asked in which words is handed over as plain values (``prompt_file.py`` of the suite cuts them out
of the prompt file), so that a change in how that file is checked does not ask any model again.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, groupby, islice
from operator import attrgetter

from afterimage.contract.question import Option, Question, Turn
from afterimage.contract.stimulus import Json, Shown
from afterimage.errors import AfterimageError
from afterimage.items.wording import require_known
from afterimage.suites.illusion_vqa.images import (
    CONDITIONS,
    inducer,
    is_original,
    is_representative,
)
from afterimage.suites.illusions.names import ILLUSIONS, QUESTIONS
from afterimage.suites.illusions.variants import variation
from afterimage.suites.illusions.words import text_of


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Yield the questions about the images of a shard.

    Args:
        words: What ``prompt_file.select`` returned for these prompts and figures.
        settings: ``prompts`` (ids) and, for prompts with examples, ``few_shot_examples`` (their
            number, 1 or more).
        available: Images that few-shot examples may be taken from: all that the human filter kept,
            not only the shard's; see :func:`choose_examples`. Not read when no prompt uses
            examples.

    Raises:
        AfterimageError: There are fewer examples than asked for.
    """
    for figure, group in groupby(images, key=attrgetter("figure")):
        shots = {
            prompt: choose_examples(
                figure, _in_english(words, prompt), available, settings["few_shot_examples"]
            )
            for prompt in settings["prompts"]
            if words["prompts"][prompt]["examples"]
        }
        for shown in group:
            for prompt in settings["prompts"]:
                for question in QUESTIONS:
                    yield _question(words, prompt, question, shown, shots.get(prompt, []))


def choose_examples(
    figure: str, prompt: str, candidates: Iterable[Shown], count: int
) -> list[Shown]:
    """Choose the solved examples that precede every question about one illusion.

    Each example comes from a different one of the paper's other illusions and is one of its two variants, whatever
    else is drawn.
    Their conditions cycle through genuine, fake, control_genuine, control_fake, so a multiple of
    four is balanced in what is right. All images of an illusion get the same examples, so that differences between its
    conditions are not due to the examples. The choice and the order of presentation follow hashes
    of names: they depend on the illusion, the prompt and the candidates, not on the shard or on any
    order, and removing an illusion from the candidates changes only lists that would have used it.

    Args:
        figure: The illusion that is asked about.
        prompt: The prompt's id.
        candidates: Images to choose from; those of ``figure`` itself are never chosen.
        count: How many examples, 1 or more.

    Raises:
        AfterimageError: ``count`` exceeds the other illusions.
    """

    def rank(shown: Shown) -> str:
        return hashlib.sha256(f"{figure}/{prompt}/{shown.stimulus_id}".encode()).hexdigest()

    papers = set(ILLUSIONS) - {figure}
    others = sorted(
        (
            shown
            for shown in candidates
            if shown.figure in papers and is_original(shown.factors["variant"])
        ),
        key=rank,
    )
    chosen: dict[str, Shown] = {}
    for condition in islice(cycle(CONDITIONS), count):
        fitting = (
            shown
            for shown in others
            if shown.figure not in chosen and shown.factors["condition"] == condition
        )
        example = next(fitting, None)
        if example is None:
            available = len({shown.figure for shown in others})
            raise AfterimageError(
                f"few_shot_examples: {count} examples asked for, each from another illusion, but "
                f"only {available} illusions are left beside '{figure}', and {len(chosen)} of them "
                f"fit; expected at most {len(chosen)}."
            )
        chosen[example.figure] = example
    return sorted(chosen.values(), key=rank)


def _question(
    words: Json, prompt: str, question: str, shown: Shown, shots: Sequence[Shown]
) -> Question:
    turns = []
    for shot in shots:
        texts = dict(_wording(words, prompt, shot, question)["options"])
        turns.append(_user_turn(words, prompt, question, shot))
        turns.append(Turn("assistant", (texts[_key(words, shot, question)],)))
    turns.append(_user_turn(words, prompt, question, shown))
    options = _wording(words, prompt, shown, question)["options"]
    return Question(
        shown,
        f"{question}/{prompt}",
        tuple(turns),
        words["prompts"][prompt]["answer_type"],
        _key(words, shown, question),
        tuple(Option(name, text) for name, text in options),
        prompt=prompt,
        question=question,
        factors=_factors(words, shown, len(options)),
    )


def _factors(words: Json, shown: Shown, option_count: int) -> dict[str, str]:
    entry = _entry(words, shown)
    variant, condition = shown.factors["variant"], shown.factors["condition"]
    return {
        "variant": variant,
        "condition": condition,
        "inducer": inducer(condition),
        "neutral": entry["neutral"],
        "illusory": entry["illusory"],
        "human_subset": "true" if is_representative(shown.figure, variant) else "false",
        "option_count": str(option_count),
    }


def _user_turn(words: Json, prompt: str, question: str, shown: Shown) -> Turn:
    wording = _wording(words, prompt, shown, question)
    text = words["prompts"][prompt]["text"].format(
        preamble=_in_prompt_language(words, prompt)["preambles"][question],
        stem=wording["stem"],
        options="\n".join(option for _, option in wording["options"]),
    )
    return Turn("user", (shown, text))


def _in_english(words: Json, prompt: str) -> str:
    """Return the id of a prompt's English twin, ``few_shot`` of ``few_shot_ja``: both have the same examples."""
    return prompt.removesuffix(f"_{words['prompts'][prompt].get('language')}")


def _in_prompt_language(words: Json, prompt: str) -> Json:
    language = words["prompts"][prompt].get("language")
    return words if language is None else words["languages"][language]


def _wording(words: Json, prompt: str, shown: Shown, question: str) -> Json:
    """Return stem and options of a question in the prompt's language."""
    wording: Json = _entry(_in_prompt_language(words, prompt), shown)["questions"][question]
    return wording


def _key(words: Json, shown: Shown, question: str) -> str:
    intended: str = _entry(words, shown)["intended"][shown.factors["condition"]][question]
    return intended


def _entry(words: Json, shown: Shown) -> Json:
    # Only images of other editions than the public one have it as a factor.
    wording = shown.factors.get("wording")
    if wording is None:
        wording = variation(shown.figure, shown.factors["variant"]).wording
    entry: Json = words["figures"][shown.figure][wording]
    return entry


def answer(item: Json, rule: str) -> str:
    """Return the text of the option that the textbook suggests.

    Args:
        item: Its ``question`` (actual or apparent), ``options`` as
            pairs of option id and text, and ``factors`` with ``neutral`` and ``illusory`` (option
            ids that are common knowledge about the illusion) and ``inducer`` (present or absent).
        rule: ``cued`` or ``gated``.

    Raises:
        AfterimageError: The rule, the question or the state of the inducer is unknown, or the
            suggested option is not offered.
    """
    factors, question = item["factors"], item["question"]
    require_known("rule", rule)
    require_known("question", question, QUESTIONS)
    require_known("state of the inducer", factors["inducer"], ("present", "absent"))
    applies = rule == "cued" or factors["inducer"] == "present"
    suggested = factors["illusory"] if applies and question == "apparent" else factors["neutral"]
    return text_of(suggested, item)
