"""Models behind an API, and which model plays which role."""
