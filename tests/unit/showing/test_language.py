"""A study speaks one language: its translations, and that nothing readers see lacks one."""

import ast
import re
from importlib import import_module
from pkgutil import iter_modules
from string import Formatter

import pytest

from afterimage.contract.finding import load_suite, suite_names
from afterimage.contract.parts import resolve, with_name
from afterimage.note import Note, joined
from afterimage.planning.schemas import read_schema
from afterimage.showing import study
from afterimage.showing.language import Words, depends, languages, words_of
from afterimage.showing.tables.declaration import Across, Table

#: Three English words in a row, or four with commas, are no name.
ENGLISH = re.compile(
    r"\b[A-Za-z]?[a-z']+ [a-z']+ [a-z']+\b|\b[a-z']+,? [a-z']+,? [a-z']+,? [a-z']+\b"
)
_SLOT, _WORDS = re.compile(r"\{\w+[^{}]*\}"), re.compile("[a-z]{2}")
OTHERS = [code for code in languages() if code != "en"]


@pytest.fixture
def words():
    return Words(
        "ja",
        {
            "Model": "モデル",
            "{n:,} of {all:,} items": "{all:,} 問中 {n:,} 問",
            "Clusters: {clusters}.": "クラスター：{clusters}。",
            "images": "画像",
            "Percent.": "割合。",
        },
    )


def test_a_known_text_is_translated_in_the_language_and_any_other_stays_as_it_is(words):
    assert words.translate("Model") == "モデル"
    assert words.translate("gpt-4o_2024") == "gpt-4o_2024"
    assert words.translate("a\nlong\nname") == "a\nlong\nname"
    # No sentence is read: what is no note has no slots.
    assert words.translate("3 of 1,224 items") == "3 of 1,224 items"


def test_a_note_fills_the_languages_own_template(words):
    assert words.translate(Note("{n:,} of {all:,} items", n=3, all=1224)) == "1,224 問中 3 問"
    assert words.translate(Note("Clusters: {clusters}.", clusters="images")) == "クラスター：画像。"
    assert words.translate(Note("Models: {name}.", name="images")) == "Models: 画像."


def test_joined_sentences_are_said_one_by_one(words):
    sentences = ["Percent.", "Something new.", Note("Clusters: {clusters}.", clusters="images")]
    assert words.translate(joined(sentences)) == "割合。Something new. クラスター：画像。"


def test_lines_are_no_matter(words):
    laid = Note("Clusters: {clusters}.", clusters="images").laid_out("Clusters:\nimages.")
    assert words.translate(laid) == "クラスター：画像。"
    assert words.translate("Per\ncent.") == "Per\ncent."
    assert Words("ja", {"two words": "二語"}).translate("two\nwords") == "二語"


def test_english_is_translated_as_it_is_and_no_result_depends_on_its_words():
    words = words_of({}, "texts")
    assert not words
    assert words.translate("Model") == "Model"
    assert depends("en") == {}


@pytest.mark.parametrize("language", OTHERS)
def test_results_in_another_language_depend_on_its_words(language):
    assert depends(language)["language"] == language
    assert len(depends(language)["words"]) == 64


def test_a_study_may_have_each_language_that_there_are_words_of(root):
    schema = read_schema(root / "workflow" / "schemas" / "config.schema.yaml")
    assert schema["properties"]["language"]["enum"] == languages()
    assert schema["properties"]["language"]["default"] == "en"


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("part", ["texts", "cells", "examples", "scripts"])
def test_what_is_translated_has_no_slot_that_its_english_has_not(language, part):
    texts = words_of({"language": language}, part).texts
    assert texts
    for english, translated in texts.items():
        assert _slots(translated) <= _slots(english), english


def _slots(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", OTHERS)
def test_every_template_of_the_code_is_in_every_language_and_no_other(language, root):
    words = _all_words(language)
    templates, literals = _templates_of(root)
    assert len(templates) > 100
    assert {text for text in templates if _WORDS.search(_SLOT.sub("", text))} - set(words) == set()
    declared = {
        " ".join(getattr(text, "template", text).split())
        for texts in (*map(_declared, suite_names()), _declared_of_no_suite())
        for text in texts
    }
    assert {text for text in words if _SLOT.search(text)} - literals - declared == set()


def _all_words(language):
    parts = ("texts", "cells", "examples")
    return {text for part in parts for text in words_of({"language": language}, part).texts}


def _templates_of(root):
    """Return the templates of notes, also of those in tables of a module, and all literals of the code."""
    templates, literals = set(), set()
    for path in (root / "workflow" / "scripts" / "afterimage").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        literals |= _texts(tree)
        named = {
            target.id: statement.value
            for statement in tree.body
            if isinstance(statement, ast.Assign)
            for target in ast.walk(statement.targets[0])
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Note":
                templates |= _texts(node.args[0])
            if isinstance(node, ast.FunctionDef) and any(map(_is_of_a_table, ast.walk(node))):
                names = (part.id for part in ast.walk(node) if isinstance(part, ast.Name))
                for value in (named[name] for name in names if name in named):
                    templates |= _texts(value)
    for path in (root / "resources" / "report").glob("*.j2"):
        templates |= set(re.findall(r'_\("([^"]+)"', path.read_text(encoding="utf-8")))
    return {text for text in templates if _SLOT.search(text)}, literals | templates


def _is_of_a_table(node):
    """Tell whether a note is made of a template that may stand elsewhere in the module."""
    is_note = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Note"
    return is_note and not isinstance(node.args[0], ast.Constant)


def _texts(node):
    """Return the texts in a part of the code, those of formatted ones apart."""
    parts = list(ast.walk(node))
    formatted = {id(part) for one in parts if isinstance(one, ast.JoinedStr) for part in one.values}
    return {
        " ".join(part.value.split())
        for part in parts
        if isinstance(part, ast.Constant)
        and isinstance(part.value, str)
        and id(part) not in formatted
    }


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("suite", suite_names())
def test_titles_headers_and_notes_of_every_table_are_said_in_every_language(language, suite):
    words = words_of({"language": language}, "texts")
    english = [text for text in _declared(suite) if not _is_translated(words.translate(text), text)]
    assert english == [], f"resources/words/{language}.yaml: texts"


@pytest.mark.parametrize("language", OTHERS)
def test_tables_of_no_suite_are_said_in_every_language(language):
    words = words_of({"language": language}, "texts")
    texts = list(_declared_of_no_suite())
    assert len(texts) >= 100
    assert [text for text in texts if not _is_translated(words.translate(text), text)] == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("answer", ["0", "10x10", "the illusory option"])
def test_a_row_of_reference_is_translated_whatever_answer_it_is_of(language, answer):
    words = words_of({"language": language}, "cells")
    for name in ("best constant answer", "always the same answer"):
        note = Note("{model} ({answer})", model=name, answer=answer)
        assert not ENGLISH.search(words.translate(note))


@pytest.mark.parametrize("language", OTHERS)
def test_every_caption_of_the_report_is_translated_in_every_language(language, root):
    captions = {path.stem for path in (root / "workflow" / "report").glob("*.rst")}
    # Of Snakemake's own report alone.
    captions -= {"caption", "title", "workflow"}
    assert captions - set(words_of({"language": language}, "captions").texts) == set()


def _declared(suite):
    suite_parts = load_suite(suite)
    fronts = [suite_parts.front] if suite_parts.front and not callable(suite_parts.front) else []
    for front in fronts:
        yield from (front.measure, *(score.label for score in front.scores))
    for table in suite_parts.tables:
        declared = resolve(with_name(table if isinstance(table, str) else table.part, "TABLE"))
        yield from _texts_of(declared)
    adaptive = () if suite_parts.adaptive is None else (f"{suite_parts.adaptive}:ADAPTIVE_TABLE",)
    for part in (*suite_parts.graded_tables, *adaptive):
        yield from _texts_of(resolve(with_name(part, "TABLE")))


def _declared_of_no_suite():
    modules = [
        import_module(f"{study.__name__}.{module.name}") for module in iter_modules(study.__path__)
    ]
    for one in (one for module in modules for one in vars(module).values()):
        if isinstance(one, Table):
            yield from _texts_of(one)


def _texts_of(declared):
    yield declared.title
    yield from _headers_of(declared)
    yield from (note for note in (*declared.notes, *declared.warnings) if isinstance(note, str))
    if declared.paper is not None:
        yield from (declared.paper.caption, declared.paper.note)
        yield from _headers_of(declared.paper)


def _headers_of(declared):
    yield from (span.header for span in declared.spans)
    if not callable(declared.columns):
        for column in declared.columns:
            headers = column.headers.values() if isinstance(column, Across) else [column.header]
            yield from headers


def _is_translated(text, english):
    """Tell whether a text is in the language: names of a few letters, POPE-C among them, are the same in all."""
    if re.fullmatch("POPE-[A-Z]|VQA", english) or not re.search(r"[A-Za-z]{3}|[a-z]{2}", english):
        return True
    return text != english and not ENGLISH.search(text)
