"""What a judge's votes, and the grades that follow from them, depend on: plain values."""

from typing import Any

from afterimage.contract.model import backend_part
from afterimage.contract.parts import name_of
from afterimage.grading.judge.injection import words_digest
from afterimage.grading.language.words import digest
from afterimage.models.weights import known_content
from afterimage.planning.grades import graders
from afterimage.planning.judge_and_reviews import Judging
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, each_of_suites, each_suite


def judge_told(plan: Plan, at: Names) -> list[str]:
    """Return the part that says what a judge is told, with the readers where it asks them what was left unread."""
    own = [name_of(plan.judging.judged[at.suite].part)]
    return [*own, *graders(plan, at)] if at.suite in plan.judging.unread else own


def decides(judging: Judging, suite: str) -> list[str]:
    """Return the part that says what a reference judge decides; nothing where another one judges."""
    part = judging.judged[suite].reference if judging.is_reference else None
    return [] if part is None else [name_of(part)]


def votes_parts(plan: Plan, at: Names) -> list[str]:
    """Return what is behind a judge's votes; a reference judge has the suite's readers say what is right."""
    decided = decides(plan.judging, at.suite)
    backend = backend_part(plan.judging.chosen_judge.entry.backend)
    own = [backend, *judge_told(plan, at), *decided]
    return list(dict.fromkeys([*own, *(graders(plan, at) if decided else [])]))


def votes_spec(judging: Judging, suite: str, model: str) -> dict[str, Any]:
    """Return what can change the judge's votes on a model's answers, the answers apart."""
    judge = judging.chosen_judge
    weights = known_content(judge.entry, judging.journal / judge.name)
    return {
        **({} if weights is None else {"weights": weights}),
        **({"part": judging.judged[suite].reference} if judging.is_reference else {}),
        "judge": {
            "entry": judge.entry.answering(),
            "name": judge.name,
            "prompt_set": judge.prompts,
            "prompts": judging.prompts[suite],
            "rounds": judge.rounds,
        },
        "fields": judging.judged[suite].part,
        "instruction_words": words_digest(),
        "model": model,
        "suite": suite,
    }


def grading_parts(plan: Plan, at: Names) -> list[str]:
    """Return what the judge was told, and what reads answers."""
    return [*judge_told(plan, at), *graders(plan, at)]


def grading_spec(judging: Judging, suite: str) -> dict[str, Any]:
    """Return what the automatic grades depend on, answers and votes apart."""
    aggregations = {
        prompt: entry["aggregation"] for prompt, entry in judging.prompts[suite].items()
    }
    leaves_out = judging.judge is not None and judging.judge.suspects == "leave_out"
    return {
        "aggregations": aggregations,
        "answer_words": digest(),
        "fields": judging.judged[suite].part,
        "suite": suite,
        **({"leave_out_suspects": True} if leaves_out else {}),
        **({"reference_judge": True} if judging.is_reference else {}),
    }


def is_judged(plan: Plan, suite: str) -> bool:
    """Tell whether a suite's answers can be judged."""
    return suite in plan.judging.suites


def judged_models(plan: Plan, suite: str) -> list[str]:
    """Return the models whose answers to a suite the judge sees."""
    return plan.judging.judged_models(suite)


STAGES = (
    Stage(
        "judge_responses",
        "judging:judge_responses",
        "inference",
        parts=votes_parts,
        spec=lambda plan, at: votes_spec(plan.judging, at.suite, at.model),
        jobs=each_of_suites("model", judged_models),
    ),
    Stage(
        "grade_judged",
        "judging:grade_judged",
        "tables",
        parts=grading_parts,
        spec=lambda plan, at: grading_spec(plan.judging, at.suite),
        jobs=each_suite(is_judged),
    ),
)
