"""The prompt file: read, checked, and cut into what a job uses.

The words are data, ``resources/prompts/illusion_vqa.yaml`` (paper, section 2.1, appendix A). The
Snakefile imports this module whenever it is parsed, so besides the standard library it needs YAML
only. Items are made from what :func:`select` cuts out, never from the file.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from string import Formatter

from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.yaml import Checked, read_checked, require
from afterimage.suites.illusion_vqa.catalogue import CONDITIONS, ILLUSIONS, QUESTIONS, VARIANTS

#: How a reply is read: the whole of it, or its last line.
ANSWER_TYPES = ("choice", "choice_last_line")

_DEFAULT = "default"
_WORDINGS = (_DEFAULT, "directional")
_LAYOUT_FIELDS = ("preamble", "stem", "options")


def key_role(condition: str, question: str) -> str:
    """Tell which option is right, ``"neutral"`` or ``"illusory"`` (specification, section 1).

    A fake differs in the direction of the illusion; a genuine image only appears to.
    """
    differs = condition in ("fake", "control_fake")
    appears_so = condition == "genuine" and question == "apparent"
    return "illusory" if differs or appears_so else "neutral"


def load_bank(path: str | Path) -> dict:
    """Read and check the prompt file; options become lists of ``[option_id, text]``.

    Returns:
        ``preambles`` (question to text), ``layout``, ``prompts`` (id to ``examples``,
        ``answer_type``, ``text``) and ``figures`` (name to ``values`` and ``wordings``), as in the
        file; ``text_only`` (figure to what is said before a question without its image).

    Raises:
        AfterimageError: The first fault, with the file, the key, what was found and what was
            expected.
    """
    bank = read_checked(path, "the YAML file of prompts and questions")
    bank.keys(("preambles", "layout", "prompts", "figures"), optional=("text_only",))
    bank["preambles"].keys(QUESTIONS)
    figures = bank["figures"].entries("illusion", ILLUSIONS)
    return {
        "preambles": {question: bank["preambles"][question].text() for question in QUESTIONS},
        "layout": bank["layout"].template(_LAYOUT_FIELDS, required=_LAYOUT_FIELDS),
        "prompts": {
            name: _checked_prompt(entry) for name, entry in bank["prompts"].entries("prompt")
        },
        "figures": {name: _checked_figure(entry) for name, entry in figures},
        "text_only": _checked_text_only(bank["text_only"]) if "text_only" in bank.value else {},
    }


def select(bank: Mapping, prompts: Sequence[str], figures: Iterable[str]) -> dict:
    """Cut out what these prompts and figures use: one plain dict, keys sorted, wording finished.

    Made to be a Snakemake parameter: it changes exactly when a word changes that would be shown,
    and neither with another prompt or figure nor with how the file is written down. ``figures``
    must include those that few-shot examples are taken from.

    Raises:
        AfterimageError: A prompt or figure is not in the prompt file.
    """
    for prompt in prompts:
        require(prompt, "prompt", bank["prompts"], "suites.illusion_vqa.prompts")
    return {
        "figures": {figure: _rendered_figure(bank, figure) for figure in sorted(figures)},
        "preambles": {question: bank["preambles"][question] for question in sorted(QUESTIONS)},
        "prompts": {
            prompt: {
                "answer_type": bank["prompts"][prompt]["answer_type"],
                "examples": bank["prompts"][prompt]["examples"],
                "text": _with_layout(bank["prompts"][prompt]["text"], bank["layout"]),
            }
            for prompt in sorted(prompts)
        },
    }


def choices(bank: Mapping, figures: Iterable[str]) -> dict:
    """Return what may be answered about each figure and what is intended, without any wording.

    Returns:
        By figure and variant: ``options`` (sorted option ids) and ``intended`` (by condition and
        question, an option id). Plain and sorted: a Snakemake parameter for the human filter,
        which rewording does not change.
    """
    return {figure: _figure_choices(bank, figure) for figure in sorted(figures)}


def render(
    bank: Mapping, figure: str, variant: str, question: str, wording: str = _DEFAULT
) -> tuple[str, list[list[str]]]:
    """Return stem and options ``[option_id, text]`` of one question, placeholders filled in."""
    require(figure, "illusion", bank["figures"])
    entry = bank["figures"][figure]
    require(wording, "wording", entry["wordings"], f"illusion '{figure}'")
    form = entry["wordings"][wording]
    require(variant, "variant", form["illusory"], f"illusion '{figure}', wording '{wording}'")
    values = entry["values"][variant]
    options = form[question]["options"][variant]
    return form[question]["stem"].format(**values), [
        [name, text.format(**values)] for name, text in options
    ]


def _rendered_figure(bank: Mapping, figure: str) -> dict:
    require(figure, "illusion", bank["figures"])
    form = bank["figures"][figure]["wordings"][_DEFAULT]
    rendered = {}
    for variant in sorted(VARIANTS):
        asked = {}
        for question in sorted(QUESTIONS):
            stem, options = render(bank, figure, variant, question)
            asked[question] = {"options": options, "stem": stem}
        rendered[variant] = {
            "illusory": form["illusory"][variant],
            "intended": _intended(form, variant),
            "neutral": form["neutral"],
            "questions": asked,
        }
    return rendered


def _figure_choices(bank: Mapping, figure: str) -> dict:
    require(figure, "illusion", bank["figures"])
    form = bank["figures"][figure]["wordings"][_DEFAULT]
    return {
        variant: {
            "intended": _intended(form, variant),
            # The order of presentation is wording; which answers exist is not.
            "options": sorted(name for name, _ in form[QUESTIONS[0]]["options"][variant]),
        }
        for variant in sorted(VARIANTS)
    }


def _intended(form: Mapping, variant: str) -> dict:
    by_role = {"neutral": form["neutral"], "illusory": form["illusory"][variant]}
    return {
        condition: {
            question: by_role[key_role(condition, question)] for question in sorted(QUESTIONS)
        }
        for condition in sorted(CONDITIONS)
    }


def _with_layout(text: str, layout: str) -> str:
    """Put the layout where {task} stands; doubled braces stay: the result is a template too."""
    return "".join(
        literal.replace("{", "{{").replace("}", "}}") + ("" if name is None else layout)
        for literal, name, _, _ in Formatter().parse(text)
    )


def _checked_prompt(entry: Checked) -> dict:
    entry.keys(("examples", "answer_type", "text"))
    answer_type = entry["answer_type"].text()
    if answer_type not in ANSWER_TYPES:
        raise unknown_name("answer type", answer_type, ANSWER_TYPES, entry["answer_type"].where)
    return {
        "examples": entry["examples"].boolean(),
        "answer_type": answer_type,
        "text": entry["text"].template(("task",), required=("task",)),
    }


def _checked_text_only(entry: Checked) -> dict[str, str]:
    entry.keys(("before", "names"))
    before = entry["before"].template(("name",), required=("name",))
    return {
        figure: before.format(name=name.line().text())
        for figure, name in entry["names"].entries("illusion", ILLUSIONS)
    }


def _checked_figure(entry: Checked) -> dict:
    entry.keys(("wordings",), optional=("values",))
    values: dict[str, dict[str, str]] = {variant: {} for variant in VARIANTS}
    if "values" in entry.value:
        entry["values"].keys(VARIANTS)
        for variant in VARIANTS:
            values[variant] = {
                name: value.text() for name, value in entry["values"][variant].entries("value")
            }
        entry["values"][VARIANTS[1]].keys(tuple(values[VARIANTS[0]]))
    entry["wordings"].keys((_DEFAULT,), optional=_WORDINGS[1:])
    return {
        "values": values,
        "wordings": {
            name: _checked_wording(form, name, values)
            for name, form in entry["wordings"].entries("wording", _WORDINGS)
        },
    }


def _checked_wording(form: Checked, name: str, values: Mapping) -> dict:
    form.keys(("neutral", "illusory", *QUESTIONS))
    if name == _DEFAULT:
        form["illusory"].keys(VARIANTS)
    illusory = {
        variant: option.text() for variant, option in form["illusory"].entries("variant", VARIANTS)
    }
    wording = {"neutral": form["neutral"].text(), "illusory": illusory}
    for question in QUESTIONS:
        wording[question] = _checked_question(form[question], illusory, values)
    for variant in illusory:
        _check_option_ids(form, wording, variant)
    return wording


def _checked_question(entry: Checked, variants: Iterable[str], values: Mapping) -> dict:
    entry.keys(("stem", "options"))
    fields = tuple(values[VARIANTS[0]])
    listed = entry["options"]
    if isinstance(listed.value, dict):
        listed.keys(tuple(variants))
    options = {}
    for variant in variants:
        place = listed[variant] if isinstance(listed.value, dict) else listed
        options[variant] = _checked_options(place, fields)
        _check_distinguishable(place, options[variant], values[variant])
    return {"stem": entry["stem"].line().template(fields), "options": options}


def _checked_options(entry: Checked, fields: Sequence[str]) -> list[list[str]]:
    if not isinstance(entry.value, list) or len(entry.value) < 2:
        raise entry.fault("a list of at least two options")
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


def _check_distinguishable(
    entry: Checked, options: Sequence[Sequence[str]], values: Mapping[str, str]
) -> None:
    """Refuse options of which one holds another: a reply with the longer one would name both."""
    texts = [text.format(**values).casefold().rstrip(".") for _, text in options]
    for (short_id, _), short in zip(options, texts, strict=True):
        for (long_id, _), long in zip(options, texts, strict=True):
            if short_id != long_id and short in long:
                raise AfterimageError(
                    f"{entry.where}: the text of option '{short_id}' is part of the text of option "
                    f"'{long_id}'; expected options of which none holds another."
                )


def _check_option_ids(form: Checked, wording: Mapping, variant: str) -> None:
    actual, apparent = (
        [name for name, _ in wording[question]["options"][variant]] for question in QUESTIONS
    )
    if actual != apparent:
        raise AfterimageError(
            f"{form['apparent']['options'].where}: option ids {apparent} (variant {variant}) "
            f"differ from those of the actual question, {actual}; expected the same ids."
        )
    for role, option_id in (
        ("neutral", wording["neutral"]),
        ("illusory", wording["illusory"][variant]),
    ):
        if option_id not in actual:
            raise unknown_name(
                "option id", option_id, actual, f"{form[role].where} (variant {variant})"
            )
    if wording["neutral"] == wording["illusory"][variant]:
        raise AfterimageError(
            f"{form['illusory'].where}: option '{wording['neutral']}' of variant {variant} is also "
            "the neutral one; expected two different options."
        )
