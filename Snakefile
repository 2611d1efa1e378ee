# Afterimage: every number of a paper is a file that can be named, remade and explained.
from snakemake.utils import min_version

min_version("9.27")


# The file that --configfile names is the study, in place of this one and never merged with it.
if not workflow.overwrite_configfiles:

    include: "workflow/rules/readable.smk"

    configfile: "config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/stimuli.smk"
include: "workflow/rules/side_files.smk"
include: "workflow/rules/human.smk"
include: "workflow/rules/forms.smk"
include: "workflow/rules/items.smk"
include: "workflow/rules/recorded.smk"
include: "workflow/rules/weights.smk"
include: "workflow/rules/inference.smk"
include: "workflow/rules/grading.smk"
include: "workflow/rules/judging.smk"
include: "workflow/rules/cost.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/knowledge.smk"
include: "workflow/rules/robustness.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/seen.smk"
include: "workflow/rules/ledger.smk"
include: "workflow/rules/report.smk"


rule all:
    default_target: True
    input:
        all_tables(),
        all_costs(),
        all_knowledge(),
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


# On a cluster, what takes seconds runs where Snakemake runs.
workflow.localrules(*light_rules(workflow.rules))


# Snakemake starts at most 100 jobs a second and, to count again, wakes its scheduler a second later; each job that ends
# adds one more such clock (9.27), and each time all files of all waiting jobs are looked at. On a computer's own cores
# the limit is of no use (docs/performance.md).
onstart:
    try:
        require_reachable(plan, workflow.configfiles, GIVEN)
    except AfterimageError as error:
        sys.exit(str(error))
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
