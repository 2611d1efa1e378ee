"""The prompt file: read, checked, and cut into what a job uses.

The words are data, ``resources/prompts/illusion_vqa.yaml`` (paper, section 2.1, appendix A). The
Snakefile imports this module whenever it is parsed, so besides the standard library it needs YAML
only. Items are made from what :func:`select` cuts out, never from the file.
"""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from string import Formatter

import yaml

from afterimage.errors import AfterimageError, unknown_name
from afterimage.suites.illusion_vqa.catalogue import CONDITIONS, ILLUSIONS, QUESTIONS, VARIANTS

#: How a reply is read: the whole of it, or its last line.
ANSWER_TYPES = ("choice", "choice_last_line")

_DEFAULT = "default"
_WORDINGS = (_DEFAULT, "directional")
_LAYOUT_FIELDS = ("preamble", "stem", "options")
_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]*")


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
        file.

    Raises:
        AfterimageError: The first fault, with the file, the key, what was found and what was
            expected.
    """
    bank = _Checked(path, "", _read_yaml(path))
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

    Made to be a Snakemake parameter: it changes exactly when a word changes that would be shown,
    and neither with another prompt or figure nor with how the file is written down. ``figures``
    must include those that few-shot examples are taken from.

    Raises:
        AfterimageError: A prompt or figure is not in the prompt file.
    """
    for prompt in prompts:
        _require(prompt, "prompt", bank["prompts"], "suites.illusion_vqa.prompts")
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
    _require(figure, "illusion", bank["figures"])
    entry = bank["figures"][figure]
    _require(wording, "wording", entry["wordings"], f"illusion '{figure}'")
    form = entry["wordings"][wording]
    _require(variant, "variant", form["illusory"], f"illusion '{figure}', wording '{wording}'")
    values = entry["values"][variant]
    options = form[question]["options"][variant]
    return form[question]["stem"].format(**values), [
        [name, text.format(**values)] for name, text in options
    ]


def _rendered_figure(bank: Mapping, figure: str) -> dict:
    _require(figure, "illusion", bank["figures"])
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
    _require(figure, "illusion", bank["figures"])
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


def _require(name: object, kind: str, valid: Iterable[str], where: str = "") -> None:
    valid = tuple(valid)
    if name not in valid:
        raise unknown_name(kind, name, valid, where)


class _UniqueKeyLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """YAML that refuses to let a later entry silently replace an earlier one of the same name."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, Hashable) and key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"key '{key}' stands here for the second time", key_node.start_mark
                )
            if isinstance(key, Hashable):
                seen.add(key)
        return super().construct_mapping(node, deep)


def _read_yaml(path: str | Path) -> object:
    if not Path(path).is_file():
        raise AfterimageError(
            f"{path}: no such file; expected the YAML file of prompts and questions."
        )
    try:
        # The loader is a SafeLoader: it builds plain values only.
        return yaml.load(Path(path).read_bytes(), Loader=_UniqueKeyLoader)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise AfterimageError(f"{path}{line}: not valid YAML ({error.problem}).") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise AfterimageError(
            f"{path}: not valid YAML in UTF-8 ({' '.join(str(error).split())})."
        ) from None


def _checked_prompt(entry: "_Checked") -> dict:
    entry.keys(("examples", "answer_type", "text"))
    answer_type = entry["answer_type"].text()
    if answer_type not in ANSWER_TYPES:
        raise unknown_name("answer type", answer_type, ANSWER_TYPES, entry["answer_type"].where)
    return {
        "examples": entry["examples"].boolean(),
        "answer_type": answer_type,
        "text": entry["text"].template(("task",), required=("task",)),
    }


def _checked_figure(entry: "_Checked") -> dict:
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


def _checked_wording(form: "_Checked", name: str, values: Mapping) -> dict:
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


def _checked_question(entry: "_Checked", variants: Iterable[str], values: Mapping) -> dict:
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


def _checked_options(entry: "_Checked", fields: Sequence[str]) -> list[list[str]]:
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
    entry: "_Checked", options: Sequence[Sequence[str]], values: Mapping[str, str]
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


def _check_option_ids(form: "_Checked", wording: Mapping, variant: str) -> None:
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


class _Checked:
    """A value of the prompt file that knows where it stands."""

    def __init__(self, path: str | Path, key: str, value: object) -> None:
        self.path, self.key, self.value = path, key, value

    @property
    def where(self) -> str:
        """File and key, as errors name them."""
        return f"{self.path}: key '{self.key}'" if self.key else str(self.path)

    def __getitem__(self, name: str | int) -> "_Checked":
        step = f"[{name}]" if isinstance(name, int) else f".{name}" if self.key else name
        return _Checked(self.path, f"{self.key}{step}", self.value[name])

    def fault(self, expected: str) -> AfterimageError:
        """Build the error for a value that is not ``expected``."""
        shown = "nothing" if self.value is None else repr(self.value)
        shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
        return AfterimageError(f"{self.where}: found {shown}; expected {expected}.")

    def keys(self, required: Sequence[str], optional: Sequence[str] = ()) -> None:
        """Require a mapping with these keys and no others."""
        if not isinstance(self.value, dict):
            raise self.fault("a mapping of keys to values")
        for name in self.value:
            _require(name, "key", (*required, *optional), self.where)
        for name in required:
            if name not in self.value:
                raise AfterimageError(f"{self.where}: key '{name}' is missing.")

    def entries(self, kind: str, valid: Sequence[str] = ()) -> list[tuple[str, "_Checked"]]:
        """Require a mapping that is not empty, with names that are valid or well-formed."""
        if not isinstance(self.value, dict) or not self.value:
            raise self.fault(f"a mapping with at least one {kind}")
        for name in self.value:
            if valid:
                _require(name, kind, valid, self.where)
            elif not isinstance(name, str) or not _IDENTIFIER.fullmatch(name):
                raise AfterimageError(
                    f"{self.where}: {kind} id {name!r} is not usable; expected a text of "
                    "lower-case letters, digits and '_', a letter first (put yes and no in quotes)."
                )
        return [(name, self[name]) for name in self.value]

    def text(self) -> str:
        """Require a text that is not blank and has no blanks or line breaks at its ends."""
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.fault("a text")
        if self.value != self.value.strip():
            raise self.fault(
                "a text without blanks or line breaks at its ends (write '>-' or '|-' before it)"
            )
        return self.value

    def line(self) -> "_Checked":
        """Require a text of one line."""
        if "\n" in self.text():
            raise self.fault("a text of one line")
        return self

    def boolean(self) -> bool:
        """Require true or false."""
        if not isinstance(self.value, bool):
            raise self.fault("true or false")
        return self.value

    def template(self, fields: Sequence[str], required: Sequence[str] = ()) -> str:
        """Require a text with placeholders from ``fields`` only, each of ``required`` once."""
        text = self.text()
        try:
            parsed = [part for part in Formatter().parse(text) if part[1] is not None]
        except ValueError as error:
            raise AfterimageError(f"{self.where}: unpaired brace ({error}) in {text!r}.") from None
        names = [name for _, name, _, _ in parsed]
        for _, name, specification, conversion in parsed:
            if name not in fields or specification or conversion:
                raise unknown_name("placeholder", name, fields, self.where)
        for name in required:
            if names.count(name) != 1:
                raise AfterimageError(
                    f"{self.where}: placeholder {{{name}}} occurs {names.count(name)} times; "
                    "expected once."
                )
        return text
