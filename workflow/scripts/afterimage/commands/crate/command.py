"""``afterimage crate``: archive a finished run."""

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from afterimage.commands.common import add_configfile
from afterimage.commands.crate.finished import (
    members_of_crate,
    recorded_jobs,
    require_answered,
    require_current,
    require_made,
    unrecorded,
)
from afterimage.files.paths import ROOT
from afterimage.planning.checking import planned
from afterimage.stages.stale_results import left_over


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--output",
        metavar="FILE",
        help="the archive to write; by default crate.zip among the study's results",
    )
    add_configfile(parser)
    parser.add_argument(
        "--images",
        action="store_true",
        help="put the stimuli in, not only what they were drawn from",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Archive the run in the current folder."""
    # The library behind it takes its time to load; the other commands do without.
    from afterimage.commands.crate.build import build_crate

    root, study = Path.cwd(), options.configfile
    plan = planned(None, [study], {}, ROOT)
    others = left_over(plan, Path(plan.results))
    contents = members_of_crate(root, study, ROOT, others)
    require_made(plan, study)
    require_answered(contents)
    jobs = recorded_jobs(plan, study, root, require_current(plan, study, root))
    if warning := unrecorded(plan, jobs):
        print(f"afterimage: {warning}", file=sys.stderr)
    output = options.output or Path(plan.results) / "crate.zip"
    today = datetime.now(UTC)
    count = build_crate(root, output, today, contents, jobs, options.images, study, ROOT)
    print(f"{output}: {count} files")
    return 0
