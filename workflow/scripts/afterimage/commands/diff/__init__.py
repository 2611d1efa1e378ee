"""``afterimage diff``: the answers of two runs, compared item by item."""
