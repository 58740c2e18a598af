--- What can be done about an eval file: each asks the server for something and shows what comes back.
---
--- `about` is the file: its client, its buffer and its address; `argument` is what the command of the server is given.

local float = require("rubric.float")
local grading = require("rubric.grading")
local typing = require("rubric.typing")
local options = require("rubric.options")
local results = require("rubric.results")
local versions = require("rubric.versions")
local words = require("rubric.words")

local M = {}

-- What was chosen since Neovim started: its `judge` is nil where that is the judge of the project.
local chosen

--- Return the judge that is asked where a command names none; nil leaves it to the project.
function M.judge()
  return (chosen or options.current).judge
end

local function notify(text, level)
  vim.notify("Rubric: " .. text, level or vim.log.levels.INFO)
end

--- Open a window, unless the user is typing: it would take their keys.
local function open_unless_typing(open, command)
  if typing.is_free() then
    open()
  else
    notify(("%s cannot show its result while you are typing. Run it again."):format(command))
  end
end

local function order(about, command, argument, title)
  return { client = about.client, buffer = about.buffer, command = command, argument = argument, title = title }
end

--- Add the default judge and target to an argument that has none.
local function with_judge(argument)
  return vim.tbl_extend("keep", argument, { judge = M.judge(), target = options.current.target })
end

local grade_commands = { case = "rubric.gradeCase", file = "rubric.gradeFile", criterion = "rubric.gradeCriterion" }

--- Grade a case, a file or a criterion.
function M.grade(about, kind, argument)
  grading.grade(order(about, grade_commands[kind], with_judge(argument), "grading"))
end

local function insertion_message(done)
  local messages = {}
  for _, inserted in ipairs(done.inserted or {}) do
    local count = type(inserted.criteria) == "table" and #inserted.criteria or inserted.criteria
    table.insert(messages, ("%s got %d criteria"):format(inserted.caseId, count))
  end
  for _, skipped in ipairs(done.skipped or {}) do
    table.insert(messages, ("%s: %s"):format(skipped.caseId, skipped.reason))
  end
  return #messages > 0 and table.concat(messages, "; ") or "every case already has criteria."
end

--- Let a judge write criteria.
function M.generate(about, argument)
  grading.execute(order(about, "rubric.generateRubrics", with_judge(argument), "writing criteria"), function(done)
    notify(insertion_message(done))
  end)
end

--- Show what a judge would be asked.
function M.preview(about, argument)
  grading.execute(order(about, "rubric.previewPrompt", argument, "writing the prompt"), function(prompt)
    local lines = vim.tbl_map(function(line)
      return { { line } }
    end, vim.split(prompt.markdown, "\n", { plain = true }))
    open_unless_typing(function()
      float.open(lines, { name = "prompt", filetype = "markdown" })
    end, ":RubricPrompt")
  end)
end

local openers = { "xdg-open", "open", "wslview" }

--- Open a file with the program that the system has for it; return whether there is one.
function M.open_file(path)
  if vim.ui.open then
    local started, problem = vim.ui.open(path)
    return started ~= nil and not problem
  end
  for _, opener in ipairs(openers) do
    if vim.fn.executable(opener) == 1 then
      return vim.fn.jobstart({ opener, path }, { detach = true }) > 0
    end
  end
  return false
end

--- Open the report of the last grading, or of the last one in which a case was graded.
--- @param case string|nil
function M.report(about, case)
  local argument = { uri = about.uri, caseId = case }
  grading.execute(order(about, "rubric.showReport", argument, "writing the report"), function(page)
    if not page then
      notify("nothing has been graded yet. Run :RubricGrade first.", vim.log.levels.WARN)
      return
    end
    local path = vim.fn.tempname() .. ".html"
    vim.fn.writefile(vim.split(page.html, "\n", { plain = true }), path, "b")
    notify((M.open_file(path) and "opened the report " or "wrote the report ") .. path)
  end)
end

--- Return the name of the innermost symbol around a position that has a result.
local function case_around(symbols, position, uri)
  for _, symbol in ipairs(symbols or {}) do
    local range = symbol.range or symbol.location.range
    if range.start.line <= position.line and position.line <= range["end"].line then
      local is_graded = #results.of_test(uri, symbol.name) > 0
      local found = case_around(symbol.children, position, uri) or (is_graded and symbol.name or nil)
      if found then
        return found
      end
    end
  end
end

--- Show the results that arrived while the user was typing, else the last one of the case at a position, else those
--- of all cases.
function M.result(about, position)
  local missed = results.take_aside(about.uri)
  if missed then
    results.show(missed)
    return
  end
  local params = { textDocument = { uri = about.uri } }
  versions.request(about.client, "textDocument/documentSymbol", params, function(_, symbols)
    local case = case_around(words.without_null(symbols), position, about.uri)
    open_unless_typing(function()
      results.show(case and results.of_test(about.uri, case) or results.all(about.uri))
    end, ":RubricResult")
  end, about.buffer)
end

--- Take a judge for all that is graded from now on; nil is the one that the project names.
function M.take_judge(name)
  chosen = { judge = name }
  notify("the judge is " .. (name or "the default of the project") .. ".")
end

--- Let the user choose a judge.
function M.choose_judge(about)
  grading.execute(order(about, "rubric.listJudges", { uri = about.uri }, "looking for judges"), function(listed)
    local choices = { { label = ("project default (%s)"):format(listed.default) } }
    for _, each in ipairs(listed.judges) do
      table.insert(choices, { name = each.name, label = each.name .. (each.model and "  " .. each.model or "") })
    end
    vim.ui.select(choices, {
      prompt = "Who judges?",
      format_item = function(choice)
        return (choice.name == M.judge() and "* " or "  ") .. choice.label
      end,
    }, function(choice)
      if choice then
        M.take_judge(choice.name)
      end
    end)
  end)
end

--- Stop everything that runs.
function M.stop()
  notify(grading.stop() == 0 and "nothing is running." or "stopped; finished judgements are kept.")
end

--- Apply all fixes that keep the meaning of the file.
function M.fix_all(about)
  local params = { command = "rubric.fixAll", arguments = { about.uri } }
  versions.request(about.client, "workspace/executeCommand", params, function(err, fixed)
    if err then
      notify(err.message, vim.log.levels.ERROR)
    elseif fixed.edits == 0 then
      notify("no safe fixes are available.")
    end
  end, about.buffer)
end

--- Show the result of the lens with the last verdict.
local function last_verdict(about, argument)
  local known = results.of(about.uri, argument.caseId)
  if known then
    results.show(results.of_test(about.uri, known.test_id or known.eval_id))
  else
    M.report(about, argument.caseId)
  end
end

local function grade_as(kind)
  return function(about, argument)
    M.grade(about, kind, argument)
  end
end

--- What a lens does, by the command of the server that it names.
M.by_lens = {
  ["rubric.gradeCase"] = grade_as("case"),
  ["rubric.gradeFile"] = grade_as("file"),
  ["rubric.gradeCriterion"] = grade_as("criterion"),
  ["rubric.generateRubrics"] = M.generate,
  ["rubric.previewPrompt"] = M.preview,
  ["rubric.showReport"] = last_verdict,
}

--- Do what a lens offers.
--- @param command table the command of the lens
--- @param context table the client and the buffer of the lens
function M.run_lens(command, context)
  local argument = words.without_null(command.arguments[1])
  local about = { client = vim.lsp.get_client_by_id(context.client_id), buffer = context.bufnr, uri = argument.uri }
  M.by_lens[command.command](about, argument)
end

return M
