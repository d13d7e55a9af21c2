"""Is not there."""
