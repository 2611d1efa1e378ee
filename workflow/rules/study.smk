# The study, as planned. Rules know names and paths; what a suite, a backend or a table does is the package's business.
import re
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

from afterimage.errors import AfterimageError
from afterimage.files.paths import DEFAULT_RESULTS, shipped
from afterimage.planning.checking import planned, require_reachable
from afterimage.stages.run_messages import announcement
from afterimage.planning.shards import SHARD_PATTERN


def checked(function, *arguments, **names):
    """Call a function of the package; a user's error becomes Snakemake's, one sentence without traceback."""
    try:
        return function(*arguments, **names)
    except AfterimageError as error:
        raise WorkflowError(str(error)) from None


# With a prefix (module: prefix:) Snakemake puts it before the paths of rules; what reads files otherwise gets it here.
RESULTS_FOLDER = config.get("results_folder", DEFAULT_RESULTS)
STUDIED = dict(config)
if isinstance(RESULTS_FOLDER, str):
    STUDIED["results_folder"] = with_prefix(RESULTS_FOLDER)

# What is known of the code is kept beside Snakemake's own records, from start to start (docs/invalidation.md).
# What the study reads may not be here yet (data.smk): in its place the smallest study there is.
IS_DATA_ALONE = is_whole_run() and is_run_alone() and asked_for() == ["data"]
if IS_DATA_ALONE:
    STUDIED = {"models": ["chance"], "suites": {"blindtest": {"tasks": ["grid"]}}}

GIVEN = given_settings()
KNOWN = Path(".snakemake") / "afterimage"
plan = checked(planned, STUDIED, study_files(), GIVEN, ROOT, KNOWN)


# For whoever shows the run: an empty line in the log, with the study beside it.
if not IS_DATA_ALONE:
    logger.info("", extra={"afterimage_study": announcement(plan)})


# `<results>` in the paths of rules: config key results_folder.
pathvars:
    results=RESULTS_FOLDER,


wildcard_constraints:
    suite="|".join(map(re.escape, plan.suites)),
    model="|".join(map(re.escape, plan.models)),
    shard=SHARD_PATTERN,
    figure=r"\w+",
