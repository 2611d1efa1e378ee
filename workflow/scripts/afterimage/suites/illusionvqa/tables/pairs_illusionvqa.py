"""Every two models on the same questions."""

from afterimage.showing.model_pairs import pairs_table

TABLE = pairs_table(
    "pairs_illusionvqa", "IllusionVQA: models compared on the same questions", by=("subset",)
)
