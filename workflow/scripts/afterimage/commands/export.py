"""The command ``afterimage export every_eval_ever``: results for a collection of everybody's evaluations."""

import argparse
from pathlib import Path

from afterimage.commands.common import add_configfile, results_of
from afterimage.contract.model import REFERENCE_BACKENDS
from afterimage.errors import AfterimageError, unknown_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(required=True, metavar="FORM")
    every = commands.add_parser(
        "every_eval_ever",
        help="records of Every Eval Ever, one evaluation per suite and model and one line per answer",
        description="Write all answers as records of Every Eval Ever, each checked against its JSON Schema "
        "(docs/report.md).",
    )
    every.add_argument(
        "models",
        nargs="*",
        metavar="MODEL",
        help="models of the study; by default all but the reference responders",
    )
    every.add_argument(
        "--organization", required=True, metavar="NAME", help="who ran the evaluation"
    )
    every.add_argument(
        "--relationship",
        default="third_party",
        choices=("first_party", "third_party", "collaborative", "other"),
        help="of whoever evaluates to whoever made the models (default: %(default)s)",
    )
    add_configfile(every)
    every.add_argument("--results", metavar="FOLDER", help="(default: the study's results_folder)")
    every.add_argument(
        "--output",
        metavar="FOLDER",
        help="where the folder data/ is written (default: export/every_eval_ever below the results)",
    )
    every.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    """Write the records and print one line per evaluation."""
    # Here, so that the other commands do not wait for what they do not need.
    from afterimage.commands.every_eval_ever import Publisher, answers_in, export

    results = Path(options.results or results_of(options.configfile))
    answers = answers_in(results)
    models = {model: backend for _, model, backend in answers.groups}
    for name in options.models:
        if name not in models:
            raise unknown_name("model", name, models, str(answers.path))
    chosen = options.models or [
        name for name, kind in models.items() if kind not in REFERENCE_BACKENDS
    ]
    if not chosen:
        raise AfterimageError(
            f"{answers.path}: only reference responders answered, which are no models; name them to have them "
            f"exported: {', '.join(models)}."
        )
    output = Path(options.output or results / "export" / "every_eval_ever")
    for path, count in export(
        answers, chosen, output, Publisher(options.organization, options.relationship)
    ):
        print(f"{path}: {count:,} answers", flush=True)
    return 0
