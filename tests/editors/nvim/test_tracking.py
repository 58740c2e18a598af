"""The lines of what was judged are found again after any edits, or known to have been touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from neovim import Neovim

pytestmark = pytest.mark.slow

LINES = 12
# Each edit replaces some lines by so many new ones; its numbers are cut to the text that it meets.
EDITS = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 3), st.integers(0, 3)), max_size=6)

# Names every line of a buffer, edits it in a real way, and says where the lines of an interval are found.
_FOLLOW = """
local first, last, edits, told_after = ...
local tracking = require('rubric.tracking')
local buffer = vim.api.nvim_create_buf(true, false)
local lines = {}
for number = 0, 11 do table.insert(lines, 'line ' .. number) end
vim.api.nvim_buf_set_lines(buffer, 0, -1, true, lines)
tracking.watch(buffer)
local judged = vim.api.nvim_buf_get_changedtick(buffer)
local told, told_lines = judged, { first = first, last = last }
local function edit(change)
  local count = vim.api.nvim_buf_line_count(buffer)
  local from = math.min(change[1], count)
  local to = math.min(from + change[2], count)
  local new = {}
  for number = 1, change[3] do table.insert(new, 'new') end
  vim.api.nvim_buf_set_lines(buffer, from, to, true, new)
end
local function found()
  local numbers = {}
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, true)) do
    for sought = first, last do
      if line == 'line ' .. sought then table.insert(numbers, number - 1) end
    end
  end
  local whole = #numbers == last - first + 1 and numbers[#numbers] - numbers[1] == last - first
  return whole and { first = numbers[1], last = numbers[#numbers] } or nil
end
local is_touched = false
for number, change in ipairs(edits) do
  edit(change)
  is_touched = is_touched or found() == nil
  if number == told_after and found() then
    told, told_lines = vim.api.nvim_buf_get_changedtick(buffer), found()
  end
end
local tracked = tracking.present(buffer, judged, told, told_lines)
local real = not is_touched and found() or nil
vim.api.nvim_buf_delete(buffer, { force = true })
return { tracked or vim.NIL, real or vim.NIL }
"""


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
@given(first=st.integers(0, LINES - 1), length=st.integers(1, 4), edits=EDITS, told_after=st.integers(0, 6))
def test_lines_are_followed_through_edits(
    nvim: Neovim, first: int, length: int, edits: list[tuple[int, int, int]], told_after: int
) -> None:
    """They are found where they really are, and lost exactly where an edit has once torn or taken them."""
    last = min(first + length - 1, LINES - 1)
    tracked, real = nvim.lua(_FOLLOW, first, last, edits, told_after)
    assert tracked == real


def test_what_was_forgotten_is_not_guessed(nvim: Neovim) -> None:
    """After more changes than are kept, nothing is said of an old version; of a newer one it is."""
    found = nvim.lua(
        "local tracking = require('rubric.tracking') local buffer = vim.api.nvim_create_buf(true, false) "
        "vim.api.nvim_buf_set_lines(buffer, 0, -1, true, {'a', 'b', 'c'}) tracking.watch(buffer) "
        "local old = vim.api.nvim_buf_get_changedtick(buffer) "
        "for _ = 1, 1100 do vim.api.nvim_buf_set_lines(buffer, 2, 3, true, {'c'}) end "
        "local new = vim.api.nvim_buf_get_changedtick(buffer) local lines = {first = 0, last = 0} "
        "local function at(version) return tracking.present(buffer, version, version, lines) ~= nil end "
        "local result = {at(old), at(new)} vim.api.nvim_buf_delete(buffer, {force = true}) return result"
    )
    assert found == [False, True]


@pytest.mark.parametrize(
    ("start", "end", "lines"), [((2, 4), (2, 9), (2, 2)), ((2, 4), (5, 0), (2, 4)), ((2, 0), (2, 0), (2, 2))]
)
def test_a_range_that_ends_before_a_line_does_not_cover_it(
    nvim: Neovim, start: tuple[int, int], end: tuple[int, int], lines: tuple[int, int]
) -> None:
    """The protocol's ranges end before their last character."""
    place = {
        name: {"line": line, "character": character} for name, (line, character) in {"start": start, "end": end}.items()
    }
    assert nvim.lua("return require('rubric.tracking').lines_of(...)", place) == {"first": lines[0], "last": lines[1]}
