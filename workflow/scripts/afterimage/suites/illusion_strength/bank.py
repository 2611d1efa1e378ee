"""The prompt file: read, checked, and cut into what a job uses.

The words are data, ``resources/prompts/illusion_strength.yaml``. The Snakefile imports this module whenever it is
parsed, so besides the standard library it needs YAML only.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from afterimage.files.yaml import Checked, read_checked, require, require_each
from afterimage.suites.illusion_strength import yes_no_words
from afterimage.suites.illusion_strength.names import ACTUAL, YES_NO
from afterimage.suites.illusions.names import GRID_FIGURES, QUESTIONS, VARIANTS
from afterimage.suites.illusions.words import (
    Values,
    check_option_ids,
    checked_head,
    checked_options,
    checked_values,
)


def load_bank(path: str | Path) -> dict:
    """Read and check the prompt file; options become lists of ``[option_id, text]`` by variant.

    Returns:
        ``preambles`` (question to text), ``layout``, ``prompts`` (id to ``answer_type``, ``text`` and, but for yes or
        no, ``neutral``) and ``figures`` (name to ``values``, ``first``, ``neutral``, ``stems``, the yes-or-no
        questions, and, by question, ``stem``, ``forced_stem`` and ``options``).

    Raises:
        AfterimageError: The first fault, with the file, the key, what was found and what was expected.
    """
    bank = read_checked(path, "the YAML file of prompts and questions")
    bank.keys(("preambles", "layout", "prompts", "figures"), optional=(yes_no_words.SECTION,))
    head = checked_head(bank, "neutral")
    return {
        **head,
        "prompts": {**head["prompts"], **yes_no_words.checked_prompts(bank)},
        "figures": {
            name: _checked_figure(entry)
            for name, entry in bank["figures"].entries("illusion", GRID_FIGURES)
        },
    }


def select(bank: Mapping, prompts: Sequence[str], figures: Iterable[str]) -> dict:
    """Cut out what these prompts and figures use: one plain dict, keys sorted, wording finished.

    Made to be a Snakemake parameter: it changes exactly when a word changes that would be shown, and neither with
    another prompt or figure nor with how the file is written down.

    Returns:
        ``prompts`` (id to ``answer_type``) and ``figures``: by figure and variant ``first``, ``second``, ``neutral``
        (option ids) and ``asked``: by prompt and question ``options`` (``[option_id, text]`` as offered) and
        ``text`` (all that is said); yes-or-no prompts ask the actual question alone.

    Raises:
        AfterimageError: A prompt or figure is not in the prompt file.
    """
    require_each(prompts, "prompt", bank["prompts"], "suites.illusion_strength.prompts")
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
            prompt: {ACTUAL: yes_no_words.rendered(bank, figure, variant, prompt)}
            if prompt in YES_NO
            else {
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


def _checked_figure(entry: Checked) -> dict:
    entry.keys(("first", "neutral", *QUESTIONS), optional=("values", *yes_no_words.STEMS))
    values = checked_values(entry)
    entry["first"].keys(VARIANTS)
    figure = {
        "values": values,
        "first": {variant: entry["first"][variant].text() for variant in VARIANTS},
        "neutral": entry["neutral"].text(),
        "stems": yes_no_words.checked_stems(entry, values),
        **{question: _checked_question(entry[question], values) for question in QUESTIONS},
    }
    options = {question: figure[question]["options"] for question in QUESTIONS}
    for variant, option_id in figure["first"].items():
        check_option_ids(entry, options, variant, ("first", option_id), figure["neutral"])
    return figure


def _checked_question(entry: Checked, values: Values) -> dict:
    entry.keys(("stem", "options"), optional=("forced_stem",))
    options = checked_options(entry["options"], VARIANTS, values, three=True)
    fields = tuple(values[VARIANTS[0]])
    stem = entry["stem"].line().template(fields)
    forced = entry["forced_stem"].line().template(fields) if "forced_stem" in entry.value else stem
    return {"stem": stem, "forced_stem": forced, "options": options}
