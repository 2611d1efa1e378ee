"""A study speaks one language: what is said instead of English, and that nothing readers see is forgotten."""

import re
from importlib import import_module
from pkgutil import iter_modules
from string import Formatter

import pytest

from afterimage.contract.finding import load_suite, suite_names
from afterimage.contract.parts import resolve, with_name
from afterimage.planning.schemas import read_schema
from afterimage.showing import study
from afterimage.showing.declaration import Across, Table
from afterimage.showing.language import Words, depends, languages, words_of

#: Three English words in a row, or four with commas, are no name.
ENGLISH = re.compile(
    r"\b[A-Za-z]?[a-z']+ [a-z']+ [a-z']+\b|\b[a-z']+,? [a-z']+,? [a-z']+,? [a-z']+\b"
)
OTHERS = [code for code in languages() if code != "en"]


@pytest.fixture
def words():
    return Words(
        "ja",
        {
            "Model": "モデル",
            "{n} of {n1} items": "{n1} 問中 {n} 問",
            "Clusters: {clusters}.": "クラスター：{clusters}。",
            "images": "画像",
            "First. Second.": "両方。",
            "Percent.": "割合。",
        },
    )


def test_a_known_text_is_said_in_the_language_and_any_other_stays_as_it_is(words):
    assert words.said("Model") == "モデル"
    assert words.said("gpt-4o_2024") == "gpt-4o_2024"
    assert words.said("a\nlong\nname") == "a\nlong\nname"


def test_slots_take_numbers_in_any_order_and_words_that_are_known(words):
    assert words.said("3 of 1,224 items") == "1,224 問中 3 問"
    assert words.said("Clusters: images.") == "クラスター：画像。"
    assert words.said("all of 12 items") == "all of 12 items"


def test_a_note_is_said_sentence_by_sentence_and_what_is_not_known_stays_english(words):
    assert words.said("Percent. Something new. Percent.") == "割合。Something new. 割合。"
    assert words.said("Percent. First. Second.") == "割合。両方。"
    # A slot holds words of one sentence.
    assert words.said("Clusters: images. New. Percent.") == "クラスター：画像。New. 割合。"


def test_lines_are_no_matter(words):
    assert words.said("Clusters:\nimages.") == "クラスター：画像。"


def test_english_is_said_as_it_is_and_no_result_depends_on_its_words():
    words = words_of({}, "texts")
    assert not words
    assert words.said("Model") == "Model"
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
def test_what_is_said_has_no_slot_that_its_english_has_not(language, part):
    texts = words_of({"language": language}, part).texts
    assert texts
    for english, said in texts.items():
        assert _slots(said) <= _slots(english), english


def _slots(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("suite", suite_names())
def test_titles_headers_and_notes_of_every_table_are_said_in_every_language(language, suite):
    words = words_of({"language": language}, "texts")
    english = [text for text in _declared(suite) if not _is_said(words.said(text), text)]
    assert english == [], f"resources/words/{language}.yaml: texts"


@pytest.mark.parametrize("language", OTHERS)
def test_tables_of_no_suite_are_said_in_every_language(language):
    words = words_of({"language": language}, "texts")
    modules = [
        import_module(f"{study.__name__}.{module.name}") for module in iter_modules(study.__path__)
    ]
    tables = [one for module in modules for one in vars(module).values() if isinstance(one, Table)]
    assert len({table.name for table in tables}) >= 5
    texts = [text for table in tables for text in _texts_of(table)]
    assert [text for text in texts if not _is_said(words.said(text), text)] == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("answer", ["0", "10x10", "the illusory option"])
def test_a_row_of_reference_is_said_whatever_answer_it_is_of(language, answer):
    words = words_of({"language": language}, "cells")
    for name in ("best constant answer", "always the same answer"):
        assert not ENGLISH.search(words.said(f"{name} ({answer})"))


@pytest.mark.parametrize("language", OTHERS)
def test_every_caption_of_the_report_is_said_in_every_language(language, root):
    captions = {path.stem for path in (root / "workflow" / "report").glob("*.rst")}
    # Of Snakemake's own report alone.
    captions -= {"caption", "title", "workflow"}
    assert captions - set(words_of({"language": language}, "captions").texts) == set()


def _declared(suite):
    own = load_suite(suite)
    fronts = [own.front] if own.front and not callable(own.front) else []
    for front in fronts:
        yield from (front.measure, *(score.label for score in front.scores))
    for table in own.tables:
        declared = resolve(with_name(table if isinstance(table, str) else table.part, "TABLE"))
        yield from _texts_of(declared)
    adaptive = () if own.adaptive is None else (own.adaptive,)
    for part in (*own.graded_tables, *adaptive):
        yield from _texts_of(resolve(with_name(part, "TABLE")))


def _texts_of(declared):
    yield declared.title
    yield from _headers_of(declared)
    for note in (*declared.notes, *declared.warnings):
        if isinstance(note, str):
            yield from _filled(note).split("\n")
    if declared.paper is not None:
        yield from (declared.paper.caption, declared.paper.note)
        yield from _headers_of(declared.paper)


def _headers_of(declared):
    yield from (span.header for span in declared.spans)
    if not callable(declared.columns):
        for column in declared.columns:
            headers = column.headers.values() if isinstance(column, Across) else [column.header]
            yield from (" ".join(header.split()) for header in headers)


def _filled(note):
    """Fill the slots for settings as a table does."""
    known = {
        "{coverage}": "95 %",
        "{confidence:.0%}": "95%",
        "{human_source}": "modal answers of simulated participants",
    }
    return re.sub(r"\{[^}]*\}", lambda slot: known.get(slot[0], "7"), note)


def _is_said(said, english):
    """Tell whether a text is in the language: names of a few letters, POPE-C among them, are the same in all."""
    if re.fullmatch("POPE-[A-Z]|VQA", english) or not re.search(r"[A-Za-z]{3}|[a-z]{2}", english):
        return True
    return said != english and not ENGLISH.search(said)
