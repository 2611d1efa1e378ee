"""The readers: a module for each answer type, found by its name; ``labels`` and ``presence_strict`` serve several."""
