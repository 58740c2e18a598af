"""Files on disk: finding, reading and writing them, and what stands around an eval file."""
