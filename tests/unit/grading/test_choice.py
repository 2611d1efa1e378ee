from hypothesis import given
from hypothesis import strategies as st

from afterimage.grading.readers.choice import normalise, parse

CIRCLES = [
    ("left", "The left red circle is bigger."),
    ("right", "The right red circle is bigger."),
    ("same", "Both red circles are the same size."),
]
LINES = [
    ("parallel", "The two red lines are parallel."),
    ("not_parallel", "The two red lines are not parallel."),
]
LINES_APPARENT = [
    ("parallel", "The two red lines appear parallel."),
    ("not_parallel", "The two red lines do not appear parallel."),
]
SIDES = [
    ("straight", "The four sides of the red figure are straight."),
    ("curved", "The four sides of the red figure are curved."),
]
NESTED = [("circle", "a circle"), ("red_circle", "a circle in red"), ("square", "a square")]
NUMBERS = [("one", "1"), ("five", "5"), ("fraction", "1.5")]
LANGUAGES = [("c", "C"), ("cpp", "C++")]
OPTION_SETS = [CIRCLES, LINES, LINES_APPARENT, SIDES, NESTED, NUMBERS, LANGUAGES]


def test_options_that_read_the_same_are_never_told_apart():
    options = [("first", "Yes."), ("second", "yes"), ("third", "No.")]
    assert parse("Yes", options).reason == (
        "ambiguous: the reply names several options: first, second"
    )
    assert parse("No", options).answer == "third"


def test_option_without_a_word_is_never_named():
    assert parse("Anything at all", [("blank", " ... "), ("other", "x")]).answer is None


@given(st.text(max_size=300), st.sampled_from(OPTION_SETS))
def test_parsing_never_raises_on_any_text(text, options):
    parsed = parse(text, options)
    assert parsed.outcome in {"exact", "contained", "unparsed"}
    assert (parsed.answer is None) == (parsed.outcome == "unparsed")
    assert parsed.reason


words = st.sampled_from(
    ["the", "left", "red circle", "is bigger", "not", "a circle", "in red", "C", "++", "1", ".5"]
)
dressed = st.lists(
    words | st.sampled_from(["*", "_", '"', "'", "\u201c", "\u2019", "`", ".", "\n", "\u00a0", "-"])
).map("".join)


@given(st.text() | dressed)
def test_normalising_twice_changes_nothing(text):
    assert normalise(normalise(text)) == normalise(text)


@given(
    st.sampled_from(OPTION_SETS).flatmap(lambda s: st.tuples(st.just(s), st.sampled_from(s))),
    st.text(max_size=60) | dressed,
    st.text(max_size=60) | dressed,
)
def test_parsing_the_text_of_the_parsed_answer_returns_the_same_answer(case, before, after):
    options, (_, text) = case
    first = parse(f"{before} {text} {after}", options)
    if first.answer is not None:
        again = parse(dict(options)[first.answer], options)
        assert (again.answer, again.outcome) == (first.answer, "exact")


# On one line, and neither asked nor taken back: a last line alone would be the answer.
spaces = st.text(st.sampled_from(" \t\u00a0"), min_size=1, max_size=3)
filler = st.text("bcdfg hjklm", max_size=60)
dress = st.sampled_from(["{}", "**{}**", '"{}"', "_{}_", "\u201c{}\u201d", "- {}"])


@given(
    st.sampled_from([CIRCLES, LINES, LINES_APPARENT, SIDES]).flatmap(
        lambda options: st.permutations([text for _, text in options]).map(
            lambda texts: (options, texts[:2])
        )
    ),
    st.tuples(filler, filler, filler),
    st.tuples(spaces, spaces, spaces, spaces),
    st.tuples(dress, dress),
)
def test_reply_naming_two_options_is_never_turned_into_one(case, fillers, gaps, dresses):
    options, (first, second) = case
    reply = "".join(
        [
            fillers[0],
            gaps[0],
            dresses[0].format(first),
            gaps[1],
            fillers[1],
            gaps[2],
            dresses[1].format(second),
            gaps[3],
            fillers[2],
        ]
    )
    assert parse(reply, options).answer is None
    assert parse(reply, options).code == "ambiguous"
