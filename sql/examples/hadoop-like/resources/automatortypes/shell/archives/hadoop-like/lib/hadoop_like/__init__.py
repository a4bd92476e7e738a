"""Small daemons that do what those of a Hadoop distribution do with each other: who registers where, who needs whom."""
