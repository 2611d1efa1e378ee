"""Light and colour that all materials share: one lamp up on the left, a little light from everywhere."""

import numpy as np

from afterimage.suites.texture.figures.canvas import Scene, dot, unit

#: Where the lamp and the eye are, in halves of the object's smaller extent from its middle.
_LAMP = (-0.95, -1.2, 2.9)
_EYE = (0.0, 0.0, 6.0)

#: What a surface sends back of red, green and blue light.
ALBEDO = {"warm": np.array([0.62, 0.30, 0.14]), "cool": np.array([0.13, 0.33, 0.62])}


def lambert(scene: Scene, normal: np.ndarray | None = None) -> np.ndarray:
    """Return how much lamplight falls on each sample, 0 to 1; not on what faces away."""
    normal = scene.normal if normal is None else normal
    return np.clip(dot(normal, _towards(scene, _LAMP)), 0, 1)


def highlight(scene: Scene, sharpness: float, normal: np.ndarray | None = None) -> np.ndarray:
    """Return Phong's specular term, 0 to 1: how nearly the lamp is mirrored into the eye."""
    normal = scene.normal if normal is None else normal
    lamp = _towards(scene, _LAMP)
    mirrored = 2 * dot(normal, lamp)[..., None] * normal - lamp
    return np.clip(dot(mirrored, _towards(scene, _EYE)), 0, 1) ** sharpness


def mirrored_direction(scene: Scene) -> np.ndarray:
    """Return where the eye looks by way of the surface: unit vectors, shape (rows, columns, 3)."""
    eye = _towards(scene, _EYE)
    return 2 * dot(scene.normal, eye)[..., None] * scene.normal - eye


def painted(shade: np.ndarray, hue: str, tint: float = 1.0) -> np.ndarray:
    """Give a shade, 0 to 1, the colour of a hue; less of it with a smaller ``tint``."""
    colour = ALBEDO[hue]
    colour = tint * colour + (1 - tint) * colour.mean()
    return shade[..., None] * colour


def bumped(scene: Scene, height: np.ndarray) -> np.ndarray:
    """Return the scene's normals over a relief.

    Args:
        scene: Where the object is.
        height: Heights over the surface, px, on the grid of samples.
    """
    step = scene.x[0, 1] - scene.x[0, 0]
    slope_y, slope_x = np.gradient(height, step)
    return unit(
        scene.normal[..., 0] - slope_x,
        scene.normal[..., 1] - slope_y,
        scene.normal[..., 2],
    )


def _towards(scene: Scene, place: tuple[float, float, float]) -> np.ndarray:
    radius = scene.radius_px
    return unit(
        place[0] - scene.x / radius,
        place[1] - scene.y / radius,
        place[2] - (scene.normal[..., 2] if scene.layout.shape == "sphere" else 0.0),
    )
