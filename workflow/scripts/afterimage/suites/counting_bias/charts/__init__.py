"""Charts of counting_bias."""
