"""Pages on which people find their own points of equality."""
