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

--- Return the windows of the tab page, the one that was left last first.
local function windows_by_use()
  local windows = { vim.fn.win_getid(vim.fn.winnr("#")) }
  return vim.list_extend(windows, vim.api.nvim_tabpage_list_wins(0))
end

--- Return the eval files that are shown, each once.
local function shown_files()
  local found, seen = {}, {}
  for _, window in ipairs(windows_by_use()) do
    local about = vim.api.nvim_win_is_valid(window) and about_window(window)
    if about and not seen[about.buffer] then
      seen[about.buffer] = true
      table.insert(found, about)
    end
  end
  return found
end

--- Return the eval file that a command applies to: the current one, or the only one that is shown beside it.
--- Raises a sentence for the user.
local function subject()
  local here = about_window(0)
  if here then
    return here
  end
  local found = shown_files()
  if #found == 0 then
    error("Rubric: the server manages no eval file here. See :checkhealth rubric.", 0)
  end
  if #found > 1 then
    error("Rubric: several eval files are visible. Move to one of them.", 0)
  end
  return found[1]
end

--- Return the position of the cursor in the eval file. In the indentation, use the start of the text: a case starts
--- behind its dash.
local function position_in(about)
  local position = vim.lsp.util.make_position_params(about.window, about.client.offset_encoding).position
  local line = vim.api.nvim_buf_get_lines(about.buffer, position.line, position.line + 1, true)[1]
  position.character = math.max(position.character, #line:match("^[%s-]*"))
  return position
end

--- Return whether a word means something beside a kind of thing; beside any where none is given.
local function fits(known, name, kind)
  local kinds = (known.only or {})[name]
  return not (kind and kinds) or vim.tbl_contains(kinds, kind)
end

--- Return the words that a command takes, or takes beside a kind of thing; those that need a value end in `=`.
local function words_of(known, kind)
  local found = vim.deepcopy(known.kinds or {})
  for _, flag in ipairs(known.flags or {}) do
    table.insert(found, fits(known, flag, kind) and flag or nil)
  end
  for _, name in ipairs(known.names or {}) do
    table.insert(found, fits(known, name, kind) and name .. "=" or nil)
  end
  return found
end

local function means_nothing(word, known, kind)
  local words = table.concat(words_of(known, kind), " ")
  error(("Rubric: invalid argument `%s`. Expected %s."):format(word, words), 0)
end

--- Return a word as a name and a value; nil if it is not valid.
local function meaning(word, known)
  local name, value = word:match("^(%w+)=(.+)$")
  if name and vim.tbl_contains(known.names, name) then
    return name, value
  elseif vim.tbl_contains(known.flags or {}, word) then
    return word, true
  elseif vim.tbl_contains(known.kinds or {}, word) then
    return "kind", word
  end
end

--- Read words such as `file judge=manual`. `known` has the kinds of things that can be named (the first is the
--- default), the flags, and the names that need a value; `known.only` has the kinds with which some of them are valid.
--- Raises a message for the user.
local function read(arguments, known)
  local given = {}
  for _, word in ipairs(arguments) do
    local name, value = meaning(word, known)
    if not name or given[name] then
      means_nothing(word, known)
    end
    given[name] = value
  end
  given.kind = given.kind or (known.kinds or {})[1]
  for _, word in ipairs(arguments) do
    if not fits(known, meaning(word, known), given.kind) then
      means_nothing(word, known, given.kind)
    end
  end
  return given
end

local function whole_number(text)
  local number = text and tonumber(text)
  if text and not (number and number >= 1 and number % 1 == 0) then
    error(("Rubric: samples=%s must be an integer of at least 1."):format(text), 0)
  end
  return number
end

--- Name the case that a command applies to: by its id, or by the cursor.
local function at_case(argument, about, given)
  if given.case then
    argument.caseId = given.case
  else
    argument.position = position_in(about)
  end
  return argument
end

--- Return the answer that is given. Raises a sentence for the user.
local function given_answer(command, given)
  local selected = answers.selected(command)
  if selected and given.answer then
    error(("Rubric: `answer=%s` cannot be combined with a selection."):format(given.answer), 0)
  end
  return selected or (given.answer and answers.named(given.answer)) or nil
end

local grade_words = {
  kinds = { "case", "file", "criterion" },
  flags = { "resume" },
  names = { "answer", "answers", "case", "criterion", "judge", "samples", "target" },
  only = {
    answer = { "case", "criterion" },
    answers = { "file" },
    criterion = { "case", "criterion" },
    resume = { "file" },
  },
}

local function grade_as(given, command)
  local about = subject()
  local argument = {
    uri = about.uri,
    judge = given.judge,
    target = given.target,
    samples = whole_number(given.samples),
  }
  if given.kind == "file" then
    if command.range > 0 then
      error("Rubric: a selection cannot be the answer to all cases. Use `answers=`.", 0)
    end
    argument.answers = given.answers and answers.by_case(given.answers) or nil
    argument.caseIds = given.case and { given.case } or nil
    argument.resume = given.resume
  else
    at_case(argument, about, given)
    argument.answer = given_answer(command, given)
    argument.criterionId = given.criterion
  end
  actions.grade(about, given.criterion and "criterion" or given.kind, argument)
end

local function grade(command)
  grade_as(read(command.fargs, grade_words), command)
end

local grade_all_words = { flags = { "resume" }, names = { "answers", "judge", "samples", "target" } }

local function grade_all(command)
  local given = read(command.fargs, grade_all_words)
  grade_as(vim.tbl_extend("force", given, { kind = "file" }), command)
end

local generate_words = {
  kinds = { "case", "file" },
  flags = { "ranges" },
  names = { "case", "judge", "target" },
  only = { case = { "case" } },
}

local function generate(command)
  local given = read(command.fargs, generate_words)
  local about = subject()
  local argument = { uri = about.uri, judge = given.judge, target = given.target, ranges = given.ranges }
  actions.generate(about, given.kind == "case" and at_case(argument, about, given) or argument)
end

local prompt_words = { kinds = { "case" }, names = { "answer", "case" } }

local function prompt(command)
  local given = read(command.fargs, prompt_words)
  local about = subject()
  actions.preview(about, at_case({ uri = about.uri, answer = given_answer(command, given) }, about, given))
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
  RubricGradeAll = { run = grade_all, words = grade_all_words },
  RubricGenerate = { run = generate, words = generate_words },
  RubricPrompt = { run = prompt, words = prompt_words },
  RubricReport = { run = about_file(actions.report) },
  RubricResult = { run = result },
  RubricJudge = { run = judge, words = { flags = { "default", "manual" } } },
  RubricStop = { run = actions.stop },
  RubricFixAll = { run = about_file(actions.fix_all) },
}

--- Run a command; show an error as one line.
function M.run(name, command)
  local went_well, problem = pcall(M.table[name].run, command)
  if not went_well then
    vim.notify(tostring(problem), vim.log.levels.ERROR)
  end
end

local files = { answer = true, answers = true }

-- Special characters in an argument are escaped with a backslash.
local function escaped(value)
  return (value:gsub("[\\%s]", "\\%0"))
end

local function unescaped(value)
  return (value:gsub("\\([\\%s])", "%1"))
end

--- Complete a word of a command.
function M.complete(name, typed)
  local setting, value = typed:match("^(%w+)=(.*)$")
  if setting and files[setting] then
    return vim.tbl_map(function(path)
      return setting .. "=" .. escaped(path)
    end, vim.fn.getcompletion(unescaped(value), "file"))
  end
  return vim.tbl_filter(function(word)
    return vim.startswith(word, typed)
  end, words_of(M.table[name].words or {}))
end

return M
