"""Jobs of this computer are forked from a process that has imported other packages already (docs/performance.md).

Imports nothing of the package: what a job runs of it, it reads after the fork, as a process of its own would.
"""
