# What jobs depend on beside the files that others make: their code and settings, answers that are withdrawn or missing, and
# the user's files (docs/invalidation.md).
import time

from afterimage.stages.user_files import users_files
from afterimage.files.paths import with_folder
from afterimage.files.attempts import again_at, last_attempt
from afterimage.models.journaling.refreshing import last_refresh
from afterimage.stages import all_stages
from afterimage.stages.user_files import dated_ahead
from afterimage.stages.report import caption_of


def depends(stage, **names):
    """Return the `params:` of a stage's rule: what its jobs depend on beside their files (docs/invalidation.md).

    Functions of `wildcards` alone, since Snakemake records no others. A rule written in a loop gives names of its own.
    """

    def of_job(function):
        return lambda wildcards: checked(function, plan, stage, **dict(wildcards.items()), **names)

    return {
        "code": of_job(all_stages.code_of),
        "spec": of_job(all_stages.spec_of),
        "run": all_stages.STAGES[stage].part,
    }


def caption(wildcards, output):
    """Return what the report says about a table or picture.

    It takes `output`, so that Snakemake does not record it: another caption makes no table anew.
    """
    (name,) = (name for kind, name in wildcards.items() if kind in OWNERS)
    return caption_of(plan, ROOT / "workflow" / "report", name)


def asked_again(answers):
    """Return the input function of a job that asks: what has a file of answers made again of which some are missing."""
    at = with_folder(answers, plan.results)

    def again(wildcards):
        names = dict(wildcards.items())
        path = here(at.format(**names))
        number = last_attempt(path).number
        if not (number and again_at(path, number).is_file()):
            return []
        # No job makes it; on storage it stays on the machine that asked.
        beside = path if is_on_storage() else answers.format(**names)
        return on_this_machine([str(again_at(beside, number))])

    return again


def refreshed(wildcards):
    """Return a parameter that changes with a refresh of the answers of the model that is asked, and with its undoing."""
    names = dict(wildcards.items())
    return last_refresh(Path(plan.journal, names.get("judge", names["model"])))


# The user's files that are dated in the future, with their content's hash: to Snakemake, inputs would be newer than what
# is made of them. Where there are any, they are parameters.
AHEAD = checked(lambda: dated_ahead(users_files(plan), time.time()))


def files_of(choose, wildcards):
    """Return the files that an input function, a list or a path stands for."""
    chosen = choose(wildcards) if callable(choose) else choose
    return [chosen] if isinstance(chosen, str) else list(chosen)


def on_this_machine(files):
    """Mark the files that no job makes, which lie here also where results lie on storage (docs/running.md)."""
    return [file if file.startswith("<results>") else local(file) for file in files]


def users(**named):
    """Return the `input:` of files of the user's, but for those that are dated in the future."""

    def of_today(choose):
        return lambda wildcards: on_this_machine(
            one for one in files_of(choose, wildcards) if one not in AHEAD
        )

    return {name: of_today(choose) for name, choose in named.items()}


def ahead(**named):
    """Return the `params:` that go with `users`: by name all files in their order, with what tells their content."""
    if not AHEAD:
        return {}

    def of_job(wildcards):
        chosen = {name: files_of(choose, wildcards) for name, choose in named.items()}
        return {
            name: {one: AHEAD.get(one) for one in files}
            for name, files in chosen.items()
            if any(one in AHEAD for one in files)
        }

    return {"ahead": of_job}
