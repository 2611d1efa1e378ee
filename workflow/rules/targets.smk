# What is asked for and nothing makes is said at once, with the nearest name.
from afterimage.planning.checking import require_targets


def known_targets():
    """Yield the targets among which the nearest is sought."""
    yield from (one.name for one in own_rules() if not one.output)
    for files in (all_tables, all_costs, all_charts, all_report, all_numbers, all_knowledge):
        yield from (with_folder(file, plan.results) for file in files())
    for files in (all_robustness, all_claims, all_thinking, all_twins, all_grades, all_responses):
        yield from (with_folder(file, plan.results) for file in files())
    yield from (with_folder(file, plan.results) for file in all_measurements())
    yield with_folder("<results>/all_answers.parquet", plan.results)


# As a module of another workflow these rules are not all there are.
if is_whole_run() and is_run_alone():
    NAMES = {
        "table": [*plan.tables, *TABLES_OF_NO_SUITE, *JUDGES_TABLES],
        "figure": FIGURES,
        "page": ["index", *plan.suites],
    }
    checked(require_targets, asked_for(), plan, NAMES, is_made, known_targets())
