"""How a figure's images are made: one module for drawn scenes, one for photographs."""
