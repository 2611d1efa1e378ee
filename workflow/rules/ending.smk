# How a run ends: one that leaves requests without answers has not succeeded, and one that fails says what waits for it.
import os

from afterimage.stages.stale_results import tables_of_others
from afterimage.planning.missing_images import named_as_missing
from afterimage.stages.user_files import named_as_ahead
from afterimage.stages.run_messages import (
    missing_answers,
    missing_files,
    other_models,
    without_numbers,
)


def answers_of_study():
    """Return the files of answers that the study may need, each with who answers what."""
    votes = {path: (f"{JUDGE} as judge", Path(path).parent.parent.name) for path in all_votes()}
    answers = {
        path: (model, suite)
        for suite in plan.suites
        for model in plan.models
        for path in (
            responses_of(suite, [model])
            if model in plan.at_once
            else expand(
                "<results>/responses/{suite}/{model}/{shard}.parquet",
                suite=suite,
                model=model,
                shard=plan.shards(suite, model),
            )
        )
    }
    compared = {f"<results>/batches/{model}.csv": (model, "all suites") for model in plan.batching}
    asked = answers | votes | compared
    return {here(with_folder(path, plan.results)): whose for path, whose in asked.items()}


def answers_of_run():
    """Return those that this run needs."""
    needed = {str(file) for job in jobs_of_run() for file in job.output}
    return {path: whose for path, whose in answers_of_study().items() if path in needed}


def say(sentence):
    """Say a sentence through Snakemake's log, so that a live display stays whole (docs/running.md)."""
    logger.info(sentence, extra={"afterimage_said": True})


def say_what_is_missing():
    """Say which images are not there."""
    for sentence in named_as_missing(plan.missing):
        say(sentence)


def say_what_is_without_numbers():
    """Say which images are not there, which suites asked nothing, and which models answered nothing."""
    say_what_is_missing()
    tables = expand("<results>/tables/{table}.csv", table=plan.tables)
    paths = [with_folder(path, plan.results) for path in tables]
    if sentence := without_numbers(dict(zip(paths, plan.tables.values(), strict=True))):
        say(sentence)


# A dry run, too, says what a run would do. Whoever runs one job for this run, on a cluster, leaves that to the run itself.
if is_whole_run():
    say_what_is_missing()
    if sentence := named_as_ahead(AHEAD):
        say(sentence)


onsuccess:
    # Pages of forms are jobs that only the run itself finds.
    plan.codes.keep(KNOWN)
    say_what_is_without_numbers()
    study = study_files()[-1] if is_study_named() else None
    others = tables_of_others(plan, study and os.path.relpath(study))
    for sentence in filter(None, (*plan.forms.uncounted(), others)):
        say(sentence)
    if any(job.rule.name in ("write_form", "write_session") for job in jobs_of_run()):
        for sentence in plan.forms.awaited():
            say(sentence)
    if sentence := other_models(answers_of_study()):
        say(sentence)
    if sentence := missing_answers(answers_of_run(), is_on_storage()):
        logger.info("", extra={"afterimage_unfinished": True})
        raise WorkflowError(sentence)


onerror:
    plan.codes.keep(KNOWN)
    say_what_is_without_numbers()
    if sentence := missing_answers(answers_of_run(), is_on_storage()):
        say(sentence)
    # Copies of what lies on storage are gone again.
    if not is_on_storage() and (sentence := missing_files(answers_of_run())):
        say(sentence)
