"""The schemas of suites' settings for readers: ``python -m afterimage.planning.schemas`` writes them."""

from pathlib import Path

import yaml

from afterimage.contract.finding import load_suite, suite_names
from afterimage.contract.settings import schema_of

#: Where they are, from this file.
FOLDER = Path(__file__).parents[3] / "schemas" / "suites"


def schema_text(name: str) -> str:
    """Return the schema of a suite's settings as YAML."""
    suite = load_suite(name)
    schema = schema_of(suite.settings, name, suite.description)
    text: str = yaml.safe_dump(schema, sort_keys=False, allow_unicode=True, width=120)
    return text


def write_schemas() -> None:
    """Write the schema of every suite."""
    for name in suite_names():
        (FOLDER / f"{name}.schema.yaml").write_text(schema_text(name), encoding="utf-8")


if __name__ == "__main__":
    write_schemas()
