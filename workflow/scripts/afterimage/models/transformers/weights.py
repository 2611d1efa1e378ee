"""Loads the model: its weights, in the configured precision and on the configured devices."""

import json
import logging
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from afterimage.command_line import install
from afterimage.errors import AfterimageError
from afterimage.files.checkpoint_folder import ADAPTER_CONFIG
from afterimage.models.transformers.checkpoint import Checkpoint, one_line
from afterimage.models.weights import HUB_ID, Adapter

logger = logging.getLogger(__name__)


def require_quantisation(settings: Mapping[str, Any]) -> None:
    """Make sure that bitsandbytes is installed if the settings require quantisation.

    Raises:
        AfterimageError: It is not installed.
    """
    if settings["quantization"] is not None and find_spec("bitsandbytes") is None:
        raise AfterimageError(
            f"setting 'quantization': '{settings['quantization']}' needs the package bitsandbytes, which is not "
            f"installed; run `{install('bitsandbytes')}` in the environment of this job."
        )


def load_model(checkpoint: Checkpoint, config: Any, settings: Mapping[str, Any]) -> Any:
    """Load the weights and return the model, ready to answer.

    Args:
        settings: ``dtype``, ``quantization``, ``attn_implementation``, ``device_map``.

    Raises:
        AfterimageError: They cannot be loaded, are incomplete, or do not fit on the GPUs.
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
    devices = set(map(str, getattr(model, "hf_device_map", {}).values()))
    if devices & {"cpu", "disk"} and devices - {"cpu", "disk"}:
        raise AfterimageError(
            f"model_id '{checkpoint.model_id}': its weights do not fit on the GPUs together; expected more or larger "
            "GPUs (resources: gpu), a smaller dtype or the setting 'quantization'; 'device_map: auto' puts the rest "
            "into main memory and is slow."
        )


# ---- an adapter, by peft ----
#
# Its fit is checked before the checkpoint's weights are read.

_KIND = "LORA"
#: Supported keys of an adapter's configuration: they define the model, or only concern training. Any other key that is
#: set, such as one of a later peft version, could make a different, untested model.
_UNDERSTOOD = {
    *("peft_type", "task_type", "base_model_name_or_path", "revision", "auto_mapping"),
    *("r", "lora_alpha", "rank_pattern", "alpha_pattern", "use_rslora", "use_dora", "lora_bias"),
    *("target_modules", "exclude_modules", "target_parameters", "layers_to_transform"),
    *("layers_pattern", "modules_to_save", "trainable_token_indices", "ensure_weight_tying"),
    *("bias", "fan_in_fan_out", "inference_mode", "lora_dropout", "init_lora_weights"),
    *("loftq_config", "eva_config", "runtime_config", "peft_version"),
    # Without effect unless another key is set.
    *("megatron_core", "qalora_group_size"),
}
#: Initialisations that leave the checkpoint's own weights unchanged.
_PLAIN_BEGINNINGS = (None, True, False, "gaussian", "orthogonal", "eva")


def require_fitting(adapter: Adapter, checkpoint: Checkpoint, config: Any) -> None:
    """Make sure that an adapter can be put on a checkpoint; neither the checkpoint's weights nor a device are needed.

    Raises:
        AfterimageError: peft is not installed, the adapter is of a kind that is not understood here, or one of its
            weights has no place in the model, or another shape than its place.
    """
    if find_spec("peft") is None:
        raise AfterimageError(
            f"{adapter}: needs the package peft, which is not installed; run `{install('[transformers,adapters]')}` in "
            "the environment of this job."
        )
    import peft
    import torch
    import transformers

    adapter_config = _configuration(adapter)
    _note_base(adapter_config.get("base_model_name_or_path"), adapter, checkpoint)
    with torch.device("meta"):
        model = transformers.AutoModelForImageTextToText.from_config(config)
    location = f"{adapter} on model_id '{checkpoint.model_id}'"
    try:
        chosen = peft.LoraConfig.from_pretrained(str(adapter.folder))
        chosen.inference_mode = True
        adapted = peft.PeftModel(model, chosen, low_cpu_mem_usage=True)
        found = adapted.load_adapter(
            str(adapter.folder), "default", torch_device="cpu", low_cpu_mem_usage=True
        )
    except Exception as error:
        # The library has no common class for what may be wrong with a file, or with its place.
        raise AfterimageError(f"{location}: does not fit ({_shape(error)}).") from None
    for what, names in (
        ("the model has no place for its weights", found.unexpected_keys),
        ("it lacks the weights", found.missing_keys),
    ):
        if names:
            first, *others = sorted(names)
            raise AfterimageError(
                f"{location}: does not fit: {what} '{first}' and {len(others)} others; "
                "expected an adapter of this checkpoint."
            )


def adapted(model: Any, adapter: Adapter, is_merged: bool) -> Any:
    """Return a loaded model with an adapter that fits: the same class, with what the adapter adds to its layers.

    Args:
        is_merged: Whether it is added to the weights, in their precision, instead of computed separately.
    """
    import peft

    wrapped = peft.PeftModel.from_pretrained(model, str(adapter.folder), use_safetensors=True)
    whole = wrapped.merge_and_unload() if is_merged else wrapped.get_base_model()
    logger.info("%s is %s the weights", adapter, "merged into" if is_merged else "computed beside")
    return whole.eval()


def _configuration(adapter: Adapter) -> dict[str, Any]:
    """Return an adapter's configuration, with supported keys only."""
    where = f"{adapter}: {ADAPTER_CONFIG}"
    try:
        content = json.loads((adapter.folder / ADAPTER_CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise AfterimageError(f"{where} cannot be read ({one_line(error)}).") from None
    kind = content.get("peft_type") if isinstance(content, dict) else None
    if kind != _KIND:
        raise AfterimageError(f"{where}: found 'peft_type' {kind!r}; expected '{_KIND}'.")
    for key, value in content.items():
        if key not in _UNDERSTOOD and value not in (None, False, "", [], {}):
            raise AfterimageError(
                f"{where}: found '{key}' set, which makes another model of it than this backend knows; expected none."
            )
    begun = content.get("init_lora_weights")
    if begun not in _PLAIN_BEGINNINGS:
        raise AfterimageError(
            f"{where}: found 'init_lora_weights' {begun!r}, which is put on other weights than the checkpoint's; "
            "expected an adapter that peft has converted (path_initial_model_for_weight_conversion of save_pretrained)."
        )
    return dict(content)


def _note_base(trained_on: str | None, adapter: Adapter, checkpoint: Checkpoint) -> None:
    """Warn if an adapter was trained on another repository; a mirror may have the same weights."""
    is_repository = checkpoint.commit is not None and HUB_ID.fullmatch(trained_on or "")
    if is_repository and trained_on != checkpoint.model_id:
        logger.warning(
            "%s was trained on '%s', by its own account, and is put on '%s'; are these the same weights?",
            *(adapter, trained_on, checkpoint.model_id),
        )


def _shape(error: Exception) -> str:
    """Return the line about mismatched sizes, or else the first line of the error."""
    lines = [line.strip() for line in str(error).splitlines() if "size mismatch" in line]
    return lines[0] if lines else one_line(error)
