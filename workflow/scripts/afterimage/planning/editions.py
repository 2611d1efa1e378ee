"""The study's edition, which every suite that draws its images takes over. Standard library only."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from afterimage.contract.editions import PUBLIC, EditionSettings, read_salt
from afterimage.contract.settings import SuiteSettings
from afterimage.errors import config_key, config_path, fault

_KEY, _SALT = "edition", "edition_salt"


def in_edition(
    name: str, settings: SuiteSettings, own: object, study: Mapping[str, Any]
) -> SuiteSettings:
    """Return a suite's settings with the study's edition, where the suite draws and names none of its own.

    Args:
        name: The suite's name.
        settings: Its settings, complete.
        own: The suite's part of the configuration.
        study: The configuration, with ``edition`` and ``edition_salt``.

    Raises:
        AfterimageError: The suite names an edition of images that are not drawn.
    """
    if not isinstance(settings, EditionSettings):
        return settings
    if isinstance(own, Mapping) and {_KEY, _SALT} & own.keys():
        if settings.edition != PUBLIC and not settings.is_drawn:
            raise fault(
                config_path(f"suites.{name}.{_KEY}"),
                f"found {settings.edition} for images that are not drawn; expected {PUBLIC}.",
            )
        return settings
    if not settings.is_drawn:
        return settings
    return replace(settings, edition=study[_KEY], edition_salt=study[_SALT])


def require_edition(study: Mapping[str, Any], suites: Mapping[str, SuiteSettings]) -> None:
    """Check the study's edition.

    Raises:
        AfterimageError: Its salt is not what it should be, or none of the suites draws its images.
    """
    edition = study[_KEY]
    read_salt(edition, study[_SALT], config_key(_SALT))
    drawing = [one for one in suites.values() if isinstance(one, EditionSettings) and one.is_drawn]
    if edition != PUBLIC and not drawing:
        raise fault(
            config_key(_KEY),
            f"found {edition}, but no suite of the study draws its images; expected {PUBLIC}.",
        )
