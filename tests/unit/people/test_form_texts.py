"""The words of the pages."""

import pytest
import yaml
from form_samples import FORMS

from afterimage.errors import AfterimageError
from afterimage.items.form_texts import Texts, fill, form_texts, languages, page_texts


@pytest.fixture
def folder(tmp_path):
    def write(**changes):
        for code in ("en", "ja"):
            content = {
                "language": code,
                "page": {"next": "Next", "deep": {"back": "Back"}},
                "forms": {
                    "suite": {
                        "shared": {"word": f"word in {code}"},
                        "form": {"title": "Title", "instructions": ["One.", "Two."]},
                    }
                },
            }
            content = changes.get(code, lambda same: same)(content)
            (tmp_path / f"{code}.yaml").write_text(yaml.safe_dump(content, allow_unicode=True))
        return tmp_path

    return write


def without(*keys):
    def change(content):
        place = content
        for key in keys[:-1]:
            place = place[key]
        del place[keys[-1]]
        return content

    return change


def test_english_and_japanese_exist_and_say_the_same_things():
    assert languages(FORMS) == ["en", "ja"]
    words = page_texts(FORMS, ["en", "ja"])
    assert set(words["en"]) == set(words["ja"])


def test_japanese_uses_the_same_placeholders_as_english():
    words = page_texts(FORMS, ["en", "ja"])
    for key, english in words["en"].items():
        names = {"number", "all", "done", "index", "name", "page", "option"}
        used = {name for name in names if f"{{{name}}}" in english}
        # What there is no more of than one needs no number.
        assert {name for name in names if f"{{{name}}}" in words["ja"][key]} == used, key


def test_nested_keys_are_joined_and_shared_words_belong_to_every_form(folder):
    found = form_texts(folder(), ["en", "ja"], "suite", "form")
    assert found["ja"] == {"word": "word in ja", "title": "Title", "instructions": ["One.", "Two."]}
    assert page_texts(folder(), ["en"])["en"]["deep.back"] == "Back"


def test_a_page_text_that_a_language_lacks_is_named_with_its_file(folder):
    written = folder(ja=without("page", "next"))
    with pytest.raises(AfterimageError, match=r"ja\.yaml: page: key 'next' is missing"):
        page_texts(written, ["en", "ja"])


def test_a_form_without_a_title_is_named_with_its_file_and_key(folder):
    written = folder(ja=without("forms", "suite", "form", "title"))
    with pytest.raises(AfterimageError, match=r"ja\.yaml: key 'forms\.suite\.form'.*'title'"):
        form_texts(written, ["en", "ja"], "suite", "form")


def test_a_language_without_a_file_is_refused_with_the_nearest(folder):
    with pytest.raises(AfterimageError, match=r"human\.languages.*unknown language 'jp'.*'ja'"):
        page_texts(folder(), ["en", "jp"])


def test_a_text_comes_in_every_language_that_has_it():
    texts = Texts({"en": {"a": "A {x}"}, "ja": {"a": "あ {x}", "b": "い"}})
    assert texts["b"] == {"ja": "い"}
    assert texts.get("c") == {}
    assert texts.filled("a", x={"en": "one", "ja": "一"}) == {"en": "A one", "ja": "あ 一"}
    with pytest.raises(AfterimageError, match=r"unknown text 'bb'.*'b'"):
        texts["bb"]


def test_a_value_that_looks_like_a_placeholder_is_not_filled_again():
    assert fill("{a}", "en", a="{b}") == "{b}"


def test_a_placeholder_without_a_value_is_refused():
    with pytest.raises(AfterimageError, match="unknown placeholder 'b'"):
        fill("{b}", "en", a="x")
