"""The roles that decide, the loop that they run in, and the session that they share."""
