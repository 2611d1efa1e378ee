"""Whether people recognise the silhouettes of the drawn scenes (``forms/recognition.py``)."""

from afterimage.showing.recognition import recognition_table

TABLE = recognition_table(
    "pope_recognition", "POPE: are the drawn silhouettes recognised by people?", "pope"
)
