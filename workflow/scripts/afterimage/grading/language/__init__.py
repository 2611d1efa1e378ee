"""What replies say, in the ten languages: the engine below the readers. No module here is an answer type."""
