"""The package's version, here and nowhere else; pyproject.toml, archives and reports read it."""

VERSION = "0.2.0"
