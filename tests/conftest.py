"""How property tests run: few examples in `make quick`, many in `make test`."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Timings vary with the machine, so no example has a deadline.
settings.register_profile("quick", max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("full", max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("full")
