"""What asking a model depends on: plain values."""

from collections.abc import Iterable
from typing import Any

from afterimage.contract.model import backend_part
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, each_of_suites, once_if


def backend(plan: Plan, model: str) -> str:
    """Return a model's backend; no other one is in its jobs' fingerprint."""
    return backend_part(plan.models[model].backend)


def model_parts(plan: Plan, at: Names) -> list[str]:
    """Return a model's backend, and the part of the suite that it takes its answers from."""
    part = _answering_part(plan, at)
    return [backend(plan, at.model), *([] if part is None else [part])]


def model_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what can change a model's answers; resources and shard size cannot."""
    part, order = _answering_part(plan, at), reading_order(plan, at.model, [at.suite])
    return {**answerer(plan, at.model), **order, "part": part, "suite": at.suite}


def answerer(plan: Plan, model: str) -> dict[str, Any]:
    """Return a model's entry and, of weights in a folder, which they are: others at their place are asked anew."""
    entry = {"entry": plan.models[model].answering(), "model": model}
    return {**entry, "weights": plan.weights[model]} if model in plan.weights else entry


def reading_order(plan: Plan, model: str, suites: Iterable[str]) -> dict[str, Any]:
    """Return in which suites a model reads the text first; nothing where in none, as before there was the setting."""
    chosen = text_first(plan, model, suites)
    return {"text_first": chosen} if chosen else {}


def text_first(plan: Plan, model: str, suites: Iterable[str]) -> list[str]:
    """Return the suites in which a model reads the text before the images."""
    return [suite for suite in suites if model in plan.suites[suite].get("text_first", ())]


def client_of_shard(plan: Plan, suite: str, model: str, shard: str) -> str:
    """Return how a job asks its model, as JSON.

    ``max_cost`` is for all of the model's jobs; each gets the part of its stimuli, so that whatever runs at the
    same time, their sum is never exceeded.
    """
    return _client(plan, model, len(plan.studied[suite].positions.members(shard)))


def client_of_suite(plan: Plan, suite: str, model: str) -> str:
    """Return the same of a job that asks a whole suite."""
    return _client(plan, model, len(plan.studied[suite].positions))


def _client(plan: Plan, model: str, asked: int) -> str:
    all_asked = sum(len(own.positions) for own in plan.studied.values())
    return plan.models[model].asking(asked / all_asked)


def _answering_part(plan: Plan, at: Names) -> str | None:
    return plan.studied[at.suite].answering_part(plan.backends[at.model].suite_part)


def _models(plan: Plan, suite: str) -> Iterable[str]:
    return () if suite in plan.adaptive else plan.models


STAGES = (
    Stage(
        "run_model",
        "inference:run_model",
        "inference",
        parts=model_parts,
        spec=model_spec,
        jobs=each_of_suites("model", _models),
    ),
    Stage(
        "merge_responses",
        "inference:merge_responses",
        "tables",
        jobs=once_if(lambda plan: set(plan.models) - set(plan.at_once)),
    ),
)
