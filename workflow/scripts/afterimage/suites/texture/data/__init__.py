"""The suite's tables: images, objects, words that people wrote, and what people think of them."""
