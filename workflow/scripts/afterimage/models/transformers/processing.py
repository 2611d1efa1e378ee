"""A checkpoint's own processor and chat template: how a conversation becomes a prompt."""

import inspect
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from PIL import Image as Pillow

from afterimage.errors import AfterimageError, unknown_name
from afterimage.grading.reasoning import SETTING, is_mark, split
from afterimage.models.interface import Image, Message, Reply
from afterimage.models.transformers.checkpoint import Checkpoint, one_line

logger = logging.getLogger(__name__)

# Pixels of the images on which it is tried whether a processor takes several.
_TRIAL_SIZE = (64, 48)
# Arguments that choose between the library's classes for one image processor.
_WHICH_CLASS = ("backend", "use_fast")


def load_processor(
    checkpoint: Checkpoint, config: Any, settings: Mapping[str, Any], images: int = 1
) -> Any:
    """Load the processor (tokenizer, image processor, chat template) of a checkpoint.

    Args:
        settings: ``processor``, arguments for it such as ``min_pixels``; ``chat_template``, a template to use in
            place of the checkpoint's; ``chat_template_kwargs``, variables of the template.
        images: The most images that a request shows.

    Raises:
        AfterimageError: There is none for images or for so many, it has no chat template, or the template knows no such
            variable.
    """
    import transformers

    try:
        processor = transformers.AutoProcessor.from_pretrained(
            **checkpoint.source, **settings["processor"]
        )
    except ImportError as error:
        if "orchvision" not in str(error):
            raise _unusable(checkpoint, error) from None
        processor = _without_videos(checkpoint, config, settings)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise _unusable(checkpoint, error) from None
    if getattr(processor, "image_processor", None) is None:
        raise AfterimageError(
            f"model_id '{checkpoint.model_id}': its processor ({type(processor).__name__}) takes no images."
        )
    _require_known_arguments(processor, checkpoint, settings["processor"])
    if settings["chat_template"] is not None:
        processor.chat_template = settings["chat_template"]
    variables = settings.get("chat_template_kwargs", {})
    _require_chat_template(processor, checkpoint, variables)
    tokenizer = processor.tokenizer
    tokenizer.padding_side = "left"
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    if images > 1:
        _require_several_images(processor, checkpoint, images, variables)
    return processor


def conversation(
    messages: Sequence[Message], images: Iterable[Any], system_prompt: str | None
) -> list[dict[str, Any]]:
    """Return messages in the form that chat templates take.

    Args:
        images: What stands for its images, in order.
        system_prompt: Put first where the conversation has no system message of its own.
    """
    waiting = iter(images)
    turns = [
        {
            "role": message.role,
            "content": [
                {"type": "image", "image": next(waiting)}
                if isinstance(part, Image)
                else {"type": "text", "text": part}
                for part in message.parts
            ],
        }
        for message in messages
    ]
    if system_prompt is not None and not any(turn["role"] == "system" for turn in turns):
        turns.insert(0, {"role": "system", "content": [{"type": "text", "text": system_prompt}]})
    return turns


def prepare(
    processor: Any, conversations: Sequence[list[dict[str, Any]]], variables: Mapping[str, Any]
) -> Any:
    """Turn conversations into the tensors of one batch, padded on the left.

    Words of a conversation that look like a control token (``<image>``) stay words.

    Args:
        conversations: In the form of :func:`conversation`.
        variables: Of the chat template, beside the conversation.

    Raises:
        Exception: Whatever the template or the processor raises.
    """
    return processor.apply_chat_template(
        list(conversations),
        add_generation_prompt=True,
        tokenize=True,
        return_dict=True,
        return_tensors="pt",
        sanitize_control_tokens=_holds_control_token(processor.tokenizer, conversations),
        processor_kwargs={"padding": True},
        **variables,
    )


def _holds_control_token(tokenizer: Any, conversations: Sequence[list[dict[str, Any]]]) -> bool:
    # Only then: not every tokenizer can keep them apart.
    tokens = set(tokenizer.all_special_tokens) | set(tokenizer.get_added_vocab())
    tokens = {token for token in tokens if token.strip()}
    return any(
        token in part["text"]
        for turns in conversations
        for turn in turns
        for part in turn["content"]
        if part["type"] == "text"
        for token in tokens
    )


def _without_videos(checkpoint: Checkpoint, config: Any, settings: Mapping[str, Any]) -> Any:
    """Load a processor without its video processor, which cannot be had without torchvision and is never used."""
    import transformers
    from transformers.models.auto.processing_auto import PROCESSOR_MAPPING

    whole: Any = PROCESSOR_MAPPING[type(config)]
    options = inspect.signature(whole.__init__).parameters

    class WithoutVideos(whole):
        def __init__(self, **parts: Any) -> None:
            whole.__init__(self, **parts, video_processor=None)

        @classmethod
        def get_attributes(cls) -> list[str]:
            return ["image_processor", "tokenizer"]

    try:
        described, _ = whole.get_processor_dict(**checkpoint.source)
        processor = WithoutVideos(
            image_processor=transformers.AutoImageProcessor.from_pretrained(
                **checkpoint.source, **settings["processor"]
            ),
            tokenizer=transformers.AutoTokenizer.from_pretrained(**checkpoint.source),
            **{
                name: value
                for name, value in described.items()
                if name in options and not name.endswith(("processor", "tokenizer"))
            },
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError, ImportError) as error:
        raise AfterimageError(
            f"model_id '{checkpoint.model_id}': its processor ({whole.__name__}) needs the package torchvision "
            f"({one_line(error)})."
        ) from None
    logger.info("%s without videos, since torchvision is not installed", whole.__name__)
    return processor


def _require_known_arguments(
    processor: Any, checkpoint: Checkpoint, given: Mapping[str, Any]
) -> None:
    """The library passes over arguments that it does not know; a user would never learn of a misspelt one."""
    described = getattr(type(processor.image_processor), "valid_kwargs", None)
    annotations = getattr(described, "__annotations__", None)
    if annotations is None:
        return
    options = inspect.signature(type(processor).__init__).parameters.values()
    named = {option.name for option in options if option.kind is not option.VAR_KEYWORD}
    known = {*annotations, *_WHICH_CLASS, *named} - {
        "self",
        "chat_template",
        *processor.get_attributes(),
    }
    for name in given:
        if name not in known:
            raise unknown_name(
                "key", name, known, f"model_id '{checkpoint.model_id}': setting 'processor'"
            )


def _require_chat_template(
    processor: Any, checkpoint: Checkpoint, variables: Mapping[str, Any]
) -> None:
    if getattr(processor, "chat_template", None) is None:
        # Some keep it with the tokenizer.
        processor.chat_template = getattr(processor.tokenizer, "chat_template", None)
    if processor.chat_template is None:
        raise AfterimageError(
            f"model_id '{checkpoint.model_id}': it has no chat template, so nobody says how a question is put to it; "
            "expected one in the checkpoint or as the setting 'chat_template'."
        )
    _require_known_variables(processor, checkpoint, variables)
    token = getattr(processor, "image_token", None)
    turns = conversation((Message("user", (Image(b"", ""), "?")),), [None], None)
    try:
        prompt = processor.apply_chat_template(
            turns, add_generation_prompt=True, tokenize=False, **variables
        )
    except Exception as error:
        raise AfterimageError(
            f"model_id '{checkpoint.model_id}': its chat template cannot be used ({one_line(error)})."
        ) from None
    if token is not None and token not in prompt:
        raise AfterimageError(
            f"model_id '{checkpoint.model_id}': its chat template leaves images out; expected '{token}' in the prompt "
            "of a question with an image."
        )


def _require_several_images(
    processor: Any, checkpoint: Checkpoint, images: int, variables: Mapping[str, Any]
) -> None:
    """Try a request of so many images: some templates show the first alone, some processors refuse."""
    pictures = [Pillow.new("RGB", _TRIAL_SIZE) for _ in range(images)]
    turns = conversation(
        (Message("user", (*(Image(b"", "") for _ in pictures), "?")),), pictures, None
    )
    token = getattr(processor, "image_token", None)
    try:
        prompt = processor.apply_chat_template(
            turns, add_generation_prompt=True, tokenize=False, **variables
        )
        shown = images if token is None else prompt.count(token)
        if shown >= images:
            prepare(processor, [turns], variables)
            return
        found = f"its chat template shows {shown}"
    except Exception as error:
        found = f"its processor does not take them ({one_line(error)})"
    raise AfterimageError(
        f"model_id '{checkpoint.model_id}': requests show {images} images, and {found}; expected a model that takes as "
        "many."
    )


def _require_known_variables(
    processor: Any, checkpoint: Checkpoint, variables: Mapping[str, Any]
) -> None:
    """A template passes over variables that it does not know; those of the call itself are set here."""
    template = str(processor.chat_template)
    taken = inspect.signature(processor.apply_chat_template).parameters
    for name in variables:
        if name in taken or not re.search(rf"\b{re.escape(name)}\b", template):
            raise AfterimageError(
                f"model_id '{checkpoint.model_id}': setting 'chat_template_kwargs': found '{name}', which is no "
                "variable that its chat template leaves to the user; expected one that stands in it, such as "
                "enable_thinking."
            )


def _unusable(checkpoint: Checkpoint, error: Exception) -> AfterimageError:
    return AfterimageError(
        f"model_id '{checkpoint.model_id}': its processor cannot be loaded ({one_line(error)})."
    )


# ---- marks of reasoning ----
#
# Chat templates that begin an answer with an opened mark of reasoning, such as ``<think>``, and marks that are tokens.
#
# Of such an answer the opening mark stands in the prompt. Where the answer ends at the limit of tokens before the
# closing one, nothing in it tells that all of it is reasoning. Where marks are special tokens (Gemma 4, Magistral),
# they stay in the text, unlike all others: without them reasoning would read as the answer.


def opening_of(processor: Any, settings: Mapping[str, Any]) -> str:
    """Return the last line of a prompt where it leaves reasoning open; else nothing.

    Args:
        settings: The backend's: ``chat_template_kwargs``, ``reasoning``.
    """
    turns = conversation((Message("user", (Image(b"", ""), "?")),), [None], None)
    prompt = processor.apply_chat_template(
        turns,
        add_generation_prompt=True,
        tokenize=False,
        **settings.get("chat_template_kwargs", {}),
    )
    line: str = prompt.rstrip().rpartition("\n")[2]
    return line if split(line, settings.get(SETTING)).answer is None else ""


def marks_of(tokenizer: Any, settings: Mapping[str, Any]) -> dict[int, str]:
    """Return the special tokens of a tokenizer that are marks of reasoning, known ones and the entry's own, by id."""
    configured = settings.get(SETTING)
    pair = tuple(configured.values()) if isinstance(configured, Mapping) else ()
    return {
        number: token.content
        for number, token in tokenizer.added_tokens_decoder.items()
        if token.special and (is_mark(token.content) or token.content in pair)
    }


def decoded(tokenizer: Any, tokens: Sequence[int], marks: Mapping[int, str]) -> str:
    """Return the text of an answer, without special tokens but for ``marks``."""
    parts = (
        marks[tokens_of[0]]
        if mark is not None
        else tokenizer.decode(
            tokens_of, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        for mark, tokens_of in ((mark, list(run)) for mark, run in groupby(tokens, marks.get))
    )
    return "".join(parts)


def without_unfinished(reply: Reply, opening: str, settings: Mapping[str, Any]) -> Reply:
    """Return a reply, as reasoning alone where it was cut off before its reasoning ended.

    Args:
        opening: See :func:`opening_of`.
        settings: The backend's: ``reasoning``.
    """
    is_cut_off = bool(opening) and reply.finish_reason == "length"
    if is_cut_off and split(opening + reply.text, settings.get(SETTING)).answer is None:
        return replace(reply, text="", reasoning=reply.text, scores=None)
    return reply
