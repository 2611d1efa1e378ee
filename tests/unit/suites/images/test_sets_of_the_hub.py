"""Any set of the hub as a set of images: columns, forms of answers, and one sentence for each fault."""

import hashlib
from pathlib import Path

import hub_samples
import pyarrow as pa
import pytest

from afterimage.drawing.photograph import draw_from_parquet
from afterimage.errors import AfterimageError
from afterimage.files.hub_lock import Locked, link_of, write_lock
from afterimage.files.photograph import decode_photograph
from afterimage.suites.images.dataset import READER, dataset, images
from afterimage.suites.images.questions import questions

SPEC = {"hub": "lab/set"}


@pytest.fixture(autouse=True)
def here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def fetched(*parts, kinds=None):
    """Leave files behind as a fetch does."""
    files = {
        f"data/test-{number:05d}-of-{len(parts):05d}.parquet": hub_samples.parquet(rows, kinds)
        for number, rows in enumerate(parts)
    }
    hub_samples.write_set(link_of("lab/set"), files)
    held = {
        name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in files.items()
    }
    write_lock({"lab/set": Locked("a" * 40, "mit", "2026-11-26", held)})


def row(number=1, question="What?", answer="x", **more):
    return {"image": hub_samples.image(number), "question": question, "answer": answer, **more}


def test_images_are_told_apart_by_content_and_questions_kept_in_order():
    fetched(
        [row(1, "First?"), row(2, "Second?")],
        [row(1, "Third?"), row(3, "Fourth?")],
    )
    asked = [[one.text for one in questions] for questions in images("mine", SPEC).values()]
    assert asked == [["First?", "Third?"], ["Second?"], ["Fourth?"]]
    shown = READER.shown("mine", {"sets": {"mine": SPEC}})
    found = [draw_from_parquet(one.file, **one.parameters).pixels.sum() for one in shown]
    assert len(set(found)) == 3
    assert Path(shown[2].file).name.startswith("test-00001")


@pytest.mark.parametrize(
    ("answer", "options", "right"),
    [
        ("a cat", ["a dog", "a cat"], "a cat"),
        ("B", ["a dog", "a cat"], "a cat"),
        ("(B)", ["a dog", "a cat"], "a cat"),
        ("B", ["C", "B"], "B"),
        (1, ["a dog", "a cat"], "a cat"),
        (1, ["1", "2"], "2"),
        ("1|2", ["1|2", "3"], "1|2"),
    ],
)
def test_an_answer_is_an_option_its_letter_or_its_place(answer, options, right):
    fetched([row(answer=answer, options=options)])
    columns = {"columns": {"options": "options"}}
    (question,) = dataset("mine", {**SPEC, **columns}).questions
    assert (question.answer_type, question.answers) == ("choice", (right,))
    assert question.options == tuple(options)


@pytest.mark.parametrize(
    ("answer", "kind", "right"),
    [
        ("Yes", "yes_no", ("Yes",)),
        (True, "yes_no", ("Yes",)),
        (False, "yes_no", ("No",)),
        (7, "whole_number", ("7",)),
        ("a hat", "text", ("a hat",)),
        (["a hat", "a cap"], "text", ("a hat", "a cap")),
    ],
)
def test_answers_without_options(answer, kind, right):
    fetched([row(answer=answer)])
    (question,) = dataset("mine", SPEC).questions
    assert (question.answer_type, question.answers) == (kind, right)


def test_columns_have_the_sets_own_names_and_others_are_factors():
    rows = [{"image": hub_samples.image(1), "q": "So?", "label": "yes", "kind": "easy"}]
    fetched(rows)
    columns = {"question": "q", "answer": "label", "level": "kind"}
    found = dataset("mine", {**SPEC, "columns": columns})
    assert found.factors == ("level",)
    assert dict(found.questions[0].factors) == {"level": "easy"}


def pictures(*numbers):
    return [hub_samples.image(number) for number in numbers]


def asked_of(spec, words=None):
    """What is shown for each question, images by the place of their id."""
    shown = READER.shown("mine", {"sets": {"mine": spec}})
    prompt = {"option": "{letter}. {text}", "choice": "{question}\n{options}", "text": "{question}"}
    words = {"prompts": {"direct": words or prompt}}
    return [
        [
            part if isinstance(part, str) else int(part.stimulus_id.rpartition("_")[2])
            for part in one.turns[0].parts
        ]
        for one in questions(shown, words, {"prompts": ["direct"]}, shown)
    ]


@pytest.mark.parametrize("form", ["a list", "columns"])
def test_a_question_may_show_several_images_in_order(form):
    shown = [(2, 1), (3,), (1, 2, 2)]
    texts = ["Alike?", "What?", "Odd?"]
    if form == "a list":
        column = "image"
        rows = [
            {**row(question=text), "image": pictures(*one)}
            for text, one in zip(texts, shown, strict=True)
        ]
        kinds = {"image": pa.list_(hub_samples.IMAGE)}
    else:
        column = ["image", "image_2", "image_3"]
        rows = [
            {**row(question=text), **dict(zip(column, [*pictures(*one), None, None], strict=False))}
            for text, one in zip(texts, shown, strict=True)
        ]
        kinds = dict.fromkeys(column, hub_samples.IMAGE)
    fetched(rows, kinds=kinds)
    spec = {**SPEC, "columns": {"image": column}}
    # Images count in the order in which rows name them, 2, 1, 3; a question stands at its first.
    assert asked_of(spec) == [[0, 1, "Alike?"], [1, 0, 0, "Odd?"], [2, "What?"]]
    drawn = [
        draw_from_parquet(one.file, **one.parameters)
        for one in READER.shown("mine", {"sets": {"mine": spec}})
    ]
    assert [one.pixels.tobytes() for one in drawn] == [
        decode_photograph(hub_samples.picture(number), "it").tobytes() for number in (2, 1, 3)
    ]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Is <image 2> like <image 1>?", ["Is", 1, "like", 0, "?"]),
        ("Of these, <image 2> is", [0, "Of these,", 1, "is"]),
        ("<image 1> or <image 7>?", [1, 0, "or <image 7>?"]),
        ("Both <image> alike?", [0, 1, "Both <image> alike?"]),
    ],
)
def test_an_image_stands_where_the_text_says(text, parts):
    fetched(
        [{**row(question=text), "image": pictures(1, 2)}],
        kinds={"image": pa.list_(hub_samples.IMAGE)},
    )
    assert asked_of(SPEC) == [parts]


def test_options_may_name_images():
    fetched(
        [
            {
                **row(question="Which is a cat?", answer="A", options=["<image 1>", "<image 2>"]),
                "image": pictures(1, 2),
            }
        ],
        kinds={"image": pa.list_(hub_samples.IMAGE)},
    )
    assert asked_of({**SPEC, "columns": {"options": "options"}}) == [
        ["Which is a cat?\nA.", 0, "B.", 1]
    ]


@pytest.mark.parametrize(
    ("images", "found"), [(9, "found 9 images; expected 1 to 8"), (0, "found nothing")]
)
def test_so_many_images_are_a_fault(images, found):
    rows = [row(1), {**row(question="These?"), "image": pictures(*range(images))}]
    rows[0]["image"] = pictures(1)
    fetched(rows, kinds={"image": pa.list_(hub_samples.IMAGE)})
    with pytest.raises(AfterimageError, match=f"row 1, column 'image': {found}"):
        dataset("mine", SPEC)


@pytest.mark.parametrize(
    ("rows", "spec", "sentence"),
    [
        ([row()], {"columns": {"answer": "gold"}}, "expected also 'gold' .was it renamed"),
        ([row()], {"split": "val"}, r"has no file '\*val-\*\.parquet' of 'lab/set'"),
        (
            [row(answer=5, options=["a", "b"])],
            {"columns": {"options": "options"}},
            r"\.parquet, row 0, column 'answer': found '5'; expected one of the 2 options",
        ),
        (
            [row(), {**row(2), "image": None}],
            {},
            r"\.parquet, row 1, column 'image': found nothing",
        ),
        (
            [row(answer="fox", options=["a", "b"])],
            {"columns": {"options": "options"}},
            "found 'fox'; expected one of the options",
        ),
    ],
)
def test_a_fault_is_one_sentence(rows, spec, sentence):
    fetched(rows)
    with pytest.raises(AfterimageError, match=sentence) as caught:
        dataset("mine", {**SPEC, **spec})
    assert "\n" not in str(caught.value)
