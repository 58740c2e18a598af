"""Draws the icon of the extension as SVG and as PNG, from one table of shapes: three bands and a tick."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import NamedTuple

IMAGES = Path(__file__).resolve().parents[1] / "images"
SIZE = 128
# Each point of the picture is the mean of so many by so many, so that edges are smooth.
SAMPLES = 4

Colour = tuple[int, int, int]


class Box(NamedTuple):
    """A rectangle with round corners."""

    left: float
    top: float
    width: float
    height: float
    radius: float
    colour: Colour

    def covers(self, x: float, y: float) -> bool:
        """Tell whether a point lies in it."""
        across = abs(x - self.left - self.width / 2) - self.width / 2 + self.radius
        down = abs(y - self.top - self.height / 2) - self.height / 2 + self.radius
        return max(across, 0) ** 2 + max(down, 0) ** 2 <= self.radius**2 if max(across, down) > 0 else True

    def svg(self) -> str:
        """Return it as an element of SVG."""
        return (
            f'<rect x="{self.left}" y="{self.top}" width="{self.width}" height="{self.height}" '
            f'rx="{self.radius}" fill="{_hex(self.colour)}"/>'
        )


class Stroke(NamedTuple):
    """A line with round ends through some points."""

    points: tuple[tuple[float, float], ...]
    width: float
    colour: Colour

    def covers(self, x: float, y: float) -> bool:
        """Tell whether a point lies on it."""
        pieces = zip(self.points, self.points[1:], strict=False)
        return any(_distance(x, y, *piece) <= self.width / 2 for piece in pieces)

    def svg(self) -> str:
        """Return it as an element of SVG."""
        points = " ".join(f"{x},{y}" for x, y in self.points)
        return (
            f'<polyline points="{points}" fill="none" stroke="{_hex(self.colour)}" stroke-width="{self.width}" '
            'stroke-linecap="round" stroke-linejoin="round"/>'
        )


SHAPES = (
    Box(0, 0, SIZE, SIZE, 26, (31, 36, 48)),
    Box(22, 28, 22, 18, 6, (229, 83, 75)),
    Box(22, 55, 44, 18, 6, (232, 175, 52)),
    Box(22, 82, 84, 18, 6, (70, 178, 112)),
    Stroke(((70, 40), (82, 52), (106, 26)), 11, (240, 243, 248)),
)


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)


def _distance(x: float, y: float, start: tuple[float, float], end: tuple[float, float]) -> float:
    """Return how far a point is from a piece of a line."""
    across, down = end[0] - start[0], end[1] - start[1]
    along = ((x - start[0]) * across + (y - start[1]) * down) / (across**2 + down**2)
    along = min(max(along, 0), 1)
    return ((x - start[0] - along * across) ** 2 + (y - start[1] - along * down) ** 2) ** 0.5


def point(column: int, row: int) -> bytes:
    """Return one point of the picture: red, green, blue and how far it covers what lies behind."""
    total, covered = [0, 0, 0], 0
    for index in range(SAMPLES**2):
        x = column + (index % SAMPLES + 0.5) / SAMPLES
        y = row + (index // SAMPLES + 0.5) / SAMPLES
        top = next((shape for shape in reversed(SHAPES) if shape.covers(x, y)), None)
        if top is not None:
            covered += 1
            total = [sum(pair) for pair in zip(total, top.colour, strict=True)]
    mean = [part // covered for part in total] if covered else total
    return bytes([*mean, 255 * covered // SAMPLES**2])


def png() -> bytes:
    """Return the picture as a PNG file."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    rows = b"".join(b"\0" + b"".join(point(column, row) for column in range(SIZE)) for row in range(SIZE))
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def svg() -> str:
    """Return the picture as an SVG file."""
    shapes = "\n".join(f"  {shape.svg()}" for shape in SHAPES)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">\n{shapes}\n</svg>\n'


def main() -> None:
    """Write both files."""
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / "icon.svg").write_text(svg(), encoding="utf-8")
    (IMAGES / "icon.png").write_bytes(png())


if __name__ == "__main__":
    main()
