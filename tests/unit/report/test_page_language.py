"""A page of the report in the study's language."""

import re
from html import unescape
from pathlib import Path

import pytest
import report_samples as samples

from afterimage.files.attempts import Unfinished
from afterimage.note import Note
from afterimage.report.page import overview_page, suite_page
from afterimage.showing.language import words_of
from afterimage.showing.pilot import pilot_note

ENGLISH = re.compile(r"\b[A-Za-z]?[a-z']+ [a-z']+ [a-z']+\b")
#: A text that a script shows: words, the first with a capital.
SHOWN = re.compile(r'"([A-Z][a-z]+(?: [a-z]+)*(?:, [a-z ]+)?\.?)"')


@pytest.fixture
def templates(root):
    return root / "resources" / "report"


def test_what_a_model_was_asked_stays_to_the_letter():
    question = "All"
    assert words_of({"language": "ja"}, "texts", "cells").translate(question) != question
    text = suite_page(
        {**samples.suite(prompts=[{"id": "mean", "text": question}]), "language": "ja"},
        Path(__file__).parents[3] / "resources" / "report",
    )
    assert f">{question}<" in text
    assert ">mean<" in text


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_page_is_in_the_studys_language(templates, language):
    spoken = {} if language == "en" else {"language": language}
    pages = [
        suite_page({**samples.suite(), **spoken}, templates),
        overview_page({**samples.overview(), **spoken}, templates),
    ]
    for page in pages:
        assert f'<html lang="{language}">' in page
        headings = re.findall(r"<h[23][^>]*>([^<]+)</h", page)
        own = [
            heading for heading in headings if heading in ("Tables", "Gallery", "表", "ギャラリー")
        ]
        assert own
        assert all(heading.isascii() == (language == "en") for heading in own)
        assert ('id="words"' in page) == (language != "en")


def test_what_is_not_complete_is_said_in_the_studys_language(templates):
    missing = Unfinished("pope", "mine", 224, 28, "HTTP status 401")
    contents = {
        "unfinished": [
            Note(
                "{model} on {suite} {sentence}",
                model="mine",
                suite="POPE",
                sentence=missing.sentence,
            )
        ],
        "pilot": pilot_note([(20, 40, "pope")]),
    }
    page = overview_page({**samples.overview(), **contents, "language": "ja"}, templates)
    assert "POPE の mine：未完了（224 中 196 回答、HTTP status 401）" in page
    assert "予備調査：pope の 40 画像中 20 画像" in page


def test_templates_say_nothing_that_a_language_does_not_know(templates):
    page = overview_page({**samples.overview(), "language": "ja"}, templates)
    page += suite_page({**samples.suite(), "language": "ja"}, templates)
    texts = re.split(r"<[^>]*>", re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL))
    given = "\n".join(_strings([samples.overview(), samples.suite()]))
    english = {unescape(text).strip().removeprefix("† ") for text in texts if ENGLISH.search(text)}
    assert [text for text in english if text not in given] == []


def _strings(value):
    """Yield every text of the samples: what a page is given may be in any language."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def test_scripts_say_nothing_that_a_language_does_not_know(templates):
    known = words_of({"language": "ja"}, "scripts").texts
    for name in ("gallery.js", "tables.js"):
        found = SHOWN.findall((templates / name).read_text(encoding="utf-8"))
        assert found
        assert [text for text in found if text not in known] == []
