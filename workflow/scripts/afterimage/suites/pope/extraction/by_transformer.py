"""Lexicon hits that a transformer calls nouns, or what else its labels say (optional; the blog's section 5).

A checkpoint for token classification, a folder or a repository at a commit, labels the words of a caption. It narrows
the closed vocabulary and never widens it: what it calls an object has no key to be graded by unless the lexicon knows
it. What it lacks is found before its weights are read: in a folder when the study is planned, in a repository when its
configuration has been fetched.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from afterimage.command_line import install
from afterimage.errors import AfterimageError, config_path, fault
from afterimage.files.checkpoint_folder import (
    content_sha256,
    read_files,
    require_no_pickles,
)
from afterimage.suites.pope.extraction import by_lexicon
from afterimage.suites.pope.language import English, Lexicon
from afterimage.suites.pope.record import Mention

NAME = "transformer"
MODULE = PACKAGE = "transformers"

#: Labels of nouns: of Universal Dependencies, and of the Penn Treebank.
NOUNS = ("NOUN", "PROPN", "NN", "NNS", "NNP", "NNPS")
PACKAGES = ("torch", "transformers")

#: From a text to the spans (start, end) that carry one of the labels.
FindSpans = Callable[[str], list[tuple[int, int]]]

_KEY = config_path("suites.pope.transformer")
_REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")
_COMMIT = re.compile(r"[0-9a-f]{40}")
# Where a name begins and goes on, in the schemes of entity recognition.
_PART_OF_NAME = re.compile(r"[BIESLU]-")
# Words that two pieces of a long text share.
_STRIDE = 32
_MAX_LABELS_NAMED = 12


def require(spec: Mapping[str, Any]) -> None:
    """Check all that can be known without reading weights or fetching anything.

    Args:
        spec: ``checkpoint``, ``revision`` and ``labels`` of the settings.

    Raises:
        AfterimageError: A package, the folder, its weights or its labels are missing, or a repository has no commit.
    """
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise fault(
            config_path("suites.pope.extraction"),
            "'transformer' needs the packages torch and transformers, of which "
            f"{' and '.join(missing)} cannot be found; run `{install('[transformers]')}` or take 'lexicon', which "
            "needs none.",
        )
    checkpoint, revision = spec["checkpoint"], spec["revision"]
    if not checkpoint:
        raise fault(
            _KEY.below(".checkpoint"),
            "extraction 'transformer' needs a checkpoint for token classification; expected a "
            "folder, or a repository such as organisation/name.",
        )
    folder = _folder(checkpoint)
    if folder is not None:
        _require_folder(folder, revision)
        object_labels(_labels_of_folder(folder), spec["labels"], f"folder '{checkpoint}'")
    elif not _COMMIT.fullmatch(revision):
        raise fault(
            _KEY.below(".revision"),
            f"found '{revision}' for repository '{checkpoint}'; expected the 40 digits of a commit, "
            "which always means the same weights.",
        )


def object_labels(known: Iterable[str], wanted: Iterable[str], where: str) -> frozenset[str]:
    """Return which of a checkpoint's labels mark objects.

    Args:
        known: The checkpoint's labels, with or without ``B-`` and ``I-`` before them.
        wanted: Those that the settings name; none for those of nouns.

    Raises:
        AfterimageError: The checkpoint has none of the nouns' labels, or lacks one that is named.
    """
    bare = list(dict.fromkeys(_PART_OF_NAME.sub("", label, count=1) for label in known))
    named = list(wanted)
    lacking = [label for label in named if label not in bare]
    chosen = frozenset(bare) & frozenset(named or NOUNS)
    if not lacking and chosen:
        return chosen
    shown = ", ".join(bare[:_MAX_LABELS_NAMED]) or "none"
    more = f" and {len(bare) - _MAX_LABELS_NAMED} more" if len(bare) > _MAX_LABELS_NAMED else ""
    expected = (
        f"'{lacking[0]}' among them"
        if lacking
        else f"one of {', '.join(NOUNS)}, or under this key the labels that mark objects"
    )
    raise fault(
        _KEY.below(".labels"), f"{where} has the labels {shown}{more}; expected {expected}."
    )


def content_files(spec: Mapping[str, Any]) -> list[str]:
    """Return the files that a folder's labelling depends on; none for a repository, whose commit says it."""
    folder = _folder(spec["checkpoint"])
    return [] if folder is None else list(map(str, read_files(folder)))


def version(spec: Mapping[str, Any]) -> str:
    """Return a checkpoint's name and version: the commit of a repository, or the hash of a folder's files."""
    folder = _folder(spec["checkpoint"])
    if folder is None:
        return f"{spec['checkpoint']} at {spec['revision']}"
    return f"{folder.resolve().name} at {content_sha256(folder)}"


def load(spec: Mapping[str, Any]) -> FindSpans:
    """Load a checkpoint and return a function that finds the words that its labels call objects.

    A word that the tokenizer cuts into pieces has the label of its first piece. A long text is read in overlapping
    pieces, so that nothing of it is left out.

    Args:
        spec: As :func:`require` takes it.

    Raises:
        AfterimageError: What :func:`require` raises; or the checkpoint cannot be fetched or loaded, lacks weights, or
            its tokenizer does not say where words are.
    """
    require(spec)
    import transformers

    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    source = {"pretrained_model_name_or_path": spec["checkpoint"]}
    folder = _folder(spec["checkpoint"])
    if folder is None:
        source["revision"] = spec["revision"]
    else:
        source["pretrained_model_name_or_path"] = str(folder)
    try:
        config = transformers.AutoConfig.from_pretrained(**source, trust_remote_code=False)
        where = f"checkpoint '{spec['checkpoint']}'"
        labels = object_labels(config.id2label.values(), spec["labels"], where)
        tokenizer = transformers.AutoTokenizer.from_pretrained(**source, trust_remote_code=False)
        model, info = transformers.AutoModelForTokenClassification.from_pretrained(
            **source,
            trust_remote_code=False,
            config=config,
            output_loading_info=True,
            use_safetensors=True,
        )
    except AfterimageError:
        raise
    except Exception as error:
        # The library has no common class for what may be wrong with a file.
        raise fault(
            _KEY.below(".checkpoint"),
            f"'{spec['checkpoint']}' cannot be loaded ({_first_line(error)}).",
        ) from None
    if info["missing_keys"]:
        first, *more = sorted(info["missing_keys"])
        raise fault(
            _KEY.below(".checkpoint"),
            f"the files of '{spec['checkpoint']}' lack the weights '{first}' and {len(more)} "
            "others; expected a checkpoint that was trained for token classification.",
        )
    return _span_finder(model.eval(), tokenizer, labels, spec["checkpoint"])


def _span_finder(model: Any, tokenizer: Any, labels: frozenset[str], checkpoint: str) -> FindSpans:
    from transformers import TokenClassificationPipeline

    if not tokenizer.is_fast:
        raise fault(
            _KEY.below(".checkpoint"),
            f"the tokenizer of '{checkpoint}' does not say where in a text its words are; expected "
            "one with a tokenizer.json.",
        )
    # Where the tokenizer knows no limit, the model does; some count from 2.
    positions = getattr(model.config, "max_position_embeddings", None)
    if positions:
        tokenizer.model_max_length = min(tokenizer.model_max_length, positions - 2)
    classify = TokenClassificationPipeline(
        model=model,
        tokenizer=tokenizer,
        aggregation_strategy="first",
        stride=min(_STRIDE, tokenizer.model_max_length // 4),
    )

    def find_spans(text: str) -> list[tuple[int, int]]:
        if not text.strip():
            return []
        return [
            (part["start"], part["end"])
            for part in classify(text)
            if part["entity_group"] in labels
        ]

    return find_spans


def _folder(checkpoint: str) -> Path | None:
    """Return the folder that is meant; None for a repository."""
    path = Path(checkpoint).expanduser()
    is_path = checkpoint.startswith(("/", ".", "~")) or not _REPOSITORY.fullmatch(checkpoint)
    return path if is_path or path.is_dir() else None


def _require_folder(folder: Path, revision: str) -> None:
    key = _KEY.below(".checkpoint")
    if not folder.is_dir():
        raise fault(
            key,
            f"folder '{folder}' does not exist; expected a folder as save_pretrained writes it, or a repository "
            "such as organisation/name.",
        )
    require_no_pickles(folder, f"{key}: folder '{folder}'")
    for pattern, what in (("config.json", "config.json"), ("*.safetensors", "weights")):
        if not any(folder.glob(pattern)):
            raise fault(
                key,
                f"folder '{folder}' holds no {what}; expected a checkpoint as save_pretrained writes it "
                "(config.json, *.safetensors, tokenizer.json).",
            )
    if revision:
        raise fault(
            _KEY.below(".revision"),
            f"found '{revision}' for folder '{folder}'; expected none, since a folder is known by the "
            "hash of its files.",
        )


def _labels_of_folder(folder: Path) -> list[str]:
    path = folder / "config.json"
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise AfterimageError(f"{path}: cannot be read ({_first_line(error)}).") from None
    labels = config.get("id2label") if isinstance(config, dict) else None
    return list(map(str, labels.values())) if isinstance(labels, dict) else []


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:200] if lines else type(error).__name__


def extract(text: str, lexicon: Lexicon, english: English, find_spans: FindSpans) -> list[Mention]:
    """Return the lexicon's mentions whose last word lies in a labelled span."""
    return by_lexicon.ending_in(by_lexicon.extract(text, lexicon, english), find_spans(text), NAME)
