"""The ledger: every number that the papers print, beside what a study has for the same cell."""
