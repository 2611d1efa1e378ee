"""A vision-language model of the library transformers, on this machine's GPUs or CPU."""

from importlib.util import find_spec

from afterimage.command_line import install
from afterimage.contract.model import MERGED, Backend, ModelEntry
from afterimage.errors import AfterimageError
from afterimage.models.interface import Answer
from afterimage.models.weights import find_adapter

_PACKAGES = ("torch", "transformers")


def load(entry: ModelEntry, part: None = None) -> Answer:
    """Load a checkpoint and return what answers with it.

    Args:
        entry: The model; ``model_id`` is a repository of the hub or a folder.

    Raises:
        AfterimageError: A package is missing, or the checkpoint or its adapter cannot be found, the checkpoint is no
            vision-language model, has no chat template, takes fewer images than a request shows, or does not fit into
            the GPUs' memory, or the adapter does not fit the checkpoint.
    """
    settings = entry.settings
    require_packages()
    # What takes long to import is imported only when something is asked.
    from afterimage.models.transformers.checkpoint import (
        find_checkpoint,
        require_memory,
        require_vision_language_model,
    )
    from afterimage.models.transformers.processing import load_processor
    from afterimage.models.transformers.weights import (
        adapted,
        load_model,
        require_fitting,
        require_quantisation,
    )

    require_quantisation(settings)
    checkpoint = find_checkpoint(entry)
    adapter = find_adapter(entry)
    be_quiet()
    config = require_vision_language_model(checkpoint)
    processor = load_processor(checkpoint, config, settings, entry.images)
    require_memory(checkpoint, config, settings)
    if adapter is not None:
        require_fitting(adapter, checkpoint, config)
    model = load_model(checkpoint, config, settings)
    if adapter is not None:
        model = adapted(model, adapter, settings[MERGED])
    from afterimage.models.transformers.generation import answering

    # First the hash of what lies in folders, by which journaled answers are compared.
    local = entry.content or (checkpoint.revision if checkpoint.commit is None else None)
    versions = (local, checkpoint.commit, adapter.commit if adapter else None)
    return answering(model, processor, settings, "+".join(filter(None, versions)))


def require_packages() -> None:
    """Make sure that the libraries are installed.

    Raises:
        AfterimageError: One is not; says how to install them.
    """
    missing = [name for name in _PACKAGES if find_spec(name) is None]
    if missing:
        raise AfterimageError(
            f"backend 'transformers' needs the packages {' and '.join(_PACKAGES)}, of which {' and '.join(missing)} "
            f"cannot be found; run `{install('[transformers]')}` in the environment of this job."
        )


def be_quiet() -> None:
    """Keep progress bars and advice to programmers out of the job's log."""
    import transformers

    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()


# How large batches are and where the weights lie change answers by rounding at most (docs/models.md);
# ``one_at_a_time``, which excludes even that, is part of an answer's key.
BACKEND = Backend(
    load,
    neutral_settings=("batch_size", "device_map"),
    weights_in_folder=True,
    shows_what_it_sees=True,
    loads=True,
)
