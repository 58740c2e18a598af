"""Files on disk: finding, reading and writing them, and what is around an eval file."""
