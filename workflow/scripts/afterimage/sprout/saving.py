"""A trained model as a checkpoint folder, as `save_pretrained` leaves it: half precision, processor, chat template."""

from os import PathLike
from pathlib import Path

import torch
from transformers import LlavaForConditionalGeneration, LlavaProcessor, PreTrainedTokenizerFast
from transformers.models.siglip.image_processing_pil_siglip import SiglipImageProcessorPil

from afterimage.sprout.recipe import Network
from afterimage.sprout.tokens import CHAT_TEMPLATE

_BICUBIC = 3


def save_checkpoint(
    model: LlavaForConditionalGeneration,
    tokenizer: PreTrainedTokenizerFast,
    network: Network,
    folder: str | PathLike[str],
) -> None:
    """Write a checkpoint; the model is rounded to half precision on the way."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    model.to(torch.float16).save_pretrained(folder)
    images = SiglipImageProcessorPil(
        size={"height": network.side, "width": network.side},
        resample=_BICUBIC,
        image_mean=[network.mean] * 3,
        image_std=[network.deviation] * 3,
    )
    LlavaProcessor(
        images,
        tokenizer,
        patch_size=network.patch,
        vision_feature_select_strategy="full",
        chat_template=CHAT_TEMPLATE,
    ).save_pretrained(folder)
