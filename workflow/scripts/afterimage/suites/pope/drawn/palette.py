"""The colours of drawn objects and of the paper behind them."""

from collections.abc import Mapping

from afterimage.drawing.colour import Colour

#: Orange is left out: it is the name of a fruit as well, and red and brown are near.
COLOURS: Mapping[str, Colour] = {
    "red": Colour(206, 32, 41),
    "yellow": Colour(246, 205, 28),
    "green": Colour(38, 140, 62),
    "blue": Colour(32, 94, 190),
    "purple": Colour(132, 56, 160),
    "brown": Colour(118, 70, 34),
    "black": Colour(22, 22, 22),
    "white": Colour(255, 255, 255),
}
#: Grey or pale: far from every colour of an object, white included.
PAPERS: Mapping[str, Colour] = {
    "grey": Colour(184, 184, 184),
    "pale blue": Colour(178, 193, 204),
    "pale green": Colour(182, 197, 178),
    "pale sand": Colour(203, 193, 174),
    "pale rose": Colour(204, 184, 184),
}
