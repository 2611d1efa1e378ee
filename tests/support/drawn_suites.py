"""Suites that draw what they show, and their jobs up to the items."""

import json

from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM
from afterimage.stages.all_stages import spec_of
from afterimage.stages.items import make_items, shard_figures
from afterimage.stages.stimuli import draw_figure, write_side_files

#: Suites that draw what they show, with every setting that is a mapping or a list of names.
DRAWN = {
    "blindtest": {"release": "v1", "scale": 1},
    "contrast": {},
    "counting_bias": {},
    "hidden_digits": {},
    "illusion_strength": {},
    "illusion_vqa": {"illusions": ["fick", "jastrow", "delboeuf"], "prompts": ["zero_shot"]},
    "illusionbench": {
        "questions": ["multiple_choice", "true_false", "semantic"],
        "model_groups": {"Ours": ["pixels"], "Others": ["chance", "textbook_cued"]},
    },
    "pope": {
        "strategies": ["random", "popular", "adversarial"],
        "variants": ["pope", "pope_blog", "pope_extended"],
        "blog": {"strategies": ["C", "A", "R"], "r_exclude_present": False},
        "scenes": 6,
        "nested_scenes": 3,
    },
    "search": {},
    "texture": {"data": None, "choices": [2, 5]},
    "tunnel_vision": {},
}


def as_a_job_gets_it(spec):
    return json.loads(json.dumps(spec, sort_keys=True))


def run_to_items(plan, folder):
    """Run the jobs of images and items as Snakemake does, and return the items' ids."""
    found = []
    for suite, figures in plan.figures.items():
        for name, files in plan.studied[suite].side_files.items():
            spec = as_a_job_gets_it(spec_of(plan, "write_side_files", suite=suite, writer=name))
            at = [path.replace("<results>", plan.results) for path in files.outputs]
            inputs = [path.replace("<results>", plan.results) for path in files.inputs]
            write_side_files(spec, {"read": inputs}, {"written": at}, {})
        stimuli = {}
        for figure in figures:
            spec = as_a_job_gets_it(spec_of(plan, "draw_figure", suite=suite, figure=figure))
            stimuli[figure] = folder / f"{suite}_{figure}.parquet"
            outputs = {"stimuli": stimuli[figure], "measured": folder / "measured.csv"}
            draw_figure(spec, {}, outputs, {})
        for shard in plan.shards(suite, "chance"):
            spec = as_a_job_gets_it(spec_of(plan, "make_items", suite=suite, shard=shard))
            needed = [stimuli[figure] for figure in shard_figures(plan, suite, shard)]
            items = folder / f"{suite}_{shard}_items.parquet"
            make_items(spec, {"stimuli": needed, "decisions": []}, {"shard": items}, {})
            found += [row["item_id"] for row in read_records(items, ITEM)]
    return found
