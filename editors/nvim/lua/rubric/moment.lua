--- Whether the keyboard may be taken: a window or a question that comes while somebody types would swallow what they
--- type, and in the command-line window no window can be opened at all.

local M = {}

-- How long to wait until looking again, in milliseconds.
local pause = 100

-- Normal mode, that of a terminal too, and the prompt for Enter below a long message.
local free_modes = { n = true, nt = true, r = true }

--- Tell whether nobody is typing.
function M.is_free()
  local state = vim.api.nvim_get_mode()
  return free_modes[state.mode] == true and not state.blocking and vim.fn.getcmdwintype() == ""
end

--- Tell whether a command line is being typed, which a message would write over.
function M.is_command_line()
  return vim.startswith(vim.api.nvim_get_mode().mode, "c")
end

local function as_soon_as(holds, act)
  if holds() then
    act()
  else
    vim.defer_fn(function()
      as_soon_as(holds, act)
    end, pause)
  end
end

--- Do something when nobody is typing any more; at once where nobody is.
function M.when_free(act)
  as_soon_as(M.is_free, act)
end

--- Do something when no command line is being typed; at once where none is.
function M.after_command_line(act)
  as_soon_as(function()
    return not M.is_command_line()
  end, act)
end

--- Do something when the command-line window is closed; at once where it is.
function M.outside_command_window(act)
  as_soon_as(function()
    return vim.fn.getcmdwintype() == ""
  end, act)
end

return M
