# What is asked for and nothing makes is said at once, with the nearest name.
from snakemake.cli import get_argument_parser

from afterimage.planning.targets import require_targets


def asked_for():
    """Return the targets of Snakemake's command line, which are not known otherwise before jobs are planned."""
    program, *words = sys.argv
    if Path(program).name not in ("snakemake", "__main__.py"):
        return []
    try:
        return get_argument_parser().parse_args(words).targets or []
    except SystemExit:
        return []


def known_targets():
    """Yield the targets among which the nearest is sought."""
    yield from (
        one.name for one in workflow.rules if ROOT in Path(one.snakefile).parents and not one.output
    )
    for files in (all_tables, all_costs, all_charts, all_report, all_numbers, all_knowledge):
        yield from (with_folder(file, plan.results) for file in files())
    for files in (all_robustness, all_claims, all_grades, all_responses, all_measurements):
        yield from (with_folder(file, plan.results) for file in files())
    yield with_folder("<results>/all_answers.parquet", plan.results)


def is_made(target):
    """Tell whether there is such a rule, or one that makes such a file."""
    return workflow.is_rule(target) or any(one.is_producer(target) for one in workflow.rules)


# As a module of another workflow these rules are not all there are.
if (
    workflow.exec_mode == ExecMode.DEFAULT
    and Path(workflow.main_snakefile).resolve() == ROOT / "Snakefile"
):
    NAMES = {
        "table": [*plan.tables, *TABLES_OF_NO_SUITE, *JUDGES_TABLES],
        "figure": FIGURES,
        "page": ["index", *plan.suites],
    }
    try:
        require_targets(asked_for(), plan, NAMES, is_made, known_targets())
    except AfterimageError as error:
        sys.exit(str(error))
