"""The records and protocols that all other packages exchange."""
