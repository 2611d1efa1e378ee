"""Who answers, as one value: how a backend is loaded and what may be done with its answers. Standard library only."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from afterimage.contract.model import ModelEntry
from afterimage.errors import AfterimageError


@dataclass(frozen=True)
class Backend:
    """A way to get answers; the module ``afterimage.models.<name>`` holds it as ``BACKEND``.

    Planning imports that module, so it imports nothing slow outside of functions.

    Attributes:
        load: Takes the model and, where ``suite_part`` names one, that part of the suite (None otherwise); returns the
            function that takes requests and yields replies and failures.
        journaled: Whether answers are kept in the journal. Not those that come at once and for nothing, from code.
        neutral_settings: Settings that cannot change an answer: a journaled one stands whatever they are.
        reference: Whether it is a yardstick and no model: no real judge and no person is shown its answers.
        judged: Whether a real judge is shown its answers all the same: a yardstick for judges.
        judges: Whether it is a reference judge: it votes on reference responders' answers, and answers nothing itself.
        weights_in_folder: Whether ``model_id`` may be a folder of weights: its content decides which answers count.
        shows_what_it_sees: Whether ``afterimage.models.<name>.seen`` shows what a processor leaves of an image.
        loads: Whether a model is loaded, or its server started, before it answers: a job that has done so asks it what
            other jobs would (docs/models.md).
        at_once: Whether it answers without looking at images, a whole suite in a second: one job, and no shards.
        reads_beside: Whether requests hold what stands beside them (item id, figure, options, factors).
        suite_part: The field of a suite, ``observer``, ``textbook`` or ``describer``, whose code answers; None for a
            model.
    """

    load: Callable[[ModelEntry, Any], Any]
    journaled: bool = True
    neutral_settings: tuple[str, ...] = ()
    reference: bool = False
    judged: bool = False
    judges: bool = False
    weights_in_folder: bool = False
    shows_what_it_sees: bool = False
    loads: bool = False
    at_once: bool = False
    reads_beside: bool = False
    suite_part: str | None = None

    def __post_init__(self) -> None:
        """Refuse to keep answers of which the request is not all that they depend on."""
        if self.journaled and self.reads_beside:
            raise ValueError("a backend that reads beside the request is not journaled")


def backend_part(name: str) -> str:
    """Return where a backend is."""
    return f"afterimage.models.{name}:BACKEND"


def eyes_part(name: str) -> str:
    """Return where the function is that loads what a processor leaves of an image, of backends that can show it."""
    return f"afterimage.models.{name}.seen:load_eyes"


def load_backend(name: str) -> Backend:
    """Return a backend by its name.

    Raises:
        AfterimageError: Its module holds none.
    """
    module, _, value = backend_part(name).partition(":")
    backend = vars(import_module(module)).get(value)
    if not isinstance(backend, Backend):
        raise AfterimageError(
            f"backend '{name}': {module} holds no BACKEND; expected BACKEND = Backend(load, ...)."
        )
    return backend
