"""Live sessions: a page that stays open, on which sentences are tried and saved as a test."""
