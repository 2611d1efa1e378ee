"""The jobs of a run in the terms of Provenance Run Crate 0.5 (https://w3id.org/ro/wfrun/provenance/0.5).

Each job is a ``CreateAction`` of a tool: the function that it called, in the version that its fingerprint names, with
the packages of its environment. Each rule is a ``HowToStep``, and one ``ControlAction`` represents all its jobs, as for
those of a scattered step.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Any

from rocrate.model.contextentity import ContextEntity
from rocrate.model.entity import Entity
from rocrate.rocrate import ROCrate

from afterimage.commands.crate.finished import Job
from afterimage.stages.all_stages import STAGES
from afterimage.stages.report import pinned

#: Additional profile of a crate with jobs: identifier, name, version.
PROFILE = ("https://w3id.org/ro/wfrun/provenance/0.5", "Provenance Run Crate", "0.5")
# A term of the profile that RO-Crate 1.1 does not know.
_BUILD = "buildInstructions"
_BUILD_TERM = "https://w3id.org/ro/terms/workflow-run#buildInstructions"
_PINS = "https://pip.pypa.io/en/stable/reference/requirements-file-format/"


def add_jobs(
    crate: ROCrate,
    workflow: Entity,
    run: Entity,
    jobs: Sequence[Job],
    added: Mapping[str, Entity],
) -> None:
    """Add the jobs of a run, and what they were jobs of.

    Args:
        workflow: Its workflow; one of its types is ``HowTo``.
        run: The action of the whole run.
        jobs: At least one, in the order in which they began.
        added: Path to each file in the crate. Others that jobs read or wrote are named only.
    """
    crate.metadata.extra_terms[_BUILD] = _BUILD_TERM
    making = _Making(crate, added)
    tools: dict[str, Entity] = {}
    steps, controls, all_actions = [], [], []
    for position, (rule, rule_jobs) in enumerate(_by_rule(jobs).items(), 1):
        used = {tool.id: tool for tool in (making.tool(job) for _, job in rule_jobs)}
        steps.append(making.step(position, rule_jobs[0][1], list(used.values())))
        actions = [making.action(number, job) for number, job in rule_jobs]
        controls.append(making.control(rule, steps[-1], actions))
        tools |= used
        all_actions += actions
    workflow["step"] = _plain(steps)
    workflow["hasPart"] = _plain(list(tools.values()))
    making.organize(run, controls)
    crate.root_dataset["mentions"] = [run, *all_actions]


def _by_rule(jobs: Sequence[Job]) -> dict[str, list[tuple[int, Job]]]:
    """Return the jobs of each rule with their numbers, rules and jobs in the order in which they began."""
    rules: dict[str, list[tuple[int, Job]]] = {}
    for number, job in enumerate(jobs, 1):
        rules.setdefault(job.rule, []).append((number, job))
    return rules


class _Making:
    """Makes entities of a crate, each once."""

    def __init__(self, crate: ROCrate, added: Mapping[str, Entity]) -> None:
        self._crate = crate
        self._files = dict(added)
        self._numbers = count(1)

    def organize(self, run: Entity, controls: list[Entity]) -> Entity:
        engine = self._add(
            "#snakemake",
            "SoftwareApplication",
            name="Snakemake",
            softwareVersion=version("snakemake"),
            url="https://snakemake.github.io",
        )
        return self._add(
            "#snakemake-run",
            "OrganizeAction",
            name="Snakemake's run of the workflow",
            instrument=engine,
            object=controls,
            result=run,
        )

    def control(self, rule: str, step: Entity, actions: list[Entity]) -> Entity:
        name = f"Snakemake's start of the jobs of {rule}"
        return self._add(
            f"#start-{rule}", "ControlAction", name=name, instrument=step, object=actions
        )

    def step(self, position: int, job: Job, tools: list[Entity]) -> Entity:
        """Return the rule of a job."""
        step = self._add(
            f"#step-{job.rule}",
            "HowToStep",
            name=job.rule,
            position=str(position),
            workExample=tools,
        )
        if (pins := self._pins(STAGES[job.stage].environment)) is not None:
            pins["conformsTo"] = {"@id": _PINS}
            step[_BUILD] = pins
        return step

    def action(self, number: int, job: Job) -> Entity:
        """Return a job; the number tells it from others of its rule."""
        return self._add(
            f"#job-{number}",
            "CreateAction",
            name=f"{job.rule}: {Path(job.outputs[0]).name}",
            instrument=self.tool(job),
            object=list(map(self._file, job.inputs)),
            result=list(map(self._file, job.outputs)),
            startTime=_time(job.start),
            endTime=_time(job.end),
        )

    def tool(self, job: Job) -> Entity:
        """Return the function that a job called, in the version of its code."""
        identifier = f"#{job.stage}-{job.code}"
        if (known := self._crate.get(identifier)) is not None:
            return known
        stage = STAGES[job.stage]
        module, _, function = stage.part.partition(":")
        tool = self._add(
            identifier,
            "SoftwareApplication",
            name=f"{module}.{function}",
            softwareVersion=job.code,
        )
        if (
            source := self._files.get(f"workflow/scripts/{module.replace('.', '/')}.py")
        ) is not None:
            tool["hasPart"] = source
        if (pins := self._pins(stage.environment)) is not None:
            tool["softwareRequirements"] = self._packages(stage.environment, pins)
        return tool

    def _pins(self, environment: str) -> Entity | None:
        return self._files.get(f"envs/{environment}.txt")

    def _packages(self, environment: str, pins: Entity) -> Entity:
        """Return the packages of an environment as one application that requires each of them."""
        identifier = f"#packages-{environment}"
        if (known := self._crate.get(identifier)) is not None:
            return known
        packages = [
            self._crate.get(f"#package-{name}-{pin}")
            or self._add(
                f"#package-{name}-{pin}", "SoftwareApplication", name=name, softwareVersion=pin
            )
            for name, pin in pinned(Path(pins.source)).items()
        ]
        return self._add(
            identifier,
            "SoftwareApplication",
            name=f"Packages of {pins.id}",
            softwareRequirements=packages,
        )

    def _file(self, path: str) -> Entity:
        """Return a file of the crate, or the bare name of one outside the run's folder, which is not disclosed."""
        if path not in self._files:
            location = Path(path)
            is_outside = location.is_absolute() or ".." in location.parts
            self._files[path] = self._add(
                f"#file-{next(self._numbers)}",
                "CreativeWork",
                name=location.name if is_outside else path,
            )
        return self._files[path]

    def _add(self, identifier: str, kind: str, **properties: Any) -> Entity:
        plain = {name: _plain(value) for name, value in properties.items() if value != []}
        return self._crate.add(
            ContextEntity(self._crate, identifier, properties={"@type": kind, **plain})
        )


def _plain(value: Any) -> Any:
    """Return the only element of a list instead of the list, as RO-Crate wants it."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
