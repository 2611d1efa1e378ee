"""What a caption says of one object."""

from typing import NamedTuple


class Mention(NamedTuple):
    """An object in a caption.

    Attributes:
        surface: The words as they stand in the caption.
        start: Where they begin.
        end: Where they end.
        lemma: The name that they were looked up as.
        category: The category that this name stands for.
        attributes: What is said of it, values of ``english.yaml``, in the caption's order.
        backend: Which extraction found it.
    """

    surface: str
    start: int
    end: int
    lemma: str
    category: str
    attributes: tuple[str, ...]
    backend: str

    def as_json(self) -> dict:
        """Return it as plain values."""
        return {**self._asdict(), "attributes": list(self.attributes)}

    @classmethod
    def from_json(cls, values: dict) -> "Mention":
        """Build it from what :meth:`as_json` returned."""
        return cls(**{**values, "attributes": tuple(values["attributes"])})
