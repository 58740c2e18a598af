"""What the server answers: one module a request, listed in `rubric_server.app`."""
