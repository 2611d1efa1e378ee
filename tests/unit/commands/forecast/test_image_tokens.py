"""Tokens of images by the providers' published examples."""

import re

import pytest

from afterimage.commands.forecast.contents import RULES, tokens_of_image
from afterimage.errors import AfterimageError
from afterimage.planning.schemas import read_schema


@pytest.mark.parametrize(
    ("rule", "size", "detail", "tokens"),
    [
        # OpenAI's own examples: 1024 x 1024 is four tiles, 2048 x 4096 six, low detail always 85.
        ("openai_tiles", (1024, 1024), None, 765),
        ("openai_tiles", (2048, 4096), "high", 1105),
        ("openai_tiles", (4096, 8192), "low", 85),
        ("openai_tiles", (512, 512), "auto", 255),
        ("openai_tiles", (513, 512), None, 425),
        # Anthropic's table: 200 x 200 is about 54, 1000 x 1000 about 1334.
        ("claude", (200, 200), None, 54),
        ("claude", (1000, 1000), None, 1334),
        ("claude", (3136, 1568), None, 1640),
        # Google: 258 up to 384 pixels, then 258 per tile of 768.
        ("gemini_tiles", (384, 384), None, 258),
        ("gemini_tiles", (385, 384), None, 258),
        ("gemini_tiles", (960, 540), None, 516),
        ("patches_28", (280, 560), None, 202),
        ("patches_32", (320, 640), None, 202),
        ("patches_28", (10, 10), None, 6),
        (576, (4000, 10), None, 576),
        (None, (750, 10), None, 10),
    ],
)
def test_an_image_takes_what_its_provider_says(rule, size, detail, tokens):
    assert tokens_of_image(rule, *size, detail) == tokens


def test_an_unknown_rule_names_the_nearest():
    with pytest.raises(
        AfterimageError, match="unknown rule 'openai_tile': did you mean 'openai_tiles'"
    ):
        tokens_of_image("openai_tile", 10, 10, None)


def test_an_entry_may_name_these_rules_and_no_others(root):
    entry = read_schema(root / "workflow/schemas/models.schema.yaml")["properties"]["image_tokens"]
    assert set(re.findall(r"\w+", entry["pattern"])) == set(RULES)
    assert all(name in entry["description"] for name in RULES)
