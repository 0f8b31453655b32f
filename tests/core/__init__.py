"""Tests of the numerical core: laws, steppers, routes, exact flows, readouts and the command line."""
