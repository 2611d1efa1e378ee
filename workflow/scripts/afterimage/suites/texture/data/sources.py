"""Which tables a study reads about its objects, and what items and tables depend on beside them.

Standard library only, because the Snakefile imports this module whenever it is parsed.
"""

from pathlib import Path

from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Settings
from afterimage.suites.texture.data.dataset import KINDS

_RULES = (
    *("accepting_votes", "choices", "classification_items", "generation_items", "human_words"),
    *("neg_max_votes", "seed", "votes_per_word"),
)


def dataset_source(settings: Settings, kinds: tuple[str, ...] = tuple(KINDS)) -> dict:
    """Return what :func:`afterimage.suites.texture.data.dataset.load_dataset` needs, of some kinds of table."""
    files: dict[str, list[str]] = {}
    for kind in kinds:
        if settings.data is not None:
            path = Path(settings.data) / KINDS[kind].file
            # What is missing has not been collected yet; images and objects have to be there.
            if path.is_file():
                files[kind] = [path.as_posix()]
        answered = settings.human_answers.get(kind)
        if answered is not None:
            files[kind] = [*files.get(kind, ()), answered]
    return {
        "area_limit": settings.area_limit,
        "area_mode": settings.area_mode,
        "copies": settings.scale,
        "drawn": settings.data is None,
        "files": files,
        "seed": settings.seed,
        "votes_per_word": settings.votes_per_word,
    }


def files_of(source: Json) -> list[str]:
    """Return the tables of :func:`dataset_source`, the user's and those that came back from pages."""
    return [path for paths in source["files"].values() for path in paths]


def rules(settings: Settings) -> dict:
    """Return the settings by which items are made of what is known about the objects."""
    return {name: settings[name] for name in _RULES}


def people_files(kind: str, settings: Settings) -> list[str]:
    """Return the files of people's answers, ``classified`` or ``judgements``; none is a normal state."""
    return [path for path in (settings[kind], settings.human_answers.get(kind)) if path is not None]


def table_settings(table: str, settings: Settings) -> dict:
    """Return what the tables depend on beside grades and statistics: rules, data, and files of people's answers."""
    source = dataset_source(settings)
    return {
        "texture": {
            "classified": people_files("classified", settings),
            "dataset": source,
            "judgements": people_files("judgements", settings),
            "judges": settings.judges,
            "rules": rules(settings),
            "synonyms": source["files"].get("synonyms", []),
        }
    }
