"""The page: its content, its elements and their locators, and its own events."""
