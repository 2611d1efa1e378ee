"""What rooms promise each other: dataclasses and protocols, and how a suite or a backend is found by its name."""
