"""What questions depend on, and what is asked beside a suite's own: plain values."""

from collections.abc import Sequence
from typing import Any

from afterimage.files.yaml import read_checked
from afterimage.planning.configuration import CLAIMING
from afterimage.planning.plan import Plan
from afterimage.planning.stage import Names, Stage, each_suite

#: Where the sentences before questions without image stand, and the probes that have one.
_PROBE_WORDS, _TOLD = "resources/prompts/probes.yaml", ("guess", "say_missing")
#: Probes of later versions: where they are off, items depend on what they did before.
_ADDED = ("silent", "guess", "say_missing", "clean")


def items_parts(plan: Plan, at: Names) -> list[str]:
    """Return what makes a suite's questions, and the kinds of probes that are asked for."""
    own, asked = plan.studied[at.suite].asking_parts(), plan.probes.get(at.suite)
    if asked is None:
        return own
    kinds = {
        "option_order": asked["option_orders"],
        "without_image": any(asked[probe] for probe in ("text_only", *CLAIMING)),
    }
    wanted = ["deriving", *(name for name, is_asked in kinds.items() if is_asked)]
    return [*own, *(f"afterimage.items.{name}" for name in wanted)]


def items_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the items of one shard depend on, the stimuli and people's decisions apart."""
    suite, shard = at.suite, at.shard
    members = plan.studied[suite].positions.members(shard)
    figures = sorted({figure for figure, _ in members})
    asked = plan.studied[suite].asking_spec(figures, shard_figures(plan, suite, shard))
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


def shard_figures(plan: Plan, suite: str, shard: str) -> list[str]:
    """Return the figures whose stimuli the items of a shard are made of, examples included."""
    own = plan.studied[suite]
    if own.needs_all_images:
        # Which stimuli become examples is decided only when people's decisions are known.
        return list(plan.figures[suite])
    return list(dict.fromkeys(figure for figure, _ in own.positions.members(shard)))


def item_files(plan: Plan, suite: str) -> list[str]:
    """Return the files, beside stimuli and decisions, that a suite's questions are made from; mostly none."""
    own = plan.studied[suite]
    return list(own.suite.item_files(own.settings, own.people))


MAKE_ITEMS = Stage(
    "make_items",
    "items:make_items",
    "stimuli",
    parts=items_parts,
    spec=items_spec,
    jobs=each_suite(),
)
STAGES = (MAKE_ITEMS,)
