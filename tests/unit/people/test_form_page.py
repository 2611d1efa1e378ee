"""The page: self-contained, telling nothing, running nothing that it was told. See tests/browser for how it behaves."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from form_samples import (
    ABOUT,
    choice_task,
    design,
    fields_of,
    listed,
    page_spec,
    rating_task,
    rendered,
    words_task,
    writing_task,
)

from afterimage.errors import AfterimageError
from afterimage.people.forms.page import render_page

HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)">{{ 7 * 7 }} \' "'


class Elements(HTMLParser):
    """All start tags with their attributes."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def elements(html, name=None):
    parser = Elements()
    parser.feed(html)
    return [attributes for tag, attributes in parser.found if name in (None, tag)]


@pytest.fixture(scope="module")
def rows():
    return listed(
        [
            choice_task("secret_task_fake"),
            words_task("secret_words"),
            writing_task("secret_lines"),
            rating_task("secret_model_answer", HOSTILE),
        ],
        attention=0.05,
    )


@pytest.fixture(scope="module")
def html(rows):
    return rendered(rows)


def test_nothing_is_loaded_from_anywhere(html):
    for attributes in elements(html):
        for name in ("src", "href", "action", "srcset", "poster", "data"):
            target = attributes.get(name) or "data:"
            assert target.startswith(("data:", "#")), target
    assert "@import" not in html
    assert "url(" not in html


def test_the_policy_names_the_one_style_and_the_one_script(html):
    (policy,) = [
        attributes["content"]
        for attributes in elements(html, "meta")
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        content = re.search(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL).group(1)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_own_ids_expectations_and_attention_are_not_in_the_source(html, rows):
    for row in rows:
        assert row["own_id"] not in html
        for field in fields_of(row):
            names = [option["own_id"] for option in field.get("options", ())]
            for name in (*names, field["own_id"]):
                assert f'"{name}"' not in html
    assert "secret" not in html
    assert "expected" not in html
    assert "attention" not in html
    assert "surfaces" not in html


def test_the_salt_is_not_in_the_source(html):
    assert "5a5a" not in html


def test_what_a_model_said_is_shown_and_never_markup(html):
    assert HOSTILE not in html
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in html
    assert "{{ 7 * 7 }}" in html
    assert len(elements(html, "script")) == 2


def test_pictures_are_the_tasks_own_bytes_and_keep_their_place(html, rows):
    images = elements(html, "img")
    shown = [base64.b64decode(image["src"].partition(",")[2]) for image in images]
    assert shown == [image for row in rows for image in row["images"]]
    assert {(image["width"], image["height"]) for image in images} == {("24", "24")}
    assert all(image["alt"].startswith("The picture of task ") for image in images)


def test_every_choice_is_a_group_with_a_legend_and_every_line_has_a_label(html, rows):
    kinds = [field["kind"] for row in rows for field in fields_of(row)]
    assert html.count("<fieldset") == html.count("<legend>") == kinds.count("choice")
    labelled = {attributes.get("for") for attributes in elements(html, "label")}
    lines = [a["id"] for a in elements(html, "input") if a["type"] == "text"]
    assert set(lines) <= labelled
    assert len(lines) == kinds.count("entry") + 1


def test_both_languages_are_there_and_one_is_hidden_by_rule(html):
    assert '<span class="t in-en" lang="en">Next</span>' in html
    assert '<span class="t in-ja" lang="ja">次へ</span>' in html
    assert 'html[data-language="ja"] .t:not(.in-ja)' in html


def test_words_that_are_the_same_in_every_language_stand_once_with_their_language(html):
    assert html.count('<span lang="ja">つやつや</span>') == 1


def test_a_language_without_a_text_gets_the_one_that_there_is():
    spec = page_spec(["en", "ja"])
    rows = listed([choice_task("a", heading={"en": "Only English"})])
    assert '<span lang="en">Only English</span>' in render_page(rows, spec, design())


def test_the_first_language_is_the_one_that_shows_without_a_script(rows):
    html = rendered(rows, ["ja", "en"])
    assert '<html lang="ja" data-language="ja">' in html
    assert f"<title>{ABOUT['ja']['title']}</title>" in html


def test_one_language_alone_makes_a_page(rows):
    html = rendered(rows, ["ja"])
    assert "Next" not in html
    assert "次へ" in html


def test_what_the_script_reads_holds_ids_and_checksums_only(html, rows):
    text = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    data = json.loads(text.group(1))
    assert set(data) == {
        "columns", "form_id", "languages", "page", "page_checksum", "tasks", "words"
    }  # fmt: skip
    assert [task["id"] for task in data["tasks"]] == [row["task_id"] for row in rows]
    assert all(set(task) == {"id", "checksums", "fields"} for task in data["tasks"])
    assert all(set(f) == {"id", "optional"} for task in data["tasks"] for f in task["fields"])


def test_different_numbers_of_paragraphs_are_refused(rows):
    spec = page_spec()
    about = {**spec["about"], "ja": {**ABOUT["ja"], "instructions": ["一つだけ。"]}}
    with pytest.raises(AfterimageError, match=r"paragraphs differ \(en 2, ja 1\)"):
        render_page(rows, {**spec, "about": about}, design())
