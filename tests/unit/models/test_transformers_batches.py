"""How requests become batches: what is grouped, what is made once, what is held, and what happens without memory."""

from dataclasses import replace
from itertools import count

import pytest
from tiny_checkpoints import require_transformers
from vlm_requests import QUESTIONS, asking, entry_for, mixed_requests, noise, texts

from afterimage.models.interface import Failure
from afterimage.models.transformers import load

pytestmark = pytest.mark.torch


@pytest.fixture(autouse=True)
def _installed():
    require_transformers()


def rows_of(requests):
    from afterimage.models.transformers.pipeline import rows

    return list(rows(requests))


def grouped(requests, most, **options):
    from afterimage.models.transformers.pipeline import batches

    return [
        [row.request.number for row in batch]
        for batch in batches(iter(rows_of(requests)), most, **options)
    ]


def answers(folder, requests, **settings):
    return list(load(entry_for(folder, **settings), "any")(iter(requests)))


def test_a_batch_has_images_of_one_size_and_prompts_of_like_length():
    wide, tall = noise(0, 200, 60), noise(1, 60, 200)
    requests = [
        asking(0, wide, "short"),
        asking(1, tall, "short"),
        asking(2, wide, "long " * 50),
        asking(3, wide, "short."),
        asking(4, tall, "short"),
        asking(5, "text alone"),
        asking(6, wide, "long " * 51),
    ]
    assert grouped(requests, 2) == [[0, 3], [1, 4], [2, 6], [5]]


def test_questions_about_one_image_come_into_one_batch_before_others_of_its_size():
    one, other = noise(0), noise(1)
    asked = [(image, "x" * length) for image in (one, other) for length in (5, 90, 20)]
    requests = [asking(number, *parts) for number, parts in enumerate(asked)]
    assert grouped(requests, 2) == [[0, 2], [1, 4], [3, 5]]
    assert grouped(requests, 4) == [[0, 1, 2, 3], [4, 5]]


def test_words_before_an_image_come_into_one_batch_with_as_many_words_before():
    images = [noise(number) for number in range(3)]
    asked = [(image, "Question?") for image in images] + [("Look.", image) for image in images]
    requests = [asking(number, *parts) for number, parts in enumerate(asked)]
    assert grouped(requests[::3] + requests[1::3] + requests[2::3], 3) == [[0, 1, 2], [3, 4, 5]]


def test_every_row_is_in_exactly_one_batch_and_the_oldest_never_waits():
    sizes = [(64, 64), (64, 80), (96, 64)]
    requests = [
        asking(number, noise(number, *sizes[number * number % 3]), "x" * (number * 7 % 40))
        for number in range(60)
    ]
    batches = grouped(requests, 4)
    assert sorted(number for batch in batches for number in batch) == list(range(60))
    left = list(range(60))
    for batch in batches:
        assert len(batch) <= 4
        assert left[0] in batch
        assert max(batch) <= left[0] + 60
        left = [number for number in left if number not in batch]


def test_requests_are_read_no_further_ahead_than_a_few_batches(tiny_llava):
    read = count()
    reads = 0

    def requests():
        nonlocal reads
        for number in range(300):
            reads = next(read) + 1
            yield asking(number, noise(number % 7), QUESTIONS[number % 2])

    answer = load(entry_for(tiny_llava, batch_size=4, max_new_tokens=1), "any")
    ahead = [reads - answered for answered, _ in enumerate(answer(requests()))]
    assert len(ahead) == 300
    # A window of 4 batches, 3 on their way, 1 being answered.
    assert max(ahead) <= 4 * (4 + 3 + 1)


def test_repeats_of_a_request_are_rows_of_their_own():
    request = replace(asking(0, noise(0), "?"), repeats=(1, 3))
    first, second = rows_of([request])
    assert (first.repeat, second.repeat) == (1, 3)
    # A picture is decoded when it is needed, and two threads must not decode the same one.
    assert first.pictures[0] is not second.pictures[0]


@pytest.fixture
def kept(monkeypatch):
    """What an answering keeps of images, by the name of the function that makes it."""
    from afterimage.models.transformers import generation

    kept = {}

    def watched(name):
        function = getattr(generation, name)

        def call(*arguments, **options):
            kept[name] = function(*arguments, **options)
            return kept[name]

        return call

    for name in ("shared", "shared_features", "shared_prefixes"):
        monkeypatch.setattr(generation, name, watched(name))
    return kept


def test_each_image_is_gone_through_once_however_often_it_is_asked_about(tiny_llava, kept):
    requests = [
        asking(5 * image + question, noise(image), f"Question {question}?")
        for image in range(6)
        for question in range(5)
    ]
    assert len(answers(tiny_llava, requests, batch_size=4)) == 30
    assert kept["shared"].calls == 6
    assert kept["shared_features"].encoded == 6
    assert kept["shared_prefixes"].computed == 6


def six_questions_an_image():
    """Of like and unlike lengths, about images of one size and of others; and words before the image."""
    questions = ["What?", "Which line is longer?", "Is it?", "Are both " + "very " * 30 + "long?"]
    images = [noise(0), noise(1), noise(2, 200, 60)]
    asked = [(image, question) for image in images for question in questions]
    asked += [(word, image) for image in images for word in ("Look.", "Look at this image.")]
    asked += [(images[0], "and", images[1], question) for question in questions]
    return [asking(number, *parts) for number, parts in enumerate([*asked, ("No image?",)])]


@pytest.mark.parametrize("folder", ["tiny_llava", "tiny_llava_next", "tiny_qwen2_vl"])
@pytest.mark.parametrize("settings", [{"batch_size": 5}, {"one_at_a_time": True}])
def test_prompts_that_are_gone_through_once_up_to_the_image_give_the_same_answers(
    folder, settings, request, monkeypatch, kept
):
    from afterimage.models.transformers import generation

    folder = request.getfixturevalue(folder)
    once = texts(answers(folder, six_questions_an_image(), **settings))
    assert len(set(once.values())) > 15
    # Three images and a pair; Qwen2-VL's template, unlike the others', leaves words before an image where they are, so
    # that batches may have beginnings of several lengths, which are gone through as a whole.
    computed = kept["shared_prefixes"].computed
    if "qwen" not in folder.name:
        assert computed == 4
    elif "one_at_a_time" in settings:
        assert computed == 10
    else:
        assert 2 <= computed < 10
    monkeypatch.setattr(generation, "shared_prefixes", lambda *_, **__: None)
    assert texts(answers(folder, six_questions_an_image(), **settings)) == once


def test_prompts_are_gone_through_as_a_whole_where_padding_behind_the_image_would_count():
    from types import SimpleNamespace

    from afterimage.models.transformers.once_per_image import shared_prefixes

    def kept(attention="sdpa", repeats=0, **text):
        config = SimpleNamespace(
            _attn_implementation=attention, get_text_config=lambda: SimpleNamespace(**text)
        )
        generation = SimpleNamespace(no_repeat_ngram_size=repeats, cache_implementation=None)
        model = SimpleNamespace(config=config, generation_config=generation)
        return shared_prefixes(model, object(), singly=False)

    assert kept() is not None
    assert kept(layer_types=["full_attention"] * 2, sliding_window=None) is not None
    assert kept(attention="flash_attention_2") is None
    assert kept(layer_types=["full_attention", "sliding_attention"]) is None
    assert kept(sliding_window=4096) is None
    assert kept(repeats=3) is None


@pytest.mark.parametrize("folder", ["tiny_llava", "tiny_llava_next", "tiny_qwen2_vl"])
@pytest.mark.parametrize("batch_size", [1, 3, 8])
def test_features_that_are_computed_once_give_the_answers_of_features_computed_each_time(
    folder, batch_size, request, monkeypatch
):
    from afterimage.models.transformers import once_per_image

    folder = request.getfixturevalue(folder)
    once = texts(answers(folder, mixed_requests(), batch_size=batch_size))
    monkeypatch.setattr(once_per_image, "PROVEN", ())
    assert texts(answers(folder, mixed_requests(), batch_size=batch_size)) == once


@pytest.mark.parametrize("folder", ["tiny_llava", "tiny_llava_next", "tiny_qwen2_vl"])
def test_images_preprocessed_one_by_one_come_to_the_same_tensors(folder, request):
    import torch

    from afterimage.models.transformers import checkpoint, images, processing
    from afterimage.models.transformers.images import open_picture

    entry = entry_for(request.getfixturevalue(folder))
    found = checkpoint.find_checkpoint(entry)
    config = checkpoint.require_vision_language_model(found)
    processor = processing.load_processor(found, config, entry.settings)
    conversations = [
        processing.conversation(each.messages, map(open_picture, each.messages[0].images), None)
        for each in mixed_requests()
    ]
    whole = processing.prepare(processor, conversations, {})
    assert images.shared(processor) is processor.image_processor
    for _ in range(2):
        single = processing.prepare(processor, conversations, {})
        assert whole.keys() == single.keys()
        assert all(torch.equal(whole[name], single[name]) for name in whole)
    assert processor.image_processor.calls == 5


def test_an_image_processor_whose_images_depend_on_each_other_is_left_alone():
    import torch

    from afterimage.models.transformers.images import shared

    class Brightest:
        def __call__(self, images, return_tensors=None):
            import numpy as np

            flat = [one for part in images for one in (part if isinstance(part, list) else [part])]
            means = torch.tensor([[float(np.asarray(one).mean())] for one in flat])
            return {"pixel_values": means - means.max()}

    class Processor:
        image_processor = Brightest()

    processor = Processor()
    own = processor.image_processor
    assert shared(processor) is None
    assert processor.image_processor is own


def test_a_real_one_of_that_kind_is_left_alone_and_answers(tiny_idefics2, caplog):
    with caplog.at_level("INFO"):
        replies = answers(tiny_idefics2, mixed_requests())
    assert len(replies) == 12
    assert "batch by batch; vision features are computed for every question" in caplog.text
    assert "prompts up to the image for every question" in caplog.text


def test_answers_without_shared_preprocessing_are_the_same(tiny_llava, monkeypatch):
    from afterimage.models.transformers import generation

    with_it = texts(answers(tiny_llava, mixed_requests()))
    monkeypatch.setattr(generation, "shared", lambda processor: None)
    assert texts(answers(tiny_llava, mixed_requests())) == with_it


def test_what_is_kept_stays_within_its_bytes_and_its_number():
    from afterimage.models.transformers.images import LruCache

    cache = LruCache(10, len)
    for key, size in (("a", 4), ("b", 4)):
        cache.put(key, "x" * size)
    cache.get("a")
    cache.put("c", "x" * 6)
    assert cache.get("b") is None
    assert cache.get("a") == "xxxx"
    assert cache.bytes == 10
    cache.put("d", "x" * 50)
    assert cache.get("d") is not None
    assert len(cache) == 1
    cache.clear()
    assert (len(cache), cache.bytes) == (0, 0)
    few = LruCache(1000, len, max_values=3)
    for key in "abcd":
        few.put(key, "x")
    assert [few.get(key) for key in "abcd"] == [None, "x", "x", "x"]


def out_of_memory_above(monkeypatch, most, log=None):
    """Let generation fail for batches of more rows than this, as a GPU would."""
    import torch
    import transformers

    generate = transformers.GenerationMixin.generate

    def limited(self, input_ids=None, **options):
        if log is not None:
            log.append(len(input_ids))
        if len(input_ids) > most:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20 GiB.")
        return generate(self, input_ids=input_ids, **options)

    monkeypatch.setattr(transformers.GenerationMixin, "generate", limited)


def test_out_of_memory_halves_the_batch_and_goes_on_with_smaller_ones(
    tiny_llava, monkeypatch, caplog, kept
):
    requests = [asking(number, noise(number), QUESTIONS[0]) for number in range(24)]
    expected = texts(answers(tiny_llava, requests))
    tried = []
    out_of_memory_above(monkeypatch, 3, tried)
    with caplog.at_level("WARNING"):
        assert texts(answers(tiny_llava, requests, batch_size=8)) == expected
    # 8 fails, 4 fails, 2 fit; no batch of more than 2 is tried after that.
    assert tried[:3] == [8, 4, 2]
    assert max(tried[2:]) == 2
    assert "a batch of 8 is divided: the device's memory does not suffice" in caplog.text
    # What was kept of images gave way, and was computed again: 8, then 4 of these, then 2 and all others.
    assert kept["shared_prefixes"].computed == 8 + 4 + 24


def test_a_request_that_does_not_fit_alone_fails_and_the_others_go_on(tiny_llava, monkeypatch):
    import torch
    import transformers

    generate = transformers.GenerationMixin.generate

    def limited(self, input_ids=None, **options):
        if input_ids.shape[1] > 400:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return generate(self, input_ids=input_ids, **options)

    monkeypatch.setattr(transformers.GenerationMixin, "generate", limited)
    requests = [asking(0, noise(0), "long " * 100)]
    requests += [asking(number, noise(number), QUESTIONS[0]) for number in range(1, 12)]
    outcomes = answers(tiny_llava, requests)
    failed = [each for each in outcomes if isinstance(each, Failure)]
    assert [each.number for each in failed] == [0]
    assert failed[0].reason.startswith("the device's memory does not suffice (CUDA out of memory")
    assert len(outcomes) == 12


def test_a_model_that_breaks_down_over_one_request_answers_the_others(tiny_llava, monkeypatch):
    import transformers

    generate = transformers.GenerationMixin.generate
    poison = "poison"

    def fragile(self, input_ids=None, **options):
        if any(poison in text for text in tokenizer.batch_decode(input_ids)):
            raise ValueError("cannot reshape")
        return generate(self, input_ids=input_ids, **options)

    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_llava)
    monkeypatch.setattr(transformers.GenerationMixin, "generate", fragile)
    requests = [
        asking(number, noise(number), poison if number == 5 else "what?") for number in range(8)
    ]
    outcomes = answers(tiny_llava, requests)
    assert {each.number: each.reason for each in outcomes if isinstance(each, Failure)} == {
        5: "the model failed (cannot reshape)"
    }
    assert len(outcomes) == 8
