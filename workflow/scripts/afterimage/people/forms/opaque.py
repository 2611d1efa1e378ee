"""Ids that say nothing: keyed hashes of names, under a salt that no page holds.

The salt is drawn once per study and lies beside the files that come back, because only with it do the
ids on a page find their tasks again after results have been removed. Standard library only.
"""

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from afterimage.errors import AfterimageError
from afterimage.files.whole import write_text

#: The salt's file in the folder of what people return.
SALT_FILE = "salt.txt"

#: Consonants that cannot be mistaken: no id reads as a word, a number or a date, which spreadsheets would change.
ALPHABET = "bcdfghjkmnpqrstvwxz"
LENGTH = 12

_SALT_BYTES = 32
_DIGITS = set("0123456789abcdef")


def opaque_id(salt: str, *names: str) -> str:
    """Return twelve letters that stand for names; without the salt nothing leads back to them."""
    message = "\0".join(names).encode()
    return _letters(hmac.new(salt.encode(), message, hashlib.sha256).digest())


def checksum(text: str) -> str:
    """Return twelve letters that change with a text; not keyed, so only for what a page shows anyway."""
    return _letters(hashlib.sha256(text.encode()).digest())


def read_salt(folder: str | Path) -> str | None:
    """Return the study's salt, or None before the first page was made.

    Raises:
        AfterimageError: The file is not what :func:`make_salt` writes.
    """
    path = Path(folder) / SALT_FILE
    if not path.is_file():
        return None
    salt = path.read_text(encoding="utf-8", errors="replace").strip()
    if len(salt) != 2 * _SALT_BYTES or not set(salt) <= _DIGITS:
        raise AfterimageError(
            f"{path}: not a salt (expected {2 * _SALT_BYTES} hexadecimal digits); put back the file "
            "with which the pages were made."
        )
    return salt


def make_salt(folder: str | Path) -> str:
    """Return the study's salt, drawing it if there is none; of several jobs at once one draws."""
    known = read_salt(folder)
    if known is not None:
        return known
    path = Path(folder) / SALT_FILE
    drawn = path.with_name(f".{SALT_FILE}.{secrets.token_hex(8)}")
    write_text(drawn, secrets.token_hex(_SALT_BYTES) + "\n")
    try:
        # A link appears whole, and fails where another job was faster.
        os.link(drawn, path)
    except FileExistsError:
        pass
    except OSError:
        # No links on this file system; then the last of several jobs at once would win, so look first.
        if not path.exists():
            drawn.replace(path)
    finally:
        drawn.unlink(missing_ok=True)
    salt = read_salt(folder)
    if salt is None:
        raise AfterimageError(f"{path}: could not be written; expected a folder for a new file.")
    return salt


def _letters(digest: bytes) -> str:
    number = int.from_bytes(digest, "big")
    letters = []
    for _ in range(LENGTH):
        number, rest = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[rest])
    return "".join(letters)
