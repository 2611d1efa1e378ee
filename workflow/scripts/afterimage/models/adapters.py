"""Which adapter a model's entry means: a folder, or a repository of the hub at a revision."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from afterimage.contract.model import ADAPTER, ModelEntry
from afterimage.errors import AfterimageError
from afterimage.files.checkpoint_folder import ADAPTER_CONFIG, ADAPTER_WEIGHTS, require_adapter
from afterimage.models.one_request import in_one_line

#: A repository's id on the hub.
HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")


@dataclass(frozen=True)
class Adapter:
    """An adapter that exists and can be read safely.

    Attributes:
        name: As the entry names it.
        folder: Where its files are.
        commit: The commit of its repository; None for a folder of the user's.
    """

    name: str
    folder: Path
    commit: str | None

    def __str__(self) -> str:
        """As messages name it."""
        return f"adapter '{self.name}'"


def repository_of(adapter: str) -> tuple[str, str | None] | None:
    """Return the repository that an entry's adapter names, and its revision; None where it names a folder.

    A folder that is there comes before a repository of that name.
    """
    name, _, revision = adapter.partition("@")
    if Path(adapter).expanduser().is_dir() or not HUB_ID.fullmatch(name):
        return None
    return name, revision or None


def repositories_of(entry: ModelEntry) -> dict[str, Any]:
    """Return the repositories of the hub that a model on this machine is made of.

    Returns:
        Keys ``model_id`` and ``revision`` of its checkpoint, ``adapter`` (both in a list) of its adapter.
    """
    fetched: dict[str, Any] = {}
    if not Path(entry.model_id).expanduser().is_dir():
        fetched |= {"model_id": entry.model_id, "revision": entry.revision}
    if ADAPTER in entry.settings and (named := repository_of(entry.settings[ADAPTER])):
        fetched[ADAPTER] = list(named)
    return fetched


def find_adapter(entry: ModelEntry) -> Adapter | None:
    """Find the adapter that an entry names; of a repository, what is not on this machine is fetched.

    Returns:
        None where the entry names none.

    Raises:
        AfterimageError: There is no such folder, repository or revision, it cannot be reached, or holds no adapter that
            can be read safely.
    """
    name: str | None = entry.settings.get(ADAPTER)
    if name is None:
        return None
    repository = repository_of(name)
    if repository is not None:
        file = ""
        for file in (ADAPTER_CONFIG, ADAPTER_WEIGHTS):
            file = hub_file(
                ADAPTER, *repository, file, f"expected an adapter with {ADAPTER_WEIGHTS}"
            )
        # .../snapshots/<commit>/adapter_model.safetensors
        folder = Path(file).parent
        return Adapter(name, folder, folder.name)
    folder = Path(name).expanduser()
    if not folder.is_dir():
        raise AfterimageError(
            f"adapter '{name}': no such folder; expected a folder with an adapter, or a repository such as "
            "organisation/name@revision."
        )
    require_adapter(folder, f"adapter '{name}'")
    return Adapter(name, folder, None)


def hub_file(key: str, repository: str, revision: str | None, file: str, expected: str) -> str:
    """Return the path of a repository's file in the cache of the hub, where it is fetched to if it is not there.

    Args:
        key: The key of an entry that names the repository.
        repository: Its id.
        revision: A commit, branch or tag; None for the branch main.
        file: The file's name.
        expected: What is said of a repository that has no such file.

    Raises:
        AfterimageError: There is no such repository, revision or file, or it cannot be reached.
    """
    from huggingface_hub import errors, hf_hub_download

    named = f"{key} '{repository}'" + (f" at revision '{revision}'" if revision else "")
    try:
        return hf_hub_download(repository, file, revision=revision)
    except errors.GatedRepoError:
        raise AfterimageError(
            f"{named}: its owner has to grant access first, at https://huggingface.co/{repository}; then log in with "
            "`hf auth login`."
        ) from None
    except errors.RepositoryNotFoundError:
        raise AfterimageError(
            f"{named}: neither a folder nor a repository that the hub shows you."
        ) from None
    except errors.RevisionNotFoundError:
        raise AfterimageError(
            f"{named}: the repository has no such branch, tag or commit."
        ) from None
    except errors.LocalEntryNotFoundError:
        raise AfterimageError(
            f"{named}: neither a folder nor in this machine's cache of the hub, and the hub cannot be reached."
        ) from None
    except errors.EntryNotFoundError:
        raise AfterimageError(f"{named}: the repository has no {file}; {expected}.") from None
    except (errors.HfHubHTTPError, OSError) as error:
        raise AfterimageError(f"{named}: cannot be fetched ({in_one_line(error)}).") from None
