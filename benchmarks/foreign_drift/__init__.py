"""Pages that others wrote, with changes, and a suite that was recorded before them."""
