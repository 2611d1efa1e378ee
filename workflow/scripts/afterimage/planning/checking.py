"""A study, and what is asked of it, is checked before anything starts: all faults at once, each in a line."""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from afterimage.contract.model import ADAPTER, ModelEntry
from afterimage.errors import (
    AfterimageError,
    Faults,
    PlacedError,
    fault,
    model_entry,
    model_settings,
    nearest,
    unknown_name,
)
from afterimage.files.checkpoint_folder import require_adapter
from afterimage.models.weights import repository_of
from afterimage.planning.entries import REGISTRY
from afterimage.planning.plan import Plan
from afterimage.planning.recorded_answers import recorded_files
from afterimage.planning.yaml_positions import Position, PositionedFile, position_of

# What the hub calls a repository; its own are without an organisation.
_REPOSITORY = re.compile(r"([\w.-]+/)?[\w.-]+", re.ASCII)
_LAST = Position("~")
_OPENAI_KEY = "OPENAI_API_KEY"


def planned(
    config: Mapping[str, Any] | None,
    files: Sequence[str | Path],
    given: Mapping[str, Any],
    root: Path,
    records: Path | None = None,
) -> Plan:
    """Return the plan of a study.

    Args:
        config: All settings, put together; None for those of the files and, above them, those given.
        files: The files that they come from; a later one wins.
        given: Settings of the command line.
        root: The folder of the Snakefile.
        records: As :class:`Plan` takes them.

    Raises:
        AfterimageError: The study has faults: a line each, with file, line and column where to fix it.
    """
    written: list[PositionedFile] = []
    faults = Faults()
    for file in files:
        with faults.noted():
            written.append(PositionedFile(_path_from_here(file), "--configfile"))
    faults.raise_any()
    settings: dict[str, Any] = {}
    for positioned in written:
        settings |= positioned.content
    settings |= given
    whole = settings if config is None else config
    try:
        return Plan(whole, root, records)
    except AfterimageError as error:
        _with_positions(error, written, given, whole).raise_any()
        raise


def require_reachable(
    plan: Plan, files: Sequence[str | Path] = (), given: Mapping[str, Any] | None = None
) -> None:
    """Check that models can be asked, or have answered, as far as can be known here; plans do not need it.

    A model that has answered before is let through: what is asked may be in its journal.

    Raises:
        AfterimageError: A key, a checkpoint or a recorded answer is missing: a line each, with its position.
    """
    faults = Faults()
    for entry in plan.models_and_judge.values():
        if not (Path(plan.journal) / entry.name).is_dir():
            with faults.noted():
                _require_key(entry)
                _require_folders(entry)
    for name in plan.recorded:
        _require_answers(plan, name, faults)
    try:
        faults.raise_any()
    except AfterimageError as error:
        written = [PositionedFile(_path_from_here(file), "--configfile") for file in files]
        _with_positions(error, written, given or {}, {}).raise_any()


def _require_key(entry: ModelEntry) -> None:
    if entry.backend != "openai_compatible":
        return
    named_variable = entry.settings.get("api_key_env")
    variable = named_variable or (None if entry.settings.get("base_url") else _OPENAI_KEY)
    if variable is not None and not os.environ.get(variable, "").strip():
        settings = model_settings(entry.name)
        raise fault(
            settings.inside("api_key_env") if named_variable else settings,
            f"environment variable '{variable}' is not set; expected the API's key in it.",
        )


def _require_folders(entry: ModelEntry) -> None:
    """Check that what an entry names as folders is there: its checkpoint, its adapter."""
    adapter = entry.settings.get(ADAPTER)
    if adapter is not None and repository_of(adapter) is None:
        setting, folder = model_settings(entry.name).inside(ADAPTER), Path(adapter).expanduser()
        if not folder.is_dir():
            raise fault(
                setting,
                f"folder '{adapter}' does not exist; expected a folder with an adapter, or a repository such as "
                "organisation/name@revision.",
            )
        require_adapter(folder, setting)
    path = Path(entry.model_id).expanduser()
    is_path = entry.model_id.startswith(("/", ".", "~")) or not _REPOSITORY.fullmatch(
        entry.model_id
    )
    if entry.backend != "transformers" or not (is_path or path.is_dir()):
        return
    if (path / "config.json").is_file():
        return
    found = (
        f"folder '{entry.model_id}' holds no config.json"
        if path.is_dir()
        else f"folder '{entry.model_id}' does not exist"
    )
    raise fault(
        model_entry(entry.name).inside("model_id"),
        f"{found}; expected a folder with a checkpoint, or a repository such as organisation/name.",
    )


def _require_answers(plan: Plan, model: str, faults: Faults) -> None:
    """Read the first answer of each recorded file: one of another form is not left for a job to find."""
    # Only studies with recorded answers take the time to import it.
    from afterimage.models.recorded.reading import read_answers

    settings = plan.models[model].settings
    paths = [path for suite in plan.suites for path in recorded_files(plan.models[model], suite)]
    for path in dict.fromkeys(paths):
        with faults.noted():
            first = next(iter(read_answers(path, settings)), None)
            if first is None and settings["missing"] == "fail":
                raise AfterimageError(f"{path}: holds no answers; expected at least one.")


def _with_positions(
    error: AfterimageError,
    files: Sequence[PositionedFile],
    given: Mapping[str, Any],
    config: Mapping[str, Any],
) -> Faults:
    """Return the faults, each with its position in front, in the order of the files; those without one are last."""
    registry = config.get("model_registry")
    named = registry if isinstance(registry, str) else REGISTRY
    found = [(position_of(single.setting, files, given, named), single) for single in error.faults]
    faults = Faults()
    for position, single in sorted(found, key=lambda pair: pair[0] or _LAST):
        faults.add(single if position is None else PlacedError(f"{position}: {single}"))
    return faults


def _path_from_here(file: str | Path) -> str:
    """Return a file's path as a person would name it from here."""
    path = Path(file)
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else str(file)


# ---- targets ----

#: Folder below the results to what the parts of a path below it name, one after the other.
_NAMED_BY_PATHS: Mapping[str, tuple[str, ...]] = {
    "tables": ("table",),
    "figures": ("figure",),
    "report": ("page",),
    "grades": ("suite", "model"),
    "automatic_grades": ("suite", "model"),
    "responses": ("suite", "model"),
    "recorded": ("suite", "model"),
    "votes": ("suite", "judge", "model"),
    "items": ("suite",),
    "questions": ("suite",),
    "stimuli": ("suite", "figure of a suite"),
    "weights": ("fetched model",),
}


def require_targets(
    targets: Iterable[str],
    plan: Plan,
    names: Mapping[str, Collection[str]],
    is_made: Callable[[str], bool],
    known: Iterable[str],
) -> None:
    """Check that what is asked for can be made.

    Args:
        targets: Names of rules and paths of files.
        plan: Of the study.
        names: The names of tables, figures and pages there are, by ``table``, ``figure`` and ``page``.
        is_made: Tells whether a target is a rule's name, or a file that is there or that a rule makes.
        known: Targets among which the nearest is sought, where no part of a path is an unknown name.

    Raises:
        AfterimageError: Some cannot: a line for each.
    """
    faults = Faults()
    for target in targets:
        valid = _valid_names(plan, names, target)
        error = _unknown_part(plan, target, valid)
        if error is None and not is_made(target):
            error = _unknown_target(target, known)
        if error is not None:
            faults.add(error)
    faults.raise_any()


def _valid_names(
    plan: Plan, names: Mapping[str, Collection[str]], target: str
) -> dict[str, Collection[str]]:
    judge = plan.judging.judge
    suite = PurePosixPath(target).parts[-3:-2]
    return {
        **names,
        "suite": plan.suites,
        "model": plan.models,
        "judge": [] if judge is None else [judge.name],
        "figure of a suite": plan.figures.get(suite[0], ()) if suite else (),
        "fetched model": plan.fetched,
    }


def _unknown_part(
    plan: Plan, target: str, valid: Mapping[str, Collection[str]]
) -> AfterimageError | None:
    """Return the error for the first part of a path below the results that names nothing of the study."""
    where = f"target '{target}'"
    for kind, name in _names_in_path(plan.results, target):
        if name not in valid[kind]:
            return unknown_name(kind.partition(" of ")[0], name, valid[kind], where)
    try:
        _require_listed(plan, target)
    except AfterimageError as error:
        return fault(where, f"{error}")
    return None


def _require_listed(plan: Plan, target: str) -> None:
    """Check the name of an image, a number or a training, which it takes time to list."""
    path = PurePosixPath(target)
    below = path.relative_to(plan.results).parts if path.is_relative_to(plan.results) else ()
    match below:
        case ("stimuli", suite, figure, _) if path.suffix == ".png":
            require_stimulus(plan, suite, figure, path.stem)
        case ("models", recipe, _):
            # Only who asks for a training waits for what it imports.
            from afterimage.sprout.recipe import RECIPES

            if recipe not in RECIPES:
                raise unknown_name("recipe", recipe, RECIPES)
        case ("numbers", _, *_) if path.suffix == ".txt":
            number = PurePosixPath(*below[1:]).with_suffix("").as_posix()
            plan.ledger.files([number])


def _names_in_path(results: str, target: str) -> Iterator[tuple[str, str]]:
    path = PurePosixPath(target)
    if not path.is_relative_to(results):
        return
    kind, *parts = path.relative_to(results).parts or ("",)
    kinds = _NAMED_BY_PATHS.get(kind, ())
    if kind == "stimuli" and path.suffix not in (".png", ".parquet"):
        # Next to the folders of figures are those of side files, such as annotations.
        kinds = kinds[:1]
    for index, (named, part) in enumerate(zip(kinds, parts, strict=False)):
        is_last = index == len(parts) - 1
        # Next to the folders of a suite are files of the whole suite.
        if is_last and index < len(kinds) - 1:
            return
        if is_last and kind == "stimuli":
            return
        name = part.rpartition(".")[0] if is_last else part
        # A table in its paper's form has two endings.
        yield named, name.removesuffix(".paper") if kind == "tables" else name


def _unknown_target(target: str, known: Iterable[str]) -> AfterimageError:
    """Return the error for an unknown target: it suggests the nearest path or name."""
    paths = list(known)
    by_name = {PurePosixPath(path).stem: path for path in reversed(paths)}
    name = nearest(PurePosixPath(target).stem, by_name)
    is_path = "/" in target
    near = nearest(target, paths) if is_path else None
    near = near or (None if name is None else by_name[name])
    hint = f"did you mean '{near}'?" if near else "expected a file or a rule of the workflow."
    return AfterimageError(f"unknown target '{target}': {hint}")


def require_stimulus(plan: Plan, suite: str, figure: str, stimulus: str) -> None:
    """Check that there is an image of this name.

    Raises:
        AfterimageError: The figure has no such stimulus.
    """
    if figure not in plan.figures[suite]:
        raise unknown_name("figure", figure, plan.figures[suite], f"suite '{suite}'")
    known = plan.studied[suite].stimulus_ids(figure)
    if stimulus not in known:
        raise unknown_name("stimulus", stimulus, known, f"figure '{figure}' of suite '{suite}'")
