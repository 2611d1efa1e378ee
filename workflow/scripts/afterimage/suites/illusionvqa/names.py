"""The names that the suite's modules share. Standard library only."""

#: Subsets to their folder in the authors' archive.
SUBSETS = {"comprehension": "comprehension", "soft_localization": "sofloc"}
#: Ending of the name of the figure that holds a subset's examples.
EXAMPLES = "_examples"
#: Prompts that put examples before the question.
FEW_SHOT = ("four_shot", "four_shot_reasoning")
PROMPTS = ("zero_shot", *FEW_SHOT)
#: The figures in the order of their positions.
FIGURES = (*SUBSETS, *(f"{subset}{EXAMPLES}" for subset in SUBSETS))


def subset_of(figure: str) -> str:
    """Return the subset that a figure belongs to."""
    return figure.removesuffix(EXAMPLES)
