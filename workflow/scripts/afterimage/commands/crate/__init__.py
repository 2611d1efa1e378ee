"""A finished run as a Workflow Run RO-Crate: one archive that says what was run, with what, and what came out."""
