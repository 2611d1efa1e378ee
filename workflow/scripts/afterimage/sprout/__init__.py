"""`sprout`: a small vision-language model of the workflow's own, which has never seen an illusion (docs/sprout.md)."""

#: The prompt files from which training questions are made: of this room, and of the suites whose wording it takes.
PROMPTS = ("sprout", "illusion_vqa", "illusion_strength", "blindtest")
