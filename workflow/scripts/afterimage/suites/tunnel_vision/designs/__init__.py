"""Which images each task has, and what lies where on each. Standard library only, because planning imports this."""
