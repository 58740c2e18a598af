--- The commands of the user: what their words mean.

local actions = require("rubric.actions")
local answers = require("rubric.answers")
local server = require("rubric.server")

local M = {}

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

--- Return the position of the cursor in the eval file. Before the text of a line, the text is meant: a case starts
--- behind its dash.
local function position_in(about)
  local position = vim.lsp.util.make_position_params(about.window, about.client.offset_encoding).position
  local line = vim.api.nvim_buf_get_lines(about.buffer, position.line, position.line + 1, true)[1]
  position.character = math.max(position.character, #line:match("^[%s-]*"))
  return position
end

--- Return the words that a command takes; those that need a value end in `=`.
local function words_of(known)
  local found = vim.list_extend(vim.deepcopy(known.kinds or {}), known.flags or {})
  for _, name in ipairs(known.names or {}) do
    table.insert(found, name .. "=")
  end
  return found
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
      error(("Rubric: `%s` means nothing here; there are %s."):format(word, table.concat(words_of(known), " ")), 0)
    end
  end
  return said
end

local function whole_number(text)
  local number = text and tonumber(text)
  if text and not (number and number >= 1 and number % 1 == 0) then
    error(("Rubric: samples=%s must be a whole number from 1 on."):format(text), 0)
  end
  return number
end

--- Name the case that a command speaks of: by its id, or by the cursor.
local function at_case(argument, about, said)
  if said.case then
    argument.caseId = said.case
  else
    argument.position = position_in(about)
  end
  return argument
end

local function given_answer(command, said)
  return answers.selected(command) or (said.answer and answers.named(said.answer)) or nil
end

local grade_words = {
  kinds = { "case", "file", "criterion" },
  flags = { "resume" },
  names = { "answer", "answers", "case", "criterion", "judge", "samples", "target" },
}

local function grade(command)
  local said = read(command.fargs, grade_words)
  local about = subject()
  local argument = {
    uri = about.uri,
    judge = said.judge,
    target = said.target,
    samples = whole_number(said.samples),
  }
  if said.kind == "file" then
    argument.answers = said.answers and answers.by_case(said.answers) or nil
    argument.caseIds = said.case and { said.case } or nil
    argument.resume = said.resume
  else
    at_case(argument, about, said)
    argument.answer = given_answer(command, said)
    argument.criterionId = said.criterion
  end
  actions.grade(about, said.criterion and "criterion" or said.kind, argument)
end

local function grade_all(command)
  grade({ fargs = vim.list_extend({ "file" }, command.fargs), range = 0 })
end

local generate_words = { kinds = { "case", "file" }, flags = { "ranges" }, names = { "case", "judge", "target" } }

local function generate(command)
  local said = read(command.fargs, generate_words)
  local about = subject()
  local argument = { uri = about.uri, judge = said.judge, target = said.target, ranges = said.ranges }
  actions.generate(about, said.kind == "case" and at_case(argument, about, said) or argument)
end

local prompt_words = { kinds = { "case" }, names = { "answer", "case" } }

local function prompt(command)
  local said = read(command.fargs, prompt_words)
  local about = subject()
  actions.preview(about, at_case({ uri = about.uri, answer = given_answer(command, said) }, about, said))
end

local function result()
  local about = subject()
  actions.result(about, position_in(about))
end

local function judge(command)
  if command.args == "" then
    actions.choose_judge(subject())
  else
    actions.take_judge(command.args ~= "default" and command.args or nil)
  end
end

--- Return a command that does something about the file as it is.
local function about_file(act)
  return function()
    act(subject())
  end
end

--- The commands: what runs, and the words that they take.
M.table = {
  RubricGrade = { run = grade, words = grade_words },
  RubricGradeAll = {
    run = grade_all,
    words = { flags = { "resume" }, names = { "answers", "judge", "samples", "target" } },
  },
  RubricGenerate = { run = generate, words = generate_words },
  RubricPrompt = { run = prompt, words = prompt_words },
  RubricReport = { run = about_file(actions.report) },
  RubricResult = { run = result },
  RubricJudge = { run = judge, words = { flags = { "default", "manual" } } },
  RubricStop = { run = actions.stop },
  RubricFixAll = { run = about_file(actions.fix_all) },
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
  end, words_of(M.table[name].words or {}))
end

return M
