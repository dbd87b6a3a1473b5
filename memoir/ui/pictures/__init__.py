"""The explorer's pictures: numbers in, the shapes of an SVG out; templates draw them, and colours are the style's."""
