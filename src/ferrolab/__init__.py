"""ferrolab: measure which part of a simulator makes its contact gradients wrong."""

__version__ = "0.1.0"
