"""What the suite's parts call things, and where the fields lie. Standard library only."""

#: Cycles per image width: octaves, from 84 to 5.25 px per cycle.
FREQUENCIES = (8, 16, 32, 64, 128)
SIDES = ("left", "right")
#: What can be shown: stripes, or noise of one octave about the frequency, of the same root mean square.
GRATING, NOISE = PATTERNS = ("grating", "noise")
#: Pattern to replicates by name: the stripes' orientation and phase in degrees; noise has neither.
REPLICATES = {
    GRATING: {
        "h0": ("horizontal", 0),
        "h90": ("horizontal", 90),
        "v0": ("vertical", 0),
        "v90": ("vertical", 90),
    },
    NOISE: dict.fromkeys(("n1", "n2", "n3", "n4"), ("", 0)),
}
#: Steps of contrast, each twice the one before; the first in percent.
LEVELS, LEAST_PERCENT = 8, 0.5
#: The figure of images without a pattern, and how many there are: few where a side is asked for, more where false
#: alarms have to be counted.
BLANK, FEW_BLANKS, MANY_BLANKS = "blank", 4, 64
#: What a prompt can ask: which half; that, or nothing; whether anything is there.
WHERE, THREE, SEEN = QUESTIONS = ("where", "three", "seen")
#: The option that there is no pattern, beside the sides; and answers to the last question.
NONE, YES, NO = "none", "Yes", "No"

#: Side of the image, px; centre, radius and soft edge of the two round fields as shares of it.
SIDE_PX = 672
CENTRES = {"left": (0.25, 0.5), "right": (0.75, 0.5)}
RADIUS, EDGE = 144 / SIDE_PX, 32 / SIDE_PX


def percent_at(level: int) -> float:
    """Return the contrast of a level, 1 to LEVELS, in percent: 0.5 to 64."""
    return LEAST_PERCENT * 2.0 ** (level - 1)
