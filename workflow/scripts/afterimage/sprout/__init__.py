"""`sprout`: a small vision-language model of the workflow's own, which has never seen an illusion (docs/sprout.md)."""
