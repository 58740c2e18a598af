--- What the user chose; `setup` of the plugin writes it, everything else reads it.

local M = {}

M.defaults = {
  -- How the server is started.
  cmd = { "rubric-lsp", "--stdio" },
  filetypes = { "yaml", "jsonl" },
  -- The folder that holds the first of these is the root of the project.
  root_markers = { "rubric.toml", ".agentv", "pyproject.toml", ".git" },
  -- What other editors keep under `rubric` in their settings.
  settings = {},
  -- Whether files of this project may run commands and send text to judges when something is graded:
  -- true, false, or a function of the root folder that returns one of them.
  trusted = true,
  -- Leave errors of YAML itself and repeated keys to another YAML server where one looks at the file too.
  leave_yaml_errors = true,
  -- Show the last judgement behind each criterion and each case.
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

--- Take over what the user chose; the defaults hold for all else.
--- @param chosen table|nil
function M.set(chosen)
  for name in pairs(chosen or {}) do
    if M.defaults[name] == nil and not vim.tbl_contains(M.further, name) then
      error(("rubric: there is no option `%s`; :help rubric-options lists them"):format(name), 0)
    end
  end
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

M.current = vim.tbl_extend("force", vim.deepcopy(M.defaults), chosen or {})
end

return M
