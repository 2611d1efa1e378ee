"""Which checkpoint a model's entry means, and whether it can be run here; asked before any weight is read."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from afterimage.contract.model import ModelEntry
from afterimage.errors import AfterimageError
from afterimage.models.weights import HUB_ID, hub_file, sampled_sha256

_GIB = 2**30
#: What is left of the GPUs' memory for images, keys and values, as a share of the weights.
_SPARE_SHARE = 0.05
_BITS = {"4bit": 4, "8bit": 8}


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint that exists.

    Attributes:
        model_id: A repository's id on the hub, or a folder.
        commit: The commit of the repository; None for a folder.
        revision: How its version is reported: the commit, or a hash of the folder's files.
    """

    model_id: str
    commit: str | None
    revision: str

    @property
    def source(self) -> dict[str, Any]:
        """The arguments of ``from_pretrained`` that name it; no code of a repository is ever run."""
        named = {"pretrained_model_name_or_path": self.model_id, "trust_remote_code": False}
        return named if self.commit is None else {**named, "revision": self.commit}


def find_checkpoint(entry: ModelEntry) -> Checkpoint:
    """Find the checkpoint that an entry names: a folder, or a repository of the hub at a revision.

    Of a repository, its configuration is fetched if it is not on this machine.

    Raises:
        AfterimageError: There is no such folder, repository or revision, or it cannot be reached.
    """
    folder = Path(entry.model_id).expanduser()
    if folder.is_dir():
        return _in_folder(folder, entry.content)
    if not HUB_ID.fullmatch(entry.model_id):
        raise AfterimageError(
            f"model_id '{entry.model_id}': no such folder; expected a folder with a checkpoint or a repository "
            "id such as 'organisation/name'."
        )
    return _on_hub(entry.model_id, entry.revision)


def require_vision_language_model(checkpoint: Checkpoint) -> Any:
    """Return the checkpoint's configuration, a ``PreTrainedConfig``.

    Raises:
        AfterimageError: It cannot be read, its code is not in transformers, or the model takes no images.
    """
    import transformers
    from transformers.models.auto.modeling_auto import (
        MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES as KNOWN,
    )

    try:
        config = transformers.AutoConfig.from_pretrained(**checkpoint.source)
    except Exception as error:
        # The library has no common class for what may be wrong with a file.
        if "trust_remote_code" in str(error) or "does not recognize" in str(error):
            raise AfterimageError(
                f"model_id '{checkpoint.model_id}': its code is not in transformers {transformers.__version__}; "
                "expected a model that is. Code from a repository is never run; ask such a model through a server."
            ) from None
        raise AfterimageError(
            f"model_id '{checkpoint.model_id}': its config.json cannot be used ({one_line(error)})."
        ) from None
    if config.model_type not in KNOWN:
        raise AfterimageError(
            f"model_id '{checkpoint.model_id}': found a model of type '{config.model_type}', which takes no images; "
            "expected a vision-language model (AutoModelForImageTextToText)."
        )
    return config


def require_memory(checkpoint: Checkpoint, config: Any, settings: Mapping[str, Any]) -> None:
    """Make sure that the weights fit into the GPUs that this job sees, where it sees any.

    Nothing is said about weights that are quantised in the checkpoint itself, nor where the user decides what lies
    where (``device_map``).

    Raises:
        AfterimageError: They do not fit.
    """
    import torch

    if not torch.cuda.is_available() or settings["device_map"] not in (None, "auto"):
        return
    if getattr(config, "quantization_config", None):
        return
    needed = weight_bytes(config, settings["dtype"], settings["quantization"])
    free = sum(torch.cuda.mem_get_info(device)[0] for device in range(torch.cuda.device_count()))
    if needed * (1 + _SPARE_SHARE) > free:
        raise AfterimageError(
            f"model_id '{checkpoint.model_id}': its weights take {needed / _GIB:.1f} GiB, and "
            f"{free / _GIB:.1f} GiB are free on {torch.cuda.device_count()} GPU(s); expected more or larger GPUs "
            "(resources: gpu), a smaller dtype, the setting 'quantization', or 'device_map: cpu'."
        )


def weight_bytes(config: Any, dtype: str, quantization: str | None) -> int:
    """Return how much memory the weights take, from the configuration alone."""
    import torch
    import transformers

    with torch.device("meta"):
        model = transformers.AutoModelForImageTextToText.from_config(config)
    stored = getattr(config, "dtype", None) or torch.float32
    unquantised = (stored if dtype == "auto" else getattr(torch, dtype)).itemsize
    size: dict[int, float] = {}
    for module in model.modules():
        # Quantisation is of linear layers; embeddings and norms stay as they are.
        is_linear = (
            isinstance(module, torch.nn.Linear) and module is not model.get_output_embeddings()
        )
        bytes_per_weight = _BITS[quantization] / 8 if quantization and is_linear else unquantised
        # By identity: tied weights are there once.
        size.update(
            (id(part), bytes_per_weight * part.numel()) for part in module.parameters(recurse=False)
        )
    return int(sum(size.values()))


def one_line(error: Exception) -> str:
    """Return the first line of what an error says, shortened."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = lines[0] if lines else type(error).__name__
    return text if len(text) <= 200 else f"{text[:197]}..."


def _in_folder(folder: Path, content: str | None) -> Checkpoint:
    if not (folder / "config.json").is_file():
        raise AfterimageError(
            f"model_id '{folder}': the folder has no config.json; expected a checkpoint as save_pretrained writes it."
        )
    return Checkpoint(str(folder), None, content or sampled_sha256(folder))


def _on_hub(model_id: str, revision: str | None) -> Checkpoint:
    expected = "expected a checkpoint for transformers"
    config = hub_file("model_id", model_id, revision, "config.json", expected)
    # .../snapshots/<commit>/config.json
    commit = Path(config).parent.name
    return Checkpoint(model_id, commit, commit)
