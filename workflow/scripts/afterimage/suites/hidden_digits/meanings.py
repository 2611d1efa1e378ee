"""What the columns of the suite's tables mean, for the data dictionary. More in docs/hidden_digits.md."""

MEANINGS = {
    "axis": "along what the dots of the digit differ from the others: `red_green` or `light`",
    "blur": "`sharp`, or `blurred` by 6 px",
    "n": "answers about images with a difference",
    "right_k": "right answers about images with a difference",
    "guess_n": "answers about images without any difference",
    "guess_k": "of these, those that name the digit that the dots would form; about half",
    "slope": "of the fitted curve, 1 / sigma, per unit of t (t = 1: 64 CIEDE2000, each sixth half the difference)",
    "slope_low": "lower bound of the jackknife over the eight plates",
    "side_bias": "t at which both digits are named equally often, negative where the first one is named readily; -1 or "
    "1: nearly always the same one",
    "criterion": "empty: no prompt offers that nothing is hidden",
    "lapse": "share of answers that do not depend on the image, the same in all rows of a model and prompt",
    "no_threshold": "why there is none: `flat`, `inverted`, `below 2 CIEDE2000`, `above 64 CIEDE2000`, `no answers`",
    "threshold": "difference in CIEDE2000 at which three of four digits are named rightly, lapses apart",
    "threshold_low": "lower bound, also where the estimate lies beyond what was shown; at 2 or 64: at least that far",
    "blur_gain": "right answers about blurred images less those about the same ones sharp, percentage points",
    "difference_left": "share of the shown difference between dots that the model's own image processor leaves; of "
    "models that run here, about sharp images",
    "threshold_left": "threshold in the difference that is left, CIEDE2000",
}
