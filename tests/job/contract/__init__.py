"""The wire contract as tables: one module per part, one row per promise."""
