"""What asking depends on, the questions and who answers: plain values. Read whenever a plan is made: nothing slow."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from afterimage.contract.model import ModelEntry, backend_part, eyes_part
from afterimage.files.yaml import read_checked
from afterimage.grading.words import digest
from afterimage.models.openai_compatible.options import CACHE, ONLINE, PRICE_FACTORS
from afterimage.models.weights import repositories_of
from afterimage.planning.configuration import CLAIMING
from afterimage.planning.plan import Plan

#: Items of each suite that are asked again one at a time.
SAMPLED_ITEMS = 64
#: Where the sentences before questions without image stand, and the probes that have one.
_PROBE_WORDS, _TOLD = "resources/prompts/probes.yaml", ("guess", "say_missing")
#: Probes of later versions: where they are off, items depend on what they did before.
_ADDED = ("silent", "guess", "say_missing", "clean")
_PRICES = ("price_per_million_input", "price_per_million_output")

# ---- items ----


def items_parts(plan: Plan, suite: str) -> list[str]:
    """Return what makes a suite's questions, and the kinds of probes that are asked for."""
    own, asked = plan.studied[suite].asking_parts(), plan.probes.get(suite)
    if asked is None:
        return own
    kinds = {
        "option_order": asked["option_orders"],
        "without_image": any(asked[probe] for probe in ("text_only", *CLAIMING)),
    }
    wanted = ["deriving", *(name for name, is_asked in kinds.items() if is_asked)]
    return [*own, *(f"afterimage.items.{name}" for name in wanted)]


def items_spec(plan: Plan, suite: str, shard: str) -> dict[str, Any]:
    """Return what the items of one shard depend on, the stimuli and people's decisions apart."""
    members = plan.shard_members(suite, shard)
    figures = sorted({figure for figure, _ in members})
    asked = plan.studied[suite].asking_spec(figures, plan.shard_figures(suite, shard))
    stimuli = [stimulus for _, stimulus in members]
    own = {"stimuli": stimuli, "suite": suite, "version": plan.studied[suite].suite.version}
    return {**asked, **_probes_spec(plan, suite, figures), **own}


def _probes_spec(plan: Plan, suite: str, figures: Sequence[str]) -> dict[str, Any]:
    if suite not in plan.probes:
        return {}
    probes = plan.probes[suite]
    words = plan.studied[suite].probe_words(figures) if probes["text_only"] else {}
    asked = {name: value for name, value in probes.items() if name not in _ADDED or value}
    asked.pop("clean", None)
    if any(probes[probe] for probe in _TOLD):
        sentences = read_checked(_PROBE_WORDS, "the sentences of probes")
        sentences.keys(_TOLD)
        asked |= {name: sentences[name].text() for name in _TOLD if probes[name]}
    return {"probes": {**asked, "words": words}}


# ---- models ----


def backend(plan: Plan, model: str) -> str:
    """Return a model's backend; no other one is in its jobs' fingerprint."""
    return backend_part(plan.models[model].backend)


def model_parts(plan: Plan, suite: str, model: str) -> list[str]:
    """Return a model's backend, and the part of the suite that it takes its answers from."""
    part = _answering_part(plan, suite, model)
    return [backend(plan, model), *([] if part is None else [part])]


def eyes(plan: Plan, model: str) -> str:
    """Return the part of a model's backend that shows what its processor leaves of an image."""
    return eyes_part(plan.models[model].backend)


def model_spec(plan: Plan, suite: str, model: str) -> dict[str, Any]:
    """Return what can change a model's answers; resources and shard size cannot."""
    part = _answering_part(plan, suite, model)
    order = _order(plan, model, [suite])
    return {**_answerer(plan, model), **order, "part": part, "suite": suite}


def adaptive_parts(plan: Plan, suite: str, model: str) -> list[str]:
    """Return the same of a job that asks adaptively, with what says where items stand and what reads answers."""
    own = plan.studied[suite]
    readers = [f"afterimage.grading.{name}" for name in own.answer_types]
    return [*model_parts(plan, suite, model), f"{own.suite.adaptive}:ADAPTIVE", *readers]


def adaptive_spec(plan: Plan, suite: str, model: str) -> dict[str, Any]:
    """Return what can change which questions are chosen, and their answers."""
    own = plan.studied[suite]
    chosen = {"adaptive": f"{own.suite.adaptive}:ADAPTIVE", "trials": own.trials}
    return {**model_spec(plan, suite, model), **chosen, "answer_words": digest()}


def _answerer(plan: Plan, model: str) -> dict[str, Any]:
    """Return a model's entry and, of weights in a folder, which they are: others at their place are asked anew."""
    entry = {"entry": plan.models[model].answering(), "model": model}
    return {**entry, "weights": plan.weights[model]} if model in plan.weights else entry


def text_first(plan: Plan, model: str, suites: Iterable[str]) -> list[str]:
    """Return the suites in which a model reads the text before the images."""
    return [suite for suite in suites if model in plan.suites[suite].get("text_first", ())]


def _order(plan: Plan, model: str, suites: Iterable[str]) -> dict[str, Any]:
    # Nothing where nothing is set, so that whoever sets nothing has no other spec than before.
    chosen = text_first(plan, model, suites)
    return {"text_first": chosen} if chosen else {}


def _answering_part(plan: Plan, suite: str, model: str) -> str | None:
    return plan.studied[suite].answering_part(plan.backends[model].suite_part)


def recorded_spec(plan: Plan, at: Any) -> dict[str, Any]:
    """Return what the matching of recorded answers depends on; ``has_holes`` where images are not there."""
    holes = {"has_holes": True} if plan.missing[at.suite].names else {}
    return {**holes, "model": at.model, "settings": plan.models[at.model].settings}


def weights_spec(plan: Plan, model: str) -> dict[str, Any]:
    """Return which weights are fetched."""
    return repositories_of(plan.models_and_judge[model])


def seen_spec(plan: Plan, suite: str, model: str) -> dict[str, Any]:
    """Return what bears on what a model gets to see: its checkpoint and what its processor is told."""
    entry = plan.models[model]
    told = {key: entry.settings[key] for key in ("chat_template", "processor")}
    measuring = plan.studied[suite].seen_spec()
    own = {**_answerer(plan, model), "entry": {**entry.answering(), "settings": told}}
    del own["model"]
    return {**own, **measuring, "suite": suite}


def batches_spec(plan: Plan, model: str) -> dict[str, Any]:
    """Return what the comparison of answers with and without batches depends on, items and answers apart."""
    order = _order(plan, model, plan.suites)
    return {**_answerer(plan, model), **order, "sampled": SAMPLED_ITEMS}


def agreement_spec(plan: Plan) -> dict[str, Any]:
    """Return what the table of these comparisons depends on, the comparisons apart."""
    sizes = {name: plan.models[name].settings["batch_size"] for name in plan.batching}
    return {"batch_sizes": sizes, "confidence": plan.statistics["confidence"]}


# ---- what it costs ----


def cost_spec(plan: Plan) -> dict[str, Any]:
    """Return what the table of costs depends on, the answers apart."""
    models = [
        {"by_item": name in plan.responders, "name": name, **prices_of(plan, name)}
        for name in plan.models
    ]
    judge = plan.judging.judge
    if judge is None:
        return {"judge": None, "models": models}
    is_free = plan.judging.is_reference
    asked = {"by_item": is_free, "name": judge.name, **_prices(judge.entry, is_free)}
    return {"judge": asked, "models": models}


def prices_of(plan: Plan, model: str) -> dict[str, Any]:
    """Return what a model of the study costs: ``prices``, their ``currency`` and the ``mode`` that they are for."""
    # What recorded answers cost, nobody knows here.
    is_free = model in plan.responders and model not in plan.recorded
    return _prices(plan.models[model], is_free)


def price_of(entry: ModelEntry) -> list[float] | None:
    """Return what a million of a model's tokens cost, by kind; None where its entry does not say.

    Returns:
        Of tokens of prompts, of answers, and of those of prompts that are read from and written to a cache.
    """
    told = _prices(entry, is_free=False)
    if (prices := told["prices"]) is None:
        return None
    return [*prices, *told.get("cache_prices", [prices[0]] * len(CACHE))]


def _prices(entry: ModelEntry, is_free: bool) -> dict[str, Any]:
    """Return what a million tokens of prompts and of answers cost; None where the entry does not say."""
    own = entry.client
    named = [own[key] for key in _PRICES if key in own]
    if is_free or len(named) < len(_PRICES):
        return {"mode": None, "currency": "", "prices": [0.0, 0.0] if is_free else None}
    mode = own.get("mode", ONLINE)
    return {
        "mode": mode,
        "currency": entry.currency,
        "prices": [price * PRICE_FACTORS[mode] for price in named],
        **_cache_prices(own, PRICE_FACTORS[mode]),
    }


def _cache_prices(client: Mapping[str, Any], factor: float) -> dict[str, Any]:
    """Return what a million prompt tokens cost that are read from and written to a cache, where the entry says so."""
    named = [client.get(f"price_per_million_{kind}") for kind in CACHE]
    if named == [None, None]:
        return {}
    other = client[_PRICES[0]]
    return {"cache_prices": [(other if one is None else one) * factor for one in named]}
