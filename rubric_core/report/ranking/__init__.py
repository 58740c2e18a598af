"""Results and scorecards by rank, with ties on one place."""
