--- The answer to grade, where the user gives one: a selection, a register, or a file.

local encoding = require("rubric.encoding")

local M = {}

--- Return a text that is UTF-8. Raises a sentence for the user.
--- @param source string what the text is
--- @param remedy string what the user does about it
local function readable(text, source, remedy)
  if not encoding.is_utf8(text) then
    error(("Rubric: %s is not UTF-8; %s and grade again."):format(source, remedy), 0)
  end
  return text
end

--- Return what is selected where a command has the range of the selection, else whole lines.
local function text_of_range(command)
  local from, to = vim.fn.getpos("'<"), vim.fn.getpos("'>")
  if vim.fn.visualmode() ~= "v" or from[2] ~= command.line1 or to[2] ~= command.line2 then
    return table.concat(vim.api.nvim_buf_get_lines(0, command.line1 - 1, command.line2, true), "\n")
  end
  local last_line = vim.fn.getline(to[2])
  local last_character = vim.fn.matchstr(last_line:sub(to[3]), ".")
  local last = math.min(to[3] - 1 + math.max(#last_character, 1), #last_line)
  return table.concat(vim.api.nvim_buf_get_text(0, from[2] - 1, from[3] - 1, to[2] - 1, last, {}), "\n")
end

--- Return the selected text of a command with a range; nil without a range. Raises a message for the user.
--- @param command table what Neovim hands over to a user command
function M.selected(command)
  if command.range == 0 then
    return nil
  end
  return readable(text_of_range(command), "the selection", "save its text as UTF-8")
end

--- Return the text of a file. Raises a sentence for the user.
function M.of_file(path)
  local full = vim.fn.fnamemodify(vim.fn.expand(path), ":p")
  local file = io.open(full, "rb")
  local text = file and file:read("*a")
  if file then
    file:close()
  end
  -- A folder can be opened, but not read.
  if not text then
    error(("Rubric: the file %s cannot be read."):format(path), 0)
  end
  return readable(text, ("the file %s"):format(path), "save it as UTF-8")
end

--- Return the answer that is named: `@x` is the register x, everything else a file. Raises a sentence for the user.
function M.named(name)
  local register = name:match("^@(.)$")
  if not register then
    return M.of_file(name)
  end
  local text = vim.fn.getreg(register)
  if text == "" then
    error(("Rubric: the register %s is empty."):format(register), 0)
  end
  return readable(text, ("the register %s"):format(register), "yank it from a text in UTF-8")
end

--- Return answers by case from a JSON file. Raises a sentence for the user.
function M.by_case(path)
  local read, answers = pcall(vim.json.decode, M.of_file(path))
  -- Neovim also reads numbers that no JSON has.
  if not read or type(answers) ~= "table" or not encoding.is_sendable(answers) then
    error(("Rubric: %s is not a JSON object of answers by case id."):format(path), 0)
  end
  return answers
end

--- Ask the user where the answer is, for a case that has none.
--- @param case string|nil
--- @param take fun(answer: string)
function M.ask(case, take)
  local choices = {
    { label = "the clipboard", name = "@+" },
    { label = "the last yanked text", name = '@"' },
    { label = "a file", name = nil },
  }
  local function give(name)
    local found, answer = pcall(M.named, name)
    if found then
      take(answer)
    else
      vim.notify(answer, vim.log.levels.ERROR)
    end
  end
  vim.ui.select(choices, {
    prompt = ("%s has no answer to grade. Take it from"):format(case or "The case"),
    format_item = function(choice)
      return choice.label
    end,
  }, function(choice)
    if choice and choice.name then
      give(choice.name)
    elseif choice then
      vim.ui.input({ prompt = "File with the answer: ", completion = "file" }, function(path)
        if path and path ~= "" then
          give(path)
        end
      end)
    end
  end)
end

return M
