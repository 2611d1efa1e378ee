"""Is one model better than another? Pairs of models on the same questions.

One row per number of options, prompt and pair of models: ``n`` questions (times repeats), how many were right in both,
the first alone, the second alone and neither; the difference in percentage points with bounds, and p values from
flipping the signs of images.
"""

from afterimage.showing.columns import Difference, PValue, Text, whole
from afterimage.showing.comparing import Corrected, Differing, Matched
from afterimage.showing.declaration import By, Table
from afterimage.showing.interval_notes import test_note
from afterimage.showing.pairs import Pairs, both, neither, only_first, only_second
from afterimage.showing.values import Count, Distinct, answers
from afterimage.suites.texture.tables.answers import by_size, classified, data_notes

TABLE = Table(
    "texture_tests",
    "Texture, classification: models against each other, question by question",
    of=classified,
    rows=(by_size, By("prompt"), Pairs("model", same=("item", "repeat", "stimulus_id"))),
    csv=(
        *("choices", "prompt", "first", "second"),
        answers(),
        *(Count("both_k", both), Count("only_first_k", only_first)),
        *(Count("only_second_k", only_second), Count("neither_k", neither)),
        Matched("stimulus_id", p="p_value"),
        *(Distinct("images", "stimulus_id"), Differing("stimulus_id", "differing_images")),
        Corrected("p_holm", "p_value"),
    ),
    columns=(
        whole("Options", "choices"),
        Text("Prompt", "prompt", if_several=True),
        Text("First", "first"),
        Text("Second", "second"),
        whole("n", "n"),
        Difference(
            "Difference",
            "only_first_k",
            "only_second_k",
            low="difference_low",
            high="difference_high",
            decimals=2,
        ),
        whole("First\nalone", "only_first_k"),
        whole("Second\nalone", "only_second_k"),
        PValue("p", "p_value", "differing_images"),
        PValue("p, corrected", "p_holm", "differing_images"),
    ),
    notes=(
        "Difference of the accuracies in percentage points, first minus second; below it its {coverage} interval, "
        "Tango's on what the pairs are worth.",
        test_note("images"),
        data_notes("classification"),
    ),
    split_by="Options",
    csv_formats={"p_value": "%.6g", "p_holm": "%.6g"},
)
