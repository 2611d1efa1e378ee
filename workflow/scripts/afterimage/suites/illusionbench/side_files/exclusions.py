"""What was left out of a user's data set before any model was asked, row by row, with the reason."""

from collections.abc import Mapping, Sequence

from afterimage.files.csv_rows import write_csv
from afterimage.suites.illusionbench.annotations import Exclusion
from afterimage.suites.illusionbench.sources import read


def write(spec: Mapping, inputs: Sequence[str], outputs: Sequence[str]) -> None:
    """Write the exclusions as CSV; of the drawn set there are none.

    Args:
        spec: ``source`` and what belongs to it, as in the settings.
        inputs: The files of the annotations.
        outputs: The CSV file.

    Raises:
        AfterimageError: The data set cannot be read.
    """
    excluded = () if spec["source"] == "drawn" else read(spec).exclusions
    (path,) = outputs
    write_csv(path, (row._asdict() for row in excluded), Exclusion._fields)
