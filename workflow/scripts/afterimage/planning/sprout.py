"""What the training of sprout depends on."""

import hashlib
import json

from afterimage.files.yaml import read_yaml_mapping
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage
from afterimage.sprout import PROMPTS


def training_spec(plan: Plan, at: Names) -> dict[str, str]:
    """Return the recipe, and a hash of the words of its questions."""
    content = [
        read_yaml_mapping(f"resources/prompts/{name}.yaml", "the training questions of sprout")
        for name in PROMPTS
    ]
    words = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return {"recipe": at.recipe, "words": words}


STAGES = (Stage("train_sprout", "sprout:train_sprout", "inference", spec=training_spec),)
