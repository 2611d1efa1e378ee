"""How ten languages affirm, deny, correct and refuse, kind by kind: nothing is misread, and little is lost.

The kinds are data, ``tests/data/reading_kinds.yaml``. What opens an answer is crossed with every reader that takes it,
and with what may stand before and behind it.
"""

import itertools
from importlib import import_module
from pathlib import Path

import pytest

from afterimage.files.yaml import read_yaml
from afterimage.grading.language.words import denials, load

KINDS = read_yaml(Path(__file__).parents[2] / "data" / "reading_kinds.yaml")
TOUCHING = "Are the two circles touching each other? Answer with Yes/No."
SAME = "Are the two lines the same length?"
LONGER = "Is the red line longer than the blue one?"
CUBE = "Is there a green cube in the image?"
#: By kind: reader, question, what a person reads.
READ_BY = {
    "opens_yes": (
        ("yes_no", "", "Yes"),
        ("yes_no", LONGER, "Yes"),
        ("yes_no_uncertain", SAME, "Yes"),
        ("true_false", "", "True"),
        ("presence", CUBE, "yes"),
    ),
    "opens_no": (
        ("yes_no", "", "No"),
        ("yes_no", LONGER, "No"),
        ("yes_no_uncertain", SAME, "No"),
        ("true_false", "", "False"),
        ("presence", CUBE, "no"),
    ),
    "says_true": (("true_false", "", "True"),),
    "says_false": (("true_false", "", "False"),),
    "same_length": (("yes_no", SAME, "Yes"), ("yes_no_uncertain", SAME, "Yes")),
    "other_length": (("yes_no", SAME, "No"), ("yes_no_uncertain", SAME, "No")),
    "red_longer": (("yes_no", LONGER, "Yes"), ("yes_no_uncertain", LONGER, "Yes")),
    "red_not_longer": (("yes_no", LONGER, "No"), ("yes_no_uncertain", LONGER, "No")),
    "no_green_cube": (("presence", CUBE, "no"),),
    "a_green_cube": (("presence", CUBE, "yes"),),
    "touch": (("yes_no", TOUCHING, "Yes"), ("yes_no_uncertain", TOUCHING, "Yes")),
    "apart": (("yes_no", TOUCHING, "No"), ("yes_no_uncertain", TOUCHING, "No")),
    "refuses": (
        ("yes_no", TOUCHING, None),
        ("yes_no", SAME, None),
        ("yes_no", LONGER, None),
        ("true_false", "", None),
        ("presence", CUBE, None),
    ),
}
#: What is said in ways that the readers know is lost so seldom.
LOST = 0.06
#: Most of it are double denials, which are left unread.
LOST_OF_ASKED = 0.12
ASKED = tuple(kind for kind in KINDS if kind.startswith("asked_"))
LANGUAGES = ("en", "es", "fr", "de", "pt", "it", "zh", "ja", "ko", "ru")


def answer(reader, question, reply):
    module = import_module(f"afterimage.grading.readers.{reader}")
    parsed = module.parse_with_question(reply, (), question) if question else module.parse(reply)
    return parsed.answer


def replies(kind, language):
    for phrase in KINDS[kind].get(language, ()):
        yield f"{phrase.capitalize()}." if kind.startswith("opens") else phrase


@pytest.mark.parametrize("kind", READ_BY)
def test_what_is_said_in_a_known_way_is_read(kind):
    read = [
        (reply, reader, question, wanted, answer(reader, question, reply))
        for language in LANGUAGES
        for reply in replies(kind, language)
        for reader, question, wanted in READ_BY[kind]
    ]
    misread = [one for one in read if one[4] not in (None, one[3])]
    assert not misread
    lost = [one for one in read if one[4] is None and one[3] is not None]
    assert len(lost) <= LOST * len(read), lost


@pytest.mark.parametrize("kind", ASKED)
def test_what_answers_a_question_in_its_language_is_read(kind):
    reader = "presence" if kind == "asked_cat" else "yes_no"
    read = [
        (reply, said, answer(reader, own["asks"], reply))
        for own in KINDS[kind].values()
        for said in ("yes", "no", "open")
        for reply in own[said]
    ]
    assert not [one for one in read if (one[2] or one[1]).lower() != one[1]]
    assert not [one for one in read if one[1] == "open" and one[2] is not None]
    lost = [one for one in read if one[1] != "open" and one[2] is None]
    assert len(lost) <= LOST_OF_ASKED * len(read), lost


def test_each_kind_has_sentences_in_each_language():
    assert set(KINDS) == {*READ_BY, *ASKED}
    for kind in ("opens_yes", "opens_no", "says_true", "says_false", "no_green_cube", "refuses"):
        assert set(KINDS[kind]) == set(LANGUAGES)


@pytest.mark.parametrize("kind", ["opens_yes", "opens_no"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_opening_means_the_same_behind_a_regret_and_before_a_fact(kind, language):
    """ "Unfortunately, by no means: ..." is a no; the facts behind say the same as the opening, or nothing."""
    behind = {
        "opens_yes": KINDS["red_longer"].get(language, ()),
        "opens_no": KINDS["red_not_longer"].get(language, ()),
    }[kind]
    wanted = {"opens_yes": "Yes", "opens_no": "No"}[kind]
    blank = "" if language in ("zh", "ja") else " "
    stop = "。" if language in ("zh", "ja") else "."
    wrong = [
        reply
        for opening, fact in itertools.product(KINDS[kind][language], behind)
        for reply in (f"{opening}{stop}{blank}{fact}", f"{opening},{blank}{fact}")
        if answer("yes_no", LONGER, reply) not in (None, wanted)
    ]
    assert not wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_for_false_is_never_true_and_one_for_true_never_false(language):
    """Words of the lists that hold or begin with words that deny: "假的", "間違いなく"."""
    for value, wrong in (("true", "False"), ("false", "True")):
        words = [
            word
            for word in load("true_false")["words"][value].get(language, ())
            if not set(word) & set("()[]|\\?*+")
        ]
        assert not [word for word in words if answer("true_false", "", word) == wrong]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_only_sounds_like_a_denial_denies_no_verdict(language):
    """ "間違いなく真です", "without a doubt true"."""
    certain = {
        "en": ["without a doubt", "undoubtedly"],
        "es": ["sin duda", "sin ninguna duda", "sin lugar a dudas"],
        "fr": ["sans aucun doute", "sans doute", "sans l'ombre d'un doute"],
        "de": ["ohne zweifel", "zweifellos", "ohne jeden zweifel"],
        "pt": ["sem dúvida", "sem sombra de dúvida", "sem nenhuma dúvida"],
        "it": ["senza dubbio", "senza alcun dubbio", "senz'ombra di dubbio", "indubbiamente"],
        "zh": ["毫无疑问", "无疑", "毋庸置疑", "不可否认"],
        "ja": ["間違いなく", "疑いなく", "違いなく", "紛れもなく"],
        "ko": ["틀림없이", "의심할 여지 없이", "두말할 것 없이"],
        "ru": ["несомненно", "без сомнения", "вне всякого сомнения", "бесспорно"],
    }[language]
    replies = {
        "en": ("true", "false"),
        "es": ("cierto", "falso"),
        "fr": ("vrai", "faux"),
        "de": ("wahr", "falsch"),
        "pt": ("verdadeiro", "falso"),
        "it": ("vero", "falso"),
        "zh": ("正确", "错误"),
        "ja": ("正しいです", "誤りです"),
        "ko": ("참입니다", "거짓입니다"),
        "ru": ("верно", "неверно"),
    }[language]
    joined = language in ("zh", "ja")
    for word, wrong in zip(replies, ("False", "True"), strict=True):
        for adverb in certain:
            reply = f"{adverb}{'' if joined else ' '}{word}"
            assert answer("true_false", "", reply) != wrong, reply


def test_every_language_of_the_openings_says_how_it_denies():
    for language in LANGUAGES:
        assert any(denials(language).get(key) for key in ("before", "behind"))


@pytest.mark.parametrize(
    ("reader", "reply", "reads"),
    [
        ("yes_no", "HAYIR", "No"),
        ("yes_no", "HAYIR, ÇİZGİLER EŞİT DEĞİL.", "No"),
        ("yes_no", "NAO, ELES NAO SE TOCAM.", "No"),
        ("yes_no", "SI', LE LINEE SONO UGUALI.", "Yes"),
        ("yes_no", "BIEN SUR", "Yes"),
        ("yes_no", "NATUERLICH", "Yes"),
        ("true_false", "NAO E VERDADE", "False"),
        ("true_false", "ISSO NAO ESTA CORRETO", "False"),
        ("true_false", "C'EST ERRONE", "False"),
        ("true_false", "ES ERRONEO", "False"),
        ("integer", "ICH SEHE FUENF", "5"),
        ("rows_columns", "ZWOELF ZEILEN UND FUENF SPALTEN", "12x5"),
        ("presence", "HAYIR", "no"),
        ("choice", "DER LINKE KREIS IST GRÖSSER", "left"),
        ("choice", "SIE SIND NICHT GLEICH GROSS, DER RECHTE IST GROESSER", "right"),
        ("choice", "O DA ESQUERDA NAO E MAIOR", None),
        # In small letters these are words of their own.
        ("choice", "that is gross, the left one is bigger", "left"),
    ],
)
def test_words_that_lose_their_signs_in_capitals_mean_the_same(reader, reply, reads):
    module = import_module(f"afterimage.grading.readers.{reader}")
    options = (
        ("left", "The left circle is bigger."),
        ("right", "The right circle is bigger."),
        ("same", "Both circles are the same size."),
    )
    assert module.parse(reply, options).answer == reads
