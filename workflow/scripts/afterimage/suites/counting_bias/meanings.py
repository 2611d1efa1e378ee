"""What the columns of the suite's tables mean, for the data dictionary. More in docs/counting_bias.md."""

MEANINGS = {
    "task": "`stripes` and `stars` of flags, `boards`, `grids`; `all` for all of them",
    "context": "`familiar`; `plain`, the twin without what names the subject; `alone`, one cell of a grid",
    "alteration": "how many more there are than usual: -1, 0, 1; `altered` pools -1 and 1",
    "right_k": "right answers",
    "biased_k": "wrong answers that name the usual number; empty where the usual number is right, as `bias_rate`",
    "bias_rate": "percent of all answers that name the usual number though it is wrong",
    "off_by_one_k": "other wrong answers, one away from the true number",
    "other_k": "other wrong numbers",
    "yes_k": "answers that this is the flag or board that is named",
    "yes": "percent of them, of all answers",
    "subjects": "flags, boards or grids behind the row, the clusters of the intervals",
    "differing_subjects": "those of them in which the two sides differ",
    "alteration_cost": "accuracy on familiar images as they are minus that on altered ones, percentage points",
    "context_cost": "accuracy on altered twins minus that on familiar images altered alike, percentage points",
    "as_usual_k": "right answers on familiar images with the usual number",
    "as_usual_n": "answers on these images",
    "familiar_k": "right answers on altered familiar images with a twin",
    "twin_k": "right answers on their twins",
    "pairs": "altered familiar images and their twins, asked alike",
}
