"""Reports: pure functions from results to text for people or machines."""
