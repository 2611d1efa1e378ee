"""What is denied is not read as said, whatever says and denies it, in every language of every word list.

Public report: AoiDragon/POPE issue 19 asks what becomes of answers that are no plain yes or no; a rule that looks for
the affirming words alone counts "there is hardly any" with the affirmations.
"""

import itertools

import pytest
from sampled_expressions import samples

from afterimage.errors import AfterimageError
from afterimage.grading.language.denial import has_denial, languages
from afterimage.grading.language.words import denials, load, require_denials
from afterimage.grading.readers import (
    choice,
    integer,
    lettered_choice,
    numbered_option,
    presence,
    presence_blog,
    roman,
    short_text,
    true_false,
    yes_no,
    yes_no_uncertain,
)

# Words of an affirmation, at most: what takes more is a sentence of its own.
_LONGEST = 2
JOINED = ("zh", "ja", "ko")
TOUCHING = "Are the two circles touching each other? Answer with Yes/No."
OVERLAPPING = "Are the two circles overlapping? Answer with Yes/No."
PARTNERS = {
    "left": "right",
    "right": "left",
    "upper": "lower",
    "lower": "upper",
    "same": "different",
    "parallel": "not_parallel",
    "straight": "curved",
    "red": "blue",
    "blue": "red",
    "upper left": "lower right",
}


def denied(said, language, joins=True):
    """Yield what is said with each denial of its language before, behind or joined to it."""
    data = denials(language)
    blank = "" if language in JOINED else " "
    for kind in ("before", "fails"):
        for words in data.get(kind, ()):
            for word in samples(words):
                yield f"{word}{blank}{said}"
    for words in data.get("behind", ()):
        for word in samples(words):
            yield f"{said}{blank}{word}"
    for word in data.get("prefix", ()) if joins else ():
        yield f"{word}{said}"


def words_of(lists, language):
    """Return texts of a list's words in a language, but those that deny in themselves."""
    own = itertools.chain.from_iterable(map(samples, lists.get(language, ())))
    return [word for word in own if len(word.split()) <= _LONGEST and not has_denial(word)]


def misread(lists, language, reads, wrong, joins=True):
    return [
        text
        for word in words_of(lists, language)
        for text in denied(word, language, joins)
        # "It is false that it is false" begins with a verdict.
        if reads(word) == reads(text) == wrong and reads("".join(text.rsplit(word, 1))) != wrong
    ]


@pytest.mark.parametrize("language", languages())
def test_no_denied_verdict_is_the_verdict(language):
    for value, wrong in (("true", "True"), ("false", "False")):
        lists = load("true_false")["verdicts"][value]
        assert not misread(lists, language, lambda text: true_false.parse(text).answer, wrong)
    words = load("true_false")["words"]["true"]
    assert not misread(words, language, lambda text: true_false.parse(text).answer, "True")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("module", [yes_no, yes_no_uncertain])
def test_no_denied_contact_is_contact(module, language):
    data = load("contact")
    for kind, asked in (("touch", TOUCHING), ("overlap", OVERLAPPING)):
        english = data["asked"][kind] if language == "en" else {}
        lists = {**data[kind], **english}
        for own in (asked, "") if language != "en" else (asked,):
            reads = lambda text, own=own: module.parse_with_question(text, (), own).answer  # noqa: E731
            assert not misread(lists, language, reads, "Yes"), (kind, own)
    for kind in ("gap", "apart"):
        reads = lambda text: module.parse_with_question(text, (), TOUCHING).answer  # noqa: E731
        assert not misread(data[kind], language, reads, "No"), kind


@pytest.mark.parametrize("language", languages())
def test_no_denied_yes_is_a_yes(language):
    words = load("yes_no")["words"]["yes"]
    data = denials(language)
    for word in words_of(words, language):
        for own in itertools.chain.from_iterable(map(samples, data.get("before", ()))):
            assert yes_no.parse(f"{own} {word}").answer != "Yes", (own, word)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("module", [presence, presence_blog])
def test_no_denied_presence_is_presence(module, language):
    data = load("presence")
    reads = lambda text: module.parse_with_question(text, (), "Is there a dog in the image?").answer  # noqa: E731
    assert not misread(data["yes"], language, reads, "yes")
    if language == "en":
        english = {
            "en": ["there is a dog", "i can see a dog", "a dog is visible", "contains a dog"]
        }
        assert not misread(english, "en", reads, "yes")
    if language in JOINED:
        return
    lacking = [word for word in words_of(data["no"], language) if module.parse(word).answer == "no"]
    wrong = [t for word in lacking for t in denied(word, language) if reads(t) == "yes"]
    assert not wrong


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("concept", PARTNERS)
def test_no_denied_option_is_chosen(concept, language):
    lists = load("options")["concepts"][concept]
    options = ((concept, concept), (PARTNERS[concept], PARTNERS[concept]))
    reads = lambda text: choice.parse(text, options).answer  # noqa: E731
    assert not misread(lists, language, reads, concept, joins=False)


@pytest.mark.parametrize("language", languages())
def test_no_denied_label_is_the_answer(language):
    options = (("0", "a kite"), ("1", "a boat"), ("2", "a horse"))
    numbers = tuple((str(number), word) for number, word in enumerate(("ざらざら", "ふわふわ")))
    for module, label, offered, wrong in (
        (lettered_choice, "(B)", options, "1"),
        (roman, "II", options, "1"),
        (numbered_option, "1", numbers, "1"),
        (short_text, "kite", (("kite", "kite"),), "kite"),
    ):
        blank = "" if language in JOINED else " "
        words = itertools.chain.from_iterable(map(samples, denials(language).get("before", ())))
        texts = [f"{word}{blank}{label}" for word in words]
        assert not [t for t in texts if module.parse(t, offered).answer == wrong], module


@pytest.mark.parametrize("language", languages())
def test_no_denied_number_is_the_count(language):
    before = itertools.chain.from_iterable(map(samples, denials(language).get("before", ())))
    blank = "" if language in JOINED else " "
    found = [one for one in before if integer.parse(f"{one}{blank}3").answer == "3"]
    assert not found


def test_lists_in_a_language_without_denials_do_not_load():
    for data in ({"words": {"yes": {"fi": ["kyllä"]}}}, [{"asked": {"fi": ["samat"]}}]):
        with pytest.raises(AfterimageError, match="'fi', of which nothing says how it denies"):
            require_denials(data, "yes_no.yaml")
    require_denials({"yes": {"es": ["sí"]}, "no": ["no"]}, "yes_no.yaml")


@pytest.mark.parametrize("name", ["yes_no", "true_false", "presence", "contact", "options", "cues"])
def test_all_lists_load(name):
    assert load(name)
