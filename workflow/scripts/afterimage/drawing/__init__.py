"""Parameters to pixels: coverage anti-aliasing, sRGB-coded compositing, PNG without metadata."""
