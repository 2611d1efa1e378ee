"""What the columns of the suite's tables mean, for the data dictionary. More in docs/contrast.md."""

MEANINGS = {
    "frequency_cycles": "spatial frequency, cycles per image width",
    "cycles_per_degree": "the same for a person at 60 cm, a pixel being 0.25 mm",
    "right_k": "right answers about images with a pattern",
    "n": "answers about images with a pattern",
    "blank_n": "answers that were read, about images without a pattern; they count for every frequency",
    "false_alarm_k": "of these, those that say a pattern is there",
    "slope": "of the fitted curve, 1 / sigma, per unit of t (t = 1: 64 %, each eighth half the contrast)",
    "slope_low": "lower bound of the jackknife over the four replicates",
    "side_bias": "t at which left and right are named equally often; -1 or 1: nearly always one side",
    "criterion": "contrast below which no pattern is said to be there, percent; of prompts that offer it",
    "lapse": "share of answers that do not depend on the image, the same at every frequency",
    "no_threshold": "why there is none: `flat`, `inverted`, `below 0.5 %`, `above 64 %`, `no answers`, `yes or no`",
    "threshold": "contrast in percent at which three of four sides are named rightly, lapses apart",
    "threshold_low": "lower bound, also where the estimate lies beyond what was shown; at 0.5 or 64: at least that far",
    "sensitivity": "100 / threshold",
    "contrast_left": "share of the shown contrast that the model's own image processor leaves; of models that run here",
    "threshold_left": "threshold in the contrast that is left, percent",
}
