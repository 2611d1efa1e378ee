"""Whatever a library raises over one request of ten is that request's failure; the others are answered in the same run.

Public report: EvolvingLMMs-Lab/lmms-eval issue 598 (one small image ends the whole evaluation).
"""

import logging
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from faulty_model import asked, entry, request
from loopback_api import LoopbackApi, completion
from PIL import Image as Pillow
from PIL import UnidentifiedImageError
from tiny_checkpoints import require_transformers
from vlm_requests import asking, entry_for, image_of, noise

from afterimage.contract.model import ModelEntry
from afterimage.errors import AfterimageError
from afterimage.models import chance, pixels, textbook
from afterimage.models.interface import Failure, Image, Message, Reply, Request, reason_of
from afterimage.models.openai_compatible import load as load_api
from afterimage.models.openai_compatible import messages

COUNT, CULPRIT = 10, 4
POISON = "poison"


class PanicException(BaseException):
    """As libraries in Rust raise it: no Exception."""


RAISED = {
    "ValueError": lambda: ValueError("absolute aspect ratio must be smaller than 200, got 201.0"),
    "RuntimeError": lambda: RuntimeError("std::bad_alloc"),
    "KeyError": lambda: KeyError("pixel_values"),
    "AssertionError": AssertionError,
    "IndexError": lambda: IndexError("list index out of range"),
    "OSError": lambda: OSError(5, "Input/output error"),
    "MemoryError": MemoryError,
    "StopIteration": StopIteration,
    "StopAsyncIteration": StopAsyncIteration,
    "RecursionError": lambda: RecursionError("maximum recursion depth exceeded"),
    "ZeroDivisionError": lambda: ZeroDivisionError("division by zero"),
    "NotImplementedError": NotImplementedError,
    "ImportError": lambda: ImportError("sentencepiece"),
    "UnicodeDecodeError": lambda: UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid"),
    "PIL": lambda: UnidentifiedImageError("cannot identify image file"),
    "bomb": lambda: Pillow.DecompressionBombError("Image size exceeds limit"),
    "a panic": lambda: PanicException("called `Option::unwrap()` on a `None` value"),
}
every_error = pytest.mark.parametrize("raised", RAISED.values(), ids=RAISED)


def require_only_the_culprit_fails(outcomes, count=COUNT):
    failed = [outcome for outcome in outcomes if isinstance(outcome, Failure)]
    assert [failure.number for failure in failed] == [CULPRIT]
    assert len(outcomes) == count
    assert {outcome.number for outcome in outcomes} == set(range(count))
    reason = failed[0].reason
    assert reason and "\n" not in reason
    return reason


@pytest.fixture
def tiny(tiny_llava):
    """Ask the tiny LLaVA ten questions about ten images; the fifth is the culprit's."""
    import torch  # noqa: F401

    from afterimage.models.transformers import load

    def ask(**settings):
        answer = load(entry_for(tiny_llava, **settings))
        requests = [
            asking(number, noise(number), POISON if number == CULPRIT else "what?")
            for number in range(COUNT)
        ]
        return list(answer(requests))

    return ask


def is_culprit(picture):
    return picture.info.get("pixels_sha256") == noise(CULPRIT).pixels_sha256


def holds_poison(ids):
    # Bytes are the tiny tokenizer's tokens.
    return POISON in ids


@pytest.mark.torch
class TestTransformers:
    """Every step of a checkpoint's own code, raising for one of ten."""

    @pytest.fixture(autouse=True)
    def installed(self):
        require_transformers()

    @every_error
    def test_image_processor(self, tiny, raised, monkeypatch):
        from afterimage.models.transformers import images

        preprocess = images.SharedImageProcessor.preprocess

        def fragile(self, picture, **options):
            if is_culprit(picture):
                raise raised()
            return preprocess(self, picture, **options)

        monkeypatch.setattr(images.SharedImageProcessor, "preprocess", fragile)
        require_only_the_culprit_fails(tiny())

    @every_error
    def test_decoding_in_a_thread(self, tiny, raised, monkeypatch):
        from afterimage.models.transformers import images

        decode = images.decode

        def fragile(picture):
            if is_culprit(picture):
                raise raised()
            decode(picture)

        monkeypatch.setattr(images, "decode", fragile)
        require_only_the_culprit_fails(tiny())

    @every_error
    def test_opening(self, tiny, raised, monkeypatch):
        from afterimage.models.transformers import pipeline

        open_picture = pipeline.open_picture

        def fragile(image):
            if image.pixels_sha256 == noise(CULPRIT).pixels_sha256:
                raise raised()
            return open_picture(image)

        monkeypatch.setattr(pipeline, "open_picture", fragile)
        require_only_the_culprit_fails(tiny())

    @every_error
    def test_template_and_tokenizer(self, tiny, raised, monkeypatch):
        from afterimage.models.transformers import pipeline

        prepare = pipeline.prepare

        def fragile(processor, conversations, variables):
            if POISON in str(
                [
                    part.get("text")
                    for turns in conversations
                    for turn in turns
                    for part in turn["content"]
                ]
            ):
                raise raised()
            return prepare(processor, conversations, variables)

        monkeypatch.setattr(pipeline, "prepare", fragile)
        require_only_the_culprit_fails(tiny())

    @every_error
    @pytest.mark.parametrize("batch_size", [1, 8])
    def test_generate(self, tiny, raised, batch_size, tiny_llava, monkeypatch):
        import transformers

        generate = transformers.GenerationMixin.generate
        tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_llava)

        def fragile(self, input_ids=None, **options):
            if any(POISON in text for text in tokenizer.batch_decode(input_ids)):
                raise raised()
            return generate(self, input_ids=input_ids, **options)

        monkeypatch.setattr(transformers.GenerationMixin, "generate", fragile)
        require_only_the_culprit_fails(tiny(batch_size=batch_size))

    @every_error
    @pytest.mark.parametrize("step", ["_encode", "of"])
    def test_vision_features(self, tiny, raised, step, monkeypatch):
        from afterimage.models.transformers import once_per_image

        made = getattr(once_per_image.VisionFeatures, step)

        def fragile(self, pictures):
            pictures = list(pictures)
            if any(map(is_culprit, pictures)):
                raise raised()
            return made(self, pictures)

        monkeypatch.setattr(once_per_image.VisionFeatures, step, fragile)
        require_only_the_culprit_fails(tiny())

    @every_error
    def test_shared_prefix_and_decoding_of_the_answer(self, tiny, raised, monkeypatch):
        from afterimage.models.transformers import once_per_image

        inputs = once_per_image.SharedPrefixes.inputs

        def fragile(self, batch):
            if any(row.request.number == CULPRIT for row in batch.rows):
                raise raised()
            return inputs(self, batch)

        monkeypatch.setattr(once_per_image.SharedPrefixes, "inputs", fragile)
        require_only_the_culprit_fails(tiny())

    def test_a_strip_of_804_by_4_pixels_among_ten(self, tiny_qwen2_vl):
        from afterimage.models.transformers import load

        strip = image_of(np.zeros((4, 804, 3), np.uint8))
        requests = [
            asking(number, strip if number == CULPRIT else noise(number, 64, 64), "what?")
            for number in range(COUNT)
        ]
        outcomes = list(load(entry_for(tiny_qwen2_vl, batch_size=8))(requests))
        assert "aspect ratio" in require_only_the_culprit_fails(outcomes)

    def test_rows_that_do_not_go_together_are_answered_apart(self, tiny, monkeypatch):
        from afterimage.models.transformers import pipeline

        prepare = pipeline.prepare

        def fragile(processor, conversations, variables):
            if len(conversations) > 1:
                raise ValueError("shapes do not fit together")
            return prepare(processor, conversations, variables)

        monkeypatch.setattr(pipeline, "prepare", fragile)
        outcomes = tiny()
        assert len(outcomes) == COUNT and all(isinstance(each, Reply) for each in outcomes)

    def test_an_interrupt_is_no_failure(self, tiny, monkeypatch):
        import transformers

        def interrupted(self, **options):
            raise KeyboardInterrupt

        monkeypatch.setattr(transformers.GenerationMixin, "generate", interrupted)
        with pytest.raises(KeyboardInterrupt):
            tiny()


def raising_for_the_culprit(raised, number):
    if number == CULPRIT:
        raise raised()


class TestReferences:
    """Responders that answer from a suite's code."""

    def requests(self):
        shown = image_of(np.arange(12, dtype=np.uint8).reshape(2, 2, 3))
        metadata = {"item_id": "x", "options": [("a", "A")], "factors": {}}
        return [
            Request(
                number, (Message("user", (shown, str(number))),), {**metadata, "number": number}
            )
            for number in range(COUNT)
        ]

    @every_error
    def test_pixels(self, raised):
        def observer(seen, text):
            raising_for_the_culprit(raised, int(text))
            return "Left."

        answer = pixels.load(ModelEntry("pixels", "pixels", "pixels"), observer)
        require_only_the_culprit_fails(list(answer(self.requests())))

    @every_error
    def test_textbook(self, raised):
        def told(metadata, rule):
            raising_for_the_culprit(raised, metadata["number"])
            return "Left."

        model = ModelEntry("textbook", "textbook", "textbook", settings={"rule": "cued"})
        require_only_the_culprit_fails(list(textbook.load(model, told)(self.requests())))

    def test_chance_without_options(self):
        requests = self.requests()
        requests[CULPRIT].metadata["options"] = []
        model = ModelEntry("chance", "chance", "chance", settings={"seed": 0})
        require_only_the_culprit_fails(list(chance.load(model)(requests)))

    def test_a_picture_that_is_none(self):
        requests = self.requests()
        broken = Message("user", (Image(b"\x89PNG", ""), str(CULPRIT)))
        requests[CULPRIT] = Request(CULPRIT, (broken,))
        answer = pixels.load(ModelEntry("pixels", "pixels", "pixels"), lambda seen, text: "Left.")
        require_only_the_culprit_fails(list(answer(requests)))


class TestApi:
    """Requests that cannot be put together."""

    @every_error
    def test_a_message_that_cannot_be_made(self, raised, monkeypatch, tmp_path):
        from afterimage.models.openai_compatible import asking as module

        chat_json = module.chat_json

        def fragile(model_id, asked_for, *others):
            raising_for_the_culprit(raised, asked_for.number)
            return chat_json(model_id, asked_for, *others)

        monkeypatch.setattr(module, "chat_json", fragile)
        outcome, api = asked(lambda call: completion("Left."), tmp_path, COUNT, concurrency=4)
        assert list(outcome.failures) == [CULPRIT]
        assert len(outcome.replies) == COUNT - 1
        assert len(api.calls) == COUNT - 1

    def test_an_image_of_a_few_bytes(self):
        requests = list(map(request, range(COUNT)))
        requests[CULPRIT] = asking(CULPRIT, Image(b"\x89PNG", "x"), "what?")
        with LoopbackApi(lambda call: completion("Left.")) as api:
            require_only_the_culprit_fails(list(load_api(entry(api.url))(requests)))

    @every_error
    def test_what_a_request_raises_does_not_show_the_key(self, raised, monkeypatch):
        monkeypatch.setenv("SOME_KEY", "sk-very-secret")

        def fragile(*_):
            raise type(raised())("sk-very-secret") if raised is RAISED["ValueError"] else raised()

        monkeypatch.setattr(messages, "_turn", fragile)
        with LoopbackApi(lambda call: completion("Left.")) as api:
            (failure,) = load_api(entry(api.url, {"api_key_env": "SOME_KEY"}))([request(0)])
        assert "very-secret" not in failure.reason


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3), GeneratorExit()])
def test_what_ends_the_job_is_let_through(error):
    with pytest.raises(type(error)):
        reason_of(error, "it failed")


@every_error
def test_a_reason_is_one_short_line_that_says_what_was_raised(raised):
    reason = reason_of(raised(), "it failed")
    assert re.fullmatch(r"it failed \(\S[^\n]{0,200}\)", reason)


def test_a_users_error_is_its_own_sentence():
    assert reason_of(AfterimageError("the image is empty."), "it failed") == "the image is empty."


def test_the_first_error_of_a_kind_is_in_the_log_whole(caplog):
    def observer(seen, text):
        raise KeyError(text)

    answer = pixels.load(ModelEntry("pixels", "pixels", "pixels"), observer)
    with caplog.at_level(logging.ERROR):
        list(answer(TestReferences().requests()))
    assert [record.exc_info is not None for record in caplog.records] == [True]


def test_a_thread_hands_on_what_it_raises():
    """What the transformers backend relies on."""
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(raising_for_the_culprit, RAISED["a panic"], CULPRIT)
        with pytest.raises(PanicException):
            future.result()
