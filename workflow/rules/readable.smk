# Before Snakemake reads config.yaml: what is no YAML is said with line and column, which Snakemake does not.
import sys
from pathlib import Path

SCRIPTS = str(Path(workflow.basedir) / "workflow" / "scripts")
sys.path.insert(0, SCRIPTS)

from afterimage.errors import AfterimageError
from afterimage.planning.places import PlacedFile

try:
    PlacedFile("config.yaml", "the study")
except AfterimageError as error:
    sys.exit(str(error))
