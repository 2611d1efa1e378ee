"""Which stimuli a figure has: known by name before any is drawn, described in full when they are; and its editions.

An edition is the same design, and what a design leaves open decided anew.

Standard library only: the Snakefile imports this module whenever it is parsed.
"""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Protocol

from afterimage.contract.settings import SuiteSettings, setting
from afterimage.contract.stimulus import IMAGE, MISSING, Json, Shown, StimulusSpec
from afterimage.errors import config_path, fault

#: One combination of levels, by the name of each; ``figure`` is among them.
Cell = Mapping[str, Any]
Levels = Mapping[str, Sequence[Any]]


class Source(Protocol):
    """Lists the stimuli of a figure."""

    def ids(self, figure: str, settings: Json) -> Sequence[str]:
        """Return the ids, in order of position; nothing is drawn."""

    def specs(self, figure: str, settings: Json) -> Iterable[StimulusSpec]:
        """Return the stimuli in the same order."""


@dataclass(frozen=True)
class Listed:
    """Stimuli that two functions of figure and settings list; ``ids`` draws nothing."""

    ids: Callable[[str, Json], Sequence[str]]
    specs: Callable[[str, Json], Iterable[StimulusSpec]]


def _levels_alone(cell: Cell, settings: Json) -> dict[str, Any]:
    return {name: value for name, value in cell.items() if name != "figure"}


def _levels_in_words(cell: Cell, settings: Json) -> dict[str, str]:
    return {name: str(value) for name, value in _levels_alone(cell, settings).items()}


def _nothing(cell: Cell) -> bool:
    return False


@dataclass(frozen=True)
class Design:
    """Every combination of levels, the last varying fastest.

    Attributes:
        levels: Name of a level to its values, or a function of figure and settings that returns them.
        name: The id of a stimulus with slots for the levels, as ``{figure}_{variant}_{condition}``.
        parameters: Function of cell and settings: what ``draw`` takes; the levels by default.
        factors: Function of cell and settings: what tables group by; the levels as texts by default.
        skip: Tells which combinations there are not.
    """

    levels: Levels | Callable[[str, Json], Levels]
    name: str
    parameters: Callable[[Cell, Json], Json] = _levels_alone
    factors: Callable[[Cell, Json], Mapping[str, str]] = _levels_in_words
    skip: Callable[[Cell], bool] = _nothing

    def cells(self, figure: str, settings: Json) -> Iterator[dict[str, Any]]:
        """Yield the combinations."""
        levels = self.levels(figure, settings) if callable(self.levels) else self.levels
        for values in product(*levels.values()):
            cell = {"figure": figure, **dict(zip(levels, values, strict=True))}
            if not self.skip(cell):
                yield cell

    def ids(self, figure: str, settings: Json) -> tuple[str, ...]:
        """Return the ids in order."""
        return tuple(self.name.format(**cell) for cell in self.cells(figure, settings))

    def specs(self, figure: str, settings: Json) -> Iterator[StimulusSpec]:
        """Yield the stimuli in the same order."""
        for cell in self.cells(figure, settings):
            yield StimulusSpec(
                self.name.format(**cell),
                self.parameters(cell, settings),
                self.factors(cell, settings),
            )


@dataclass(frozen=True)
class Reader:
    """Others' images, with what is asked about them.

    The drawing job decodes the files; the job that makes items reads the source again and takes the questions. So a
    corrected question draws nothing.

    Attributes:
        read: Function of figure and settings: the images in order, each an image file with its questions. Called
            whenever the Snakefile is parsed: it checks the source, decodes no image, and reads a file once.
    """

    read: Callable[[str, Json], Sequence[Shown]]

    def shown(self, figure: str, settings: Json) -> list[Shown]:
        """Return the images of a figure with their questions; those that are not there are marked (``is_missing``)."""
        return [_as_it_is(spec)._replace(figure=figure) for spec in self.read(figure, settings)]

    def files(self, figure: str, settings: Json) -> list[str]:
        """Return the files that are named, each once, whether or not they are there."""
        files = (spec.file for spec in self.read(figure, settings))
        return list(dict.fromkeys(file for file in files if file is not None))

    def ids(self, figure: str, settings: Json) -> tuple[str, ...]:
        """Return the ids in order."""
        return tuple(spec.stimulus_id for spec in self.read(figure, settings))

    def specs(self, figure: str, settings: Json) -> Iterator[StimulusSpec]:
        """Yield the images in the same order, their files as parameters."""
        yield from map(spec_of, self.shown(figure, settings))


def _as_it_is(shown: Shown) -> Shown:
    """Mark an image whose file is not there; it keeps its place among the others."""
    if shown.file is None or Path(shown.file).is_file():
        return shown
    return shown._replace(file=None, factors={**shown.factors, IMAGE: MISSING})


def spec_of(shown: Shown) -> StimulusSpec:
    """Return an image of a Reader as a stimulus: made from its file, whatever is asked about it."""
    parameters = {"file": shown.file, **shown.parameters}
    return StimulusSpec(shown.stimulus_id, parameters, shown.factors)


def images_digest(images: Iterable[Shown]) -> str:
    """Return a hash of the images and their locations; questions are not included."""
    return _digest(
        [image.stimulus_id, image.file, dict(image.parameters), dict(image.factors)]
        for image in images
    )


def questions_digest(images: Iterable[Shown]) -> str:
    """Return a hash of what is asked about images."""
    return _digest([image.stimulus_id, image.questions] for image in images)


def _digest(rows: Iterable[object]) -> str:
    return hashlib.sha256(json.dumps(list(rows), sort_keys=True).encode()).hexdigest()


# ---- Editions ----

#: The edition that is drawn where nothing is said; who publishes its images publishes what models may have learned.
PUBLIC = 1
#: The edition that cannot be drawn without the salt.
PRIVATE = "private"
# 16 random bytes in hexadecimal; who knows the seeds of published results must not find a salt by trying.
_MIN_SALT = 32
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
    """Return the settings that tell a design its edition: none for the public one, ``fresh`` (the seed) for others.

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
            f"found '{path}' with edition {edition}; expected edition: {PRIVATE} with a salt.",
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
    # A message discloses nothing of a salt but its length.
    if len(salt) < _MIN_SALT:
        raise fault(
            where,
            f"file '{path}': found {len(salt)} characters; expected at least {_MIN_SALT}, as `openssl rand -hex 16` "
            "writes them.",
        )
    return salt


def _number(digest: bytes) -> int:
    return int.from_bytes(digest[:8]) >> 1
