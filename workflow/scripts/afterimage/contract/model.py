"""A model of a study, as one value that planning makes and backends are handed, and the backend that answers for it.

Standard library only."""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

from afterimage.contract.stimulus import Json
from afterimage.errors import AfterimageError

#: Backends of the reference responders. Describers are not among them: their words are there to be judged.
REFERENCE_BACKENDS = ("chance", "pixels", "textbook")
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
        revision: A fixed version of it; None if the entry names none.
        settings: Decoding and whatever else can change an answer, complete by the backend's schema.
        client: How it is asked, as far as that cannot change an answer.
        serve: How its server is started, its command (a setting) apart; nothing for a model with another backend.
        resources: What its jobs need: threads, mem_mb, runtime in minutes, gpu, ...
        shard_size: Stimuli per inference job.
        image_tokens: Tokens of a prompt that an image takes, or the name of its provider's rule; None if unknown.
        prices_of: The day of the prices in ``client``, as YYYY-MM-DD; None if unknown.
        currency: Of the prices, as three letters.
        served: Where it can be asked and until when, for readers; None if the entry does not say.
        family: The entry of which it is another effort; None for an entry of its own.
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
        """Return a copy of the entry with some settings replaced."""
        return replace(self, settings={**self.settings, **settings})


def model_of(name: str, answering: Mapping[str, Any], asking: str = "{}") -> ModelEntry:
    """Return a job's model.

    Args:
        name: Its name in the study.
        answering: What can change its answers, as :meth:`ModelEntry.answering` gives it.
        asking: How it is asked, as :meth:`ModelEntry.asking` gives it.
    """
    return ModelEntry(name, **answering, **json.loads(asking))


# ---- Names of models ----

# Whether the model that answered is the model that was asked, by the names that servers give in their replies.
#
# Names of one model differ: providers add a date (``gpt-4o-2024-11-20`` for ``gpt-4o``), a number of a version, their
# own name (``openai/gpt-4o``) or the folder of a checkpoint. Two dates that differ are two models. Standard library
# only.

#: In a grade's ``readings``, of an answer by another model: its name.
ANSWERED_BY = "answered_by"
#: Settings of a model's entry: what becomes of such answers, and further names of the model.
ON_OTHER_MODEL, ALSO_NAMED = "on_other_model", "also_named"
REFUSE = "refuse"
#: Backends whose replies name the model; of others a revision is a version of the weights.
_NAMING = ("openai_compatible", "served")
# What names weights, and no model: a commit or another hash, a branch, a number of a version.
_NO_NAME = re.compile(
    r"(sampled-)?sha256-[0-9a-f]+(\+.*)?|[0-9a-f]{7,64}|main|master"
    r"|v?\d+([._-](\d+|(alpha|beta|rc|preview)\d*))*",
    re.IGNORECASE,
)
# A provider's name and region before a dot, which have no numbers of versions: ``us.anthropic.``.
_PROVIDER = re.compile(r"([a-z-]{2,}\.)+")
_VERSION = re.compile(
    r"[-@](?P<date>\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4}|\d{3}|latest)(-v\d+(:\d+)?)?$"
)
_TAGS = (":latest", ":free", ".gguf")


def is_other_model(requested: str, answered: str | None, also_named: Collection[str] = ()) -> bool:
    """Tell whether a reply names another model than was asked.

    Args:
        requested: The name by which it was asked.
        answered: The name in the reply; None if it names none.
        also_named: Further names of the model that was asked.
    """
    if answered is None or answered in also_named or _NO_NAME.fullmatch(answered):
        return False
    (named, date), (other, other_date) = _parts(requested), _parts(answered)
    if date and other_date and date != other_date:
        return True
    # A provider's name precedes a slash or a dot.
    return not (named == other or _is_of_provider(named, other) or _is_of_provider(other, named))


def _is_of_provider(name: str, plain: str) -> bool:
    return bool(plain) and name.endswith(plain) and bool(_PROVIDER.fullmatch(name[: -len(plain)]))


def other_model(row: Mapping[str, Any]) -> str | None:
    """Return which other model gave the answer in a row with a reply's columns; None for the one that was asked."""
    if row.get("backend") not in _NAMING or row.get("text") is None:
        return None
    name: str | None = row.get("revision")
    return name if is_other_model(row["model_id"], name) else None


def noting_others(rows: Iterable[dict[str, Any]], counts: Counter[str]) -> Iterator[dict[str, Any]]:
    """Yield rows with the columns of a reply as they are, and count in ``counts`` which other models gave them."""
    for row in rows:
        counts.update(filter(None, [other_model(row)]))
        yield row


def refuses(backend: str, model_id: str, settings: Mapping[str, Any], answered: str | None) -> bool:
    """Tell whether an answer does not count, since a model's entry refuses those of others."""
    return (
        settings.get(ON_OTHER_MODEL) == REFUSE
        and backend in _NAMING
        and is_other_model(model_id, answered, settings.get(ALSO_NAMED) or ())
    )


def by_others(counts: Mapping[str, Mapping[str, int]]) -> str:
    """Return which models' answers other models gave, and how many, in one sentence; "" for none.

    Args:
        counts: For each model, the names of others and how many of its answers each gave.
    """
    parts = [
        f"{count:,} of {model} by {name}"
        for model, names in counts.items()
        for name, count in names.items()
    ]
    return (
        f"Answers that another model gave, as the server says: {'; '.join(parts)}." if parts else ""
    )


def _parts(name: str) -> tuple[str, str]:
    """Return a name without provider, date and case, and the date; "" if there is none."""
    plain = name.strip().rstrip("/").rpartition("/")[2].lower().replace("_", "-")
    for tag in _TAGS:
        plain = plain.removesuffix(tag)
    version = _VERSION.search(plain)
    if version is None:
        return plain, ""
    date = version["date"].replace("-", "")
    return plain[: version.start()], "" if date == "latest" else date


# ---- Backends ----


@dataclass(frozen=True)
class Backend:
    """A way to get answers; the module ``afterimage.models.<name>`` holds it as ``BACKEND``.

    Planning imports that module, so it imports nothing slow outside of functions.

    Attributes:
        load: Takes the model and, where ``suite_part`` names one, that part of the suite (None otherwise); returns the
            function that takes requests and yields replies and failures.
        journaled: Whether answers are kept in the journal. Not those that come at once and for nothing, from code.
        neutral_settings: Settings that cannot change an answer: journaled answers stay valid whatever they are.
        reference: Whether it is a yardstick and no model: no real judge and no person is shown its answers.
        judged: Whether a real judge is shown its answers all the same: a yardstick for judges.
        judges: Whether it is a reference judge: it votes on reference responders' answers, and answers nothing itself.
        weights_in_folder: Whether ``model_id`` may be a folder of weights: its content decides which answers count.
        shows_what_it_sees: Whether ``afterimage.models.<name>.seen`` shows what a processor leaves of an image.
        loads: Whether a model is loaded, or its server started, before it answers: a job that has done so asks it what
            other jobs would (docs/models.md).
        at_once: Whether it answers without looking at images, a whole suite in a second: one job, and no shards.
        reads_metadata: Whether requests carry their metadata (item id, figure, options, factors).
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
    reads_metadata: bool = False
    suite_part: str | None = None

    def __post_init__(self) -> None:
        """Refuse to journal answers that depend on more than their request."""
        if self.journaled and self.reads_metadata:
            raise ValueError("a backend that reads the metadata of requests is not journaled")


def backend_part(name: str) -> str:
    """Return the reference of a backend's value, ``package.module:name``."""
    return f"afterimage.models.{name}:BACKEND"


def eyes_part(name: str) -> str:
    """Return the reference of the function that loads a model's processor, of backends that can show what it leaves."""
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
