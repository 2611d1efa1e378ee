"""Files of others: COCO's annotations, lists of segmented objects, official question files."""
