"""Which question files a study reads: those that it names, or the hub's. Standard library only."""

from afterimage.errors import config_path
from afterimage.files.hub_lock import HubSet, fetched_files, locked_hashes
from afterimage.suites.pope.names import HUB, STRATEGIES
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
