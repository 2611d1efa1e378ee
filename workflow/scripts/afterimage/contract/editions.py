"""Editions of a drawn suite: the same design, what a design leaves open decided anew. Standard library only."""

import hashlib
import hmac
from dataclasses import dataclass
from pathlib import Path

from afterimage.contract.settings import SuiteSettings, setting
from afterimage.contract.stimulus import Json
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
    """Settings of a suite that draws its images; a ``seed`` it declares itself, if it has one."""

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

    @property
    def is_drawn(self) -> bool:
        """Tell whether the images are drawn: others have no editions."""
        return True


def fresh(settings: EditionSettings, suite: str) -> Json:
    """Return what a design is told of an edition: nothing of the public one, of others ``fresh``, the seed.

    Args:
        settings: Of a suite.
        suite: Its name.

    Raises:
        AfterimageError: As :func:`edition_seed`.
    """
    seed = edition_seed(settings, suite)
    return {} if settings.edition == PUBLIC else {"fresh": seed}


def edition_seed(settings: EditionSettings, suite: str) -> int:
    """Return what an edition is drawn with: the seed itself for the public one, else a hash, 0 to 2^63 - 1.

    Args:
        settings: With ``seed``, or without where the public edition leaves nothing to chance.
        suite: Its name, for errors and in the hash of the private edition.

    Raises:
        AfterimageError: The private edition has no salt, or a short one, or another edition has one.
    """
    seed, edition = settings.get("seed", 0), settings.edition
    salt = read_salt(edition, settings.edition_salt, config_path(f"suites.{suite}.edition_salt"))
    if salt is not None:
        return _number(hmac.digest(salt, f"edition/{suite}/{seed}".encode(), "sha256"))
    if edition == PUBLIC:
        return int(seed)
    return _number(hashlib.sha256(f"edition/{edition}/{seed}".encode()).digest())


def read_salt(edition: int | str, path: str | None, where: str) -> bytes | None:
    """Return the salt of the private edition; None of others.

    Args:
        edition: Number, or ``private``.
        path: The file that holds the salt.
        where: The key that names it, for errors.

    Raises:
        AfterimageError: The private edition has no salt, or a short one, or another edition has one.
    """
    if edition != PRIVATE:
        if path is None:
            return None
        raise fault(
            where,
            f"found '{path}' with edition {edition}; expected edition: {PRIVATE} beside a salt.",
        )
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
    return salt


def _number(digest: bytes) -> int:
    return int.from_bytes(digest[:8]) >> 1
