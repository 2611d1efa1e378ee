"""Building the crate: the workflow, its configuration, the run and its jobs as actions, and every result as an outcome.

Profile: Provenance Run Crate 0.5 (https://w3id.org/ro/wfrun/provenance/0.5), on Workflow Run Crate 0.5, Workflow
RO-Crate 1.0 and RO-Crate 1.1. A run of whose jobs nothing is recorded conforms to the others.
"""

import hashlib
import io
import json
import mimetypes
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pyarrow as pa
from rocrate.model.contextentity import ContextEntity
from rocrate.model.entity import Entity
from rocrate.model.person import Person
from rocrate.rocrate import ROCrate

from afterimage.commands.crate.finished import INPUT, RAW_ANSWERS, RESULT, Job, Member
from afterimage.commands.crate.provenance import PROFILE, add_jobs
from afterimage.files.parquet import meaning_of, read_records
from afterimage.files.paths import atomic_path
from afterimage.files.records import ANSWER, RESPONSE
from afterimage.files.stimulus import write_without_images
from afterimage.planning.yaml_positions import PositionedFile
from afterimage.version import VERSION

_PROFILES = (
    ("https://w3id.org/ro/wfrun/process/0.5", "Process Run Crate", "0.5"),
    ("https://w3id.org/ro/wfrun/workflow/0.5", "Workflow Run Crate", "0.5"),
    ("https://w3id.org/workflowhub/workflow-ro-crate/1.0", "Workflow RO-Crate", "1.0"),
)
_FORMATS = {".smk": "text/x-snakemake", ".yaml": "application/yaml", ".md": "text/markdown"} | {
    ".parquet": "application/vnd.apache.parquet",
    ".rst": "text/x-rst",
    ".tex": "application/x-tex",
    ".toml": "application/toml",
}


class _Answerer(NamedTuple):
    """Who gave raw answers: columns of their files."""

    model: str
    backend: str
    model_id: str
    revision: str | None
    settings: str


def build_crate(
    root: Path,
    output: str | os.PathLike[str],
    today: datetime,
    contents: Sequence[Member],
    jobs: Sequence[Job] = (),
    with_images: bool = False,
    study: str = "config.yaml",
    home: Path | None = None,
) -> int:
    """Write a finished run as one zip archive and return the number of its files.

    Args:
        root: The folder in which it was run.
        contents: The files of the crate; that they are a whole run's is the caller's to know.
        jobs: Those that Snakemake has records of, in the order in which they began.
        with_images: Whether the stimuli themselves go in, which are large, or only their records.
        study: The file that says what was run, relative to ``root`` or anywhere else.
        home: The folder of the Snakefile; by default ``root``.

    Raises:
        AfterimageError: The study's ``crate`` is not what it should be, or a file cannot be read.
    """
    about = _about(root / study)
    crate = ROCrate(version="1.1")
    crate.name = about["name"]
    crate.description = about["description"]
    crate.license = _licence(crate, about["licence"])
    crate.datePublished = today
    author = _add_author(crate, about.get("author"))
    workflow = _add_workflow(crate, home or root, is_how_to=bool(jobs))
    parent = Path(output).parent
    parent.mkdir(parents=True, exist_ok=True)
    # Beside the archive, where there is room for it: the system's folder may be small, or not be there.
    with TemporaryDirectory(prefix=".crate.", dir=parent) as folder:
        added = {
            member.path: _add_file(
                crate, member, _source(member, None if with_images else Path(folder))
            )
            for member in contents
        }
        _add_croissant(crate, about, contents, added, today)
        run = _add_run(crate, root, workflow, contents, added, jobs)
        if author is not None:
            run["agent"] = author
        profiles = (*_PROFILES, PROFILE) if jobs else _PROFILES
        crate.root_dataset["conformsTo"] = [_profile(crate, *profile) for profile in profiles]
        with atomic_path(output) as temporary:
            crate.write_zip(temporary)
    return len(added) + 2


def _about(file: Path) -> dict[str, Any]:
    """Return what the study's file says about the archive, completed with what can be said of any run."""
    study = PositionedFile(file, "the study").content
    named = ", ".join(study["suites"])
    return {
        "name": f"Afterimage run: {named}",
        "description": f"Perception benchmarks for vision-language models ({named}), answered by "
        f"{', '.join(study['models'])}: tables, figures, judged and raw answers, and the workflow that made them.",
        "licence": "https://spdx.org/licenses/MIT",
        **(study.get("crate") or {}),
    }


def _licence(crate: ROCrate, identifier: str) -> ContextEntity:
    properties = {"@type": "CreativeWork", "name": identifier.rstrip("/").rsplit("/", 1)[-1]}
    return crate.add(ContextEntity(crate, identifier, properties=properties))


def _add_author(crate: ROCrate, author: Mapping[str, str] | None) -> Person | None:
    if author is None:
        return None
    person = crate.add(Person(crate, author.get("orcid"), {"name": author["name"]}))
    crate.root_dataset["author"] = person
    return person


def _add_workflow(crate: ROCrate, home: Path, is_how_to: bool) -> Entity:
    types = ["File", "SoftwareSourceCode", "ComputationalWorkflow"]
    workflow = crate.add_workflow(
        home / "Snakefile",
        "Snakefile",
        main=True,
        lang="snakemake",
        lang_version=version("snakemake"),
        properties={"@type": [*types, "HowTo"] if is_how_to else types},
    )
    workflow["name"] = "Afterimage"
    workflow["version"] = VERSION
    workflow["license"] = "https://spdx.org/licenses/MIT"
    workflow["encodingFormat"] = "text/x-snakemake"
    return workflow


def _source(member: Member, folder: Path | None) -> Path:
    """Return the file to put in; where a folder for it is given, stimuli are copied there without their images."""
    if folder is None or member.file.name != "stimuli.parquet":
        return member.file
    write_without_images(member.file, folder / member.path)
    return folder / member.path


def _add_croissant(
    crate: ROCrate,
    about: Mapping[str, Any],
    contents: Sequence[Member],
    added: Mapping[str, Entity],
    today: datetime,
) -> None:
    results = {
        content.path: added[content.path].source for content in contents if content.role == RESULT
    }
    text = json.dumps(_described(about, results, today), indent=1)
    properties = {
        "name": "The results as a data set, in Croissant's form",
        "encodingFormat": "application/ld+json",
        "contentSize": str(len(text.encode())),
        "conformsTo": {"@id": "http://mlcommons.org/croissant/1.0"},
    }
    crate.add_file(io.StringIO(text), _CROISSANT, properties=properties)


def _add_file(crate: ROCrate, member: Member, source: Path) -> Entity:
    properties: dict[str, str | dict[str, str]] = {
        "name": source.name,
        "contentSize": str(source.stat().st_size),
        "encodingFormat": _format(source),
    }
    if member.about:
        properties["description"] = member.about
    if member.path == "README.md":
        properties["about"] = {"@id": "./"}
    return crate.add_file(source, member.path, properties=properties)


def _format(path: Path) -> str:
    guessed, _ = mimetypes.guess_type(path.name)
    return _FORMATS.get(path.suffix) or guessed or "application/octet-stream"


def _add_run(
    crate: ROCrate,
    root: Path,
    workflow: Entity,
    contents: Sequence[Member],
    added: Mapping[str, Entity],
    jobs: Sequence[Job],
) -> ContextEntity:
    results = [member.path for member in contents if member.role == RESULT]
    makers = {output: job for job in jobs for output in job.outputs}
    start, end = _times(root, results, makers)
    action = crate.add_action(
        workflow,
        identifier="#run",
        object=[added[member.path] for member in contents if member.role == INPUT],
        result=[added[path] for path in results],
        properties={
            "name": "The run that these results come from",
            "startTime": start.isoformat(timespec="seconds"),
            "endTime": end.isoformat(timespec="seconds"),
            "description": _how_timed(results, makers),
            "actionStatus": "http://schema.org/CompletedActionStatus",
        },
    )
    crate.root_dataset["mentions"] = action
    if jobs:
        # Jobs of another folder than the Snakefile's name what comes with it by its whole path.
        whole = {str(member.file): added[member.path] for member in contents}
        add_jobs(crate, workflow, action, jobs, {**whole, **added})
    workflow["softwareRequirements"] = [
        _model(crate, answerer) for answerer in _answerers(contents)
    ]
    return action


def _times(
    root: Path, results: Sequence[str], makers: Mapping[str, Job]
) -> tuple[datetime, datetime]:
    """Return when the first job that left a result began, and when the last one ended."""
    starts, ends = [], []
    for path in results:
        written = (root / path).stat().st_mtime
        starts.append(makers[path].start if path in makers else written)
        ends.append(makers[path].end if path in makers else written)
    return datetime.fromtimestamp(min(starts), UTC), datetime.fromtimestamp(max(ends), UTC)


def _how_timed(results: Sequence[str], makers: Mapping[str, Job]) -> str:
    known = sum(path in makers for path in results)
    return (
        f"Times are Snakemake's own records for {known} of {len(results)} results, and the files' dates for the "
        "others. Results of an earlier run that were still valid were not made again."
    )


def _answerers(contents: Sequence[Member]) -> list[_Answerer]:
    """Return who gave the raw answers, each once."""
    seen: dict[_Answerer, None] = {}
    for path in (content.file for content in contents if content.about == RAW_ANSWERS):
        rows = read_records(path, RESPONSE, columns=_Answerer._fields)
        seen |= dict.fromkeys(_Answerer(**row) for row in rows)
    return list(seen)


def _model(crate: ROCrate, answerer: _Answerer) -> ContextEntity:
    name, backend, model_id, revision, settings = answerer
    properties = {
        "@type": "SoftwareApplication",
        "name": name,
        "identifier": model_id,
        "description": f"Answers by the backend {backend}, settings {settings}",
        # Who answers from this package's own code has no other version.
        "softwareVersion": revision or (VERSION if model_id == name else model_id),
    }
    digest = f"#model-{len(crate.get_by_type('SoftwareApplication')) + 1}-{name}"
    return crate.add(ContextEntity(crate, digest, properties=properties))


def _profile(crate: ROCrate, identifier: str, name: str, profile_version: str) -> ContextEntity:
    properties = {"@type": "CreativeWork", "name": name, "version": profile_version}
    return crate.add(ContextEntity(crate, identifier, properties=properties))


# ---- the results as a data set, in Croissant's form ----
#
# https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html: ``croissant.json`` at the crate's root names every
# table of data in it with its hash, and describes ``all_answers.parquet`` column by column.

#: Its name in the crate.
_CROISSANT = "croissant.json"
# The file whose columns it explains, in whatever folder the results are.
_ANSWERS = "all_answers.parquet"
_CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
# The library mlcroissant knows Parquet by this name alone.
_CROISSANT_FORMATS = {".parquet": "application/x-parquet", ".csv": "text/csv"}
_TERMS = (
    *("citeAs", "column", "equivalentProperty", "extract", "field", "fileProperty", "fileObject"),
    *("fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField"),
    *("path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate"),
    *("separator", "source", "subField", "transform"),
)
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _TERMS},
}
_TYPES = {
    pa.string(): "sc:Text",
    pa.bool_(): "sc:Boolean",
    pa.int32(): "sc:Integer",
    pa.int64(): "sc:Integer",
    pa.float64(): "sc:Float",
}


def _described(
    about: Mapping[str, Any], files: Mapping[str, Path], published: datetime
) -> dict[str, Any]:
    """Return the crate's data as Croissant metadata, JSON-LD.

    Args:
        about: ``name``, ``description`` and ``licence`` of the crate.
        files: Path in the crate to the file that goes in there; others than Parquet and CSV are passed over.
    """
    known = {name: path for name, path in files.items() if path.suffix in _CROISSANT_FORMATS}
    answers = [name for name in known if Path(name).name == _ANSWERS]
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": _CONFORMS_TO,
        "name": about["name"],
        "description": about["description"],
        "license": about["licence"],
        "url": "./",
        "version": f"{published.year}.{published.month}.{published.day}",
        "datePublished": published.isoformat(timespec="seconds"),
        "distribution": [_file(name, path) for name, path in known.items()],
        "recordSet": list(map(_answers, answers)),
    }


def _file(name: str, path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": _CROISSANT_FORMATS[path.suffix],
        "sha256": digest,
    }


def _answers(file: str) -> dict[str, Any]:
    """Describe the columns that hold one value each: not options and factors, which are lists."""
    return {
        "@type": "cr:RecordSet",
        "@id": "answers",
        "name": "answers",
        "description": "Every answer with its question, reading and verdict.",
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"answers/{column.name}",
                "name": column.name,
                "description": meaning_of(column),
                "dataType": _TYPES[column.type],
                "source": {"fileObject": {"@id": file}, "extract": {"column": column.name}},
            }
            for column in ANSWER
            if column.type in _TYPES
        ],
    }
