"""The example of the documentation is what its script draws."""

import runpy

import numpy as np
from PIL import Image


def test_the_example_is_what_its_script_draws(root, tmp_path):
    folder = root / "resources" / "examples" / "own_images"
    runpy.run_path(str(folder / "draw.py"))["draw_all"](tmp_path)
    drawn = {path.relative_to(tmp_path) for path in tmp_path.rglob("*.png")}
    assert drawn == {path.relative_to(folder) for path in folder.rglob("*.png")}
    assert len(drawn) == 8
    for name in drawn:
        with Image.open(tmp_path / name) as here, Image.open(folder / name) as there:
            assert np.array_equal(here, there), name
