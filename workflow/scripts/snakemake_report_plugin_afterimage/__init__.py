"""Snakemake's report plug-in of this workflow: the jobs behind a run as JSON, for its archive (docs/report.md).

Snakemake hands a reporter the records of all jobs, from wherever it keeps them. It imports nothing of the package
``afterimage``, as the logger plug-in does.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from snakemake_interface_report_plugins.reporter import ReporterBase
from snakemake_interface_report_plugins.settings import ReportSettingsBase


@dataclass
class ReportSettings(ReportSettingsBase):
    """What ``--report-afterimage-...`` sets."""

    path: Path | None = field(
        default=None,
        metadata={
            "help": "The JSON file to write",
            "env_var": False,
            "required": True,
            "type": Path,
        },
    )


class Reporter(ReporterBase):
    """Writes what is known of each job."""

    def render(self) -> None:
        """Write a list of jobs, each with rule, parameters, inputs, outputs, start and end (seconds since 1970)."""
        self.settings.path.write_text(json.dumps(list(self._jobs())), encoding="utf-8")

    def _jobs(self) -> Iterator[dict[str, Any]]:
        for record in self.jobs:
            # Of the job itself, the report's interface names the rule alone; executor plug-ins get the rest
            # (SingleJobExecutorInterface).
            job = record.job
            params = json.loads(job.properties()).get("params", {})
            yield {
                "rule": job.rule.name,
                "code": str(params.get("code", "")),
                "inputs": list(map(str, job.input)),
                "outputs": list(map(str, record.output)),
                "start": record.starttime,
                "end": record.endtime,
            }
