--- The commands of the user: what their words mean, and what the server is asked for then.

local answers = require("rubric.answers")
local float = require("rubric.float")
local grading = require("rubric.grading")
local options = require("rubric.options")
local results = require("rubric.results")
local server = require("rubric.server")
local versions = require("rubric.versions")
local words = require("rubric.words")

local M = {}

-- The judge that was chosen since Neovim started.
local chosen_judge

--- Return the judge that is asked where a command names none; nil leaves it to the server.
function M.judge()
  return chosen_judge or options.current.judge
end

local function about_window(window)
  local buffer = vim.api.nvim_win_get_buf(window)
  local client = server.client_of(buffer)
  return client and { client = client, buffer = buffer, window = window, uri = vim.uri_from_bufnr(buffer) }
end

--- Return the eval file that a command speaks of: the current one, or the only one that is shown beside it.
--- Raises a sentence for the user.
local function subject()
  local here = about_window(0)
  if here then
    return here
  end
  local found = {}
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    table.insert(found, about_window(window) or nil)
  end
  if #found == 0 then
    error("Rubric: there is no eval file here that the server looks at; :checkhealth rubric tells more.", 0)
  end
  if #found > 1 then
    error("Rubric: several eval files are shown; go to the one that is meant.", 0)
  end
  return found[1]
end

--- Return the position of the cursor in the eval file.
local function position_in(about)
  return vim.lsp.util.make_position_params(about.window, about.client.offset_encoding).position
end

--- Read words such as `file judge=manual`. `known` has the kinds of things that can be named, the first of which is
--- meant where none is, words that stand for themselves, and names that need a value. Raises a sentence for the user.
local function read(arguments, known)
  local said = { kind = known.kinds[1] }
  for _, word in ipairs(arguments) do
    local name, value = word:match("^(%w+)=(.+)$")
    if name and vim.tbl_contains(known.names, name) then
      said[name] = value
    elseif vim.tbl_contains(known.flags or {}, word) then
      said[word] = true
    elseif vim.tbl_contains(known.kinds, word) then
      said.kind = word
    else
      error(("Rubric: `%s` means nothing here; there are %s."):format(word, table.concat(M.words(known), " ")), 0)
    end
  end
  return said
end

--- Return the words that a command takes; those that need a value end in `=`.
function M.words(known)
  local found = vim.list_extend(vim.deepcopy(known.kinds or {}), known.flags or {})
  for _, name in ipairs(known.names or {}) do
    table.insert(found, name .. "=")
  end
  return found
end

local function whole_number(text)
  local number = text and tonumber(text)
  if text and not (number and number >= 1 and number % 1 == 0) then
    error(("Rubric: samples=%s must be a whole number from 1 on."):format(text), 0)
  end
  return number
end

--- Return what commands that ask a judge have in common.
local function argument_for(about, said)
  return {
    uri = about.uri,
    judge = said.judge or M.judge(),
    target = said.target or options.current.target,
    samples = whole_number(said.samples),
  }
end

local function at_case(argument, about, said)
  if said.case then
    argument.caseId = said.case
  else
    argument.position = position_in(about)
  end
  return argument
end

local function order_of(about, command, argument, title)
  return { client = about.client, buffer = about.buffer, command = command, argument = argument, title = title }
end

local grade_words = {
  kinds = { "case", "file", "criterion" },
  flags = { "resume" },
  names = { "answer", "answers", "case", "criterion", "judge", "samples", "target" },
}
local grade_commands = { case = "rubric.gradeCase", file = "rubric.gradeFile", criterion = "rubric.gradeCriterion" }

local function grade(command)
  local said = read(command.fargs, grade_words)
  if said.criterion then
    said.kind = "criterion"
  end
  local about = subject()
  local argument = argument_for(about, said)
  if said.kind == "file" then
    argument.answers = said.answers and answers.by_case(said.answers) or nil
    argument.caseIds = said.case and { said.case } or nil
    argument.resume = said.resume
  else
    at_case(argument, about, said)
    argument.answer = answers.selected(command) or (said.answer and answers.named(said.answer)) or nil
    argument.criterionId = said.criterion
  end
  grading.grade(order_of(about, grade_commands[said.kind], argument, "grading"))
end

local function grade_all(command)
  grade(vim.tbl_extend("force", command, { fargs = vim.list_extend({ "file" }, command.fargs) }))
end

local function told_insertions(done)
  local said = {}
  for _, inserted in ipairs(done.inserted or {}) do
    local count = type(inserted.criteria) == "table" and #inserted.criteria or inserted.criteria
    table.insert(said, ("%s got %s"):format(inserted.caseId, words.many(count, "criterion"):gsub("ons$", "a")))
  end
  for _, skipped in ipairs(done.skipped or {}) do
    table.insert(said, ("%s: %s"):format(skipped.caseId, skipped.reason))
  end
  return #said > 0 and table.concat(said, "; ") or "there is no case without criteria"
end

local generate_words = { kinds = { "case", "file" }, flags = { "ranges" }, names = { "case", "judge", "target" } }

local function generate(command)
  local said = read(command.fargs, generate_words)
  local about = subject()
  local argument = argument_for(about, said)
  argument.ranges = said.ranges
  if said.kind == "case" then
    at_case(argument, about, said)
  end
  grading.execute(order_of(about, "rubric.generateRubrics", argument, "writing criteria"), function(done)
    vim.notify("Rubric: " .. told_insertions(done), vim.log.levels.INFO)
  end)
end

local function lines_of(text)
  return vim.tbl_map(function(line)
    return { { line } }
  end, vim.split(text, "\n", { plain = true }))
end

local prompt_words = { kinds = { "case" }, names = { "answer", "case" } }

local function prompt(command)
  local said = read(command.fargs, prompt_words)
  local about = subject()
  local argument = at_case({ uri = about.uri }, about, said)
  argument.answer = answers.selected(command) or (said.answer and answers.named(said.answer)) or nil
  grading.execute(order_of(about, "rubric.previewPrompt", argument, "writing the prompt"), function(shown)
    float.open(lines_of(shown.markdown), { name = "prompt", filetype = "markdown" })
  end)
end

local openers = { "xdg-open", "open", "wslview" }

local function open_page(path)
  if vim.ui.open then
    return vim.ui.open(path) ~= nil
  end
  for _, opener in ipairs(openers) do
    if vim.fn.executable(opener) == 1 then
      return vim.fn.jobstart({ opener, path }, { detach = true }) > 0
    end
  end
  return false
end

local function report()
  local about = subject()
  grading.execute(order_of(about, "rubric.showReport", { uri = about.uri }, "writing the report"), function(page)
    if not page then
      vim.notify("Rubric: nothing was graded in this file yet; :RubricGrade grades.", vim.log.levels.WARN)
      return
    end
    local path = vim.fn.tempname() .. ".html"
    vim.fn.writefile(vim.split(page.html, "\n", { plain = true }), path, "b")
    local is_open = open_page(path)
    vim.notify(("Rubric: the report is %s%s"):format(is_open and "open; its file is " or "", path), vim.log.levels.INFO)
  end)
end

--- Return the name of the symbol around a position that has a result.
local function case_around(symbols, position, uri)
  for _, symbol in ipairs(symbols or {}) do
    local range = symbol.range or symbol.location.range
    if range.start.line <= position.line and position.line <= range["end"].line then
      local found = case_around(symbol.children, position, uri) or (results.of(uri, symbol.name) and symbol.name)
      if found then
        return found
      end
    end
  end
end

local function result()
  local about = subject()
  local position = position_in(about)
  local params = { textDocument = { uri = about.uri } }
  versions.request(about.client, "textDocument/documentSymbol", params, function(_, symbols)
    local case = case_around(words.without_null(symbols), position, about.uri)
    results.show(case and { results.of(about.uri, case) } or results.all(about.uri))
  end, about.buffer)
end

local function take_judge(name)
  chosen_judge = name
  vim.notify("Rubric: the judge is " .. (name or "the one that the project names") .. ".", vim.log.levels.INFO)
end

local function judge(command)
  if command.args ~= "" then
    take_judge(command.args ~= "default" and command.args or nil)
    return
  end
  local about = subject()
  grading.execute(order_of(about, "rubric.listJudges", { uri = about.uri }, "looking for judges"), function(listed)
    local choices = { { label = ("the one that the project names (%s)"):format(listed.default) } }
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
        take_judge(choice.name)
      end
    end)
  end)
end

local function stop()
  local stopped = grading.stop()
  local said = stopped == 0 and "nothing is running." or "stopped; what was judged is kept."
  vim.notify("Rubric: " .. said, vim.log.levels.INFO)
end

local function fix_all()
  local about = subject()
  local params = { command = "rubric.fixAll", arguments = { about.uri } }
  versions.request(about.client, "workspace/executeCommand", params, function(err, fixed)
    if err then
      vim.notify("Rubric: " .. err.message, vim.log.levels.ERROR)
    elseif fixed.edits == 0 then
      vim.notify("Rubric: there is nothing to fix that keeps the meaning of the file.", vim.log.levels.INFO)
    end
  end, about.buffer)
end

--- The commands: what runs, and the words that they take.
M.table = {
  RubricGrade = { run = grade, words = grade_words },
  RubricGradeAll = { run = grade_all, words = { flags = { "resume" }, names = { "answers", "judge", "samples", "target" } } },
  RubricGenerate = { run = generate, words = generate_words },
  RubricPrompt = { run = prompt, words = prompt_words },
  RubricReport = { run = report },
  RubricResult = { run = result },
  RubricJudge = { run = judge, words = { flags = { "default", "manual" } } },
  RubricStop = { run = stop },
  RubricFixAll = { run = fix_all },
}

--- Run a command; what is wrong with it is told in one line.
function M.run(name, command)
  local went_well, problem = pcall(M.table[name].run, command)
  if not went_well then
    vim.notify(tostring(problem), vim.log.levels.ERROR)
  end
end

local files = { answer = true, answers = true }

--- Complete a word of a command.
function M.complete(name, typed)
  local setting, value = typed:match("^(%w+)=(.*)$")
  if setting and files[setting] then
    return vim.tbl_map(function(path)
      return setting .. "=" .. path
    end, vim.fn.getcompletion(value, "file"))
  end
  return vim.tbl_filter(function(word)
    return vim.startswith(word, typed)
  end, M.words(M.table[name].words or {}))
end

return M
