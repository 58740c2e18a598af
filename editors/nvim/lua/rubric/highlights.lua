--- The colours; a colour scheme may define each of them otherwise.

local M = {}

local good = vim.fn.has("nvim-0.9") == 1 and "DiagnosticOk" or "String"

local links = {
  RubricPass = good,
  RubricBorderline = "DiagnosticWarn",
  RubricFail = "DiagnosticError",
  RubricError = "DiagnosticError",
  RubricMet = good,
  RubricUnmet = "DiagnosticWarn",
  RubricGateFailed = "DiagnosticError",
  RubricScored = "DiagnosticInfo",
  RubricTitle = "Title",
  RubricName = "Identifier",
  RubricReasoning = "Comment",
  RubricBarRest = "NonText",
}

function M.define()
  for name, link in pairs(links) do
    vim.api.nvim_set_hl(0, name, { link = link, default = true })
  end
end

local states = { pass = "RubricPass", borderline = "RubricBorderline", fail = "RubricFail", error = "RubricError" }

--- Return the colour of a verdict or of another state of a case.
function M.of_state(state)
  return states[state] or "RubricScored"
end

return M
