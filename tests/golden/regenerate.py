"""Run the golden studies, keep what they give, and print what changed: python tests/golden/regenerate.py [NAME ...]."""

import argparse
import tempfile
from pathlib import Path

import golden_runs
from golden_files import difference, keep, kept
from golden_paths import ROOT


def main() -> None:
    """Regenerate the files of the studies that are named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    names = list(golden_runs.SOURCES)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)}")
    parser.add_argument("--folder", type=Path, help="where the studies run and are kept to look at")
    options = parser.parse_args()
    if unknown := sorted(set(options.names) - set(names)):
        parser.error(f"unknown: {', '.join(unknown)}; expected of {', '.join(names)}")
    with tempfile.TemporaryDirectory() as temporary:
        for name in options.names or names:
            before = kept(name)
            folder = (options.folder or Path(temporary)) / name
            after = golden_runs.SOURCES[name](ROOT, folder)
            keep(name, after)
            changes = difference(before, after)
            print(changes or f"{name}: nothing changed", flush=True)


if __name__ == "__main__":
    main()
