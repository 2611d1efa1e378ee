"""Editions of a drawn suite: the same design, its chance decided anew. Standard library only."""

import hashlib
import hmac
from dataclasses import dataclass
from pathlib import Path

from afterimage.contract.settings import SuiteSettings, setting
from afterimage.errors import config_path, fault

#: The edition that is drawn where nothing is said; who publishes its images publishes what models may have learned.
PUBLIC = 1
#: The edition that nobody can draw without the salt.
PRIVATE = "private"
# 16 random bytes in hexadecimal; who knows the seeds of published results must not find a salt by trying.
_LEAST_SALT = 32
# The folder that `afterimage crate` copies whole.
_ARCHIVED = Path("resources")


@dataclass(frozen=True, kw_only=True)
class EditionSettings(SuiteSettings):
    """Settings of a suite of which every image follows from its ``seed``, which it declares itself."""

    edition: int | str = setting(
        PUBLIC,
        "Another number draws every image anew after the same design, for a fresh twin of the public set (1); private: "
        "by a salt of your own.",
        minimum=PUBLIC,
        pattern=f"^{PRIVATE}$",
    )
    edition_salt: str | None = setting(
        None,
        "The file with the salt of the private edition, at least 32 characters; only what is hashed from it is kept.",
    )


def edition_seed(settings: EditionSettings, suite: str) -> int:
    """Return what an edition is drawn with: the seed itself for the public one, else a hash, 0 to 2^63 - 1.

    Args:
        settings: With ``seed``.
        suite: Its name, for errors and in the hash of the private edition.

    Raises:
        AfterimageError: The private edition has no salt, or a short one, or another edition has one.
    """
    seed, edition = settings["seed"], settings.edition
    path, where = settings.edition_salt, config_path(f"suites.{suite}.edition_salt")
    if edition == PRIVATE:
        return _private_seed(path, f"{suite}/{seed}", where)
    if path is not None:
        raise fault(
            where,
            f"found '{path}' with edition {edition}; expected edition: {PRIVATE} beside a salt.",
        )
    if edition == PUBLIC:
        return int(seed)
    return _number(hashlib.sha256(f"edition/{edition}/{seed}".encode()).digest())


def _private_seed(path: str | None, drawn: str, where: str) -> int:
    if path is None:
        raise fault(where, f"found none; edition: {PRIVATE} expects the file that holds its salt.")
    if Path(path).resolve().is_relative_to(_ARCHIVED.resolve()):
        raise fault(
            where,
            f"'{path}' lies in {_ARCHIVED}, which every archive of a run holds; expected another folder.",
        )
    try:
        salt = Path(path).read_bytes().strip()
    except OSError as error:
        raise fault(where, f"file '{path}' cannot be read: {error.strerror}.") from None
    # Of what is wrong with a salt nothing but its length is told.
    if len(salt) < _LEAST_SALT:
        raise fault(
            where,
            f"file '{path}': found {len(salt)} characters; expected at least {_LEAST_SALT}, as `openssl rand -hex 16` "
            "writes them.",
        )
    return _number(hmac.digest(salt, f"edition/{drawn}".encode(), "sha256"))


def _number(digest: bytes) -> int:
    return int.from_bytes(digest[:8]) >> 1
