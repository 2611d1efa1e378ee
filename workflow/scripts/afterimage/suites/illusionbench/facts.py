"""What a drawn image shows, as one factor of its stimulus."""

from collections.abc import Mapping


def joined(facts: Mapping[str, str]) -> str:
    """Write facts as one factor."""
    return ";".join(f"{name}={value}" for name, value in sorted(facts.items()))


def parted(facts: str) -> dict[str, str]:
    """Take apart what :func:`joined` wrote."""
    return dict(part.split("=", 1) for part in facts.split(";")) if facts else {}
