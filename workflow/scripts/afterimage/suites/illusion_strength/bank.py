"""The prompt file: read, checked, and cut into what a job uses.

The words are data, ``resources/prompts/illusion_strength.yaml``. The Snakefile imports this module whenever it is
parsed, so besides the standard library it needs YAML only.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.yaml import Checked, read_checked, require
from afterimage.suites.illusion_strength.catalogue import ILLUSIONS, QUESTIONS, VARIANTS

#: How a reply is read: the whole of it, or its last line.
ANSWER_TYPES = ("choice", "choice_last_line")

_LAYOUT_FIELDS = ("preamble", "stem", "options")


def load_bank(path: str | Path) -> dict:
    """Read and check the prompt file; options become lists of ``[option_id, text]`` by variant.

    Returns:
        ``preambles`` (question to text), ``layout``, ``prompts`` (id to ``neutral``, ``answer_type``, ``text``) and
        ``figures`` (name to ``values``, ``first``, ``neutral`` and, by question, ``stem``, ``forced_stem`` and
        ``options``).

    Raises:
        AfterimageError: The first fault, with the file, the key, what was found and what was expected.
    """
    bank = read_checked(path, "the YAML file of prompts and questions")
    bank.keys(("preambles", "layout", "prompts", "figures"))
    bank["preambles"].keys(QUESTIONS)
    figures = bank["figures"].entries("illusion", ILLUSIONS)
    return {
        "preambles": {question: bank["preambles"][question].text() for question in QUESTIONS},
        "layout": bank["layout"].template(_LAYOUT_FIELDS, required=_LAYOUT_FIELDS),
        "prompts": {
            name: _checked_prompt(entry) for name, entry in bank["prompts"].entries("prompt")
        },
        "figures": {name: _checked_figure(entry) for name, entry in figures},
    }


def select(bank: Mapping, prompts: Sequence[str], figures: Iterable[str]) -> dict:
    """Cut out what these prompts and figures use: one plain dict, keys sorted, wording finished.

    Made to be a Snakemake parameter: it changes exactly when a word changes that would be shown, and neither with
    another prompt or figure nor with how the file is written down.

    Returns:
        ``prompts`` (id to ``answer_type``) and ``figures``: by figure and variant ``first``, ``second``, ``neutral``
        (option ids) and ``asked``: by prompt and question ``options`` (``[option_id, text]`` as offered) and
        ``text`` (all that is said).

    Raises:
        AfterimageError: A prompt or figure is not in the prompt file.
    """
    for prompt in prompts:
        require(prompt, "prompt", bank["prompts"], "suites.illusion_strength.prompts")
    for figure in figures:
        require(figure, "illusion", bank["figures"])
    return {
        "figures": {
            figure: {variant: _asked(bank, figure, variant, prompts) for variant in VARIANTS}
            for figure in sorted(figures)
        },
        "prompts": {
            prompt: {"answer_type": bank["prompts"][prompt]["answer_type"]}
            for prompt in sorted(prompts)
        },
    }


def _asked(bank: Mapping, figure: str, variant: str, prompts: Sequence[str]) -> dict:
    entry = bank["figures"][figure]
    first, neutral = entry["first"][variant], entry["neutral"]
    ids = [name for name, _ in entry[QUESTIONS[0]]["options"][variant]]
    return {
        "asked": {
            prompt: {
                question: _rendered(bank, figure, variant, prompt, question)
                for question in sorted(QUESTIONS)
            }
            for prompt in sorted(prompts)
        },
        "first": first,
        "neutral": neutral,
        "second": next(name for name in ids if name not in (first, neutral)),
    }


def _rendered(bank: Mapping, figure: str, variant: str, prompt: str, question: str) -> dict:
    entry, way = bank["figures"][figure], bank["prompts"][prompt]
    values, words = entry["values"][variant], entry[question]
    options = [
        [name, text.format(**values)]
        for name, text in words["options"][variant]
        if way["neutral"] or name != entry["neutral"]
    ]
    task = bank["layout"].format(
        preamble=bank["preambles"][question],
        stem=words["stem" if way["neutral"] else "forced_stem"].format(**values),
        options="\n".join(text for _, text in options),
    )
    return {"options": options, "text": way["text"].format(task=task)}


def _checked_prompt(entry: Checked) -> dict:
    entry.keys(("neutral", "answer_type", "text"))
    answer_type = entry["answer_type"].text()
    if answer_type not in ANSWER_TYPES:
        raise unknown_name("answer type", answer_type, ANSWER_TYPES, entry["answer_type"].where)
    return {
        "neutral": entry["neutral"].boolean(),
        "answer_type": answer_type,
        "text": entry["text"].template(("task",), required=("task",)),
    }


def _checked_figure(entry: Checked) -> dict:
    entry.keys(("first", "neutral", *QUESTIONS), optional=("values",))
    values: dict[str, dict[str, str]] = {variant: {} for variant in VARIANTS}
    if "values" in entry.value:
        entry["values"].keys(VARIANTS)
        for variant in VARIANTS:
            values[variant] = {
                name: value.text() for name, value in entry["values"][variant].entries("value")
            }
        entry["values"][VARIANTS[1]].keys(tuple(values[VARIANTS[0]]))
    entry["first"].keys(VARIANTS)
    figure = {
        "values": values,
        "first": {variant: entry["first"][variant].text() for variant in VARIANTS},
        "neutral": entry["neutral"].text(),
    }
    for question in QUESTIONS:
        figure[question] = _checked_question(entry[question], values)
        for variant in VARIANTS:
            _check_option_ids(entry, question, figure, variant)
    return figure


def _checked_question(entry: Checked, values: Mapping) -> dict:
    entry.keys(("stem", "options"), optional=("forced_stem",))
    fields = tuple(values[VARIANTS[0]])
    listed = entry["options"]
    if isinstance(listed.value, dict):
        listed.keys(VARIANTS)
    options = {}
    for variant in VARIANTS:
        place = listed[variant] if isinstance(listed.value, dict) else listed
        options[variant] = _checked_options(place, fields)
        _check_distinguishable(place, options[variant], values[variant])
    stem = entry["stem"].line().template(fields)
    forced = entry["forced_stem"].line().template(fields) if "forced_stem" in entry.value else stem
    return {"stem": stem, "forced_stem": forced, "options": options}


def _checked_options(entry: Checked, fields: Sequence[str]) -> list[list[str]]:
    if not isinstance(entry.value, list) or len(entry.value) != 3:
        raise entry.fault("a list of three options: two directions and the neutral one")
    options = []
    for index in range(len(entry.value)):
        option = entry[index]
        if not isinstance(option.value, dict) or len(option.value) != 1:
            raise option.fault(
                "one option id with its text, like '- same: Both lines are the same length.'"
            )
        ((option_id, text),) = option.entries("option")
        options.append([option_id, text.line().template(fields)])
    if len(dict(options)) != len(options):
        raise entry.fault("three different option ids")
    return options


def _check_distinguishable(entry: Checked, options: Sequence, values: Mapping[str, str]) -> None:
    """Refuse options of which one holds another: a reply with the longer one would name both."""
    texts = [(name, text.format(**values).casefold().rstrip(".")) for name, text in options]
    for short_id, short in texts:
        for long_id, long in texts:
            if short_id != long_id and short in long:
                raise AfterimageError(
                    f"{entry.where}: the text of option '{short_id}' is part of the text of option '{long_id}'; "
                    "expected options of which none holds another."
                )


def _check_option_ids(entry: Checked, question: str, figure: Mapping, variant: str) -> None:
    ids = [name for name, _ in figure[question]["options"][variant]]
    expected = [name for name, _ in figure[QUESTIONS[0]]["options"][variant]]
    if ids != expected:
        raise AfterimageError(
            f"{entry[question]['options'].where}: option ids {ids} (variant {variant}) differ from those of the "
            f"actual question, {expected}; expected the same ids."
        )
    for role, name in (("first", figure["first"][variant]), ("neutral", figure["neutral"])):
        if name not in ids:
            raise unknown_name("option id", name, ids, f"{entry[role].where} (variant {variant})")
    if figure["first"][variant] == figure["neutral"]:
        raise AfterimageError(
            f"{entry['first'].where}: option '{figure['neutral']}' of variant {variant} is also the neutral one; "
            "expected two different options."
        )
