"""The roles that judge conclusions."""
