"""Controls, the same figures without inducer: the paper's tables 4 and 5."""

from afterimage.suites.illusion_vqa.tables.four_cell_table import four_cell_table

TABLE = four_cell_table(
    "control_vqa",
    "Controls: genuine and fake figures with the inducer removed",
    ("control_genuine", "control_fake"),
    ("all", "conditional", "human_16"),
    "Compare a model's first row of each condition with the paper's tables 4 (control of genuine) and 5 "
    "(control of fake); the caption of table 5 calls its columns genuine, but its numbers "
    "are those of fakes.",
    "Genuine twin both correct: only controls whose genuine twin the same model answered "
    "right on both questions; n/a where there is none.",
)
