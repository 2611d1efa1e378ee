"""All questions of a suite without pixels, for tests that ask nobody who looks."""

from afterimage.contract.parts import resolve
from afterimage.contract.stimulus import Shown
from afterimage.files.paths import with_folder
from afterimage.stages.all_stages import spec_of
from afterimage.stages.items import item_row
from afterimage.stages.stimuli import write_side_files

#: Thousands of images, of which nothing is known only when they are drawn.
_UNDRAWN = ("blindtest", "hidden_digits")


def images_of(plan, suite):
    """The images of a suite as questions see them, their pixels left out."""
    for figure in plan.figures[suite]:
        spec = spec_of(plan, "draw_figure", suite=suite, figure=figure)
        draw = resolve(spec["draw"])
        for image_spec in resolve(spec["design"]).specs(figure, spec["settings"]):
            drawn = {} if suite in _UNDRAWN else draw(**image_spec.parameters).factors
            yield Shown(
                image_spec.stimulus_id, factors={**image_spec.factors, **drawn}, figure=figure
            )


def items_of(plan, suite):
    """All questions of a suite, without pixels."""
    for writer, files in plan.studied[suite].side_files.items():
        written = [with_folder(path, plan.results) for path in files.outputs]
        read = [with_folder(path, plan.results) for path in files.inputs]
        spec = spec_of(plan, "write_side_files", suite=suite, writer=writer)
        write_side_files(spec, {"read": read}, {"written": written}, {})
    every = {question.stimulus_id: question for question in images_of(plan, suite)}
    for shard in plan.shards(suite, next(iter(plan.models))):
        spec = spec_of(plan, "make_items", suite=suite, shard=shard)
        images = [every[name] for name in spec["stimuli"]]
        found = resolve(spec["questions"])(
            images, spec["bank"], spec["settings"], [*every.values()]
        )
        for question in found:
            yield item_row(question, suite, lambda _: {"png": b"", "pixels_sha256": ""})
