"""The audit of the bouncing mass as one call."""
