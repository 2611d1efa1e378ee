"""The drawn set: which images there are, before anything is drawn. Standard library only.

Traps differ from the classical figures in one measure alone, by :attr:`Design.difference` percent (the larger over the
smaller, minus 1); colour plates by the colour difference of their two kinds of dots (CIEDE2000).
"""

from dataclasses import dataclass

from afterimage.suites.illusionbench.names import GEOMETRIC, PLATES, SCENES

#: A difference of at least so much is easy to see, or neither easy nor hard; smaller ones and none at all are hard.
_EASY, _NEUTRAL = 25, 18

#: Classical figures.
KINDS = (
    "zoellner",
    "vertical_horizontal",
    "hermann_grid",
    "mueller_lyer",
    "ebbinghaus",
    "ponzo",
    "simultaneous_contrast",
)
_TRAP_PERCENT = {
    "zoellner": 25,
    "vertical_horizontal": 20,
    "hermann_grid": 20,
    "mueller_lyer": 20,
    "ebbinghaus": 25,
    "ponzo": 15,
    "simultaneous_contrast": 15,
}
#: Scenes show things of which the largest exceeds the next by so many percent.
_SCENE_PERCENT = (40, 40, 40, 40, 20, 20)
#: Digit and colour difference of the plates.
_PLATES = (("8", 36), ("3", 40), ("6", 21), ("2", 15))


@dataclass(frozen=True)
class Design:
    """One image of the drawn set.

    Attributes:
        stimulus_id: Its name.
        kind: One of :data:`KINDS`, ``plain_scene`` or ``colour_plate``.
        category: One of :data:`names.CATEGORIES`.
        difference: What there is to be seen: percent, of plates CIEDE2000; 0 for equal by construction.
        asks_present: Whether the statement about the illusion's presence affirms it.
        digit: Of a colour plate.
    """

    stimulus_id: str
    kind: str
    category: str
    difference: int
    asks_present: bool
    digit: str = ""

    @property
    def difficulty(self) -> str:
        """How hard the difference is to see."""
        if self.difference >= _EASY:
            return "easy"
        return "neutral" if self.difference >= _NEUTRAL else "hard"


def designs(figure: str) -> tuple[Design, ...]:
    """Return the images of one of :data:`names.DRAWN_FIGURES`, in order."""
    return {GEOMETRIC: _geometric, SCENES: _scenes, PLATES: _plates}[figure]()


def _geometric() -> tuple[Design, ...]:
    # Half of each category is asked in the affirmative, so that "True" is no better an answer than "False".
    classical = [
        Design(f"{kind}_classical", kind, "classical", 0, place % 2 == 0)
        for place, kind in enumerate(KINDS)
    ]
    traps = [
        Design(f"{kind}_trap", kind, "trap", _TRAP_PERCENT[kind], place % 2 == 1)
        for place, kind in enumerate(KINDS)
    ]
    return (*classical, *traps)


def _scenes() -> tuple[Design, ...]:
    return tuple(
        Design(f"plain_scene_{place}", "plain_scene", "no_illusion", percent, place % 2 == 0)
        for place, percent in enumerate(_SCENE_PERCENT, start=1)
    )


def _plates() -> tuple[Design, ...]:
    return tuple(
        Design(f"colour_plate_{place}", "colour_plate", "ishihara", delta, place % 2 == 0, digit)
        for place, (digit, delta) in enumerate(_PLATES, start=1)
    )
