"""Log-probabilities of a local model: those of a forward pass over the whole text, whichever way they are asked for."""

import math
from collections import Counter

import pytest
from scipy.stats import chisquare
from tiny_checkpoints import require_transformers
from vlm_requests import entry_for, noise

from afterimage.models.interface import Image, Message, Request
from afterimage.models.transformers import load

pytestmark = pytest.mark.torch
TEXTS = ("left", "lefts", "no", "n")


@pytest.fixture(params=("tiny_llava", "tiny_qwen2_vl", "tiny_idefics2"))
def checkpoint(request):
    require_transformers()
    return request.getfixturevalue(request.param)


def requests(options=(), count=2, repeats=(0,)):
    for number in range(count):
        parts = (noise(number), f"Which line is longer, {number}?")
        yield Request(number, (Message("user", parts),), None, repeats, options)


def asked(folder, made, **settings):
    return list(load(entry_for(folder, **settings))(made))


def whole(folder, request, text):
    """The log-probability of a text behind the prompt, in one pass over both, by the library alone."""
    import torch
    import transformers

    from afterimage.models.transformers.checkpoint import (
        find_checkpoint,
        require_vision_language_model,
    )
    from afterimage.models.transformers.images import open_picture
    from afterimage.models.transformers.processing import conversation, load_processor, prepare

    entry = entry_for(folder)
    found = find_checkpoint(entry)
    config = require_vision_language_model(found)
    processor = load_processor(found, config, entry.settings)
    model = transformers.AutoModelForImageTextToText.from_pretrained(folder).eval()
    pictures = [open_picture(part) for part in request.messages[0].parts if isinstance(part, Image)]
    inputs = dict(prepare(processor, [conversation(request.messages, pictures, None)], {}))
    added = torch.tensor([processor.tokenizer.encode(text, add_special_tokens=False)])
    length = inputs["input_ids"].shape[1]
    for name, more in (("input_ids", added), ("attention_mask", torch.ones_like(added))):
        inputs[name] = torch.cat([inputs[name], more], 1)
    if "mm_token_type_ids" in inputs:
        inputs["mm_token_type_ids"] = torch.cat(
            [inputs["mm_token_type_ids"], torch.zeros_like(added)], 1
        )
    with torch.inference_mode():
        logits = model(**inputs).logits.float().log_softmax(-1)
    return float(logits[0, length - 1 : -1].gather(1, added[0][:, None]).sum())


def test_a_texts_log_probability_is_that_of_one_pass_over_prompt_and_text(checkpoint):
    for request, reply in zip(
        requests(TEXTS), asked(checkpoint, requests(TEXTS), scores="options"), strict=True
    ):
        known = {each["text"]: each["logprob"] for each in reply.scores["options"]}
        # With or without a blank in front, alike for all.
        ways = [
            {text: whole(checkpoint, request, blank + text) for text in TEXTS}
            for blank in ("", " ")
        ]
        assert any(known == pytest.approx(way, abs=1e-3) for way in ways)
        assert reply.text == max(known, key=known.get)


def test_options_are_scored_in_one_row_by_models_that_take_it(checkpoint, monkeypatch):
    from afterimage.models.transformers import logits

    rows = []

    def noted(name, way):
        def scored(*given):
            rows.append(name)
            return way(*given)

        return scored

    for name in ("one_row", "one_row_each"):
        monkeypatch.setattr(logits, name, noted(name, getattr(logits, name)))
    asked(checkpoint, requests(TEXTS, 3), scores="options")
    # That of Idefics2 sees a window of the last tokens only.
    if "idefics2" in checkpoint.name:
        assert rows == ["one_row_each"] * 3
    else:
        assert rows == ["one_row_each", *["one_row"] * 4]


def _as_if_masks_were_ignored(one_row):
    def wrong(*given):
        return [behind - 0.5 for behind in one_row(*given)]

    return wrong


def _refused(one_row):
    def refused(*given):
        raise ValueError("no masks of four dimensions")

    return refused


def test_one_text_alone_says_nothing_about_shared_rows(checkpoint, monkeypatch):
    from afterimage.models.transformers import logits

    known = {
        reply.number: reply.scores for reply in asked(checkpoint, requests(TEXTS), scores="options")
    }
    way = logits.one_row

    def sees_all(model, cache, texts):
        behind = way(model, cache, texts)
        return (
            [each - 0.5 for each in behind] if sum(len(text) > 1 for text in texts) > 1 else behind
        )

    monkeypatch.setattr(logits, "one_row", sees_all)
    (first,) = requests(("lefts",), 1)
    (_, second) = requests(TEXTS)
    replies = asked(checkpoint, [first, second], scores="options")
    for mine, its in zip(replies[1].scores["options"], known[1]["options"], strict=True):
        assert mine == pytest.approx(its, abs=1e-3)


@pytest.mark.parametrize("broken", (_as_if_masks_were_ignored, _refused))
def test_options_get_rows_of_their_own_where_a_model_takes_no_shared_one(
    checkpoint, monkeypatch, broken
):
    from afterimage.models.transformers import logits

    expected = [reply.scores for reply in asked(checkpoint, requests(TEXTS), scores="options")]
    monkeypatch.setattr(logits, "one_row", broken(logits.one_row))
    replies = asked(checkpoint, requests(TEXTS), scores="options")
    for reply, scores in zip(replies, expected, strict=True):
        for mine, its in zip(reply.scores["options"], scores["options"], strict=True):
            assert mine == pytest.approx(its, abs=1e-3)


def test_first_tokens_are_those_of_a_pass_in_batches_too_and_change_no_answer(checkpoint):
    plain = asked(checkpoint, requests(count=3), max_new_tokens=4)
    scored = asked(checkpoint, requests(count=3), max_new_tokens=4, scores="first_token")
    assert [reply.text for reply in scored] == [reply.text for reply in plain]
    assert all(reply.scores is None for reply in plain)
    for request, reply in zip(requests(count=3), scored, strict=True):
        token = reply.scores["first_token"][0]
        assert token["logprob"] == pytest.approx(
            whole(checkpoint, request, token["token"]), abs=1e-3
        )
        assert token["top"][0]["token"] == token["token"]
        assert len(token["top"]) == 20


def test_both_ways_agree_where_options_are_one_token(checkpoint):
    (greedy,) = asked(checkpoint, requests(count=1), scores="first_token", max_new_tokens=1)
    top = greedy.scores["first_token"][0]["top"]
    texts = tuple(each["token"] for each in top if each["token"].isalpha())[:4]
    assert len(texts) > 1
    (reply,) = asked(checkpoint, requests(texts, 1), scores="options")
    known = {each["token"]: each["logprob"] for each in top}
    for each in reply.scores["options"]:
        assert each["tokens"] == 1
        assert each["logprob"] == pytest.approx(known[each["text"]], abs=1e-3)


def test_samples_at_temperature_one_follow_the_probabilities(tiny_qwen2_vl):
    require_transformers()
    (greedy,) = asked(tiny_qwen2_vl, requests(count=1), scores="first_token", max_new_tokens=1)
    top = greedy.scores["first_token"][0]["top"]
    drawn = Counter(
        reply.text
        for reply in asked(
            tiny_qwen2_vl,
            requests(count=1, repeats=tuple(range(2000))),
            **{"temperature": 1, "max_new_tokens": 1, "batch_size": 100, "repeats": 2000},
        )
    )
    shares = {each["token"]: math.exp(each["logprob"]) for each in top}
    counts = [drawn[name] for name in shares]
    expected = [2000 * share for share in shares.values()]
    test = chisquare([*counts, 2000 - sum(counts)], [*expected, 2000 - sum(expected)])
    assert test.pvalue > 0.001
