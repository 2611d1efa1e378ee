"""One version of each package, wherever it is named."""

import re
import tomllib


def locked(root):
    pins = (root / "envs" / "requirements.txt").read_text().splitlines()
    found = {}
    for pin in pins:
        if pin.startswith(("#", " ")):
            continue
        name, version = re.match(r"([\w.-]+)==([\w.]+)", pin).groups()
        found.setdefault(name.lower(), set()).add(version)
    return found


def test_the_environments_of_the_jobs_name_the_installed_versions(root):
    versions = locked(root)
    for kind in ("figures", "inference", "stimuli", "tables"):
        path = root / "envs" / f"{kind}.txt"
        pins = [line for line in path.read_text().splitlines() if not line.startswith("#")]
        assert pins, path.name
        for pin in pins:
            name, version = pin.split("==")
            assert version in versions[name.lower()], f"{path.name}: {pin}"


def test_pyproject_names_the_installed_versions(root):
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    versions = locked(root)
    for pin in [*project["dependencies"], *project["optional-dependencies"]["dev"]]:
        name, version = pin.split("==")
        assert version in versions[name.lower()], pin
