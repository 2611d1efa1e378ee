# Before Snakemake reads config.yaml: what is no YAML is said with line and column, which Snakemake does not.
from snakemake.exceptions import WorkflowError

from afterimage.errors import AfterimageError
from afterimage.planning.yaml_positions import PositionedFile

try:
    PositionedFile(STUDY, "the study")
except AfterimageError as error:
    raise WorkflowError(str(error)) from None
