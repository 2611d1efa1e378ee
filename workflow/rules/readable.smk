# Before Snakemake reads config.yaml: what is no YAML is said with line and column, which Snakemake does not.
import sys

SCRIPTS = str(
    Path(workflow.current_basedir.get_path_or_uri(secret_free=False)).parents[1]
    / "workflow"
    / "scripts"
)
sys.path.insert(0, SCRIPTS)

from afterimage.errors import AfterimageError
from afterimage.planning.places import PlacedFile

try:
    PlacedFile(STUDY, "the study")
except AfterimageError as error:
    sys.exit(str(error))
