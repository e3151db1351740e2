"""The example shop with changes, harmless ones and bugs, and a suite that was recorded before them."""
