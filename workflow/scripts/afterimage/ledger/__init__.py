"""The ledger: every number that the papers print, next to the study's number for the same cell."""
