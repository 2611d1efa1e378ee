"""What somebody asks for that no rule makes: one sentence with the nearest name, before anything is planned."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from afterimage.errors import AfterimageError, Faults, fault, nearest, unknown_name
from afterimage.planning.plan import Plan

#: Folder below the results to what the parts of a path below it name, one after the other.
_KINDS: Mapping[str, tuple[str, ...]] = {
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
        valid = _names(plan, names, target)
        error = _unknown_part(plan, target, valid)
        if error is None and not is_made(target):
            error = _unknown(target, known)
        if error is not None:
            faults.add(error)
    faults.raise_any()


def _names(
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
    for kind, name in _named(plan.results, target):
        if name not in valid[kind]:
            return unknown_name(kind.partition(" of ")[0], name, valid[kind], where)
    try:
        _require_one(plan, target)
    except AfterimageError as error:
        return fault(where, f"{error}")
    return None


def _require_one(plan: Plan, target: str) -> None:
    """Check the name of an image, a number or a training, which it takes time to list."""
    path = PurePosixPath(target)
    below = path.relative_to(plan.results).parts if path.is_relative_to(plan.results) else ()
    match below:
        case ("stimuli", suite, figure, _) if path.suffix == ".png":
            plan.require_stimulus(suite, figure, path.stem)
        case ("models", recipe, _):
            # Only who asks for a training waits for what it imports.
            from afterimage.sprout.recipe import RECIPES

            if recipe not in RECIPES:
                raise unknown_name("recipe", recipe, RECIPES)
        case ("numbers", _, *_) if path.suffix == ".txt":
            number = PurePosixPath(*below[1:]).with_suffix("").as_posix()
            plan.ledger.files([number])


def _named(results: str, target: str) -> Iterator[tuple[str, str]]:
    path = PurePosixPath(target)
    if not path.is_relative_to(results):
        return
    kind, *parts = path.relative_to(results).parts or ("",)
    kinds = _KINDS.get(kind, ())
    if kind == "stimuli" and path.suffix not in (".png", ".parquet"):
        # Beside the folders of figures lie those of side files, such as annotations.
        kinds = kinds[:1]
    for index, (named, part) in enumerate(zip(kinds, parts, strict=False)):
        is_last = index == len(parts) - 1
        # Beside the folders of a suite lie files of the whole suite.
        if is_last and index < len(kinds) - 1:
            return
        if is_last and kind == "stimuli":
            return
        name = part.rpartition(".")[0] if is_last else part
        # A table in its paper's form has two endings.
        yield named, name.removesuffix(".paper") if kind == "tables" else name


def _unknown(target: str, known: Iterable[str]) -> AfterimageError:
    """Return the error for a target of which no part can be named: the nearest path, or the nearest name."""
    paths = list(known)
    by_name = {PurePosixPath(path).stem: path for path in reversed(paths)}
    name = nearest(PurePosixPath(target).stem, by_name)
    is_path = "/" in target
    near = nearest(target, paths) if is_path else None
    near = near or (None if name is None else by_name[name])
    hint = f"did you mean '{near}'?" if near else "expected a file or a rule of the workflow."
    return AfterimageError(f"unknown target '{target}': {hint}")
