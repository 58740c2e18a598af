--- Tracks the lines of a graded text through edits, and whether they were changed.
---
--- A result applies to one version of the text. The changes of a buffer are kept from its first grading on, so that an
--- interval of an earlier version can be found in the present text, or is known to have been touched.

local M = {}

local most_changes = 1000

-- By buffer: its last changes, the version up to which they were let go, the version as which the server was given the
-- whole text, how often that was, and who wants to hear of each change.
local watched = {}
local last_generation = 0

--- Return an interval of lines after a change, or nil where the change touched it.
--- Lines count from 0, `interval.last` is the last line of it. The change put `new_last - first` lines in the place of
--- those from `first` to before `last`.
--- @param interval {first: integer, last: integer}
function M.moved(interval, first, last, new_last)
  if first > interval.last then
    return interval
  end
  if last <= interval.first then
    local by = new_last - last
    return { first = interval.first + by, last = interval.last + by }
  end
  return nil
end

--- Return where an interval of lines was before a change, or nil where the change touched it.
function M.moved_back(interval, first, last, new_last)
  if new_last <= interval.first then
    local by = last - new_last
    return { first = interval.first + by, last = interval.last + by }
  end
  if first > interval.last then
    return interval
  end
  return nil
end

--- Return the lines that a range of the protocol covers.
function M.lines_of(range)
  local last = range["end"].line
  if range["end"].character == 0 and last > range.start.line then
    last = last - 1
  end
  return { first = range.start.line, last = last }
end

local function note_change(state, tick, first, last, new_last)
  if first == last and last == new_last then
    return
  end
  table.insert(state.changes, { version = tick, first = first, last = last, new_last = new_last })
  if #state.changes > most_changes then
    state.unknown_before = table.remove(state.changes, 1).version
  end
  for _, listener in pairs(state.listeners) do
    listener.changed(first, last, new_last)
  end
end

--- Begin anew with the text as it is: the server is given the whole of it.
local function begin(state, tick)
  state.changes = {}
  state.unknown_before = -1
  state.opened = tick
  last_generation = last_generation + 1
  state.generation = last_generation
end

--- Nothing is known of the lines of a text that was read anew.
local function forget(state, tick)
  begin(state, tick)
  for _, listener in pairs(state.listeners) do
    listener.forgotten()
  end
end

--- Keep the changes of a buffer from now on.
function M.watch(buffer)
  if watched[buffer] then
    return watched[buffer]
  end
  local state = { listeners = {} }
  begin(state, vim.api.nvim_buf_get_changedtick(buffer))
  watched[buffer] = state
  vim.api.nvim_buf_attach(buffer, false, {
    on_lines = function(_, _, tick, first, last, new_last)
      note_change(state, tick, first, last, new_last)
    end,
    on_reload = function()
      forget(state, vim.api.nvim_buf_get_changedtick(buffer))
    end,
    on_detach = function()
      forget(state, math.huge)
      watched[buffer] = nil
    end,
  })
  return state
end

--- Note that a server was given the text of a buffer as it is now.
function M.opened(buffer)
  begin(M.watch(buffer), vim.api.nvim_buf_get_changedtick(buffer))
end

--- Return a number that changes whenever a server is given the whole text anew, so that versions before and after
--- cannot be compared.
function M.generation(buffer)
  return M.watch(buffer).generation
end

--- Tell a listener of every change of a buffer: `changed(first, last, new_last)`, and `forgotten()` where all is new.
function M.listen(buffer, name, listener)
  M.watch(buffer).listeners[name] = listener
end

function M.ignore(buffer, name)
  if watched[buffer] then
    watched[buffer].listeners[name] = nil
  end
end

--- Return where an interval of an earlier version is now, or nil where it was touched since.
local function present(state, version, interval)
  for _, change in ipairs(state.changes) do
    if interval and change.version > version then
      interval = M.moved(interval, change.first, change.last, change.new_last)
    end
  end
  return interval
end

--- Return whether an interval of the present text has been touched since an earlier version.
local function is_touched(state, version, interval)
  for number = #state.changes, 1, -1 do
    local change = state.changes[number]
    if interval and change.version > version then
      interval = M.moved_back(interval, change.first, change.last, change.new_last)
    end
  end
  return interval == nil
end

--- Return the present place of lines that were judged in one version and reported in a later one; nil if they were
--- changed since they were judged.
--- @param judged integer the version of the text that was judged
--- @param reported integer the version of the text that the interval refers to
function M.present(buffer, judged, reported, interval)
  local state = M.watch(buffer)
  -- Neovim calls the text that it opens version 0, or by a number from before it was read anew.
  judged, reported = math.max(judged, state.opened), math.max(reported, state.opened)
  if judged < state.unknown_before then
    return nil
  end
  local now = present(state, reported, interval)
  return now and not is_touched(state, judged, now) and now or nil
end

return M
