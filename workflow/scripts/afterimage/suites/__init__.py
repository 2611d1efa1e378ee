"""Benchmarks. Each sub-package is one suite and is found by its module name, never through a registry.

Those of other packages are imported as if they lay here.
"""

from afterimage.contract.installed import find_installed

find_installed()
