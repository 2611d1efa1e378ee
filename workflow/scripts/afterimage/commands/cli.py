"""The command ``afterimage``: what one wants to do with a study before, beside and after its run."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from afterimage.command_line import afterimage
from afterimage.commands.code import add_touches_arguments, add_why_arguments
from afterimage.commands.common import Commands
from afterimage.commands.crate.command import add_arguments as add_crate_arguments
from afterimage.commands.data import add_coco_arguments, add_fetch_arguments
from afterimage.commands.diff import add_diff_arguments, add_twins_arguments
from afterimage.commands.export import add_arguments as add_export_arguments
from afterimage.commands.forecast.command import add_arguments as add_plan_arguments
from afterimage.commands.journal import add_arguments as add_journal_arguments
from afterimage.commands.numbers import add_dissect_arguments, add_fill_arguments
from afterimage.commands.people import add_human_arguments, add_images_arguments
from afterimage.commands.start import add_check_arguments, add_commands
from afterimage.commands.tidy import add_arguments as add_tidy_arguments
from afterimage.contract.finding import load_suite, suite_names
from afterimage.contract.parts import name_of, resolve
from afterimage.contract.suite import Figure, Suite
from afterimage.errors import AfterimageError, PlacedError, SeveralError, unknown_name
from afterimage.files.png import read_png_on_white
from afterimage.version import VERSION

#: Name to what adds the arguments, help and description.
_COMMANDS = {
    "journal": (
        add_journal_arguments,
        "look after the recorded answers of models",
        "Look after the journal, in which every answer of a model is kept (docs/journal.md).",
    ),
    "plan": (
        add_plan_arguments,
        "tell what a study will ask, cost and take",
        "Tell what a study will ask, what the journal answers already, and what the rest costs and takes "
        "(docs/registry.md).",
    ),
    "crate": (
        add_crate_arguments,
        "archive a finished run with its provenance",
        "Write the finished run in this folder as a Workflow Run RO-Crate (docs/report.md).",
    ),
    "check": (
        add_check_arguments,
        "find all mistakes of a study before anything starts",
        "Find all mistakes of a study, each with file, line and column; asks and makes nothing.",
    ),
    "fetch": (
        add_fetch_arguments,
        "fetch others' benchmarks from the hub",
        "Fetch others' benchmarks from the hub, pinned and checked (docs/data.md).",
    ),
    "diff": (
        add_diff_arguments,
        "compare the answers of two runs",
        "Compare what both runs answered, item by item; exit code 1 where the second is worse beyond its interval "
        "(docs/statistics.md).",
    ),
    "twins": (
        add_twins_arguments,
        "compare a published edition with a fresh one of the same design",
        "Compare what models answered to a published edition and to a fresh one of the same design, cell by cell "
        "(docs/statistics.md).",
    ),
    "dissect": (
        add_dissect_arguments,
        "work a number out under every choice that asks nobody again",
        "Work a number of a finished run out anew under every documented choice that needs no new answer, and find the "
        "smallest set of choices that prints given digits (docs/ledger.md).",
    ),
    "export": (
        add_export_arguments,
        "write all answers in the form of another collection",
        "Write all answers of a finished run in the form of another collection (docs/report.md).",
    ),
    "fill": (
        add_fill_arguments,
        "put a run's numbers into a Markdown manuscript",
        "Put a run's numbers into a Markdown manuscript, by table, row and column; ends with 1 and the nearest name "
        "where one is not there (docs/paper.md).",
    ),
    "images": (
        add_images_arguments,
        "write a run's images as PNG files",
        "Write the images of a run, in this folder, as PNG files beside the Parquet files that hold them.",
    ),
    "coco": (
        add_coco_arguments,
        "make the suite texture's images.csv and objects.csv from COCO's annotations",
        None,
    ),
    "tidy": (
        add_tidy_arguments,
        "list and remove results that no longer belong to the study",
        "List results of suites, models, figures and tables that the study has left out, and remove them if you agree; "
        "answers in the journal and what people have sent stay (docs/report.md).",
    ),
    "why": (
        add_why_arguments,
        "name the definitions behind a result, and which of them changed",
        "Name the definitions of the code behind a result of a run in this folder, first those that have changed since "
        "it was made (docs/invalidation.md).",
    ),
    "touches": (
        add_touches_arguments,
        "tell which jobs an edit of the code reruns",
        "Tell which jobs of a study an edit of a file, or of one definition in it, reruns (docs/invalidation.md).",
    ),
    "human": (
        add_human_arguments,
        "look through what people send back",
        "Look through the files that come back from the pages for people (docs/human_forms.md).",
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one sub-command; returns the exit code, 1 after an error of the user's."""
    parser = _parser()
    parser.add_argument("--version", action="version", version=f"afterimage {VERSION}")
    options = parser.parse_args(arguments)
    try:
        run: Callable[[argparse.Namespace], int] = options.run
        return run(options)
    except AfterimageError as error:
        # Of a study's faults each has its place in front.
        is_placed = isinstance(error, PlacedError | SeveralError)
        print(error if is_placed else f"afterimage: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader, `head` for example, has seen enough; nothing may be flushed into its pipe at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.filename is None:
            raise
        print(f"afterimage: {error.filename}: {error.strerror}.", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="afterimage", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_commands(commands)
    _add_measure(commands)
    rescore = commands.add_parser(
        "rescore",
        help="form a benchmark's tables from recorded answers or outcomes",
        description="Form a benchmark's tables from recorded answers or outcomes; "
        "`afterimage rescore SUITE --help` tells what the suite reads.",
    )
    rescore.add_argument("suite", help="the suite whose records they are, e.g. blindtest")
    rescore.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...")
    rescore.set_defaults(run=_rescore)
    for name, (add_arguments, summary, described) in _COMMANDS.items():
        add_arguments(commands.add_parser(name, help=summary, description=described))
    return parser


def _add_measure(commands: Commands) -> None:
    measure = commands.add_parser(
        "measure",
        help="measure from its pixels what an image shows",
        description="Measure images from their pixels alone; one JSON line per image.",
    )
    measure.add_argument("suite", help="the suite that knows how to measure, e.g. illusion_vqa")
    measure.add_argument("figure", help="what the images show, e.g. ebbinghaus")
    measure.add_argument(
        "images", nargs="+", metavar="IMAGE", help="PNG files; transparent pixels count as white"
    )
    measure.set_defaults(run=_measure)


def _rescore(options: argparse.Namespace) -> int:
    """Hand the arguments over to the suite's own module ``rescore``."""
    modules = {name: load_suite(name).rescore for name in suite_names()}
    if options.suite not in modules:
        raise unknown_name("suite", options.suite, modules)
    module = modules[options.suite]
    if module is None:
        raise _without_records(options.suite, [name for name in modules if modules[name]])
    rescore = import_module(module)
    parser = argparse.ArgumentParser(prog=f"afterimage rescore {options.suite}")
    rescore.add_arguments(parser)
    code: int = rescore.run(parser.parse_args(options.arguments))
    return code


def _without_records(name: str, names: Sequence[str]) -> AfterimageError:
    """Return the error for a suite of which no recorded answers of its own form can be scored."""
    tables = ", ".join(
        table.rpartition(".")[2] if isinstance(table, str) else table.name
        for table in load_suite(name).tables
    )
    return AfterimageError(
        f"suite '{name}': no form of published records is known of it, so there is nothing to rescore; it has the "
        f"tables {tables}, which a run makes ({afterimage('run')}), also of answers that stand in a file already "
        f"(docs/recorded.md). Records are known of {', '.join(names)}."
    )


def _measure(options: argparse.Namespace) -> int:
    """Print ``{"image": ..., "value": ...}`` for each image; an image that fails does not stop the others."""
    measure = _measurement(options.suite, options.figure)
    failures = 0
    for image in options.images:
        try:
            value = measure(read_png_on_white(image))
        except AfterimageError as error:
            sentence = str(error) if str(image) in str(error) else f"{image}: {error}"
            print(f"afterimage: {sentence}", file=sys.stderr)
            failures += 1
        else:
            print(json.dumps({"image": image, "value": value}), flush=True)
    return 1 if failures else 0


def _measurement(name: str, figure: str) -> Callable[[object], object]:
    """Return what measures an image of a suite's figure."""
    names = [known for known in suite_names() if _has_figures_by_name(load_suite(known))]
    if name not in names:
        raise unknown_name("suite", name, names)
    suite = load_suite(name)
    from afterimage.stages.measurements import findings

    measure = resolve(name_of(_figure_named(suite, figure).measure))
    return lambda pixels: findings(measure(pixels, {}), {})[0].value


def _has_figures_by_name(suite: Suite) -> bool:
    """Tell whether a figure can be named without a study: one whose images are others' cannot."""
    return bool(suite.figure_named or not callable(suite.figures))


def _figure_named(suite: Suite, figure: str) -> Figure:
    if suite.figure_named is not None:
        return suite.figure_named(figure)
    assert not callable(suite.figures)
    figures = {each.name: each for each in suite.figures}
    if figure not in figures:
        raise unknown_name("figure", figure, figures)
    return figures[figure]
