"""A Compute Engine of the tests' own; see ../gce_stand_in.py."""
