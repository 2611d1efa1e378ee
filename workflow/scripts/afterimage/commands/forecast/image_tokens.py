"""How many tokens of a prompt an image takes, by the rules that providers publish.

Rules change with models; what a provider has counted in earlier answers is the better guide (``counting.py``).
"""

import math
from collections.abc import Callable

from afterimage.errors import unknown_name

# Where no rule is known: about what most providers count.
_PIXELS_PER_TOKEN = 750


def tokens_of_image(rule: str | int | None, width: int, height: int, detail: str | None) -> int:
    """Return how many tokens an image takes.

    Args:
        rule: A number for models that take the same for every image, the name of a rule, or None.
        width: In pixels.
        height: In pixels.
        detail: How closely the image is to be looked at (OpenAI): ``low``, or anything else.

    Raises:
        AfterimageError: There is no such rule.
    """
    if rule is None:
        return math.ceil(width * height / _PIXELS_PER_TOKEN)
    if isinstance(rule, int):
        return rule
    if rule not in RULES:
        raise unknown_name("rule", rule, RULES, "key 'image_tokens'")
    return RULES[rule](width, height, detail)


def _openai_tiles(width: int, height: int, detail: str | None) -> int:
    """GPT-4o: 85, and 170 for each 512 x 512 tile after fitting into 2048 x 2048 and a short side of 768."""
    if detail == "low":
        return 85
    scale = min(1.0, 2048 / max(width, height))
    scale *= min(1.0, 768 / (min(width, height) * scale))
    return 85 + 170 * math.ceil(width * scale / 512) * math.ceil(height * scale / 512)


def _claude(width: int, height: int, detail: str | None) -> int:
    """Claude: one per 750 pixels after fitting into 1568 x 1568."""
    scale = min(1.0, 1568 / max(width, height))
    return math.ceil(width * scale * height * scale / 750)


def _gemini_tiles(width: int, height: int, detail: str | None) -> int:
    """Gemini from 2.0 on: 258 up to 384 x 384 pixels, else 258 for each tile of 768 x 768."""
    if max(width, height) <= 384:
        return 258
    return 258 * math.ceil(width / 768) * math.ceil(height / 768)


def _patches(side: int) -> Callable[[int, int, str | None], int]:
    """Qwen-VL: one per patch of ``side`` x ``side`` pixels, sides rounded to whole patches, and two marks."""

    def count(width: int, height: int, detail: str | None) -> int:
        return max(4, max(1, round(width / side)) * max(1, round(height / side))) + 2

    return count


#: Name of a rule to what it counts, given width, height and detail.
RULES: dict[str, Callable[[int, int, str | None], int]] = {
    "openai_tiles": _openai_tiles,
    "claude": _claude,
    "gemini_tiles": _gemini_tiles,
    "patches_28": _patches(28),
    "patches_32": _patches(32),
}
