--- Detects whether the user is typing: a window or a prompt that opens meanwhile would take their keys, and none can be
--- opened while the command-line window is open.

local M = {}

-- The polling interval in milliseconds.
local interval = 100

-- Normal mode, also in a terminal, and the hit-enter prompt.
local free_modes = { n = true, nt = true, r = true }

--- Return whether the user is not typing.
function M.is_free()
  local state = vim.api.nvim_get_mode()
  return free_modes[state.mode] == true and not state.blocking and vim.fn.getcmdwintype() == ""
end

--- Return whether a command line is being typed, which a message would overwrite.
function M.is_command_line()
  return vim.startswith(vim.api.nvim_get_mode().mode, "c")
end

local function call_when(holds, act)
  if holds() then
    act()
  else
    vim.defer_fn(function()
      call_when(holds, act)
    end, interval)
  end
end

--- Call a function when the user is not typing, at once if possible.
function M.when_free(act)
  call_when(M.is_free, act)
end

--- Call a function when no command line is being typed, at once if possible.
function M.after_command_line(act)
  call_when(function()
    return not M.is_command_line()
  end, act)
end

--- Call a function when the command-line window is closed, at once if possible.
function M.outside_command_window(act)
  call_when(function()
    return vim.fn.getcmdwintype() == ""
  end, act)
end

return M
