"""No pixel depends on the processor: numpy sorts equals and rounds last bits otherwise on each kind of them."""

import json
import os
import subprocess
import sys

import numpy as np

SUITES = (
    *(
        "illusion_vqa",
        "illusion_strength",
        "blindtest",
        "pope",
        "texture",
        "illusionbench",
        "search",
    ),
    *("contrast", "hidden_digits", "tunnel_vision", "counting_bias"),
)
#: Draws some images of every figure of the suites that are named, and prints the hash of each one's pixels.
DRAW = """
import hashlib, json, sys
from afterimage.contract.finding import load_suite
from afterimage.contract.parts import resolve

found = {}
for name in sys.argv[1:]:
    suite = load_suite(name)
    settings = suite.settings()
    for figure in suite.figures(settings) if callable(suite.figures) else suite.figures:
        specs = list(resolve(figure.design).specs(figure.name, vars(settings)))
        for spec in specs[:: max(1, len(specs) // 10)]:
            pixels = resolve(figure.draw)(**spec.parameters).pixels
            found[f"{name}/{spec.stimulus_id}"] = hashlib.sha256(pixels.tobytes()).hexdigest()
print(json.dumps(found))
"""


def test_pixels_are_the_same_without_what_only_some_processors_have(scripts):
    def drawn(**environment):
        told = subprocess.run(
            [sys.executable, "-c", DRAW, *SUITES],
            env={**os.environ, "PYTHONPATH": str(scripts), **environment},
            check=True,
            capture_output=True,
            text=True,
        )
        return json.loads(told.stdout)

    extras = np._core._multiarray_umath.__cpu_dispatch__
    had = [name for name in extras if np._core._multiarray_umath.__cpu_features__[name]]
    found, plain = drawn(), drawn(NPY_DISABLE_CPU_FEATURES=",".join(had))
    assert len(found) > 200
    assert {name for name in found if found[name] != plain[name]} == set()
