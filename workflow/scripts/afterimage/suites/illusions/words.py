"""What the prompt files of both suites have in common: prompts, values of the variants, options that replies can name.

Planning imports this module, so besides the standard library it needs YAML only.

A textbook knows which illusion is meant and never looks at the image: the paper's hypothesis about vision-language
models made executable (paper, section 4.2; docs/illusion_figures.md, section 6).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.yaml import Checked, require
from afterimage.suites.illusions.names import QUESTIONS, VARIANTS


def text_of(option_id: str, item: Mapping[str, Any]) -> str:
    """Return the text of an item's option; ``options`` are pairs of option id and text.

    Raises:
        AfterimageError: The option is not offered.
    """
    texts: dict[str, str] = dict(item["options"])
    if option_id not in texts:
        raise AfterimageError(
            f"textbook: option '{option_id}' of figure '{item.get('figure')}' is not offered; "
            f"expected one of: {', '.join(texts)}."
        )
    return texts[option_id]


# ---- words ----

#: How a reply is read: the whole of it, or its last line.
ANSWER_TYPES = ("choice", "choice_last_line")

_LAYOUT_FIELDS = ("preamble", "stem", "options")

#: By variant, name of a slot in stems and options to the text that replaces it.
Values = Mapping[str, Mapping[str, str]]


def checked_head(data: Checked, flag: str, languages: Sequence[str] = ()) -> dict[str, Any]:
    """Return ``preambles`` (question to text), ``layout`` and ``prompts``; illusions are each suite's own.

    Args:
        data: The prompt file.
        flag: A key that a prompt needs besides ``answer_type`` and ``text``, whose value is true or false.
        languages: What a prompt's ``language`` may be; English without one.
    """
    return {
        **checked_frame(data),
        "prompts": {
            name: _checked_prompt(entry, flag, languages)
            for name, entry in data["prompts"].entries("prompt")
        },
    }


def checked_frame(entry: Checked) -> dict[str, Any]:
    """Return the frame of every question in one language: ``preambles`` and ``layout``."""
    entry["preambles"].keys(QUESTIONS)
    return {
        "preambles": {question: entry["preambles"][question].text() for question in QUESTIONS},
        "layout": entry["layout"].template(_LAYOUT_FIELDS, required=_LAYOUT_FIELDS),
    }


def _checked_prompt(entry: Checked, flag: str, languages: Sequence[str]) -> dict[str, Any]:
    entry.keys((flag, "answer_type", "text"), ("language",) if languages else ())
    answer_type = entry["answer_type"].text()
    if answer_type not in ANSWER_TYPES:
        raise unknown_name("answer type", answer_type, ANSWER_TYPES, entry["answer_type"].where)
    checked = {
        flag: entry[flag].boolean(),
        "answer_type": answer_type,
        "text": entry["text"].template(("task",), required=("task",)),
    }
    if "language" in entry.value:
        checked["language"] = entry["language"].text()
        require(checked["language"], "language", languages, entry["language"].where)
    return checked


def checked_values(entry: Checked) -> Values:
    """Return the texts that fill the slots of an illusion's words, the same slots in each variant."""
    values: dict[str, dict[str, str]] = {variant: {} for variant in VARIANTS}
    if "values" in entry.value:
        entry["values"].keys(VARIANTS)
        for variant in VARIANTS:
            values[variant] = {
                name: value.text() for name, value in entry["values"][variant].entries("value")
            }
        entry["values"][VARIANTS[1]].keys(tuple(values[VARIANTS[0]]))
    return values


def checked_options(
    entry: Checked, variants: Iterable[str], values: Values, three: bool
) -> dict[str, list[list[str]]]:
    """Return options as lists of ``[option_id, text]`` by variant.

    Args:
        entry: A list of options, or one by variant.
        variants: The variants that are asked about.
        values: From :func:`checked_values`.
        three: Whether there have to be three, two directions and the neutral one; else there may be two or more.
    """
    if isinstance(entry.value, dict):
        entry.keys(tuple(variants))
    options = {}
    for variant in variants:
        part = entry[variant] if isinstance(entry.value, dict) else entry
        number = len(part.value) if isinstance(part.value, list) else 0
        if three and number != 3:
            raise part.fault("a list of three options: two directions and the neutral one")
        if number < 2:
            raise part.fault("a list of at least two options")
        options[variant] = _checked_list(part, tuple(values[VARIANTS[0]]))
        check_distinguishable(part, options[variant], values[variant])
    return options


def _checked_list(entry: Checked, fields: Sequence[str]) -> list[list[str]]:
    options: list[list[str]] = []
    for index in range(len(entry.value)):
        option = entry[index]
        if not isinstance(option.value, dict) or len(option.value) != 1:
            raise option.fault(
                "one option id with its text, like '- same: Both lines are the same length.'"
            )
        ((option_id, text),) = option.entries("option")
        if option_id in (known for known, _ in options):
            raise AfterimageError(
                f"{entry.where}: option id '{option_id}' occurs twice; expected each id once."
            )
        options.append([option_id, text.line().template(fields)])
    return options


def check_distinguishable(
    entry: Checked, options: Sequence[Sequence[str]], values: Mapping[str, str]
) -> None:
    """Refuse options of which one contains another: a reply with the longer one would name both."""
    texts = [text.format(**values).casefold().rstrip(".") for _, text in options]
    for (short_id, _), short in zip(options, texts, strict=True):
        for (long_id, _), long in zip(options, texts, strict=True):
            if short_id != long_id and short in long:
                raise AfterimageError(
                    f"{entry.where}: the text of option '{short_id}' is part of the text of option "
                    f"'{long_id}'; expected options of which none holds another."
                )


def check_option_ids(
    entry: Checked,
    options: Mapping[str, Mapping[str, Sequence[Sequence[str]]]],
    variant: str,
    directed: tuple[str, str],
    neutral: str,
) -> None:
    """Refuse questions with different options, and a neutral option or a direction that is none of them.

    Args:
        entry: What holds both questions, the key of the direction and ``neutral``.
        options: By question and variant, from :func:`checked_options`.
        variant: The variant.
        directed: The key of the direction, and its option id for the variant.
        neutral: The option id that denies a difference.
    """
    actual, apparent = ([name for name, _ in options[question][variant]] for question in QUESTIONS)
    if actual != apparent:
        raise AfterimageError(
            f"{entry['apparent']['options'].where}: option ids {apparent} (variant {variant}) "
            f"differ from those of the actual question, {actual}; expected the same ids."
        )
    key, direction = directed
    for role, option_id in (("neutral", neutral), (key, direction)):
        if option_id not in actual:
            raise unknown_name(
                "option id", option_id, actual, f"{entry[role].where} (variant {variant})"
            )
    if neutral == direction:
        raise AfterimageError(
            f"{entry[key].where}: option '{neutral}' of variant {variant} is also "
            "the neutral one; expected two different options."
        )
