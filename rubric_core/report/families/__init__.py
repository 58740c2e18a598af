"""The contents of the reports: the `FAMILY` of each module has its blocks, its data and its records."""
