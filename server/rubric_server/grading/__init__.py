"""Grading for the client: requests become runs on a worker thread, results become notifications and diagnostics."""
