"""Tiny models answer through the backend: what is asked of them, and what cannot change an answer."""

import json
import threading
from dataclasses import replace

import pytest
from tiny_checkpoints import require_transformers
from vlm_requests import QUESTIONS, asking, entry_for, mixed_requests, noise, texts

from afterimage.models.interface import Failure, Image, Message, Request
from afterimage.models.transformers import load

pytestmark = pytest.mark.torch

TINY = ("tiny_llava", "tiny_llava_next", "tiny_qwen2_vl", "tiny_idefics2")


@pytest.fixture(autouse=True)
def _installed():
    require_transformers()


@pytest.fixture(params=TINY)
def checkpoint(request):
    return request.getfixturevalue(request.param)


def answers(folder, requests, **settings):
    return list(load(entry_for(folder, **settings), "any")(iter(requests)))


def test_answers_are_those_of_the_librarys_own_loop(checkpoint):
    """One request at a time through processor and generate, as anybody would write it."""
    import torch
    import transformers

    from afterimage.models.transformers.checkpoint import (
        find_checkpoint,
        require_vision_language_model,
    )
    from afterimage.models.transformers.images import open_picture
    from afterimage.models.transformers.processing import load_processor

    entry = entry_for(checkpoint)
    found = find_checkpoint(entry)
    config = require_vision_language_model(found)
    processor = load_processor(found, config, entry.settings)
    model = transformers.AutoModelForImageTextToText.from_pretrained(checkpoint).eval()
    given = texts(answers(checkpoint, mixed_requests()))
    for request in mixed_requests():
        content = [
            {"type": "image", "image": open_picture(part)}
            if isinstance(part, Image)
            else {"type": "text", "text": part}
            for part in request.messages[0].parts
        ]
        inputs = processor.apply_chat_template(
            [{"role": "user", "content": content}],
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            return_tensors="pt",
        )
        with torch.inference_mode():
            tokens = model.generate(**inputs, max_new_tokens=8, do_sample=False)
        own = processor.decode(tokens[0, inputs["input_ids"].shape[1] :], skip_special_tokens=True)
        assert given[request.number, 0] == own


def test_answers_differ_from_image_to_image_and_from_question_to_question(checkpoint):
    given = texts(answers(checkpoint, mixed_requests()))
    assert len(set(given.values())) == len(given) == 12


def test_on_the_cpu_batches_of_8_and_of_1_give_the_same_greedy_answers(checkpoint):
    alone = texts(answers(checkpoint, mixed_requests(), batch_size=1))
    assert texts(answers(checkpoint, mixed_requests(), batch_size=8)) == alone
    assert texts(answers(checkpoint, mixed_requests(), batch_size=8, one_at_a_time=True)) == alone


def test_one_at_a_time_is_part_of_the_key_of_an_answer_and_the_batch_size_is_not():
    from afterimage.models import transformers as backend
    from afterimage.models.journaling.entries import answerer_of

    def who(**settings):
        return answerer_of(entry_for("x", **settings), backend.BACKEND.neutral_settings)

    assert who(batch_size=1) == who(batch_size=8, device_map="cpu") == who()
    assert who(one_at_a_time=True) != who()
    assert who(dtype="bfloat16") != who()


def test_samples_belong_to_request_and_repeat_whatever_the_batch_or_the_order(checkpoint):
    sampling = {"temperature": 1.0, "top_p": 0.95, "repeats": 3}
    requests = [replace(request, repeats=(0, 1, 2)) for request in mixed_requests()]
    given = texts(answers(checkpoint, requests, **sampling))
    assert len(given) == 36
    assert len(set(given.values())) > 30
    alone = texts(answers(checkpoint, requests[::-1], batch_size=1, **sampling))
    assert alone.keys() == given.keys()
    # A processor may round otherwise in another batch, and one number of chance fall on a bound between two tokens.
    assert sum(alone[answer] != given[answer] for answer in given) <= 1
    later = [replace(request, repeats=(2,)) for request in requests[3:5]]
    assert texts(answers(checkpoint, later, **sampling)) == {
        (number, 2): given[number, 2] for number in (3, 4)
    }
    assert texts(answers(checkpoint, requests, seed=1, **sampling)) != given


def test_samples_follow_the_probabilities_that_the_temperature_gives():
    import torch

    from afterimage.models.transformers.logits import answer_generator, sampling_processors

    shares = torch.tensor([0.5, 0.3, 0.15, 0.05])
    draws = 4000
    generators = [answer_generator(0, asking(0, str(number)), 0) for number in range(draws)]
    scores = shares.log().expand(draws, -1)

    def counted(**settings):
        chain = sampling_processors({"top_k": None, "top_p": None, **settings}, generators)
        chosen = chain(None, scores).argmax(-1)
        return torch.bincount(chosen, minlength=4) / draws

    assert torch.allclose(counted(temperature=1.0), shares, atol=0.03)
    cooled = shares**2 / (shares**2).sum()
    assert torch.allclose(counted(temperature=0.5), cooled, atol=0.03)
    assert torch.allclose(
        counted(temperature=1.0, top_k=2), torch.tensor([0.625, 0.375, 0, 0]), atol=0.03
    )
    assert counted(temperature=1.0, top_p=0.6)[2:].sum() == 0


def test_an_answer_says_how_it_ended_what_it_took_and_which_version_gave_it(tiny_llava_next):
    requests = [asking(number, noise(number), QUESTIONS[0]) for number in range(40)]
    given = answers(tiny_llava_next, requests, max_new_tokens=24)
    ended = {reply.finish_reason for reply in given}
    assert ended == {"stop", "length"}
    for reply in given:
        assert reply.completion_tokens <= 24
        assert (reply.finish_reason == "length") <= (reply.completion_tokens == 24)
        # The end is a token of the answer but no text of it; every other token is one character.
        assert len(reply.text) == reply.completion_tokens - (reply.finish_reason == "stop")
        assert reply.prompt_tokens > len(QUESTIONS[0])
        assert reply.latency_seconds > 0
        version, kind = reply.revision.split("+")
        assert version.startswith("sampled-sha256-")
        assert kind.startswith("LlavaNextImageProcessor")


def test_prompt_tokens_do_not_count_the_padding(tiny_llava):
    long = asking(0, noise(0), "long " * 100)
    short = asking(1, noise(1), "short")
    counts = {reply.number: reply.prompt_tokens for reply in answers(tiny_llava, [long, short])}
    assert counts[0] - counts[1] == len("long " * 100) - len("short")


def test_changed_weights_in_the_same_folder_are_another_version(tiny_llava, tmp_path):
    import shutil

    import safetensors.torch

    from afterimage.models.transformers.checkpoint import find_checkpoint

    copy = shutil.copytree(tiny_llava, tmp_path / "copy")
    before = find_checkpoint(entry_for(copy)).revision
    assert before == find_checkpoint(entry_for(tiny_llava)).revision
    weights = safetensors.torch.load_file(copy / "model.safetensors")
    weights[max(weights)] += 0.01
    safetensors.torch.save_file(weights, copy / "model.safetensors", metadata={"format": "pt"})
    assert find_checkpoint(entry_for(copy)).revision != before


def test_the_system_prompt_is_put_before_conversations_without_one(tiny_qwen2_vl):
    plain = asking(0, noise(0), "What?")
    own = Request(1, (Message("system", ("Be brief.",)), *plain.messages))
    given = texts(answers(tiny_qwen2_vl, [plain, own]))
    with_prompt = texts(answers(tiny_qwen2_vl, [plain, own], system_prompt="Be brief."))
    assert with_prompt[0, 0] == with_prompt[1, 0] == given[1, 0] != given[0, 0]


def test_earlier_turns_are_shown(tiny_qwen2_vl):
    def after(answer):
        turns = (
            Message("user", (noise(0), "What?")),
            Message("assistant", (answer,)),
            Message("user", ("Sure?",)),
        )
        return Request(0, turns)

    one, other = (texts(answers(tiny_qwen2_vl, [after(word)])) for word in ("A line.", "A dot."))
    assert one != other


@pytest.mark.parametrize("word", ["<image>", "</s>", "<|im_end|>", "<|image_pad|>"])
def test_words_that_look_like_control_tokens_stay_words(checkpoint, word):
    asked = asking(0, noise(0), f"What does {word} mean?")
    (reply,) = answers(checkpoint, [asked])
    (plain,) = answers(checkpoint, [asking(0, noise(0), f"What does {'x' * len(word)} mean?")])
    if "idefics2" in checkpoint.name and word == "<image>":
        # Its processor takes the word for an image that is missing; better no answer than one to another question.
        assert "number of images in the text" in reply.reason
        return
    assert not isinstance(reply, Failure)
    # Byte by byte, as any other word of that length.
    assert reply.prompt_tokens == plain.prompt_tokens
    assert reply.text != plain.text


def test_a_chat_template_of_the_users_own_takes_the_checkpoints_place(tiny_llava):
    template = (
        "{% for message in messages %}{% for part in message['content'] %}"
        "{{ '<image>' if part['type'] == 'image' else part['text'] }}{% endfor %}{% endfor %}Answer:"
    )
    requests = [asking(0, noise(0), "What?")]
    (own,) = answers(tiny_llava, requests)
    (reply,) = answers(tiny_llava, requests, chat_template=template)
    assert reply.prompt_tokens == 64 + len("What?") + len("Answer:")
    assert reply.text != own.text


def test_variables_reach_the_chat_template_and_are_part_of_an_answers_key_where_set(tiny_llava):
    from afterimage.models.journaling.entries import answerer_of

    template = (
        "{% for message in messages %}{% for part in message['content'] %}"
        "{{ '<image>' if part['type'] == 'image' else part['text'] }}{% endfor %}{% endfor %}"
        "{{ 'Think:' if enable_thinking | default(true) else 'Answer at once:' }}"
    )
    requests = [asking(0, noise(0), "What?")]
    (own,) = answers(tiny_llava, requests, chat_template=template)
    at_once = {"chat_template": template, "chat_template_kwargs": {"enable_thinking": False}}
    (reply,) = answers(tiny_llava, requests, **at_once)
    assert own.prompt_tokens == 64 + len("What?") + len("Think:")
    assert reply.prompt_tokens == 64 + len("What?") + len("Answer at once:")
    who, other = (
        answerer_of(entry_for(tiny_llava, **settings))
        for settings in ({"chat_template": template}, at_once)
    )
    assert "chat_template_kwargs" not in who.settings
    assert '"chat_template_kwargs":{"enable_thinking":false}' in other.settings


def test_an_answer_cut_off_in_reasoning_that_the_template_opened_is_reasoning_alone(tiny_llava):
    template = (
        "{% for message in messages %}{% for part in message['content'] %}"
        "{{ '<image>' if part['type'] == 'image' else part['text'] }}{% endfor %}{% endfor %}"
        "{{ '<think>\n' + ('' if enable_thinking | default(true) else '\n</think>\n\n') }}"
    )
    requests = [asking(0, noise(0), "What?")]
    (thought,) = answers(tiny_llava, requests, chat_template=template, max_new_tokens=4)
    assert (thought.text, thought.finish_reason) == ("", "length")
    assert thought.reasoning
    # Opened and closed by the template, or told to be left whole: what is cut off is the answer.
    for settings in ({"chat_template_kwargs": {"enable_thinking": False}}, {"reasoning": False}):
        (reply,) = answers(
            tiny_llava, requests, chat_template=template, max_new_tokens=4, **settings
        )
        assert reply.text
        assert (reply.reasoning, reply.finish_reason) == (None, "length")


@pytest.mark.parametrize(
    ("text", "finish_reason"), [("so.</think>B", "length"), ("B, as before", "stop")]
)
def test_an_answer_that_came_to_its_end_stays_as_it_is(text, finish_reason):
    from afterimage.models.interface import Reply
    from afterimage.models.transformers.processing import without_unfinished

    reply = Reply(0, text, finish_reason)
    assert without_unfinished(reply, "<think>", {}) == reply


def test_marks_of_reasoning_that_are_special_tokens_stay_in_the_text():
    """Gemma 4's and Magistral's are; without them what was thought would read as the answer."""
    from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    from afterimage.models.transformers.processing import decoded, marks_of

    words = Tokenizer(models.WordLevel({"thought": 0, "left": 1, "right": 2, "?": 3}, "?"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, eos_token="<turn|>")
    special = [AddedToken(text, special=True) for text in ("<|channel>", "<channel|>", "((")]
    tokenizer.add_special_tokens({"additional_special_tokens": special})
    text = "<|channel>thought left<channel|>right<turn|>"
    tokens = tokenizer.encode(text, add_special_tokens=False)
    marks = marks_of(tokenizer, {})
    assert sorted(marks.values()) == ["<channel|>", "<|channel>"]
    assert decoded(tokenizer, tokens, marks) == "<|channel>thought left<channel|>right"
    assert decoded(tokenizer, tokens, {}) == tokenizer.decode(tokens, skip_special_tokens=True)
    own = {"reasoning": {"open": "((", "close": "))"}}
    assert "((" in marks_of(tokenizer, own).values()


def test_settings_of_the_processor_reach_it(tiny_qwen2_vl):
    requests = [asking(0, noise(0, 448, 448), "What?")]
    (reply,) = answers(tiny_qwen2_vl, requests)
    size = {"shortest_edge": 56 * 56, "longest_edge": 112 * 112}
    (smaller,) = answers(tiny_qwen2_vl, requests, processor={"size": size})
    assert reply.prompt_tokens - smaller.prompt_tokens == (448 // 28) ** 2 - (112 // 28) ** 2


def test_a_damaged_image_or_a_prompt_that_is_too_long_fails_alone(tiny_llava):
    good = [asking(number, noise(number), QUESTIONS[0]) for number in range(4)]
    cut = Image(noise(9).png[:-200], "9" * 64)
    bad = [
        asking(10, Image(b"GIF89a", "8" * 64), "What?"),
        asking(11, cut, QUESTIONS[0]),
        asking(12, noise(5), "long " * 2000),
    ]
    outcomes = answers(tiny_llava, [bad[0], *good[:2], bad[1], *good[2:], bad[2]])
    reasons = {each.number: each.reason for each in outcomes if isinstance(each, Failure)}
    assert sorted(reasons) == [10, 11, 12]
    assert "not a PNG" in reasons[10]
    assert "cannot be decoded" in reasons[11]
    assert "leaves no room for an answer of 'max_new_tokens'" in reasons[12]
    given = texts(each for each in outcomes if not isinstance(each, Failure))
    assert given == texts(answers(tiny_llava, good))


def test_a_conversation_that_the_template_refuses_fails_alone(tiny_llava):
    template = (
        "{% for message in messages %}{% if message['role'] == 'system' %}"
        "{{ raise_exception('no system messages') }}{% endif %}"
        "{% for part in message['content'] %}"
        "{{ '<image>' if part['type'] == 'image' else part['text'] }}{% endfor %}{% endfor %}"
    )
    good = asking(0, noise(0), "What?")
    refused = Request(1, (Message("system", ("Brief.",)), *asking(1, noise(1), "What?").messages))
    outcomes = {
        each.number: each for each in answers(tiny_llava, [good, refused], chat_template=template)
    }
    assert "no system messages" in outcomes[1].reason
    assert outcomes[0].text


def test_after_the_last_answer_or_an_early_end_no_thread_is_left(tiny_llava):
    # What earlier tests have left ends when it will.
    before = set(threading.enumerate())
    own = lambda: set(threading.enumerate()) - before  # noqa: E731
    requests = [asking(number, noise(number), "What?") for number in range(30)]
    answer = load(entry_for(tiny_llava), "any")
    replies = answer(iter(requests))
    next(replies)
    assert own()
    replies.close()
    assert not own()
    assert len(list(answer(iter(requests)))) == 30
    assert not own()


def test_the_schema_has_a_default_for_every_setting():
    from vlm_requests import SCHEMA

    from afterimage.planning.schemas import read_schema

    properties = read_schema(SCHEMA)["properties"]
    # An entry of before says nothing of these: its answers keep their keys.
    assert {name for name, part in properties.items() if "default" not in part} == {
        "reasoning",
        "chat_template_kwargs",
        "scores",
        "adapter",
        "merge_adapter",
    }
    json.dumps(entry_for("x").answering())
