"""What pyproject.toml cannot say: a wheel holds the whole workflow as it lies here (docs/running.md).

The tree goes into one folder of site-packages, and a .pth file there names the folder of the package within it, as an
editable installation does. So rules, schemas, resources and code lie to each other as in a clone.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent
FOLDER = "afterimage_workflow"
SCRIPTS = "workflow/scripts"
TREE = (
    *("Snakefile", "config.yaml", "pyproject.toml", "LICENSE", "README.md"),
    *("config", "envs", "profiles", "resources", "studies", "workflow"),
)
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info")


class WholeTree(build_py):
    """Copies the tree in place of the package alone."""

    def run(self) -> None:
        """Copy; an editable installation stays what it is."""
        if self.editable_mode:
            super().run()
            return
        target = Path(self.build_lib)
        for name in TREE:
            source, copy = HERE / name, target / FOLDER / name
            if source.is_dir():
                shutil.copytree(source, copy, ignore=LEFT_OUT, dirs_exist_ok=True)
            else:
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, copy)
        (target / "afterimage.pth").write_text(f"{FOLDER}/{SCRIPTS}\n", encoding="utf-8")


setup(cmdclass={"build_py": WholeTree})
