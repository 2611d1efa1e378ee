# What tables are made from: those of suites, and those over all suites.
from functools import partial

from afterimage.stages.probe_tables import (
    asked_several_times,
    asking_clean,
    asking_for_claims,
    asking_without_image,
)
from afterimage.stages.study_tables import (
    TABLES_OF_NO_SUITE,
    thinking_models,
    twin_files,
    twin_models,
)
from afterimage.stages.tables import read_by, table_files


def all_tables():
    return [
        *forms_of(plan.tables),
        *(file for table in plan.printed for file in paper_forms(table).values()),
    ]


# The user's files that a table is made from.
OF_TABLES = {
    "files": of_suite(partial(table_files, plan)),
    "recorded": of_suite(plan.ledger.outcome_files),
}


def read_by_table(table):
    return list(read_by(plan, table).values())


def unpacked_of_suite(suite):
    """Return the images that may turn out to be unreadable, so that tables name those that are."""
    return stimuli_of(suite, plan.studied[suite].unpacked)


# ---- what the answers took: docs/models.md ----


def all_costs():
    return forms_of(["cost"])


# ---- what is known without the image: docs/claims.md ----


def all_knowledge():
    return forms_of(["knowledge_all"] if asking_without_image(plan) else [])


def grades_without_image():
    return [path for suite in asking_without_image(plan) for path in grades_of_suite(suite)]


# ---- who claims to see what was not shown: docs/claims.md ----


def all_claims():
    if not asking_for_claims(plan):
        return []
    clean = ["claims_clean"] if asking_clean(plan) else []
    return [*forms_of(["claims", *clean]), "<results>/figures/claims.png"]


def answered_without_image(suites):
    return {
        "grades": [path for suite in suites for path in grades_of_suite(suite)],
        "responses": [path for suite in suites for path in responses_of_suite(suite)],
        "shards": [path for suite in suites for path in shards_of_suite(suite)],
    }


# ---- answers to questions that are asked more than once: docs/claims.md ----


def all_robustness():
    return forms_of(["robustness"] if asked_several_times(plan) else [])


def grades_asked_again():
    return [
        f"<results>/grades/{suite}/{model}.parquet" for suite, model in asked_several_times(plan)
    ]


def shards_asked_again():
    suites = dict.fromkeys(suite for suite, _ in asked_several_times(plan))
    return [path for suite in suites for path in shards_of_suite(suite)]


# ---- one model at several efforts: docs/models.md ----


def all_thinking():
    if not thinking_models(plan):
        return []
    return [*forms_of(["thinking"]), "<results>/figures/thinking.png"]


def answered_at_efforts(kind):
    return expand(
        "<results>/{kind}/{suite}/{model}.parquet",
        kind=kind,
        suite=plan.suites,
        model=thinking_models(plan),
    )


# ---- two editions of one design: docs/statistics.md ----


def all_twins():
    if not checked(twin_models, plan):
        return []
    return [*forms_of(["twins"]), "<results>/figures/twins.png"]


def answered_twins():
    twins = checked(twin_models, plan)
    return {
        "grades": [
            f"<results>/grades/{suite}/{model}.parquet"
            for suite, models in twins.items()
            for model in models
        ],
        "shards": [path for suite in twins for path in shards_of_suite(suite)],
    }


# ---- numbers by name, the papers' and the study's own: docs/ledger.md, docs/paper.md ----


def all_numbers():
    own = [f"<results>/values.{form}" for form in ("json", "tex", "typ")]
    return ["<results>/numbers.csv", "<results>/numbers.tex", *own]
