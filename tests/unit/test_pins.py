"""One version of each package, wherever it is named."""

import re
import tomllib

import yaml


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
    environments = list((root / "envs").glob("*.yaml"))
    assert len(environments) >= 4
    for path in environments:
        pins = yaml.safe_load(path.read_text())["packages"]
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
