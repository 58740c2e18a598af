--- Windows above the text: results, prompts, and the case that a person judges.

local highlights = require("rubric.highlights")
local typing = require("rubric.typing")
local options = require("rubric.options")

local M = {}

local namespace = vim.api.nvim_create_namespace("rubric-float")
local widest = 100

--- Return how many columns a window may have for its text.
function M.width()
  return math.max(math.min(widest, vim.o.columns - 6), 20)
end

local function plain(line)
  local texts = {}
  for _, piece in ipairs(line) do
    -- A line break inside of a piece would be refused.
    table.insert(texts, (piece[1]:gsub("[\r\n]", " ")))
  end
  return table.concat(texts)
end

local function fill(buffer, lines)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.tbl_map(plain, lines))
  vim.bo[buffer].modifiable = false
  for number, line in ipairs(lines) do
    local column = 0
    for _, piece in ipairs(line) do
      if piece[2] then
        vim.api.nvim_buf_set_extmark(buffer, namespace, number - 1, column, {
          end_col = column + #piece[1],
          hl_group = piece[2],
        })
      end
      column = column + #piece[1]
    end
  end
end

local function place(count, at)
  local height = math.max(math.min(count, math.floor(vim.o.lines * (at == "top" and 0.5 or 0.8)) - 2), 1)
  local width = M.width()
  return {
    relative = "editor",
    width = width,
    height = height,
    row = at == "top" and 0 or math.floor((vim.o.lines - height) / 2) - 1,
    col = math.floor((vim.o.columns - width) / 2) - 1,
    style = "minimal",
    border = options.current.border,
  }
end

--- Close a window, if it is still there. In the command-line window no window can be closed, so it goes a bit later.
function M.close(window)
  if not window then
    return
  end
  typing.outside_command_window(function()
    if vim.api.nvim_win_is_valid(window) then
      vim.api.nvim_win_close(window, true)
    end
  end)
end

--- Show lines in a window.
--- @param lines table[] each a list of pieces
--- @param how {name: string, focus: boolean|nil, at: string|nil, filetype: string|nil, keys: table|nil}
--- @return integer window, integer buffer
function M.open(lines, how)
  highlights.define()
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = "wipe"
  fill(buffer, lines)
  local window = vim.api.nvim_open_win(buffer, how.focus ~= false, place(#lines, how.at))
  vim.wo[window].wrap = true
  vim.wo[window].linebreak = true
  vim.wo[window].scrolloff = 0
  if how.filetype then
    vim.bo[buffer].filetype = how.filetype
  end
  vim.b[buffer].rubric = how.name
  local keys = vim.tbl_extend("keep", how.keys or {}, {
    q = function()
      M.close(window)
    end,
    ["<Esc>"] = function()
      M.close(window)
    end,
  })
  for key, action in pairs(keys) do
    vim.keymap.set("n", key, action, { buffer = buffer, nowait = true, silent = true })
  end
  return window, buffer
end

--- Return how many lines are above and below what a window shows.
--- @return {above: integer, below: integer}
function M.hidden(window)
  if not vim.api.nvim_win_is_valid(window) then
    return { above = 0, below = 0 }
  end
  return vim.api.nvim_win_call(window, function()
    return { above = vim.fn.line("w0") - 1, below = vim.fn.line("$") - vim.fn.line("w$") }
  end)
end

--- Show what comes after the lines that a window shows, or the start again where nothing does. The last line stays in
--- sight, so that nobody loses their place.
function M.read_on(window)
  if not vim.api.nvim_win_is_valid(window) then
    return
  end
  local is_more = M.hidden(window).below > 0
  vim.api.nvim_win_call(window, function()
    local first = is_more and math.max(vim.fn.line("w$"), vim.fn.line("w0") + 1) or 1
    vim.fn.winrestview({ topline = first, lnum = first, col = 0 })
  end)
end

return M
