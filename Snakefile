# Afterimage: every number of a paper is a file that can be named, remade and explained.
from pathlib import Path

from snakemake.utils import min_version

min_version("9.27")


# The study: config.yaml of the working folder or, where there is none (--directory), the one beside this file. What
# --configfile names takes its place and is never merged with it.
STUDY = "config.yaml"
if not Path(STUDY).is_file():
    STUDY = str(Path(workflow.current_basedir.get_path_or_uri(secret_free=False)) / STUDY)

if not workflow.overwrite_configfiles:

    include: "workflow/rules/readable.smk"

    configfile: STUDY


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/stimuli.smk"
include: "workflow/rules/side_files.smk"
include: "workflow/rules/human.smk"
include: "workflow/rules/forms.smk"
include: "workflow/rules/items.smk"
include: "workflow/rules/recorded.smk"
include: "workflow/rules/weights.smk"
include: "workflow/rules/sprout.smk"
include: "workflow/rules/inference.smk"
include: "workflow/rules/grading.smk"
include: "workflow/rules/judging.smk"
include: "workflow/rules/cost.smk"
include: "workflow/rules/all_answers.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/knowledge.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/robustness.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/seen.smk"
include: "workflow/rules/ledger.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/ending.smk"


rule all:
    default_target: True
    input:
        all_tables(),
        all_costs(),
        "<results>/all_answers.parquet",
        all_knowledge(),
        all_claims(),
        all_robustness(),
        all_charts(),
        all_measurements(),
        all_side_files(),
        all_judgements(),
        all_seen(),
        all_batch_agreement(),
        all_form_tasks(),
        all_form_pages,
        all_answers(),
        all_numbers(),
        all_report(),


# Draw and nothing else, for large sets: snakemake --cores 8 stimuli
rule stimuli:
    input:
        all_stimuli(),


# Make all items and ask nothing, for a look at what is to be asked: afterimage plan
rule items:
    input:
        all_items(),


# Fetch the weights of all models and load none, for jobs without network: snakemake --cores 1 weights
rule weights:
    input:
        all_weights(),


include: "workflow/rules/targets.smk"


# On a cluster, what takes seconds runs where Snakemake runs.
workflow.localrules(*light_rules(workflow.rules))


# Snakemake starts at most 100 jobs a second and, to count again, wakes its scheduler a second later; each job that ends
# adds one more such clock (9.27), and each time all files of all waiting jobs are looked at. On a computer's own cores
# the limit is of no use (docs/performance.md).
onstart:
    # A model that cannot be asked leaves the others whole (docs/reliability.md); who wants to know first asks
    # `afterimage check`, as `make run` does. A run that asks nobody, as that of `afterimage plan`, does without.
    asking = {"run_model", "judge_responses"}
    if any(job.rule.name in asking for job in workflow.dag.needrun_jobs()):
        try:
            require_reachable(plan, workflow.configfiles, GIVEN)
        except AfterimageError as error:
            for fault in str(error).splitlines():
                logger.warning(fault)
    logger.info(
        "",
        extra={
            "afterimage_jobs": [
                str(job.log[0]) for job in workflow.dag.needrun_jobs() if job.log
            ]
        },
    )
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None
