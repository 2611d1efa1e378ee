"""Items that hold the model's answers to other items: asked after these, and nothing is asked twice."""

import pytest
from counting_model import Model
from counting_model import item as plain_item

from afterimage.errors import AfterimageError
from afterimage.models.interface import Failure, Reply


def text(words):
    return {"type": "text", "text": words, "image": None}


def answer_to(number):
    return {"type": "answer", "text": f"item_{number}", "image": None}


def item(number, *parts, role="user"):
    """An item with an image and these parts, or one that is asked as it stands."""
    made = plain_item(number)
    if parts:
        image = {"type": "image", "text": None, "image": 0}
        made["messages"] = [{"role": role, "parts": [image, *parts]}]
    return made


@pytest.fixture
def model(tmp_path, monkeypatch):
    return Model(tmp_path, monkeypatch)


def test_an_item_is_asked_after_the_one_whose_answer_it_holds(model):
    rows, asked = model.run([item(0, text("then: "), answer_to(1), text(" and now?")), item(1)])
    assert asked == ["Question 1", "then: answer 1.0 and now?"]
    assert model.loads == 1
    assert [row["item_id"] for row in rows] == ["item_0", "item_1"]
    assert [row["text"] for row in rows] == ["answer 2.0", "answer 1.0"]


def test_answers_reach_through_several_rounds(model):
    items = [item(2, answer_to(1)), item(1, answer_to(0), text("!")), item(0)]
    rows, asked = model.run(items)
    assert asked == ["Question 0", "answer 1.0!", "answer 2.0"]
    assert model.loads == 1
    assert model.run(items) == (rows, [])
    assert model.loads == 0


def test_reasoning_is_no_part_of_the_answer_on_which_others_build(model):
    model.answer = lambda request: iter([Reply(request.number, "<think>Why?</think> So.")])
    items = [item(0), item(1, text("then: "), answer_to(0))]
    rows, asked = model.run(items)
    assert asked == ["Question 0", "then: So."]
    assert rows[0]["reasoning"] == "Why?"
    # The same the second time, when the journal answers.
    assert model.run(items) == (rows, [])
    model.answer = lambda request: iter([Reply(request.number, "<think>Why", "length")])
    assert model.run(items, model="another")[1] == ["Question 0", "then: "]


def test_an_answer_becomes_part_of_the_text_around_it_and_of_no_other(model):
    seen = []

    def look(request):
        seen.append(request.messages[0].parts[1:])
        yield from model.reply(request)

    model.answer = look
    parts = (text("a"), text("b"), answer_to(0), answer_to(0), text("c"), text("d"))
    model.run([item(0), item(1, *parts)])
    assert seen[1] == ("a", "banswer 1.0answer 1.0c", "d")


def test_an_answer_can_be_a_turn_of_the_assistant(model):
    seen = []

    def look(request):
        seen.append([(message.role, message.parts[-1]) for message in request.messages])
        yield from model.reply(request)

    model.answer = look
    dialogue = item(1)
    dialogue["messages"] += [
        {"role": "assistant", "parts": [answer_to(0)]},
        {"role": "user", "parts": [text("Sure?")]},
    ]
    model.run([item(0), dialogue])
    assert seen[1] == [("user", "Question 1"), ("assistant", "answer 1.0"), ("user", "Sure?")]


@pytest.mark.parametrize("said", ["{0} {{x}} %s", "item_1", '"}]', "{% raw %}", "a\nb", ""])
def test_an_answer_is_inserted_literally_whatever_it_says(model, said):
    model.answer = lambda request: [Reply(request.number, said)]
    model.run([item(0), item(1, text("<"), answer_to(0), text(">"))])
    assert model.asked[1] == f"<{said}>"


def test_the_hash_of_a_request_is_that_of_what_was_sent(model):
    sent = {}

    def look(request):
        sent[request.messages[0].text] = request.sha256
        yield from model.reply(request)

    model.answer = look
    rows, asked = model.run([item(0), item(1, answer_to(0))])
    assert [row["request_sha256"] for row in rows] == [sent[words] for words in asked]


def test_another_answer_to_the_first_question_asks_the_second_again(model):
    items = [item(0), item(1, answer_to(0)), item(2)]
    model.run(items)
    for file in model.files():
        file.unlink()
    model.answer = lambda request: [Reply(request.number, f"new {len(model.asked)}")]
    assert model.run(items)[1] == ["Question 0", "Question 2", "new 1"]


def test_the_first_repeat_is_inserted_and_the_second_question_repeated(model):
    model.settings = {"repeats": 2}
    rows, asked = model.run([item(0), item(1, answer_to(0))])
    assert asked == ["Question 0", "answer 1.0"]
    assert [row["text"] for row in rows] == ["answer 1.0", "answer 1.1", "answer 2.0", "answer 2.1"]


def test_items_of_the_same_content_share_the_answer_in_later_rounds_too(model):
    items = [item(0), item(1, answer_to(0)), item(2, answer_to(0)), item(3, text("answer 1.0"))]
    rows, asked = model.run(items)
    # The fourth says by itself what the second and third say once the first is answered.
    assert asked == ["Question 0", "answer 1.0"]
    assert [row["text"] for row in rows] == ["answer 1.0"] + ["answer 2.0"] * 3


def test_an_item_is_not_asked_when_the_answer_that_it_holds_failed_and_the_others_are(model):
    def first_fails(request):
        if request.messages[0].text == "Question 0":
            yield Failure(request.number, "server error 500")
        else:
            yield from model.reply(request)

    model.answer = first_fails
    items = [
        item(1, answer_to(0)),
        item(0),
        item(2),
        item(3, answer_to(2)),
        item(4, text("4 "), answer_to(1)),
    ]
    rows, _ = model.run(items)
    assert [row["text"] is None for row in rows] == [True, True, False, False, True]
    reason = "failed: it holds the answer to item_0, of which there is none"
    assert rows[0]["finish_reason"] == reason
    assert model.asked == ["Question 0", "Question 2", "answer 2.0"]
    model.answer = model.reply
    assert model.run(items)[1] == ["Question 0", "answer 1.0", "4 answer 2.0"]


@pytest.mark.parametrize(
    "declared", [{"reads_metadata": True, "journaled": False}, {"journaled": False}]
)
def test_reference_responders_answer_items_that_build_on_others(model, declared):
    model.declare(**declared)
    rows, asked = model.run([item(0), item(1, answer_to(0))])
    assert asked == ["Question 0", "answer 1.0"]
    assert [row["text"] for row in rows] == ["answer 1.0", "answer 2.0"]
    assert model.files() == []


def test_an_answer_to_an_item_that_is_not_there_is_named(model):
    with pytest.raises(AfterimageError, match=r"item 'item_1': .* unknown item 'item_7'"):
        model.run([item(0), item(1, answer_to(7))])
    assert model.loads == 0


def test_items_that_wait_for_each_other_are_named(model):
    circle = [item(0, answer_to(1)), item(1, answer_to(2)), item(2, answer_to(0)), item(3)]
    with pytest.raises(AfterimageError, match="expected no circle") as raised:
        model.run(circle)
    assert all(f"'item_{number}'" in str(raised.value) for number in range(3))
    assert "item_3" not in str(raised.value)
    with pytest.raises(AfterimageError, match="'item_5', 'item_5'"):
        model.run([item(5, answer_to(5))])


def test_the_tokens_of_earlier_rounds_count_towards_the_budget_of_later_ones(model):
    told = []
    load = model.load

    def remember(entry, part):
        answer = load(entry, part)

        def answer_and_tell(requests):
            told.append(entry.tokens_so_far())
            return answer(requests)

        return answer_and_tell

    model.load = remember
    model.answer = lambda request: [
        Reply(request.number, "same", prompt_tokens=7, completion_tokens=2)
    ]
    items = [item(0), item(1, answer_to(0)), item(2, answer_to(0)), item(3, answer_to(2))]
    model.run(items)
    # The third shares the second's answer, and the fourth is asked the same again.
    assert told == [(0, 0, 0, 0), (7, 2, 0, 0)]
