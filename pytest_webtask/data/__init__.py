"""What all rooms work with: values, secrets, phrases and patterns."""
