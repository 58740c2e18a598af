-- Defines the commands; nothing is loaded before one of them runs or the server is started.
if vim.g.loaded_rubric or vim.fn.has("nvim-0.7") == 0 then
  return
end
vim.g.loaded_rubric = true

-- Another YAML server that starts or stops changes which problems ours shows. It is noticed when it reports some.
vim.api.nvim_create_autocmd("DiagnosticChanged", {
  group = vim.api.nvim_create_augroup("rubric-diagnostics", { clear = true }),
  callback = function(event)
    if package.loaded["rubric.diagnostics"] then
      vim.schedule(function()
        require("rubric.diagnostics").show_again(event.buf)
      end)
    end
  end,
})

-- The event has the same effect whatever a user's own configuration of the server is.
if vim.fn.exists("##LspAttach") == 1 then
  vim.api.nvim_create_autocmd("LspAttach", {
    group = vim.api.nvim_create_augroup("rubric-attach", { clear = true }),
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == "rubric" then
        require("rubric.server").on_attach(event.buf)
      end
    end,
  })
end

local function define(name, about)
  about.complete = about.nargs ~= 0 and function(typed)
    return require("rubric.commands").complete(name, typed)
  end or nil
  vim.api.nvim_create_user_command(name, function(command)
    require("rubric.commands").run(name, command)
  end, about)
end

define("RubricGrade", { nargs = "*", range = true, desc = "Grade the case at the cursor; a selection is its answer" })
define("RubricGradeAll", { nargs = "*", desc = "Grade all cases of the file" })
define("RubricGenerate", { nargs = "*", desc = "Write criteria for the case at the cursor" })
define("RubricPrompt", { nargs = "*", range = true, desc = "Show what a judge would be asked" })
define("RubricReport", { nargs = 0, desc = "Open the report of the last grading in a browser" })
define("RubricResult", { nargs = 0, desc = "Show the last result of the case at the cursor" })
define("RubricJudge", { nargs = "?", desc = "Choose who judges" })
define("RubricStop", { nargs = 0, desc = "Stop grading" })
define("RubricFixAll", { nargs = 0, desc = "Apply all fixes that keep the meaning of the file" })
