"""Objects out of captions: by a closed vocabulary, which other tools may filter but never widen."""
