"""What the reports show: the `FAMILY` of each module has its blocks, its data and its records."""
