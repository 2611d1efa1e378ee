"""The prompt file: read, checked, and cut into what a job uses.

The words are data, ``resources/prompts/illusion_vqa.yaml`` (paper, section 2.1, appendix A). The
Snakefile imports this module whenever it is parsed, so besides the standard library it needs YAML
only. Items are made from what :func:`select` cuts out, never from the file.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from string import Formatter
from typing import Any

from afterimage.errors import AfterimageError, config_path
from afterimage.files.yaml import Checked, read_checked, require, require_each
from afterimage.suites.illusion_vqa.images import CONDITIONS
from afterimage.suites.illusions.names import GRID_FIGURES, QUESTIONS, VARIANTS
from afterimage.suites.illusions.variants import variants, variation
from afterimage.suites.illusions.words import (
    Values,
    check_distinguishable,
    check_option_ids,
    checked_frame,
    checked_head,
    checked_options,
    checked_values,
)

_DEFAULT = "default"
_WORDINGS = (_DEFAULT, "directional")


def key_role(condition: str, question: str) -> str:
    """Tell which option is right, ``"neutral"`` or ``"illusory"`` (docs/illusion_figures.md, section 1).

    A fake differs in the direction of the illusion; a genuine image only appears to.
    """
    differs = condition in ("fake", "control_fake")
    appears_so = condition == "genuine" and question == "apparent"
    return "illusory" if differs or appears_so else "neutral"


def load_prompts(path: str | Path) -> dict[str, Any]:
    """Read and check the prompt file; options become lists of ``[option_id, text]``.

    Returns:
        ``preambles`` (question to text), ``layout``, ``prompts`` (id to ``examples``,
        ``answer_type``, ``text`` and, where it is not English, ``language``) and ``figures`` (name to
        ``values`` and ``wordings``), as in the file; ``text_only`` (figure to what is said before a
        question without its image); ``languages`` (name to ``preambles``, ``layout``, ``text_only``,
        ``values`` and ``figures``).

    Raises:
        AfterimageError: The first fault, with the file, the key, what was found and what was
            expected.
    """
    data = read_checked(path, "the YAML file of prompts and questions")
    data.keys(("preambles", "layout", "prompts", "figures"), ("text_only", "languages"))
    languages = tuple(data.value.get("languages") or ())
    head = checked_head(data, "examples", languages)
    figures = {
        name: _checked_figure(entry)
        for name, entry in data["figures"].entries("illusion", GRID_FIGURES)
    }
    return {
        **head,
        "figures": figures,
        "text_only": _checked_text_only(data),
        "languages": {
            name: _checked_language(data["languages"][name], figures) for name in languages
        },
    }


def select(
    words: Mapping[str, Any],
    prompts: Sequence[str],
    figures: Iterable[str],
    scale: int = 1,
    edition: int | None = None,
) -> dict[str, Any]:
    """Cut out what these prompts and figures use: one plain dict, keys sorted, wording finished.

    Made to be a Snakemake parameter: it changes exactly when a word changes that would be shown,
    and neither with another prompt or figure nor with how the file is written down. ``figures``
    must include those that few-shot examples are taken from; ``scale`` is the number of pairs of variants, ``edition``
    what they are drawn with, if that is not the public one.

    Raises:
        AfterimageError: A prompt or figure is not in the prompt file.
    """
    require_each(prompts, "prompt", words["prompts"], config_path("suites.illusion_vqa.prompts"))
    named = {figure: _wordings(figure, scale, edition) for figure in sorted(figures)}
    return {
        **_in_languages(words, prompts, named),
        "figures": {
            figure: _rendered_figure(words, figure, wordings) for figure, wordings in named.items()
        },
        "preambles": {question: words["preambles"][question] for question in sorted(QUESTIONS)},
        "prompts": {prompt: _selected(words, prompt) for prompt in sorted(prompts)},
    }


def _selected(words: Mapping[str, Any], prompt: str) -> dict[str, Any]:
    entry = words["prompts"][prompt]
    language = entry.get("language")
    in_language = words if language is None else words["languages"][language]
    return {
        "answer_type": entry["answer_type"],
        "examples": entry["examples"],
        **({} if language is None else {"language": language}),
        "text": _with_layout(entry["text"], in_language["layout"]),
    }


def _wordings(figure: str, scale: int, edition: int | None) -> list[str]:
    """Return which layouts and colours the words of an illusion name."""
    return sorted({variation(figure, name, edition).wording for name in variants(scale)})


def _in_languages(
    words: Mapping[str, Any], prompts: Sequence[str], figures: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """Return the words of other languages that prompts in use are asked in; nothing if all are English.

    Raises:
        AfterimageError: A language lacks an illusion that is asked about.
    """
    languages: dict[str, Any] = {}
    for prompt in prompts:
        language = words["prompts"][prompt].get("language")
        if language is None:
            continue
        in_language = words["languages"][language]
        for figure in figures:
            if figure not in in_language["figures"]:
                raise AfterimageError(
                    f"suites.illusion_vqa.prompts: '{prompt}' asks in the language '{language}', in which the prompt "
                    f"file has no words for '{figure}'; expected them under languages.{language}.figures, or another "
                    "prompt."
                )
        languages[language] = {
            "figures": {
                figure: _rendered_figure(words, figure, wordings, language)
                for figure, wordings in figures.items()
            },
            "preambles": {
                question: in_language["preambles"][question] for question in sorted(QUESTIONS)
            },
        }
    return {"languages": languages} if languages else {}


def choices(words: Mapping[str, Any], figures: Iterable[str], scale: int = 1) -> dict[str, Any]:
    """Return the possible and the intended answers about each figure, without any wording.

    Returns:
        By figure and variant: ``options`` (sorted option ids) and ``intended`` (by condition and
        question, an option id). Plain and sorted: a Snakemake parameter for the human filter,
        which rewording does not change.
    """
    return {figure: _figure_choices(words, figure, scale) for figure in sorted(figures)}


def render(
    words: Mapping[str, Any],
    figure: str,
    variant: str,
    question: str,
    wording: str = _DEFAULT,
    language: str | None = None,
) -> tuple[str, list[list[str]]]:
    """Return stem and options ``[option_id, text]`` of one question, placeholders filled in.

    Other languages than English have the words of the default wording.
    ``variant`` is the layout, followed by that whose colours are named where they are the other's: ``AB``.
    """
    require(figure, "illusion", words["figures"])
    entry = words["figures"][figure]
    require(wording, "wording", entry["wordings"], f"illusion '{figure}'")
    form = entry["wordings"][wording]
    layout, colours = variant[0], variant[-1]
    require(layout, "variant", form["illusory"], f"illusion '{figure}', wording '{wording}'")
    values = entry["values"][colours]
    options = form[question]["options"][layout]
    if language is not None:
        in_language = words["languages"][language]
        texts = in_language["figures"][figure][question]
        values = {name: in_language["values"][value] for name, value in values.items()}
        options = [[name, texts[name]] for name, _ in options]
        return texts["stem"].format(**values), [
            [name, text.format(**values)] for name, text in options
        ]
    return form[question]["stem"].format(**values), [
        [name, text.format(**values)] for name, text in options
    ]


def _rendered_figure(
    words: Mapping[str, Any], figure: str, wordings: Sequence[str], language: str | None = None
) -> dict[str, Any]:
    require(figure, "illusion", words["figures"])
    form = words["figures"][figure]["wordings"][_DEFAULT]
    rendered = {}
    for variant in wordings:
        questions = {}
        for question in sorted(QUESTIONS):
            stem, options = render(words, figure, variant, question, language=language)
            questions[question] = {"options": options, "stem": stem}
        rendered[variant] = {
            "illusory": form["illusory"][variant[0]],
            "intended": _intended(form, variant[0]),
            "neutral": form["neutral"],
            "questions": questions,
        }
    return rendered


def _figure_choices(words: Mapping[str, Any], figure: str, scale: int) -> dict[str, Any]:
    require(figure, "illusion", words["figures"])
    form = words["figures"][figure]["wordings"][_DEFAULT]
    return {
        variant: {
            "intended": _intended(form, variant[0]),
            # The order of presentation is wording; which answers exist is not.
            "options": sorted(name for name, _ in form[QUESTIONS[0]]["options"][variant[0]]),
        }
        for variant in variants(scale)
    }


def _intended(form: Mapping[str, Any], variant: str) -> dict[str, Any]:
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


def _checked_language(entry: Checked, figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return the words of one language; of an illusion, those of every option that its English questions have."""
    entry.keys(("preambles", "layout", "values", "figures"), ("text_only",))
    used = {
        value
        for figure in figures.values()
        for by_slot in figure["values"].values()
        for value in by_slot.values()
    }
    values = entry["values"].lines(sorted(used))
    return {
        **checked_frame(entry),
        "text_only": _checked_text_only(entry),
        "values": values,
        "figures": {
            name: _checked_translation(translation, figures[name], values)
            for name, translation in entry["figures"].entries("illusion", tuple(figures))
        },
    }


def _checked_translation(
    entry: Checked, figure: Mapping[str, Any], translations: Mapping[str, str]
) -> dict[str, Any]:
    entry.keys(QUESTIONS)
    fields = tuple(figure["values"][VARIANTS[0]])
    texts: dict[str, dict[str, str]] = {}
    for question in QUESTIONS:
        options = figure["wordings"][_DEFAULT][question]["options"]
        names = dict.fromkeys(name for part in options.values() for name, _ in part)
        part = entry[question]
        part.keys(("stem", *names))
        texts[question] = {name: part[name].line().template(fields) for name in ("stem", *names)}
        for variant, listed in options.items():
            values = {
                name: translations[value] for name, value in figure["values"][variant].items()
            }
            translated = [(name, texts[question][name]) for name, _ in listed]
            check_distinguishable(part, translated, values)
    return texts


def _checked_text_only(data: Checked) -> dict[str, str]:
    if "text_only" not in data.value:
        return {}
    entry = data["text_only"]
    entry.keys(("before", "names"))
    template = entry["before"].template(("name",), required=("name",))
    return {
        figure: template.format(name=name.line().text())
        for figure, name in entry["names"].entries("illusion", GRID_FIGURES)
    }


def _checked_figure(entry: Checked) -> dict[str, Any]:
    entry.keys(("wordings",), optional=("values",))
    values = checked_values(entry)
    entry["wordings"].keys((_DEFAULT,), optional=_WORDINGS[1:])
    return {
        "values": values,
        "wordings": {
            name: _checked_wording(form, name, values)
            for name, form in entry["wordings"].entries("wording", _WORDINGS)
        },
    }


def _checked_wording(form: Checked, name: str, values: Values) -> dict[str, Any]:
    form.keys(("neutral", "illusory", *QUESTIONS))
    if name == _DEFAULT:
        form["illusory"].keys(VARIANTS)
    illusory = {
        variant: option.text() for variant, option in form["illusory"].entries("variant", VARIANTS)
    }
    wording: dict[str, Any] = {"neutral": form["neutral"].text(), "illusory": illusory}
    for question in QUESTIONS:
        wording[question] = _checked_question(form[question], illusory, values)
    options = {question: wording[question]["options"] for question in QUESTIONS}
    for variant, option_id in illusory.items():
        check_option_ids(form, options, variant, ("illusory", option_id), wording["neutral"])
    return wording


def _checked_question(entry: Checked, variants: Iterable[str], values: Values) -> dict[str, Any]:
    entry.keys(("stem", "options"))
    options = checked_options(entry["options"], variants, values, three=False)
    return {"stem": entry["stem"].line().template(tuple(values[VARIANTS[0]])), "options": options}
