"""The folder of the Snakefile: a clone of the repository, or what a wheel has installed (docs/anywhere.md).

The package lies below it, at ``workflow/scripts/afterimage``. Standard library only.
"""

from pathlib import Path

#: Resources, rules, schemas and the registry lie below it.
ROOT = Path(__file__).resolve().parents[4]
