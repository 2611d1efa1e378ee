"""The data files: read, checked, and cut into what a job uses.

Prompts, names and grammar are data. The Snakefile imports this module whenever it is parsed, so besides the standard
library it needs YAML only. Jobs are given what :func:`question_words` cuts out, never the files.
"""

from pathlib import Path
from typing import Any

from afterimage.contract.stimulus import Json
from afterimage.errors import AfterimageError, config_path
from afterimage.files.yaml import Checked, read_checked, require, require_each
from afterimage.suites.pope.language import ZH
from afterimage.suites.pope.names import (
    BLOG,
    DRAWN,
    EXTENDED,
    EXTENDED_EN,
    EXTENDED_ZH,
    KINDS,
    POPE,
    asks_files,
    variants_of,
)
from afterimage.suites.pope.settings import Settings

_LEXICONS = {True: "resources/lexicons/scenes.yaml", False: "resources/lexicons/coco.yaml"}
_LONGEST_NAME = 3
_PAIR = ("first", "second")
_SLOTS = {
    kind: _PAIR if kind in ("left_of", "above", "inside", "larger_than") else ("object",)
    for kind in KINDS
}


def load_texts(settings: Settings) -> dict[str, Any]:
    """Read and check the data files that the settings name.

    Returns:
        ``templates``, ``suffixes``, ``blog``, ``extended`` and, where it is there, ``extended_zh`` as in the prompt
        file; ``lexicon``, ``english`` and ``chinese`` as in the files of names.

    Raises:
        AfterimageError: The first fault, with the file, the key, what was found and what was expected.
    """
    lexicon_file = settings.lexicon_file or _LEXICONS[settings.source == DRAWN]
    data = _prompts(settings.prompt_file)
    require_each(settings.prompts, "prompt", data["templates"], config_path("suites.pope.prompts"))
    if settings.suffix is not None:
        require(settings.suffix, "suffix", data["suffixes"], config_path("suites.pope.suffix"))
    if EXTENDED in variants_of(settings):
        _require_extended(data, settings)
    data["english"] = _english(settings.english_file)
    data["lexicon"] = _lexicon(lexicon_file)
    data["chinese"] = _chinese(settings.name_table)
    return data


def question_words(data: Json, settings: Settings) -> dict[str, Any]:
    """Cut out the words of the questions that are asked: one plain dict.

    Made to be a Snakemake parameter: it changes exactly when a word changes that would be shown.
    """
    variants = variants_of(settings)
    words: dict[str, Any] = {}
    if POPE in variants:
        from_files = asks_files(settings)
        words["templates"] = (
            {} if from_files else {name: data["templates"][name] for name in settings.prompts}
        )
    if settings.suffix is not None:
        words["suffix"] = data["suffixes"][settings.suffix]
    if BLOG in variants:
        words["blog"] = data["blog"]
        words["vocabulary"] = list(data["lexicon"]["categories"])
    if EXTENDED in variants:
        words |= {name: data[name] for name in settings.extended_prompts}
        words["similar"] = data["lexicon"]["similar"]
    words["english"] = data["english"]
    if _asks_in_chinese(words, settings):
        words["chinese"] = data["chinese"]
    return words


def _asks_in_chinese(words: Json, settings: Settings) -> bool:
    by_blog = "blog" in words and settings.blog["object_language"] == ZH
    return (
        by_blog
        or EXTENDED_ZH in words
        or any(template["language"] == ZH for template in words.get("templates", {}).values())
    )


def _prompts(path: str | Path) -> dict[str, Any]:
    data = read_checked(path, "the YAML file of prompts")
    data.keys(("templates", "suffixes", "blog", EXTENDED_EN), (EXTENDED_ZH,))
    templates = {}
    for name, entry in data["templates"].entries("template"):
        entry.keys(("text", "natural"), ("language",))
        templates[name] = {
            key: entry[key].line().template(("object",), ("object",)) for key in ("text", "natural")
        }
        language = entry.value.get("language", "en")
        require(
            language,
            "language",
            ("en", ZH),
            entry["language"].where if "language" in entry.value else "",
        )
        templates[name]["language"] = language
    return {
        "templates": templates,
        "suffixes": {name: entry.text() for name, entry in data["suffixes"].entries("suffix")},
        "blog": data["blog"].line().template(("object",), ("object",)),
        EXTENDED_EN: _extended(data[EXTENDED_EN], ("text", "plural")),
        **(
            {EXTENDED_ZH: _extended(data[EXTENDED_ZH], ("text",))}
            if EXTENDED_ZH in data.value
            else {}
        ),
    }


def _extended(wordings: Checked, forms: tuple[str, ...]) -> dict[str, Any]:
    wordings.keys(KINDS)
    extended = {}
    for kind, entry in wordings.entries("kind of question", KINDS):
        entry.keys(forms)
        slots = _SLOTS[kind]
        extended[kind] = {key: entry[key].line().template(slots, slots) for key in forms}
    return extended


def _require_extended(data: Json, settings: Settings) -> None:
    for name in settings.extended_prompts:
        if name not in data:
            raise AfterimageError(
                f"{settings.prompt_file}: key '{name}' is missing, which suites.pope.extended_prompts names; expected "
                f"a question for each of: {', '.join(KINDS)}."
            )


def _lexicon(path: str | Path) -> dict[str, Any]:
    data = read_checked(path, "the YAML file of names")
    data.keys(("categories", "none", "adjectives", "modifiers"), ("similar",))
    if not isinstance(data["categories"].value, dict) or not data["categories"].value:
        raise data["categories"].fault("a mapping of categories to lists of their other names")
    categories = {}
    for name, synonyms in data["categories"].value.items():
        entry = data["categories"][name]
        if not isinstance(name, str) or not name.strip():
            raise data["categories"].fault("a text as the name of every category")
        categories[name] = _names(entry)
        _require_short(entry, [name, *synonyms])
    _require_unique(data["categories"], categories)
    phrases = {part: _names(data[part]) for part in ("none", "adjectives", "modifiers")}
    _require_short(data["none"], phrases["none"])
    similar = {}
    for name in data.value.get("similar") or {}:
        require(name, "category", categories, data["similar"].where)
        for lookalike in _names(data["similar"][name]):
            require(lookalike, "category", categories, data["similar"][name].where)
        similar[name] = _names(data["similar"][name])
    return {"categories": categories, **phrases, "similar": similar}


def _english(path: str | Path) -> dict[str, Any]:
    keys = (
        *("irregular_plurals", "plural_only", "articles", "attributes"),
        *("attribute_synonyms", "confusions"),
    )
    data = read_checked(path, "the YAML file of English grammar")
    data.keys(keys)
    data["articles"].keys(("a", "an"))
    attributes = {name: _names(data["attributes"][name]) for name in data["attributes"].value}
    values = [value for of_dimension in attributes.values() for value in of_dimension]
    synonyms = _texts(data["attribute_synonyms"])
    for word, value in synonyms.items():
        require(value, "attribute", values, f"{data['attribute_synonyms'].where}.{word}")
    pairs = data["confusions"]
    if not isinstance(pairs.value, list):
        raise pairs.fault("a list of pairs of attributes")
    for index in range(len(pairs.value)):
        for name in _names(pairs[index]):
            require(name, "attribute", values, pairs[index].where)
        if len(pairs.value[index]) != 2:
            raise pairs[index].fault("two attributes")
    return {
        "irregular_plurals": _texts(data["irregular_plurals"]),
        "plural_only": _names(data["plural_only"]),
        "articles": {name: _names(data["articles"][name]) for name in ("a", "an")},
        "attributes": attributes,
        "attribute_synonyms": synonyms,
        "confusions": [list(pair) for pair in pairs.value],
    }


def _chinese(path: str | Path) -> dict[str, Any]:
    parts = ("names", "attributes", "measures")
    data = read_checked(path, "the YAML file of Chinese names")
    data.keys(parts)
    return {part: _texts(data[part]) for part in parts}


def _names(entry: Checked) -> list[str]:
    if not isinstance(entry.value, list) or not all(isinstance(name, str) for name in entry.value):
        raise entry.fault("a list of texts (put yes, no, on and numbers in quotes)")
    return list(entry.value)


def _texts(entry: Checked) -> dict[str, str]:
    pairs = entry.value.items() if isinstance(entry.value, dict) else [(None, None)]
    if not all(isinstance(name, str) and isinstance(value, str) for name, value in pairs):
        raise entry.fault("a mapping of texts to texts (put yes, no, on and numbers in quotes)")
    return dict(entry.value)


def _require_unique(entry: Checked, categories: dict[str, list[str]]) -> None:
    owners: dict[str, str] = {}
    for category, synonyms in categories.items():
        for name in dict.fromkeys((category, *synonyms)):
            if name in owners:
                raise AfterimageError(
                    f"{entry.where}: '{name}' stands for '{owners[name]}' and for '{category}'; expected one of them."
                )
            owners[name] = category


def _require_short(entry: Checked, names: list[str]) -> None:
    for name in names:
        if len(name.replace("-", " ").split()) > _LONGEST_NAME:
            raise AfterimageError(
                f"{entry.where}: name '{name}' has more than {_LONGEST_NAME} words, which are never looked for."
            )
