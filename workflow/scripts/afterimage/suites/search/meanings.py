"""What the columns of the suite's tables mean, for the data dictionary. More in docs/search.md."""

MEANINGS = {
    "condition": "`colour`, `shape`, `conjunction` of both, or `configuration` (T among L)",
    "set_size": "items on the image, the target among them; `all` for all set sizes",
    "layouts": "different places of items; each is shown with and without target",
    "hit_n": "answers that were read, to images with a target; empty where places were asked for",
    "hit_k": "of these, yes",
    "false_alarm_n": "answers that were read, to images without a target",
    "false_alarm_k": "of these, yes",
    "yes_share": "percent of the answers that were read that said yes",
    "d_prime": "z(hits) - z(false alarms), each rate (k + 0.5) / (n + 1); in rows of one set size",
    "bias": "-(z(hits) + z(false alarms)) / 2; negative where yes is said readily",
    "d_per_doubling": "change of d' when the number of items doubles; in rows `all`",
    "points_per_item": "change of accuracy with one more item, percentage points; in rows `all`",
    "binding_cost": "mean d' of colour and shape less that of conjunction, at 32 items; in row `all` of conjunction",
    "*_low": "lower bound of the interval; of d', slopes and costs by the jackknife over four groups of layouts",
    "tokens_median": "median of the reasoning tokens of an answer, where the server counts them",
}
