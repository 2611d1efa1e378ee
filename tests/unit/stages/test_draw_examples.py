import numpy as np
import pytest
from matplotlib.text import Text

from afterimage.errors import AfterimageError
from afterimage.files.parquet import write_records
from afterimage.files.png import encode_png
from afterimage.files.records import GRADE, ITEM, RESPONSE
from afterimage.showing.charts.cards import Card, CardQuestion, Picture, compose_cards
from afterimage.showing.charts.example_page import compose
from afterimage.showing.charts.examples import choose
from afterimage.stages import example_page
from afterimage.stages.example_page import draw_examples


def candidates(**keys):
    """Items by key: ``a=3`` gives three stimuli with the key "a"."""
    return [
        {"stimulus_id": f"{key}_{number}", "key": key.lstrip("k")}
        for key, count in keys.items()
        for number in range(count)
    ]


def chosen_keys(items, count):
    return [item["key"] for item in choose(items, count)]


def test_examples_are_spread_evenly_over_the_right_answers_in_their_order():
    assert chosen_keys(candidates(k2=9, k0=9, k1=9), 6) == ["0", "0", "1", "1", "2", "2"]


def test_of_many_right_answers_some_are_shown_from_the_first_to_the_last_third():
    many = candidates(**{f"k{size}": 2 for size in range(1, 23)})
    assert chosen_keys(many, 6) == ["1", "4", "8", "12", "15", "19"]


def test_numbers_in_right_answers_are_ordered_as_numbers():
    assert chosen_keys(candidates(k10x10=1, k9x9=1, k9x10=1), 3) == ["9x9", "9x10", "10x10"]


def test_places_that_a_rare_right_answer_leaves_are_filled():
    assert sorted(chosen_keys(candidates(k1=1, k2=9), 6)) == ["1", "2", "2", "2", "2", "2"]


def test_fewer_stimuli_than_places_are_all_shown():
    assert len(choose(candidates(k1=1, k2=2), 6)) == 3
    assert choose([], 6) == []


def test_a_stimulus_is_shown_once_however_often_it_was_asked_about():
    items = candidates(k1=2) * 3
    assert [item["stimulus_id"] for item in choose(items, 6)] in (
        ["k1_0", "k1_1"],
        ["k1_1", "k1_0"],
    )


def test_the_choice_does_not_depend_on_the_order_of_the_items():
    items = candidates(k1=20, k2=20, k3=20)
    assert choose(items, 6) == choose(items[::-1], 6)


def test_leaving_out_a_stimulus_that_is_not_shown_changes_nothing():
    items = candidates(k1=20, k2=20)
    shown = choose(items, 6)
    assert choose([item for item in items if item in shown or item["key"] == "1"], 6) == shown


# ---- the whole stage ----


def item(number, task="lines", prompt="p", key="1"):
    name = f"{task}_{number}"
    turn = [
        {"type": "image", "text": None, "image": 0},
        {"type": "text", "text": f"{prompt}: how many {task}?", "image": None},
    ]
    pixels = np.full((8, 8, 3), number, dtype=np.uint8)
    return {
        "item_id": f"{name}/{prompt}",
        "suite": "s",
        "stimulus_id": name,
        "figure": task,
        "prompt": prompt,
        "question": "count",
        "messages": [{"role": "user", "parts": turn}],
        "images": [{"pixels_sha256": "", "png": encode_png(pixels)}],
        "answer_type": "integer",
        "options": [],
        "key": key,
        "factors": {"task": task},
    }


def grade(asked, model, answer, repeat=0):
    shared = ("item_id", "suite", "stimulus_id", "figure", "prompt", "question", "key", "factors")
    return {name: asked[name] for name in shared} | {
        "model": model,
        "repeat": repeat,
        "answer": answer,
        "outcome": "unparsed" if answer is None else "exact",
        "reason": "",
        "reasoning_given": False,
        "offered": [],
        "is_listed": False,
        "correct": answer == asked["key"],
        "score": None,
        "readings": {},
        "decided_by": "parser",
    }


def response(asked, model, text):
    return dict.fromkeys(RESPONSE.names) | {
        "item_id": asked["item_id"],
        "suite": "s",
        "model": model,
        "repeat": 0,
        "text": text,
        "answer_text": text,
        "finish_reason": "stop",
        "backend": "b",
        "model_id": "m",
        "settings": "{}",
        "request_sha256": "",
    }


@pytest.fixture
def draw(tmp_path, monkeypatch):
    """Draw a page of these items in two files of items and return the panels that it was made of."""
    composed = []

    def spy(panels, **more):
        composed.extend(panels)
        return compose(panels, **more)

    monkeypatch.setattr("afterimage.showing.charts.example_page.compose", spy)

    def run(items, answers, panels, images=2, outputs=("page.png",), **more):
        halves = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
        write_records(halves[0], items[::2], ITEM)
        write_records(halves[1], items[1::2], ITEM)
        grades, responses = [], []
        for model, answer in answers.items():
            grades.append(tmp_path / f"{model}_grades.parquet")
            responses.append(tmp_path / f"{model}_responses.parquet")
            rows = [grade(asked, model, answer) for asked in items]
            repeated = [grade(asked, model, "77", repeat=1) for asked in items]
            write_records(grades[-1], repeated + rows, GRADE)
            replies = [response(asked, model, f"{model} has no idea") for asked in items]
            write_records(responses[-1], replies, RESPONSE)
        spec = {"panels": panels, "images": images, **more}
        files = {"shards": halves, "responses": responses, "grades": grades}
        draw_examples(spec, files, {name: tmp_path / name for name in outputs}, {})
        return composed

    return run


def test_a_page_shows_images_keys_and_answers_of_the_models_in_their_order(draw, tmp_path):
    items = [item(number, key=str(number)) for number in (3, 5)]
    outputs = ("page.png", "page.pdf")
    (panel,) = draw(items, {"zebra": "3", "ape": None}, [{"task": "lines"}], outputs=outputs)
    assert panel.question == "p: how many lines?"
    assert [example.key for example in panel.examples] == ["3", "5"]
    assert [example.pixels[0, 0, 0] for example in panel.examples] == [3, 5]
    assert [[tuple(answer) for answer in example.answers] for example in panel.examples] == [
        [("zebra", "3", "right"), ("ape", "ape has no idea", "unparsed")],
        [("zebra", "3", "wrong"), ("ape", "ape has no idea", "unparsed")],
    ]
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


def test_the_images_shown_do_not_depend_on_what_was_answered(draw):
    items = [item(number) for number in range(20)]
    panels = [*draw(items, {"m": "1"}, [{"task": "lines"}])]
    again = draw(items, {"m": "2"}, [{"task": "lines"}])[1:]
    shown, then = (
        [example.pixels[0, 0, 0] for example in panel.examples] for panel in panels + again
    )
    assert len(shown) == 2
    assert shown == then


def test_a_panel_asks_in_one_prompts_words(draw):
    items = [item(number, prompt=prompt) for number in range(4) for prompt in "pq"]
    (panel,) = draw(items, {"m": "1"}, [{"task": "lines"}], images=6)
    assert panel.question == "p: how many lines?"
    assert len(panel.examples) == 4


def test_panels_choose_by_fields_and_factors_and_absent_tasks_have_none(draw):
    items = [item(number, task) for number in range(2) for task in ("lines", "rings")]
    panels = draw(
        items,
        {"m": "1"},
        [{"task": "rings", "prompt": "p"}, {"task": "grids"}, {"figure": "lines"}],
    )
    assert [panel.question for panel in panels] == ["p: how many rings?", "p: how many lines?"]


def test_a_page_without_any_item_is_refused_in_words(draw):
    with pytest.raises(AfterimageError, match="none of its panels has an item among 2"):
        draw([item(0), item(1)], {"m": "1"}, [{"task": "grids"}])


def test_a_pilot_without_any_item_of_a_page_says_so(draw, tmp_path):
    assert draw([item(0)], {"m": "1"}, [{"task": "grids"}], pilot=[[1, 9, "blindtest"]]) == []
    assert (tmp_path / "page.png").is_file()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_pages_own_words_are_in_the_studys_language_and_answers_as_they_are(
    draw, monkeypatch, language
):
    saved = []
    monkeypatch.setattr(
        "afterimage.showing.charts.finished_figure.save_figure",
        lambda page, outputs: saved.append(page),
    )
    spoken = {} if language == "en" else {"language": language}
    # What was answered is also a word of the page.
    draw([item(0, key="right")], {"m": "right"}, [{"task": "lines"}], **spoken)
    texts = [text.get_text() for text in saved[0].findobj(Text)]
    # Said by the page: in the cell and in the legend.
    assert texts.count("right") == 2 + 2 * (language == "en")
    assert ("right answer" in texts) == (language == "en")
    assert ("正解" in texts) == (language == "ja")


def cards(items):
    """What a suite makes of its items: of the first a card."""
    return [
        Card(
            "",
            (Picture(one["item_id"]),),
            questions=(CardQuestion(one["item_id"], "Which?", one["key"]),),
        )
        for one in items[:1]
    ]


def test_a_page_of_cards_shows_what_the_suite_chose_with_every_answer(draw, monkeypatch):
    composed = []

    def spy(cards, images, answered):
        composed.append((images, answered))
        return compose_cards(cards, images, answered)

    monkeypatch.setattr("afterimage.showing.charts.cards.compose_cards", spy)
    more = {"cards": f"{__name__}:cards", "judge": "judge"}
    assert draw([item(3), item(5)], {"m": "1", "n": None}, [], **more) == []
    ((images, answered),) = composed
    assert [pixels[0, 0, 0] for pixels in images.values()] == [3]
    assert [tuple(one) for one in answered.answers["lines_3/p"]] == [
        *(("m", "1", "right"), ("n", "n has no idea", "unparsed"))
    ]


def test_a_page_without_cards_says_why(draw, monkeypatch):
    said = []
    monkeypatch.setattr(example_page, "draw_nothing", lambda why, spec, outputs: said.append(why))
    draw([], {}, [], cards=f"{__name__}:cards", judge="judge")
    assert said == ["nothing to show: the study leaves no question"]


def test_the_same_records_give_the_same_bytes(draw, tmp_path):
    items = [item(number) for number in range(3)]
    outputs = ("page.png", "page.pdf")
    drawn = []
    for _ in range(2):
        draw(items, {"m": "$1$"}, [{"task": "lines"}], outputs=outputs)
        drawn.append([(tmp_path / name).read_bytes() for name in outputs])
    assert drawn[0] == drawn[1]
