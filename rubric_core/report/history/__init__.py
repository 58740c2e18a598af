"""The history of skills: a table and a chart for people, JSON and CSV for machines."""
