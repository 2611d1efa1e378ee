"""The tables of counting_bias, one module each."""
