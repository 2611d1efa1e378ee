"""Objects out of captions: by a closed vocabulary, which other tools may filter but never widen."""

from importlib import metadata
from importlib.util import find_spec

from afterimage.contract.stimulus import Json
from afterimage.errors import config_path, fault
from afterimage.suites.pope.extraction import (
    by_jieba,
    by_lexicon,
    by_spacy,
    by_tagger,
    by_transformer,
)
from afterimage.suites.pope.language import Chinese, English, Lexicon
from afterimage.suites.pope.record import Extract

_OPTIONAL = {module.NAME: module for module in (by_tagger, by_spacy, by_jieba, by_transformer)}
_NO_CHINESE = Chinese({}, {}, {})
NAMES = (by_lexicon.NAME, *_OPTIONAL)


def is_available(name: str) -> bool:
    """Tell whether a backend's package is installed; the lexicon needs none."""
    return name == by_lexicon.NAME or find_spec(_OPTIONAL[name].MODULE) is not None


def require_package(name: str) -> None:
    """Raise AfterimageError where a backend's package is not installed."""
    if not is_available(name):
        package = _OPTIONAL[name].PACKAGE
        raise fault(
            config_path("suites.pope.extraction"),
            f"'{name}' needs the package '{package}', which is not "
            f"installed; install it or take '{by_lexicon.NAME}', which needs none.",
        )


def described(name: str, transformer: Json | None = None) -> str:
    """Return a backend's name and version, as reports give them: ``lexicon 1``, ``tagger (textblob 0.19.0)``.

    Args:
        name: One of :data:`NAMES`.
        transformer: The checkpoint's settings, for ``transformer``.
    """
    if name == by_lexicon.NAME:
        return f"{name} {by_lexicon.VERSION}"
    package = _OPTIONAL[name].PACKAGE
    which = f"{by_transformer.version(transformer)}, " if transformer else ""
    return f"{name} ({which}{package} {metadata.version(package)})"


def configured(spec: Json) -> tuple[Extract, str]:
    """Return the function that finds objects in captions, with its name and version.

    Args:
        spec: ``extraction``, ``spacy_model``, for a transformer also ``transformer``, and the data ``lexicon``,
            ``english`` and ``chinese``.
    """
    name = spec["extraction"]
    lexicon, english = Lexicon.from_data(spec["lexicon"]), English(**spec["english"])
    chinese = Chinese(**spec["chinese"]) if spec["chinese"] else _NO_CHINESE
    transformer = spec.get("transformer")
    extract = load(name, lexicon, english, spec["spacy_model"], chinese, transformer)
    return extract, described(name, transformer)


def load(
    name: str,
    lexicon: Lexicon,
    english: English,
    spacy_model: str = "",
    chinese: Chinese = _NO_CHINESE,
    transformer: Json | None = None,
) -> Extract:
    """Return the extraction of this name, ready to be called with captions.

    Args:
        name: One of :data:`NAMES`.
        chinese: Names and attributes, for ``jieba``.
        transformer: ``checkpoint``, ``revision`` and ``labels``, for ``transformer``.

    Raises:
        AfterimageError: The package or the model is not installed, or the checkpoint cannot be used.
    """
    if name == by_transformer.NAME:
        find_spans = by_transformer.load(transformer or {})
        return lambda text: by_transformer.extract(text, lexicon, english, find_spans)
    require_package(name)
    if name == by_tagger.NAME:
        tag = by_tagger.load()
        return lambda text: by_tagger.extract(text, lexicon, english, tag)
    if name == by_spacy.NAME:
        pipeline = _spacy_pipeline(spacy_model)
        return lambda text: by_spacy.extract(text, lexicon, english, pipeline)
    if name == by_jieba.NAME:
        cut = by_jieba.load()
        names, attributes = _reversed(chinese, lexicon, english)
        return lambda text: by_jieba.extract(text, names, attributes, cut)
    return lambda text: by_lexicon.extract(text, lexicon, english)


def _spacy_pipeline(model: str) -> by_spacy.Pipeline:
    try:
        return by_spacy.load(model)
    except OSError:
        raise fault(
            config_path("suites.pope.spacy_model"),
            f"spaCy's model '{model}' is not installed; "
            f"install it (python -m spacy download {model}) or take the extraction 'lexicon'.",
        ) from None


def _reversed(
    chinese: Chinese, lexicon: Lexicon, english: English
) -> tuple[dict[str, str], dict[str, str]]:
    names = {word: name for name, word in chinese.names.items() if name in lexicon.categories}
    attributes = {word: value for value, word in chinese.attributes.items()}
    return names, attributes | chinese.numbers(english)
