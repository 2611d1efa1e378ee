"""A study for tests to plan, in memory: no test depends on the config.yaml that a user edits."""

import copy

_STUDY = {
    "models": ["chance", "textbook_cued", "textbook_gated", "pixels"],
    "shard_size": 400,
    "suites": {
        "illusion_vqa": {"prompts": ["zero_shot"], "human_filter": {"responses": None}},
        "blindtest": {"release": "v1", "scale": 1},
        "texture": {"data": None},
        "illusionbench": {"source": "drawn"},
        "pope": {"source": "drawn", "scenes": 30, "nested_scenes": 10},
    },
    "statistics": {"confidence": 0.95, "resamples": 10000, "seed": 20250101},
}


def plain_study(**changes) -> dict:
    """Return a study of the five suites that need no files, reference responders alone, with changed keys."""
    return {**copy.deepcopy(_STUDY), **changes}
