"""Pages on which people answer: from a suite's tasks to a page and a sheet, and from what comes back to answers.

A suite offers a form with one module, which its ``Form`` names; docs/human_forms.md says what it holds. Nothing here
knows a suite.
"""
