"""The words of the pages: one YAML file per language, cut into what a page or a form uses.

The Snakefile imports this module whenever it is parsed; besides the standard library it needs YAML only.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, cast

from afterimage.contract.task import Text
from afterimage.errors import AfterimageError, config_key, fault, unknown_name
from afterimage.files.yaml import Checked, read_checked

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")

#: What every form has to say in every language.
REQUIRED = ("title", "instructions")

#: By language: the key of a text, steps joined by dots, to the text or, for a list, its paragraphs.
Slice = Mapping[str, Mapping[str, str | list[str]]]


def languages(folder: str | Path) -> list[str]:
    """Return the codes of the languages that there is a file for, sorted."""
    return sorted(path.stem for path in Path(folder).glob("*.yaml"))


def page_texts(
    folder: str | Path, chosen: Sequence[str], sections: Sequence[str] = ("page",)
) -> dict[str, dict[str, Any]]:
    """Return the words of the page itself, buttons and messages, in the chosen languages.

    Args:
        folder: Of the files.
        sections: Sections whose texts are used; later ones override earlier ones.

    Raises:
        AfterimageError: A language has no file, or one of its ``sections`` lacks a key or has one too many.
    """
    read = {code: _language(folder, code) for code in chosen}
    first = chosen[0]
    found: dict[str, dict[str, Any]] = {
        code: {"language": read[code]["language"].text()} for code in chosen
    }
    for section in sections:
        words = {code: _flat(_section(read[code], section)) for code in chosen}
        for code in chosen[1:]:
            _same_keys(f"{folder}/{code}.yaml: {section}", words[code], words[first], first)
        for code in chosen:
            found[code] |= words[code]
    return found


def form_texts(
    folder: str | Path, chosen: Sequence[str], suite: str, form: str
) -> dict[str, dict[str, Any]]:
    """Return the words of one form in the chosen languages; what a suite's forms share is in ``shared``.

    Raises:
        AfterimageError: A language has no file, or lacks the form's title or instructions.
    """
    found = {}
    for code in chosen:
        forms = _language(folder, code)["forms"]
        section = _section(_section(forms, suite), form)
        shared = forms.value[suite].get("shared", {})
        texts = {**_flat(Checked(forms.path, f"forms.{suite}.shared", shared)), **_flat(section)}
        for key in REQUIRED:
            if key not in texts:
                raise AfterimageError(f"{section.where}: key '{key}' is missing.")
        found[code] = texts
    return found


class Texts:
    """The words of one form, by key, in every language that has them."""

    def __init__(self, texts: Slice) -> None:
        self._texts = texts

    def __getitem__(self, key: str) -> dict[str, str]:
        """Return a text in the languages that have it.

        Raises:
            AfterimageError: No language has it.
        """
        found = self.get(key)
        if not found:
            known = {name for texts in self._texts.values() for name in texts}
            raise unknown_name("text", key, known, "resources/forms")
        return found

    def get(self, key: str) -> dict[str, str]:
        """Return a text in the languages that have it; empty if none has."""
        return {code: cast(str, texts[key]) for code, texts in self._texts.items() if key in texts}

    def filled(self, key: str, **values: str | Text) -> dict[str, str]:
        """Return a text with its placeholders filled in; values are strings, or texts by language.

        Raises:
            AfterimageError: The text has a placeholder that no value is given for.
        """
        return {code: fill(text, code, **values) for code, text in self[key].items()}


def fill(template: str, language: str, **values: str | Text) -> str:
    """Fill ``{name}`` in a text with values in its language, or in the first that a value has.

    Raises:
        AfterimageError: The text has a placeholder that no value is given for.
    """
    words = {
        name: value if isinstance(value, str) else value.get(language, next(iter(value.values())))
        for name, value in values.items()
    }
    parts = []
    for before, name, _, _ in Formatter().parse(template):
        parts.append(before)
        if name is not None:
            if name not in words:
                raise unknown_name("placeholder", name, words, f"the text '{template}'")
            parts.append(words[name])
    return "".join(parts)


@cache
def _language(folder: str | Path, code: str) -> Checked:
    path = Path(folder) / f"{code}.yaml"
    if not _LANGUAGE.fullmatch(code) or not path.is_file():
        raise unknown_name("language", code, languages(folder), config_key("human.languages"))
    content = read_checked(path, "the words of the pages in one language")
    content.keys(("language", "page", "forms"), optional=("session",))
    return content


def _section(parent: Checked, name: str) -> Checked:
    if not isinstance(parent.value, dict) or name not in parent.value:
        raise AfterimageError(f"{parent.where}: key '{name}' is missing.")
    return parent[name]


def _flat(section: Checked) -> dict[str, str | list[str]]:
    """Join the keys of nested mappings by dots."""
    if not isinstance(section.value, dict):
        raise section.fault("a mapping of keys to texts")
    found: dict[str, str | list[str]] = {}
    for key in section.value:
        part = section[key]
        if isinstance(part.value, dict):
            found.update({f"{key}.{name}": value for name, value in _flat(part).items()})
        elif isinstance(part.value, list):
            found[str(key)] = [part[index].text() for index in range(len(part.value))]
        else:
            found[str(key)] = part.text()
    return found


def _same_keys(where: str, found: Iterable[str], expected: Iterable[str], first: str) -> None:
    missing = sorted(set(expected) - set(found))
    if missing:
        raise fault(where, f"key '{missing[0]}' is missing, which {first}.yaml has.")
    unknown = sorted(set(found) - set(expected))
    if unknown:
        raise unknown_name("key", unknown[0], expected, where)
