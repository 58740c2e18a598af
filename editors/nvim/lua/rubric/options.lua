--- What the user chose; `setup` of the plugin writes it, everything else reads it.

local M = {}

M.defaults = {
  -- How the server is started.
  cmd = { "rubric-lsp", "--stdio" },
  filetypes = { "yaml", "jsonl" },
  -- The folder that holds the first of these is the root of the project.
  root_markers = { "rubric.toml", ".agentv", "pyproject.toml", ".git" },
  -- The settings that other editors have under `rubric`.
  settings = {},
  -- Whether files of this project may run commands and send text to judges when something is graded:
  -- true, false, or a function of the root folder that returns one of them.
  trusted = true,
  -- Hide YAML syntax errors and repeated keys if another YAML server reports them.
  leave_yaml_errors = true,
  -- Show the last judgement after each criterion and each case.
  virtual_text = true,
  -- Ask for a reason after each decision of a person who judges.
  ask_reasons = true,
  -- The windows that show results.
  border = "rounded",
}

--- Options that are nil where the user does not choose:
M.further = {
  -- the judge and the target that are asked where a command names none;
  "judge",
  "target",
  -- what answers in the place of a model: a function of the question and of what takes the reply;
  "editor_judge",
  -- what gives the values of environment variables that a judge needs: a function of their names.
  "secrets",
}

M.current = vim.deepcopy(M.defaults)

local function is_text(value)
  return type(value) == "string"
end

local function is_function(value)
  return type(value) == "function"
end

local function is_list_of_texts(value)
  return type(value) == "table" and #value > 0 and #vim.tbl_filter(is_text, value) == vim.tbl_count(value)
end

local function either(one, other)
  return function(value)
    return one(value) or other(value)
  end
end

local function of_type(name)
  return function(value)
    return type(value) == name
  end
end

local function command()
  -- Older versions cannot start a server by a function.
  if vim.fn.has("nvim-0.8") == 1 then
    return { "a list of texts or a function", either(is_list_of_texts, is_function) }
  end
  return { "a list of texts", is_list_of_texts }
end

local switch = { "true or false", of_type("boolean") }
local text = { "a text", is_text }
local texts = { "a list of texts", is_list_of_texts }

--- What each option must be, in words and as a test.
local accepted = {
  cmd = command(),
  filetypes = texts,
  root_markers = texts,
  settings = { "a table", of_type("table") },
  trusted = { "true, false or a function", either(of_type("boolean"), is_function) },
  leave_yaml_errors = switch,
  virtual_text = switch,
  ask_reasons = switch,
  border = { "a text or a list", either(is_text, of_type("table")) },
  judge = text,
  target = text,
  editor_judge = { "a function", is_function },
  secrets = { "a function", is_function },
}

--- Raise a sentence for the user where an option is unknown, or is not what it must be.
local function check(chosen)
  if type(chosen) ~= "table" then
    error("rubric: setup takes a table of options; see :help rubric-options", 0)
  end
  for name, value in pairs(chosen) do
    local must_be = accepted[name]
    if not must_be then
      error(("rubric: unknown option `%s`; see :help rubric-options"):format(name), 0)
    end
    if not must_be[2](value) then
      error(("rubric: the option `%s` must be %s; see :help rubric-options"):format(name, must_be[1]), 0)
    end
  end
end

--- Take over what the user chose; the defaults hold for all else. Raises a sentence for the user.
--- @param chosen table|nil
function M.set(chosen)
  chosen = chosen or {}
  check(chosen)
  M.current = vim.tbl_extend("force", vim.deepcopy(M.defaults), chosen)
end

return M
