"""What all models share: they are values, which never change once they are made."""

from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

JsonValue = Any
"""Plain data as JSON knows it: the content of metadata, structured messages and evaluator configuration."""

Text = Annotated[str, StringConstraints(pattern=r"\S")]
"""A string with at least one visible character."""

Weight = Annotated[Decimal, Field(ge=0, allow_inf_nan=False)]
"""A weight exactly as written, so that thresholds can be compared without rounding."""


class Model(BaseModel):
    """The base of every model: frozen, strict about types, closed to unknown fields."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", arbitrary_types_allowed=True)
