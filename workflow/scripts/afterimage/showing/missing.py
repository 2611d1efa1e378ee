"""What no value stands for. Standard library only, so that a table can be declared without pandas."""


def is_missing(value: object) -> bool:
    """Tell whether a value of a frame is undefined: None, NaN or pandas' NA."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:
        # pandas' NA is neither equal to itself nor unequal.
        return True
