"""What the training of sprout depends on beside its code: the words that it is asked in."""

import hashlib
import json

from afterimage.files.yaml import read_yaml_mapping
from afterimage.sprout import PROMPTS


def words_spec(recipe: str) -> dict[str, str]:
    """Return a recipe's name and a hash of the prompt files from which training questions are made."""
    content = [
        read_yaml_mapping(f"resources/prompts/{name}.yaml", "the training questions of sprout")
        for name in PROMPTS
    ]
    words = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return {"recipe": recipe, "words": words}
