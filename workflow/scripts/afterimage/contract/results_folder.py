"""The folder of a study's results (config key ``results_folder``), in paths that are named before it is known.

Snakemake puts the folder in wherever a rule's path begins with :data:`RESULTS` (its *path variables*); what does not go
through a rule's files takes :func:`with_folder`. Standard library only.
"""

#: What such a path begins with.
RESULTS = "<results>"
#: The folder of a study that names none.
DEFAULT = "results"


def with_folder(text: str, folder: str) -> str:
    """Return a path or a sentence with the folder's name put in."""
    return text.replace(RESULTS, folder)
