"""Files of a Git repository, at one commit, brought into the cache of the hub's library.

Git itself talks to the server and checks what it sends against the hashes of the commit. Only the files that are wanted
are fetched, where the server can do that (GitHub, GitLab and Forgejo can).
"""

import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from afterimage.errors import AfterimageError
from afterimage.files.folder import require_writable
from afterimage.files.hub import Choice, Fetched, Repository, RepositoryFile, cache_folder
from afterimage.files.whole import atomic_path

# What stands in place of a file that Git LFS keeps elsewhere.
_POINTER = b"version https://git-lfs.github.com/spec/"
# Modes of files that are neither links nor other repositories.
_REGULAR = ("100644 ", "100755 ")
# Git repositories have no card that names it.
_LICENCE = "see the repository"
_OFFLINE = ("1", "ON", "YES", "TRUE")
# By these a program that git started, such as a hook, would work on the user's own repository.
_OF_ANOTHER = {
    *("GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_NAMESPACE"),
    *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE"),
}


def fetch_git(
    repository: Repository,
    revision: str | None,
    choose: Choice,
    tell: Callable[[str], None],
) -> Fetched:
    """Fetch files of a Git repository and return what lies in the cache; sizes are known of the chosen ones only.

    Args:
        repository: Its kind is ``git``, its id the address without ``https://``.
        revision: A commit, branch or tag; None for the branch that the server names first.
        choose: Which of its files are wanted; may raise.
        tell: Takes what is to be fetched, before it is.

    Raises:
        AfterimageError: Git is not installed, the server does not show the repository, the revision or a file, or there
            is no room. Nothing is left.
    """
    if os.environ.get("HF_HUB_OFFLINE", "").upper() in _OFFLINE:
        raise AfterimageError(
            f"{repository}: cannot be fetched while HF_HUB_OFFLINE is set; expected it to be set for the jobs only."
        )
    root = cache_folder()
    root.mkdir(parents=True, exist_ok=True)
    require_writable(root, "HF_HOME names another folder for what is fetched")
    with tempfile.TemporaryDirectory(dir=root, prefix=".git-") as work:
        git = _Git(repository, work)
        git("init", "--quiet", "--bare")
        git("remote", "add", "origin", f"https://{repository.id}")
        # Behind "--" a revision is no option, whatever it is called.
        wanted = ("--", "origin", revision or "HEAD")
        git("fetch", "--quiet", "--depth=1", "--no-tags", "--filter=blob:none", *wanted)
        commit = git("rev-parse", "FETCH_HEAD^{commit}").decode().strip()
        listed = git("ls-tree", "-r", "-z", commit).decode(errors="replace").split("\0")
        files = [_file(entry) for entry in listed if entry.startswith(_REGULAR)]
        chosen = choose(commit, [file for file in files if _lies_within(file.path)])
        tell(f"{repository}: {len(chosen)} files to fetch, licence: {_LICENCE}")
        folder = root / repository.folder / "snapshots" / commit
        brought = tuple(_brought(git, repository, file, folder) for file in chosen)
    return Fetched(commit, brought, folder, _LICENCE)


class _Git:
    """Runs git in a folder of its own and returns what it prints."""

    def __init__(self, repository: Repository, folder: str) -> None:
        self._repository = repository
        self._folder = folder

    def __call__(self, *words: str) -> bytes:
        # Nobody is there to be asked for a password; the user's credential helpers answer.
        environment = {
            **{name: value for name, value in os.environ.items() if name not in _OF_ANOTHER},
            **{"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
        }
        try:
            command = ["git", "-C", self._folder, *words]
            done = subprocess.run(command, capture_output=True, env=environment, check=False)
        except FileNotFoundError:
            raise AfterimageError(
                f"{self._repository}: fetching it needs the program git, which is not installed."
            ) from None
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
            raise AfterimageError(
                f"{self._repository}: cannot be fetched (git: {said[-1][:200].rstrip('.')}); expected a repository, a "
                "revision and files that can be read from here."
            )
        return done.stdout


def _file(entry: str) -> RepositoryFile:
    head, path = entry.split("\t", 1)
    return RepositoryFile(path, 0, None, head.split(" ")[2])


def _lies_within(path: str) -> bool:
    """Tell whether a path leads out of no folder; a server may send any name."""
    parts = path.split("/")
    return "" not in parts and ".." not in parts


def _brought(
    git: _Git, repository: Repository, file: RepositoryFile, folder: Path
) -> RepositoryFile:
    content = git("cat-file", "blob", file.blob)
    if content.startswith(_POINTER):
        raise AfterimageError(
            f"{repository}: {file.path} is kept by Git LFS, and the repository holds a pointer only; expected the "
            "file itself: download it and name it by its path here (without `hub`)."
        )
    try:
        with atomic_path(folder / file.path) as path:
            path.write_bytes(content)
    except OSError as error:
        raise AfterimageError(
            f"{repository}: {file.path} cannot be written ({error.strerror}); expected room for it in {folder}."
        ) from None
    return RepositoryFile(file.path, len(content), None, file.git_sha1)
