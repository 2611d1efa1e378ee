"""The model itself: its weights in memory, in the precision and on the devices that the settings say."""

import logging
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from afterimage.command_line import install
from afterimage.errors import AfterimageError
from afterimage.models.transformers.checkpoint import Checkpoint, one_line

logger = logging.getLogger(__name__)


def require_quantisation(settings: Mapping[str, Any]) -> None:
    """Make sure that what quantises is installed, if the settings ask for it.

    Raises:
        AfterimageError: It is not.
    """
    if settings["quantization"] is not None and find_spec("bitsandbytes") is None:
        raise AfterimageError(
            f"setting 'quantization': '{settings['quantization']}' needs the package bitsandbytes, which is not "
            f"installed; run `{install('bitsandbytes')}` in the environment of this job."
        )


def load_model(checkpoint: Checkpoint, config: Any, settings: Mapping[str, Any]) -> Any:
    """Load the weights and return the model, ready to answer.

    Args:
        checkpoint: Where they are.
        config: The checkpoint's configuration.
        settings: ``dtype``, ``quantization``, ``attn_implementation``, ``device_map``.

    Raises:
        AfterimageError: They cannot be loaded, are not all there, or do not fit on the GPUs.
    """
    import transformers

    options = {
        "dtype": settings["dtype"],
        "device_map": _device_map(settings["device_map"]),
        "attn_implementation": settings["attn_implementation"],
        "quantization_config": _quantisation(settings),
    }
    try:
        model, found = transformers.AutoModelForImageTextToText.from_pretrained(
            **checkpoint.source,
            config=config,
            output_loading_info=True,
            use_safetensors=True,
            **{name: value for name, value in options.items() if value is not None},
        )
    except (OSError, ValueError, ImportError, RuntimeError, KeyError) as error:
        raise AfterimageError(
            f"model_id '{checkpoint.model_id}': the model cannot be loaded ({one_line(error)})."
        ) from None
    if found["missing_keys"]:
        first, *others = sorted(found["missing_keys"])
        raise AfterimageError(
            f"model_id '{checkpoint.model_id}': its files lack the weights '{first}' and {len(others)} others; a model "
            "with random weights in their place would answer at random."
        )
    if settings["device_map"] is None:
        _require_on_accelerators(model, checkpoint)
    logger.info(
        "%s at %s: %s in %s with %s attention on %s",
        checkpoint.model_id,
        checkpoint.revision,
        type(model).__name__,
        str(model.dtype).removeprefix("torch."),
        model.config._attn_implementation,
        ", ".join(sorted({str(part.device) for part in model.parameters()})),
    )
    return model.eval()


def _device_map(chosen: Any) -> Any:
    import torch

    if chosen is None:
        return "auto" if torch.cuda.is_available() else None
    return chosen


def _quantisation(settings: Mapping[str, Any]) -> Any:
    if settings["quantization"] is None:
        return None
    import torch
    import transformers

    if settings["quantization"] == "8bit":
        return transformers.BitsAndBytesConfig(load_in_8bit=True)
    dtype = torch.bfloat16 if settings["dtype"] == "auto" else getattr(torch, settings["dtype"])
    return transformers.BitsAndBytesConfig(
        load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=dtype
    )


def _require_on_accelerators(model: Any, checkpoint: Checkpoint) -> None:
    places = set(map(str, getattr(model, "hf_device_map", {}).values()))
    if places & {"cpu", "disk"} and places - {"cpu", "disk"}:
        raise AfterimageError(
            f"model_id '{checkpoint.model_id}': its weights do not fit on the GPUs together; expected more or larger "
            "GPUs (resources: gpu), a smaller dtype or the setting 'quantization'; 'device_map: auto' puts the rest "
            "into main memory and is slow."
        )
