"""The words that come with the workflow, for those that are given no study: the observer and the blog's functions."""

from functools import cache

from afterimage.files.root import shipped
from afterimage.files.yaml import read_yaml
from afterimage.suites.pope.language.chinese import Chinese


@cache
def shipped_chinese() -> Chinese:
    """Return the contents of ``chinese.yaml``."""
    return Chinese(**read_yaml(shipped("resources/lexicons/chinese.yaml")))
