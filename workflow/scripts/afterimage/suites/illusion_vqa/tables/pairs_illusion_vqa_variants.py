"""Models compared on further drawings of the same illusions; made where there are any."""

from afterimage.suites.illusion_vqa.tables.illusion_vqa_tests import VARIANT_PAIRS

TABLE = VARIANT_PAIRS
