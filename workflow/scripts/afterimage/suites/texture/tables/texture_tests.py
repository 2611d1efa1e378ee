"""Is one model better than another? Pairs of models on the same questions.

One row per number of options, prompt and pair of models: ``n`` questions (times repeats), how many were right in both,
the first alone, the second alone and neither, and McNemar's exact two-sided p value.
"""

from afterimage.showing.columns import Difference, PValue, Text, whole
from afterimage.showing.declaration import By, Table
from afterimage.showing.pairs import Pairs, both, neither, only_first, only_second
from afterimage.showing.values import Count, McNemar, answers
from afterimage.suites.texture.tables.answers import by_size, classified, data_notes

TABLE = Table(
    "texture_tests",
    "Texture, classification: models against each other, question by question",
    of=classified,
    rows=(by_size, By("prompt"), Pairs("model", same=("item", "repeat"))),
    csv=(
        *("choices", "prompt", "first", "second"),
        answers(),
        *(Count("both_k", both), Count("only_first_k", only_first)),
        *(Count("only_second_k", only_second), Count("neither_k", neither)),
        McNemar("p_value", "only_first_k", "only_second_k"),
    ),
    columns=(
        whole("Options", "choices"),
        Text("Prompt", "prompt", if_several=True),
        Text("First", "first"),
        Text("Second", "second"),
        whole("n", "n"),
        Difference("Difference", "only_first_k", "only_second_k", decimals=2),
        whole("First\nalone", "only_first_k"),
        whole("Second\nalone", "only_second_k"),
        PValue("p", "p_value"),
    ),
    notes=(
        "Difference of the accuracies in percentage points, first minus second.",
        "p: McNemar's exact two-sided test on the questions that one of the two alone gets right; not adjusted for the "
        "number of tests.",
        data_notes("classification"),
    ),
    split_by="Options",
    csv_formats={"p_value": "%.6g"},
)
