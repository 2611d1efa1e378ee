# What models are asked, and what they answered.
from afterimage.stages.items import shard_figures
from afterimage.files.attempts import PendingShard, write_pending
from afterimage.stages.inference import text_first
from afterimage.planning.recorded_answers import recorded_files, recorded_ids

# What this run asks each model that is loaded, for its jobs (docs/models.md); one file for each folder of results.
PENDING = str(KNOWN / "pending" / "%".join((*Path(RESULTS_FOLDER).parts, "shards.json")))


def note_pending():
    """Tell jobs that load a model what else this run asks it. Results on storage are on no common disk."""
    if is_on_storage():
        return
    jobs = jobs_to_run()
    made = {str(path) for job in jobs for path in job.output}
    pending = {}
    for job in jobs:
        if job.rule.name == "run_model" and (model := job.wildcards.model) in plan.loading:
            suite, (items,) = job.wildcards.suite, job.input.shards
            order = text_first(plan, model, [suite])
            shard = PendingShard(suite, str(items), str(job.log[0]), order, str(items) in made)
            pending.setdefault(model, []).append(shard)
    write_pending(PENDING, pending, is_timed=not is_local())


def all_items():
    return sorted(
        {
            path
            for suite in plan.suites
            for model in plan.models
            for path in items_of(suite, plan.shards(suite, model))
        }
    )


def all_weights():
    return expand("<results>/weights/{model}.json", model=plan.fetched)


def stimuli_of_shard(wildcards):
    figures = checked(shard_figures, plan, wildcards.suite, wildcards.shard)
    return stimuli_of(wildcards.suite, figures)


def items_of_model(wildcards):
    return items_of(wildcards.suite, plan.shards(wildcards.suite, wildcards.model))


def recorded_of_model(wildcards):
    return checked(recorded_files, plan.models[wildcards.model], wildcards.suite)


def ids_of_model(wildcards):
    return checked(recorded_ids, plan.models[wildcards.model])


def recorded_answers(wildcards):
    matched = f"<results>/recorded/{wildcards.suite}/{wildcards.model}.parquet"
    return [matched] if wildcards.model in plan.recorded else []


def shards_of_model(wildcards):
    return expand(
        "<results>/responses/{suite}/{model}/{shard}.parquet",
        suite=wildcards.suite,
        model=wildcards.model,
        shard=plan.shards(wildcards.suite, wildcards.model),
    )
