import io

import numpy as np
import pytest

from afterimage.showing.charts import typefaces
from afterimage.showing.charts.example_page import (
    EMPTY,
    KEY_LABEL,
    LEGEND,
    MARKS,
    NO_ANSWER,
    WORDS,
    Answer,
    Example,
    PageTexts,
    Panel,
    compose,
)
from afterimage.showing.charts.typefaces import ELLIPSIS, lines_within

PIXELS = np.full((40, 60, 3), 200, dtype=np.uint8)


def example(*answers, key="2", pixels=PIXELS):
    return Example(pixels, key, [Answer(*answer) for answer in answers])


def texts(figure):
    """Texts of the page without its legend, line by line from the top, from left to right."""
    placed = sorted((-round(y, 4), x, text) for x, y, text in places(figure))
    above = [text for y, _, text in placed if y != placed[-1][0]]
    lowest = [text for y, _, text in placed if y == placed[-1][0]]
    # Each mark of the page and no other, with what it means.
    legend = [
        text
        for verdict, (mark, _) in MARKS.items()
        if mark in above
        for text in (mark, LEGEND[verdict])
    ]
    assert not legend or lowest == legend
    return above if legend else [*above, *lowest]


def places(figure):
    return [(*text.get_position(), text.get_text()) for text in figure.texts]


def drawn(figure, form):
    buffer = io.BytesIO()
    figure.savefig(buffer, format=form, metadata={"CreationDate": None} if form == "pdf" else {})
    return buffer.getvalue()


def test_below_each_image_stand_the_right_answer_and_every_models_answer_with_its_mark():
    right, wrong, unparsed = (MARKS[verdict][0] for verdict in ("right", "wrong", "unparsed"))
    panel = Panel(
        "How many?",
        [
            example(("zebra", "2", "right"), ("ape", "3", "wrong")),
            example(("zebra", "4", "wrong"), ("ape", "Hm", "unparsed"), key="5"),
        ],
    )
    assert texts(compose([panel])) == [
        "How many?",
        *(KEY_LABEL, "2", "5"),
        *("zebra", "2", right, "right", "4", wrong, "wrong"),
        *("ape", "3", wrong, "wrong", "Hm", unparsed, "not read"),
    ]


def test_a_title_stands_above_all_that_the_page_shows_and_takes_nothing_from_it():
    panel = Panel("How many?", [example(("zebra", "2", "right"))])
    titled, plain = (compose([panel], texts=PageTexts(title=title)) for title in ("Fakes", ""))
    assert texts(titled) == ["Fakes", *texts(plain)]
    assert titled.get_size_inches()[1] > plain.get_size_inches()[1]


def test_right_and_wrong_differ_in_word_shape_and_colour():
    signs, colours = zip(*MARKS.values(), strict=True)
    assert len(set(signs)) == len(set(colours)) == len(set(WORDS.values())) == 3


def test_of_an_answer_that_is_not_public_stands_the_verdict_alone():
    panel = Panel("q", [example(("m", None, "wrong"))])
    assert texts(compose([panel]))[-3:] == ["m", MARKS["wrong"][0], "wrong"]


def test_a_page_ends_with_its_note_line_by_line():
    panel = Panel("q", [example(("m", "1", "right"))])
    plain, noted = (compose([panel], texts=PageTexts(note=note)) for note in ("", "one\ntwo"))
    lines = sorted(places(noted), key=lambda place: -place[1])[-2:]
    assert [text for _, _, text in lines] == ["one", "two"]
    assert lines[-1][1] > 0
    assert noted.get_figheight() > plain.get_figheight()


def test_sign_and_word_stand_on_a_line_of_their_own_where_an_answer_fills_its_line():
    panel = Panel("q", [example(("m", "seventeen squares", "wrong"))])
    figure = compose([panel])
    of = {text: y for _, y, text in places(figure)}
    assert of["wrong"] < of["seventeen squares"]


def test_every_image_of_every_panel_is_shown_in_its_own_proportions():
    wide = Panel("a", [example(("m", "1", "right"), pixels=PIXELS)] * 3)
    high = Panel("b", [example(("m", "1", "right"), pixels=PIXELS.transpose(1, 0, 2))] * 2)
    figure = compose([wide, high, wide])
    assert [axes.images[0].get_array().shape[:2] for axes in figure.axes] == (
        [(40, 60)] * 3 + [(60, 40)] * 2 + [(40, 60)] * 3
    )


def test_keys_and_answers_stand_below_the_images_and_nothing_overlaps_them():
    figure = compose([Panel("How many?", [example(("zebra", "3", "wrong"))] * 2)])
    of = {text: y for _, y, text in places(figure)}
    for axes in figure.axes:
        image = axes.get_position()
        assert of["How many?"] > image.y1 and image.y0 > of[KEY_LABEL] > of["zebra"]


def test_large_images_are_reduced_and_small_ones_are_not_enlarged():
    large = np.zeros((1000, 2000, 3), dtype=np.uint8)
    figure = compose(
        [Panel("a", [example(("m", "1", "right"), pixels=pixels) for pixels in (large, PIXELS)])]
    )
    shapes = [axes.images[0].get_array().shape for axes in figure.axes]
    assert shapes == [(240, 480, 3), (40, 60, 3)]


def test_panels_never_overlap_in_either_direction():
    panel = Panel("q", [example(("m", "1", "right"))] * 2)
    boxes = [axes.get_position() for axes in compose([panel] * 5).axes]
    for index, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[index + 1 :])
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= 1 and box.y1 <= 1


def test_a_model_that_did_not_answer_gets_a_dash():
    panel = Panel(
        "q", [example(("m", "1", "right"), ("n", "1", "right")), example(("m", "3", "wrong"))]
    )
    assert texts(compose([panel]))[-4:] == ["1", MARKS["right"][0], "right", NO_ANSWER]


def test_several_answers_of_a_model_stand_below_each_other():
    wrong = [MARKS["wrong"][0], "wrong"]
    panel = Panel(
        "",
        [example(("m", "a", "wrong"), ("m", "b", "wrong")), example(("m", "c", "wrong"))],
    )
    shown = [text for text in texts(compose([panel])) if text]
    assert shown == [KEY_LABEL, "2", "2", "m", "a", *wrong, "c", *wrong, "b", *wrong]


def test_an_empty_reply_is_said_to_be_empty():
    assert EMPTY in texts(compose([Panel("q", [example(("m", "", "unparsed"))])]))


@pytest.mark.parametrize(
    "hostile",
    ["$x$", r"$\frac{1}{0}$", r"\textbf{2}", "<b>2</b>", "{2}", "%s", "a_b^c", "**2**"],
)
def test_markup_in_answers_keys_questions_and_names_is_drawn_as_it_is(hostile):
    panel = Panel(hostile, [example((hostile, hostile, "wrong"), key=hostile)])
    figure = compose([panel])
    assert texts(figure).count(hostile) == 4
    assert not any(text.get_parse_math() or text.get_usetex() for text in figure.texts)
    assert drawn(figure, "png")


def test_runs_of_blanks_become_one_blank_and_lines_stay_apart():
    assert lines_within(" 2 \t lines\n\n\tof text ", 9) == ["2 lines", "of text"]
    figure = compose([Panel("q", [example(("m", "2\n\n\tlines", "right"))])])
    assert "2 lines" in texts(figure)


def test_what_no_font_has_or_does_not_print_is_written_as_an_escape():
    assert lines_within("a\u202eb\x00\U0001f4a1", 9) == [r"a\u202eb\x00\U0001f4a1"]


@pytest.mark.filterwarnings("error")
def test_a_reply_in_another_script_is_drawn_without_a_missing_glyph():
    assert drawn(compose([Panel("q", [example(("m", "\u4e24\U0001f600", "wrong"))])]), "png")


@pytest.fixture
def no_japanese_font(monkeypatch):
    """No typeface with Japanese characters, wherever it is looked for."""
    caches = [kept for kept in vars(typefaces).values() if hasattr(kept, "cache_clear")]
    for kept in caches:
        kept.cache_clear()
    monkeypatch.setattr(typefaces, "find_spec", lambda name: None)
    monkeypatch.setattr(typefaces, "_INSTALLED", ("No Such Face",))
    monkeypatch.setattr(typefaces.font_manager, "findSystemFonts", list)
    yield
    for kept in caches:
        kept.cache_clear()


@pytest.mark.filterwarnings("error")
def test_japanese_is_drawn_in_a_typeface_that_has_it():
    words = "壮大な、光沢のある"
    figure = compose([Panel("写真内にある「橋」", [example(("m", words, "wrong"), key="橋")])])
    assert {"写真内にある「橋」", "橋"} < set(texts(figure))
    assert words in "".join(texts(figure))
    assert drawn(figure, "png") and drawn(figure, "pdf")


def test_without_a_japanese_typeface_escapes_are_drawn_and_the_log_says_what_is_missing(
    no_japanese_font, caplog
):
    assert lines_within("橋", 9) == [r"\u6a4b"]
    (message,) = caplog.messages
    assert message.startswith("Japanese characters are written as escapes: ")
    assert "matplotlib-fontja" in message and "No Such Face" in message


def test_a_japanese_question_is_wrapped_to_the_width_of_its_panel():
    question = "写真内にある「橋」は、どのような質感を持っているように感じますか？" * 2
    lines = texts(compose([Panel(question, [example(("m", "1", "right"))])]))
    shown = lines[: lines.index(KEY_LABEL)]
    assert len(shown) > 1
    assert "".join(shown) == question


OPTION = "Both blue lines appear bowed outward, away from each other in the middle."


@pytest.mark.parametrize("words", [OPTION, "W" * 30, OPTION.replace(" ", "")])
def test_answers_and_right_answers_stand_whole_below_their_image(words):
    figure = compose([Panel("q", [example(("m", words, "wrong"), key=words)] * 2)])
    figure.canvas.draw()
    lines = [text for text in figure.texts if len(text.get_text()) > 1 and text.get_text() in words]
    # Of both images the right answer and the answer.
    assert "".join(text.get_text() for text in lines).replace(" ", "") == 4 * words.replace(" ", "")
    images = [axes.get_window_extent() for axes in figure.axes]
    for box in (text.get_window_extent() for text in lines):
        assert any(image.x0 - 4 <= box.x0 and box.x1 <= image.x1 + 4 for image in images)


def test_an_answer_longer_than_any_option_ends_in_an_ellipsis():
    figure = compose([Panel("q", [example(("m", "W" * 100_000, "unparsed"))])])
    shown = [text for text in texts(figure) if "WW" in text]
    assert len(shown) == 8
    assert [text.endswith(ELLIPSIS) for text in shown] == [False] * 7 + [True]


def test_a_line_is_as_full_as_it_can_be():
    assert lines_within("5x6", 1.0) == ["5x6"]
    assert "".join(lines_within("5x6", 0.1)) == "5x6"
    assert lines_within("", 1.0) == [""]


def test_a_long_question_is_wrapped_to_the_width_of_its_panel():
    question = "How many single-colored paths go from A to C? " * 3
    lines = texts(compose([Panel(question, [example(("m", "1", "right"))] * 3)]))
    shown = lines[: lines.index(KEY_LABEL)]
    assert len(shown) > 1
    assert " ".join(shown) == question.strip()


def test_of_a_question_that_is_too_long_what_asks_is_shown_with_all_of_its_options():
    options = "\n".join(
        ["Options:", *(f"There are {number} paths from A to C." for number in range(9))]
    )
    question = "Answer with a number. " * 40 + f"Question: How many paths are there?\n{options}"
    lines = texts(compose([Panel(question, [example(("m", "1", "right"))] * 3)]))
    shown = lines[: lines.index(KEY_LABEL)]
    assert shown == ["How many paths are there?", *options.split("\n")]


def test_a_long_text_that_does_not_ask_is_shown_whole():
    question = "Answer with a number. " * 40 + "How many paths are there."
    lines = texts(compose([Panel(question, [example(("m", "1", "right"))])]))
    assert " ".join(lines[: lines.index(KEY_LABEL)]) == question


def test_the_same_examples_give_the_same_bytes():
    panel = Panel("q", [example(("m", "1", "right"))])
    for form in ("png", "pdf"):
        assert drawn(compose([panel]), form) == drawn(compose([panel]), form)


@pytest.mark.parametrize("panels", [[], [Panel("q", [])]])
def test_a_page_without_examples_is_refused(panels):
    with pytest.raises(ValueError, match="at least one panel"):
        compose(panels)
