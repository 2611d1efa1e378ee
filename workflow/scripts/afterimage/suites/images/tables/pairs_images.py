"""Every two models on the same questions."""

from afterimage.showing.model_pairs import pairs_table

TABLE = pairs_table(
    "pairs_images", "Own images: models compared on the same questions", by=("set",)
)
