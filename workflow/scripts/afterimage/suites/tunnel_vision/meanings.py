"""What the columns of the suite's tables mean, for the data dictionary. More in docs/tunnel_vision.md."""

MEANINGS = {
    "task": "`follow`: a chain of labels; `trace`: a wire among wires; `same_object`: which copy has a part elsewhere",
    "level": "hops of the chain, crossings of the asked wire, px of displacement; `all` for all of them",
    "control_n": "answers to controls: boards without labels, the wire alone; in rows `all` also two true copies",
    "control_k": "of these, right",
    "control": "right answers to controls in percent; empty where there is no control",
    "per_hop": "percent of single hops that are right, above guessing: a of accuracy = g + (1 - g) a^hops",
    "per_hop_low": "lower bound, by the jackknife over boards on the scale of log a",
    "slope": "of the curve fitted to left and right, 1 / sigma, per unit of t (t = 1: 32 px, each fifth half of it)",
    "side_bias": "t at which left and right are named equally often; -1 or 1: nearly always one side",
    "criterion": "displacement below which both copies are said to be the same, px; of prompts that offer it",
    "lapse": "share of answers that do not depend on the image",
    "no_threshold": "why there is none: `flat`, `inverted`, `below 2 px`, `above 32 px`, `no answers`",
    "threshold": "displacement in px at which three of four sides are named rightly, lapses apart",
}
