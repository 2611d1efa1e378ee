"""A stimulus before it is drawn."""

from dataclasses import dataclass


@dataclass(frozen=True)
class StimulusSpec:
    """One stimulus before it is drawn.

    Attributes:
        stimulus_id: Name of the image.
        parameters: All that ``draw`` needs, as plain JSON; of a user's image also its questions.
        factors: What tables group by: ``category``, ``difficulty``, ``source``; of a drawn image also ``facts``, what
            the image shows, as ``name=value`` joined by ``;``.
    """

    stimulus_id: str
    parameters: dict
    factors: dict[str, str]


def joined(facts: dict[str, str]) -> str:
    """Write facts as one factor."""
    return ";".join(f"{name}={value}" for name, value in sorted(facts.items()))


def parted(facts: str) -> dict[str, str]:
    """Take apart what :func:`joined` wrote."""
    return dict(part.split("=", 1) for part in facts.split(";")) if facts else {}
