"""A stimulus: one drawn image, the parameters it was drawn from, and the hash of its pixels."""

import pyarrow as pa

#: One row of ``results/stimuli/<suite>/<figure>/stimuli.parquet``.
STIMULUS = pa.schema(
    [
        pa.field("stimulus_id", pa.string(), nullable=False),
        pa.field("suite", pa.string(), nullable=False),
        pa.field("figure", pa.string(), nullable=False),
        # File name inside the figure's folder.
        pa.field("image", pa.string(), nullable=False),
        pa.field("width_px", pa.int32(), nullable=False),
        pa.field("height_px", pa.int32(), nullable=False),
        # SHA-256 of the decoded RGB bytes, row by row; PNG bytes depend on the zlib build.
        pa.field("pixels_sha256", pa.string(), nullable=False),
        # SHA-256 of the PNG file: while it holds, the pixels need not be decoded to know that they are still these.
        pa.field("png_sha256", pa.string(), nullable=False),
        # What the figure was drawn from, nominal and realised values, as JSON with sorted keys.
        pa.field("parameters", pa.string(), nullable=False),
        # What the tables group by.
        pa.field("factors", pa.map_(pa.string(), pa.string()), nullable=False),
    ]
)
