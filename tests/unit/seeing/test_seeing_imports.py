"""What sees knows nothing of what draws: neither the shared functions nor the observers of the suites."""

import re

import pytest

from afterimage.fingerprints.reach import Reach
from afterimage.fingerprints.scripts import Scripts

OBSERVERS = (
    *("blindtest.seeing", "contrast.seeing", "counting_bias.seeing", "hidden_digits.seeing"),
    *("illusion_strength.seeing", "illusionbench.observer", "illusions.observer"),
    *("pope.seeing", "search.seeing", "texture.seeing", "tunnel_vision.seeing"),
)


def rooms(files):
    return {name.removeprefix("afterimage/").split("/")[0] for name in files}


def test_the_shared_functions_import_no_room_of_the_package(scripts):
    modules = [
        f"afterimage.seeing.{path.stem}"
        for path in (scripts / "afterimage/seeing").glob("*.py")
        if path.stem != "__init__"
    ]
    assert len(modules) >= 10
    assert rooms(Reach(Scripts(scripts)).files(modules)) <= {
        "seeing",
        "contract",
        "errors.py",
        "__init__.py",
    }


@pytest.mark.parametrize("observer", OBSERVERS)
def test_no_observer_imports_anything_that_draws(scripts, observer):
    files = Reach(Scripts(scripts)).files([f"afterimage.suites.{observer}"])
    # A list of words is read from its file.
    assert rooms(files) <= {
        *("contract", "files", "seeing", "items", "suites"),
        *("errors.py", "__init__.py"),
    }
    drawing = r"/figures/|suites/.*/(drawing|flags)\.py|pope/(scene|design)\.py|texture/canvas\.py"
    assert not [name for name in files if re.search(drawing, name)]
