"""Marks of a chat template in a reply go before every reader, rule and judge; the raw reply stays.

Public reports: OpenBMB/MiniCPM-V#373, vllm-project/vllm#2538.
"""

import pytest

from afterimage.grading.format_marks import without_marks
from afterimage.grading.grade import grade
from afterimage.grading.judge.judgements import can_be_judged
from afterimage.grading.readers.presence import official
from afterimage.grading.reasoning import columns, graded_text, split

# ChatML, Llama 2 and 3, Gemma 3 and 4, Phi, DeepSeek, GLM, Command, Idefics, Vicuna.
MARKED = [
    "{}</s>",
    "<s> {}</s>",
    "{}<|im_end|>",
    "{}<|im_end|>\n",
    "<|im_start|>assistant\n{}<|im_end|>",
    "{}<|eot_id|>",
    "<|start_header_id|>assistant<|end_header_id|>\n\n{}<|eot_id|><|end_of_text|>",
    "{}<|endoftext|>",
    "{}<|end|>",
    "<|assistant|>\n{}<|end|><|endoftext|>",
    "<start_of_turn>model\n{}<end_of_turn>",
    "{}<end_of_turn>\n<eos>",
    "{}<turn|>",
    "{}<eos>",
    "<bos>{}<eos><pad><pad><pad>",
    "[PAD][PAD]{}[EOS]",
    "{}<pad><pad>",
    "<pad><pad>{}",
    "{}<unk>",
    "{}<｜end▁of▁sentence｜>",
    "<｜Assistant｜>{}<｜end▁of▁sentence｜>",
    "{}<|user|>",
    "{}<|observation|>",
    "{}<|END_OF_TURN_TOKEN|>",
    "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>{}<|END_OF_TURN_TOKEN|>",
    "{}<end_of_utterance>",
    "{}<|endofchunk|>",
    "{}<|eom_id|>",
    "[INST] [/INST] {} </s>",
    "ASSISTANT: {}</s>",
    "assistant\n\n{}",
    "▁{}",
    "{}<0x0A>",
    "{}<|box_end|>",
    # Half a mark, where a stop string or a limit of tokens cut it.
    "{}<|im_e",
    "{}</s",
    "{}<|",
]
# The model went on and asked and answered the next question itself.
RUN_ON = [
    "{}<|im_end|>\n<|im_start|>user\nIs there a dog?<|im_end|>\n<|im_start|>assistant\n{other}<|im_end|>",
    "{}</s>USER: Is there a dog? ASSISTANT: {other}</s>",
    "{}\nUSER: Is there a dog?\nASSISTANT: {other}",
    "{}<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n{other}<|eot_id|>",
    "{}<end_of_turn>\n<start_of_turn>user\nIs there a dog?<end_of_turn>\n<start_of_turn>model\n{other}",
    "{}\nuser\nIs there a dog?\nassistant\n{other}",
    "{}\n### Human: Is there a dog?\n### Assistant: {other}",
    "{}</s> [INST] Is there a dog? [/INST] {other}</s>",
    "{}<｜end▁of▁sentence｜><｜User｜>Is there a dog?<｜Assistant｜>{other}",
]


def item(answer_type: str, key: str, options: list[dict] | None = None) -> dict:
    return {
        **{"item_id": "a", "suite": "s", "stimulus_id": "a", "figure": "f", "prompt": "p"},
        **{"question": "q", "answer_type": answer_type, "options": options or [], "key": key},
        "factors": {},
    }


def response(text: str, *, is_split: bool = True) -> dict:
    about = {"item_id": "a", "suite": "s", "model": "m", "repeat": 0, "finish_reason": "stop"}
    return {**about, "text": text, **(columns(text, None) if is_split else {})}


@pytest.mark.parametrize("form", MARKED)
@pytest.mark.parametrize("answer", ["No", "Yes", "No.", "3"])
def test_a_marked_answer_is_the_answer(form, answer):
    assert split(form.format(answer)) == (None, answer)


@pytest.mark.parametrize("form", RUN_ON)
@pytest.mark.parametrize("answer, other", [("No", "Yes"), ("Yes", "No")])
def test_what_follows_in_another_turn_is_not_the_answer(form, answer, other):
    assert split(form.format(answer, other=other)).answer == answer


@pytest.mark.parametrize("form", MARKED)
@pytest.mark.parametrize(
    "answer_type, options, said, key",
    [
        ("presence", [], "No", "no"),
        ("presence_blog", [], "No", "no"),
        ("yes_no", [], "No", "No"),
        ("true_false", [], "False", "False"),
        ("integer", [], "7", "7"),
        (
            "lettered_choice",
            [{"option_id": "x", "text": "left"}, {"option_id": "y", "text": "right"}],
            "B",
            "y",
        ),
    ],
)
@pytest.mark.parametrize("is_split", [True, False])
def test_every_reader_and_every_rule_reads_it(form, answer_type, options, said, key, is_split):
    graded = grade(response(form.format(said), is_split=is_split), item(answer_type, key, options))
    assert graded["answer"] == key
    if answer_type.startswith("presence"):
        assert set(graded["readings"].values()) == {"no"}


def test_a_rule_of_recorded_answers_gets_no_mark():
    assert official(graded_text("No</s>")) == "no"


def test_the_raw_reply_stays_and_an_answer_of_marks_alone_is_none():
    row = response("</s></s>")
    assert row["text"] == "</s></s>"
    assert not can_be_judged(row)
    graded = grade(row, item("yes_no", "Yes"))
    assert (graded["answer"], graded["reason"].partition(":")[0]) == (None, "empty")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  No\n",
        "The circles touch (distance < 3 px).",
        "a < b > c, 2 <3",
        "<b>Left</b>",
        "[B]",
        "[left, right]",
        "| a | b |",
        "The user: a person with a hat.",
        "Model: T",
        "~~Yes~~ No",
        "<s>Yes</s> No",
        "I would say that the assistant in the picture holds a book.",
    ],
)
def test_what_is_no_mark_stays_to_the_letter(text):
    assert without_marks(text) == text


def test_marks_go_in_linear_time():
    assert without_marks("No" + "<|im_end|>" * 100_000) == "No"
    assert without_marks("<s" * 100_000).startswith("<s")


@pytest.mark.parametrize(
    "form",
    [
        *("{}[|endofturn|]", "[|assistant|]{}[|endofturn|]", "{}[|user|]Yes and no"),
        *("{}[UNUSED_TOKEN_145]", "{}<eoa>", "{}<TOKENS_UNUSED_1>", "{}<reserved_106>"),
        *("{}<extra_id_0>", "{}<unused5>", "<image>{}", "{}<SPECIAL_12>", "{}<im_end>"),
        *("{}&lt;/s&gt;", "{}&lt;|im_end|&gt;", "{}###", "{}###Human: Yes and no?"),
        "<|channel|>final<|message|>{}<|return|>",
        "<|channel|>analysis<|message|>Is it yes?<|end|><|start|>assistant<|channel|>final<|message|>{}",
    ],
)
def test_marks_of_single_families_and_channels(form):
    assert without_marks(form.format("No")) == "No"


def test_two_marks_between_words_part_them():
    assert without_marks("No</s></s>Yes") == "No Yes"
