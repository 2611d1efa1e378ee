"""The paper's tables II to VII, one module each, and what they share."""
