"""A model of a study, as one value: what planning makes of a registry's entry and backends are handed."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from afterimage.contract.stimulus import Json

#: The setting that names an adapter on the checkpoint: a folder, or a repository and, behind an @, its revision.
ADAPTER = "adapter"
#: The setting that says by which name a server is asked for the model, where that is not ``model_id``.
ASKED_AS = "asked_as"
#: Of an entry with an adapter, whether it is added to the weights.
MERGED = "merge_adapter"


def _no_tokens() -> tuple[int, int]:
    return 0, 0


def _always() -> bool:
    return True


@dataclass(frozen=True)
class ModelEntry:
    """A model's complete entry, and what a job adds to it (docs/registry.md).

    Attributes:
        name: The model's name in the study, also of its folder in the journal.
        backend: Who asks it: a module of ``afterimage.models``.
        model_id: Its name for the backend, such as a repository or an API's name.
        revision: A fixed version of it; None where the entry names none.
        settings: Decoding and whatever else can change an answer, complete by the backend's schema.
        client: How it is asked, as far as that cannot change an answer.
        serve: How its server is started, its command (a setting) apart; nothing for a model with another backend.
        resources: What its jobs need: threads, mem_mb, runtime in minutes, gpu, ...
        shard_size: Stimuli per inference job.
        image_tokens: Tokens of a prompt that an image takes, or the name of its provider's rule; None where unknown.
        prices_of: The day of the prices in ``client``, as YYYY-MM-DD; None where unknown.
        currency: Of the prices, as three letters.
        served: Where it can be asked and until when, for readers; None where the entry does not say.
        family: The entry that it is with another effort; None for an entry that stands for itself.
        effort: How much it thinks: none, low, medium, high or a budget in tokens; None as its settings have it.
        answers: The file of its recorded answers, schema RECORDED_ANSWER; empty for models that are asked.
        images: The most images that a request of the job shows.
        content: The hash of the folder of weights that ``model_id`` names, where a job has worked it out.
        tokens_so_far: Tells the prompt and completion tokens of the answers that a job has already, from the journal
            or from the model, and how many of the prompts' a cache had or got; asked whenever requests are handed over,
            since they count towards ``max_cost``.
        still_ours: Tells whether what is being asked is still this job's to ask: while it was suspended, another one
            may have taken over. Asked before each attempt.
    """

    name: str
    backend: str
    model_id: str
    revision: str | None = None
    settings: Json = field(default_factory=dict)
    client: Json = field(default_factory=dict)
    serve: Json = field(default_factory=dict)
    resources: Json = field(default_factory=dict)
    shard_size: int = 1
    image_tokens: int | str | None = None
    prices_of: str | None = None
    currency: str = "USD"
    served: str | None = None
    family: str | None = None
    effort: str | int | None = None
    answers: str = ""
    images: int = 1
    content: str | None = None
    tokens_so_far: Callable[[], tuple[int, ...]] = _no_tokens
    still_ours: Callable[[], bool] = _always

    def answering(self) -> dict[str, Any]:
        """Return what of the entry can change answers, as plain values: what the journal's keys hold."""
        named = {"backend": self.backend, "model_id": self.model_id, "revision": self.revision}
        return {**named, "settings": self.settings}

    def asking(self, share: float) -> str:
        """Return how a job asks the model, as JSON: what cannot change an answer, so no job depends on it.

        Args:
            share: The job's part of ``max_cost``, from 0 to 1.
        """
        client = dict(self.client)
        if "max_cost" in client:
            client["max_cost"] *= share
        return json.dumps({"client": client, "serve": dict(self.serve)}, sort_keys=True)

    def with_settings(self, **settings: Any) -> "ModelEntry":
        """Return the entry with some settings of other values."""
        return replace(self, settings={**self.settings, **settings})


def model_of(name: str, answering: Mapping[str, Any], asking: str = "{}") -> ModelEntry:
    """Return a job's model.

    Args:
        name: Its name in the study.
        answering: What can change its answers, as :meth:`ModelEntry.answering` gives it.
        asking: How it is asked, as :meth:`ModelEntry.asking` gives it.
    """
    return ModelEntry(name, **answering, **json.loads(asking))
