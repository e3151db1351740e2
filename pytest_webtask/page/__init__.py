"""The page: what is on it, how its elements are found, and what it does by itself."""
