"""How far judges agree with a person."""
