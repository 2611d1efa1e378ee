"""The suite's tables, one module each: graded answers in, a frame and its layout out."""
