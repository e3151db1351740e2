"""Tools: what a model may call."""
