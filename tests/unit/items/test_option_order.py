"""Other orders of options: texts change places, and nothing else does."""

from itertools import islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.items.option_order import find_options, orders, reordered

TEXTS = st.lists(
    st.text("abc xyz質感-", min_size=1, max_size=12).map(str.strip).filter(bool),
    min_size=2,
    max_size=6,
    unique=True,
)


def item(texts, names, key, answer_type="choice", listed=None):
    listed = "\n".join(texts) if listed is None else listed
    return {
        "item_id": "a",
        "answer_type": answer_type,
        "options": [
            {"option_id": name, "text": text} for name, text in zip(names, texts, strict=True)
        ],
        "key": key,
        "messages": [
            {
                "role": "user",
                "parts": [
                    {"type": "image", "text": None, "image": 0},
                    {"type": "text", "text": f"Which one?\nOptions:\n{listed}", "image": None},
                ],
            }
        ],
    }


def words(row):
    return row["messages"][-1]["parts"][-1]["text"]


def key_text(row):
    (text,) = (option["text"] for option in row["options"] if option["option_id"] == row["key"])
    return text


@given(st.integers(2, 5))
def test_every_other_order_comes_once(count):
    found = list(orders(count))
    assert set(found) == set(permutations(range(count))) - {tuple(range(count))}
    assert len(found) == len(set(found))


@given(st.integers(2, 7))
def test_after_a_round_each_option_has_stood_at_each_place(count):
    stood = [tuple(range(count)), *islice(orders(count), count - 1)]
    for index in range(count):
        assert sorted(order[index] for order in stood) == list(range(count))


@given(TEXTS, st.data())
def test_words_around_the_options_and_the_right_answer_stay(texts, data):
    names = [f"option_{number}" for number in range(len(texts))]
    row = item(texts, names, data.draw(st.sampled_from(names)))
    changed = reordered(row, 1)
    if changed is None:
        # Words that run into each other cannot be told apart.
        assert find_options(words(row), texts) is None
        return
    moved = [option["text"] for option in changed["options"]]
    assert sorted(moved) == sorted(texts)
    assert moved != texts
    assert words(changed) == words(row).removesuffix("\n".join(texts)) + "\n".join(moved)
    assert changed["key"] == row["key"]
    assert key_text(changed) == key_text(row)


def test_ids_travel_with_their_texts_where_they_are_names():
    changed = reordered(item(["Upper.", "Lower.", "Same."], ["up", "low", "same"], "up"), 1)
    assert [option["option_id"] for option in changed["options"]] == ["low", "same", "up"]
    assert words(changed).endswith("Lower.\nSame.\nUpper.")


@pytest.mark.parametrize(
    ("answer_type", "labels", "parted"),
    [
        ("numbered_option", ["0", "1", "2"], "\u3000\u3000{}: {}"),
        ("roman", ["I", "II", "III"], "\n{}. {}"),
    ],
)
def test_labels_stay_and_the_key_moves_where_ids_are_labels(answer_type, labels, parted):
    texts = ["cat", "dog", "cow"]
    listed = "".join(map(parted.format, labels, texts))
    changed = reordered(item(texts, labels, labels[0], answer_type, listed), 1)
    assert words(changed).endswith("".join(map(parted.format, labels, ["dog", "cow", "cat"])))
    assert [option["option_id"] for option in changed["options"]] == labels
    assert changed["key"] == labels[2]
    assert key_text(changed) == "cat"


def test_letters_stay_before_their_places():
    texts = ["a cat", "a dog", "a cow"]
    listed = "A. a cat\nB. a dog\nC. a cow\nAnswer with a letter."
    changed = reordered(item(texts, ["0", "1", "2"], "1", "lettered_choice", listed), 2)
    assert words(changed).endswith("A. a cow\nB. a cat\nC. a dog\nAnswer with a letter.")
    assert key_text(changed) == "a dog"


def test_an_option_inside_another_is_not_taken_for_it():
    texts = ["The lines are parallel.", "parallel", "not parallel"]
    row = item(texts, ["a", "b", "c"], "c")
    assert words(reordered(row, 1)).endswith("parallel\nnot parallel\nThe lines are parallel.")


def test_the_question_that_names_the_options_stays():
    row = item(["red", "blue"], ["r", "b"], "r")
    row["messages"][0]["parts"][1]["text"] = "Is the red or the blue line longer?\nred\nblue"
    assert words(reordered(row, 1)) == "Is the red or the blue line longer?\nblue\nred"


def test_a_second_order_of_two_options_does_not_exist():
    assert reordered(item(["x", "y"], ["0", "1"], "0"), 2) is None


@pytest.mark.parametrize(
    "row",
    [
        item(["Yes", "No"], ["Yes", "No"], "Yes", "yes_no", "Yes/No"),
        item(["1", "2"], ["1", "2"], "1", "choice", "a number"),
        item(["same", "same"], ["0", "1"], "0"),
        item([], [], "x", "short_text", ""),
    ],
    ids=["no choice", "not in the words", "the same text twice", "no options"],
)
def test_what_has_no_order_is_left_alone(row):
    assert reordered(row, 1) is None


def test_the_item_itself_is_not_changed():
    row = item(["x", "y"], ["0", "1"], "0")
    before = words(row)
    reordered(row, 1)
    assert words(row) == before
    assert [option["text"] for option in row["options"]] == ["x", "y"]


@pytest.mark.parametrize(
    "asked",
    [
        "Is the line to the left longer than that to the right?",
        "Which?\nleft\nright\nAnswer with left or right.",
    ],
)
def test_a_sentence_that_names_two_options_is_no_list(asked):
    row = item(["left", "right"], ["l", "r"], "l")
    row["messages"][0]["parts"][1]["text"] = asked
    assert reordered(row, 1) is None
