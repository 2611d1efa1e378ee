"""The paper's figure 2."""
