"""Whether people recognise the drawn materials (``forms/recognition.py``)."""

from afterimage.showing.recognition import recognition_table

TABLE = recognition_table(
    "texture_recognition", "Texture: are the drawn materials recognised by people?", "texture"
)
