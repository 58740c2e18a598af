"""What all models share: they are values, which never change once they are made."""

from decimal import Decimal
from typing import Annotated, Any, ClassVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    StringConstraints,
    model_serializer,
)

JsonValue = Any
"""Plain data as in JSON: the content of metadata, structured messages and evaluator configuration."""

Text = Annotated[str, StringConstraints(pattern=r"\S")]
"""A string with at least one visible character."""

Weight = Annotated[Decimal, Field(ge=0, allow_inf_nan=False)]
"""A weight exactly as written, so that thresholds can be compared without rounding."""


class Model(BaseModel):
    """The base of every model: frozen, strict about types, closed to unknown fields."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", arbitrary_types_allowed=True)


class SparseModel(Model):
    """A model that is serialised without its `rare` fields if these have their defaults."""

    rare: ClassVar[frozenset[str]]

    @model_serializer(mode="wrap")
    def _without_unset(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        values: dict[str, Any] = serialize(self)
        defaults = {name: type(self).model_fields[name].get_default(call_default_factory=True) for name in self.rare}
        return {name: value for name, value in values.items() if name not in defaults or value != defaults[name]}
