"""What the columns of the suite's tables mean, for the data dictionary."""

MEANINGS = {
    "condition": "`genuine`, `fake`, `control_genuine`, `control_fake`",
    "shown": "`image`, `text_only` (no image) or `blank` (an empty one)",
    "subset": "`all`: the paper's illusions; `later`: those that it does not have; `conditional`: images whose genuine "
    "twin the same model answered both-correct (paper, section 4.2); `human_16`: the representative images",
    "n": "images (times repeats) in the row, or pairs of them: the denominator of everything in it",
    "both_correct_k": "images of which both questions are answered right",
    "apparent_only_k": "images of which only the apparent one is",
    "actual_only_k": "images of which only the actual one is",
    "both_wrong_k": "images of which neither is; the four sum to n",
    "unparsed_k": "images with at least one of the two answers unparsed; they are in the four classes too",
    "cut_off_k": "images with at least one answer that was cut off",
    "refused_k": "images with at least one answer that was refused",
    "both_correct": "100 both_correct_k / n; empty for n = 0",
    "apparent_only": "the same for apparent only",
    "actual_only": "the same for actual only",
    "both_wrong": "the same for both wrong",
    "comparison": "`fake against control_fake` or `genuine against control_genuine`: both-correct images of the first, "
    "of the second",
    "first": "share of both-correct images on the first side, percent; of pairs of models the first one",
    "second": "the same on the second side; of pairs of models the second one",
    "clusters": "illusions",
    "illusions": "illusions behind the row: the clusters of its intervals",
    "p_holm": "corrected by Holm's method, together with all tests of the comparison; of pairs of models of the table",
}
