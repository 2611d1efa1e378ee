"""Which question files a study reads: those that it names, or the hub's. Standard library only."""

from afterimage.contract.paper import Data
from afterimage.errors import config_path
from afterimage.files.hub_lock import HubSet, fetched_files, locked_hashes
from afterimage.suites.pope.names import HUB, STRATEGIES, asks_files
from afterimage.suites.pope.paper import SINGLE_WORD
from afterimage.suites.pope.readers.question_files import read_questions
from afterimage.suites.pope.settings import Settings

_WHERE = config_path("suites.pope.source")
_FILES = {name: f"Full/{name}-*.parquet" for name in STRATEGIES}
#: The official questions with COCO's images; one file for each strategy.
OFFICIAL = HubSet("lmms-lab/POPE", tuple(_FILES.values()))


def question_files(settings: Settings) -> dict[str, str]:
    """Return the question files that are read, by strategy, in the order of the strategies.

    Raises:
        AfterimageError: They are the hub's and were not fetched.
    """
    if settings.source != HUB:
        return {name: settings.questions[name] for name in STRATEGIES if name in settings.questions}
    fetched_files(OFFICIAL, _WHERE, "pope")
    found = {}
    for name in STRATEGIES:
        if name in settings.strategies:
            own = OFFICIAL._replace(patterns=(_FILES[name],))
            (found[name],) = fetched_files(own, _WHERE, "pope").values()
    return found


def question_hashes(settings: Settings) -> dict[str, str]:
    """Return the SHA-256 of the hub's files, by path there; nothing for a user's own, whose dates say enough."""
    return locked_hashes(OFFICIAL) if settings.source == HUB else {}


def data(settings: Settings) -> dict[str, Data]:
    """Return what is known of the question files by strategy, alone and with the line of LLaVA's runs."""
    if not asks_files(settings):
        return {}
    found = {}
    for name, path in question_files(settings).items():
        own = OFFICIAL._replace(patterns=(_FILES[name],))
        files = locked_hashes(own) if settings.source == HUB else {}
        told = Data(files, questions=read_questions(path).sha256)
        for suffix, part in ((None, name), (SINGLE_WORD, f"{name}/{SINGLE_WORD}")):
            asked = settings.suffix == suffix
            found[part] = told if asked else told._replace(other=_other_words(suffix))
    return found


def _other_words(suffix: str | None) -> str:
    return f"other words than the paper's: it asks with the suffix {suffix or 'none'} (config key 'suites.pope.suffix')"
