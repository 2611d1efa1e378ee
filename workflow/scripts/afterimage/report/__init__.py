"""The report: pages that show a study's tables, figures and every answer, each page one file (docs/report.md)."""
