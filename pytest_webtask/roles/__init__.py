"""Who decides: each role has a set of tools and a view of what happened."""
