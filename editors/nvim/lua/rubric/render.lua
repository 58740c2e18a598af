--- Results as lines for a window. A line is a list of pieces, each a text with a colour or without one.

local highlights = require("rubric.highlights")
local words = require("rubric.words")

local M = {}

local bar_width = 10
-- Behind the bar and the space around it.
local text_column = 2 + bar_width + 2
local longest_answer = 12

--- Return how many columns a text has. Neovim is not asked about plain letters.
local function columns(text)
  if not text:find("[^ -~]") then
    return #text
  end
  -- Neovim takes no text with a zero byte; it shows that as `^@`, as wide as `^A`.
  return vim.fn.strdisplaywidth((text:gsub("%z", "\1")))
end

-- In bytes.
local longest_character = 4

--- Return as many characters of a word, from some byte on, as fit behind an indent; at least one.
local function first_columns(indent, word, start, width)
  local piece = word:sub(start, start + longest_character * width - 1)
  local ends = {}
  for stop in piece:gmatch(".[\128-\191]*()") do
    table.insert(ends, stop - 1)
    if #ends >= width - #indent then
      break
    end
  end
  -- So many characters fit, and so many do not.
  local fitting, failing = 1, #ends + 1
  local count = #ends
  while count > fitting do
    if columns(indent .. piece:sub(1, ends[count])) <= width then
      fitting = count
    else
      failing = count
    end
    count = math.floor((fitting + failing) / 2)
  end
  return piece:sub(1, ends[fitting])
end

--- Return whether a word, from some byte on, is too wide for a line. It is measured only as far as that needs.
local function is_too_wide(indent, word, start, width)
  local stop = start + longest_character * width
  while stop <= #word do
    -- No character is cut.
    local piece = word:sub(start, stop - 1) .. word:match("^[\128-\191]*", stop)
    if columns(indent .. piece) > width then
      return true
    end
    -- Many characters have no width of their own.
    stop = start + 2 * #piece
  end
  return columns(indent .. word:sub(start)) > width
end

--- Break a word that may be longer than a line. The lines that it fills are added; what is left of it is returned.
local function broken(lines, indent, word, width)
  local start = 1
  while is_too_wide(indent, word, start, width) do
    local fits = first_columns(indent, word, start, width)
    table.insert(lines, indent .. fits)
    start = start + #fits
  end
  return indent .. word:sub(start)
end

--- Break a long line at spaces where there are some. What follows is indented as the line is.
local function folded(line, width)
  local indent = line:match("^ *")
  indent = #indent < width / 2 and indent or ""
  local lines = {}
  local part = indent
  for space, word in line:gmatch("( *)([^ ]+)") do
    if part ~= indent and columns(part .. space .. word) <= width then
      part = part .. space .. word
    else
      table.insert(lines, part ~= indent and part or nil)
      part = broken(lines, indent, word, width)
    end
  end
  table.insert(lines, part)
  return lines
end

--- Break a text into lines of at most so many columns. Lines that fit stay as they are, since the indentation of code
--- and the columns of a table mean something.
--- @return string[]
function M.wrapped(text, width)
  local lines = {}
  local whole = text:gsub("\r", ""):gsub("\t", "    "):gsub("^%s*\n", ""):match("^.*%S") or ""
  for _, line in ipairs(vim.split(whole, "\n", { plain = true })) do
    line = line:match("^.*[^ ]") or ""
    if columns(line) <= width then
      table.insert(lines, line)
    else
      vim.list_extend(lines, folded(line, width))
    end
  end
  return lines
end

local function bar(share, colour)
  local full = math.floor(share * bar_width + 0.5)
  return { ("█"):rep(full), colour }, { ("░"):rep(bar_width - full), "RubricBarRest" }
end

local function padded(text, width)
  return text .. (" "):rep(width - columns(text))
end

--- A page in the making.
local Page = {}
Page.__index = Page

function Page:line(...)
  table.insert(self.lines, { ... })
end

function Page:text(text, column, colour)
  if not words.is_blank(text) then
    for _, line in ipairs(M.wrapped(text, math.max(self.width - column, 20))) do
      self:line({ (" "):rep(column) }, { line, colour })
    end
  end
end

local function widest(names)
  local width = 0
  for _, name in ipairs(names) do
    width = math.max(width, columns(name))
  end
  return width
end

function Page:criteria(criteria)
  local ids = vim.tbl_map(function(criterion)
    return criterion.id
  end, criteria)
  local width = widest(ids)
  for _, criterion in ipairs(criteria) do
    local score_text, colour = words.criterion(criterion)
    local share = criterion.score and criterion.score / 10 or (criterion.satisfied and 1 or 0)
    local full, rest = bar(share, colour)
    local details = "  weight " .. words.number(criterion.weight or 1)
    if criterion.gate == "passed" then
      details = details .. ", gate passed"
    end
    self:line({ "  " }, full, rest, { "  " }, { padded(criterion.id, width), "RubricName" }, { "  " .. score_text, colour }, { details })
    self:text(criterion.outcome, text_column)
    self:text(criterion.reasoning, text_column, "RubricReasoning")
  end
end

local function judged_by(judge)
  if not judge then
    return ""
  end
  return ("judge %s%s"):format(judge.name, judge.model and " (" .. judge.model .. ")" or "")
end

function Page:evaluator(evaluator)
  self:line({ "" })
  local state = evaluator.status == "graded" and (evaluator.verdict or "") or evaluator.status
  self:line(
    { evaluator.name, "RubricTitle" },
    { "  " .. state, highlights.of_state(state) },
    { evaluator.score and "  " .. words.score(evaluator.score) or "" },
    { ("  %s, weight %s"):format(evaluator.type, words.number(evaluator.weight or 1)) }
  )
  self:text(evaluator.error, 2, "RubricError")
  self:criteria(evaluator.criteria or {})
  if #(evaluator.criteria or {}) == 0 then
    for _, hit in ipairs(evaluator.hits or {}) do
      self:text("+ " .. hit, 2, "RubricMet")
    end
    for _, miss in ipairs(evaluator.misses or {}) do
      self:text("- " .. miss, 2, "RubricUnmet")
    end
  end
  self:text(evaluator.reasoning, 2, "RubricReasoning")
end

local dimensions =
  { "correctness", "completeness", "adherence", "actionability", "efficiency", "safety", "consistency" }

function Page:scorecard(scorecard)
  self:line({ "" })
  self:line(
    { "scorecard " .. scorecard.skill, "RubricTitle" },
    { scorecard.grade and ("  %s  %.2f  %s"):format(scorecard.grade, scorecard.final_score, scorecard.label) or "" }
  )
  self:text(scorecard.error, 2, "RubricError")
  for _, name in ipairs(dimensions) do
    local judged = (scorecard.dimensions or {})[name]
    if judged then
      local full, rest = bar(judged.score / 10, "RubricScored")
      local details = ("  %2d  weight %s"):format(judged.score, words.number(judged.weight))
      self:line({ "  " }, full, rest, { "  " }, { padded(name, widest(dimensions)), "RubricName" }, { details })
      self:text(judged.reasoning, text_column, "RubricReasoning")
    end
  end
  self:adjustments(scorecard)
  self:text(scorecard.overall_reasoning, 2, "RubricReasoning")
  local unusual = (scorecard.history or {}).flags or {}
  if #unusual > 0 then
    self:text("Far from earlier evaluations, review: " .. table.concat(unusual, ", "), 2, "RubricBorderline")
  end
end

function Page:adjustments(scorecard)
  if not scorecard.composite then
    return
  end
  self:line({ ("  %10.2f  composite"):format(scorecard.composite) })
  for _, sign in ipairs({ { "deductions", "-", "RubricUnmet" }, { "bonuses", "+", "RubricMet" } }) do
    for _, found in ipairs(scorecard[sign[1]] or {}) do
      self:line({ ("  %10s  %s"):format(("%s%.2f"):format(sign[2], found.amount), found.id), sign[3] })
      self:text(found.explanation, text_column, "RubricReasoning")
    end
  end
  self:line({ ("  %10.2f  final score"):format(scorecard.final_score) })
end

function Page:answer(text)
  if words.is_blank(text) then
    return
  end
  self:line({ "" })
  self:line({ "answer", "RubricTitle" })
  local lines = M.wrapped(text, self.width - 4)
  for number = 1, math.min(#lines, longest_answer) do
    self:line({ "  | " .. lines[number] })
  end
  if #lines > longest_answer then
    self:line({ ("  … %s more"):format(words.many(#lines - longest_answer, "line")), "RubricReasoning" })
  end
end

local function spent(usage)
  if not usage or usage.calls == 0 then
    return ""
  end
  return (" · %s, %d + %d tokens"):format(words.many(usage.calls, "call"), usage.input_tokens, usage.output_tokens)
end

--- Return a result as lines.
--- @param result table as `rubric grade --format json` prints it
--- @param width integer
function M.result(result, width)
  local page = setmetatable({ lines = {}, width = width }, Page)
  local state = words.state(result)
  local exact = result.score and result.score_exact and words.score(result.score):find("…") and #result.score_exact <= 15
  page:line(
    { result.eval_id, "RubricTitle" },
    { "  " .. words.case(result), highlights.of_state(state) },
    { exact and (" (%s)"):format(result.score_exact) or "" }
  )
  local facts = judged_by(result.judge)
    .. (result.target and " · target " .. result.target or "")
    .. spent(result.usage)
    .. (result.partial and " · partial result" or "")
  page:text(facts, 0, "RubricReasoning")
  page:text(result.error, 0, "RubricError")
  for _, evaluator in ipairs(result.evaluator_results or {}) do
    page:evaluator(evaluator)
  end
  if result.scorecard then
    page:scorecard(result.scorecard)
  end
  page:answer(result.candidate_answer)
  return page.lines
end

local order = { "pass", "borderline", "fail", "error", "partial", "no verdict" }

--- Return how many results have each state, in words.
function M.counts(results)
  local counts = {}
  for _, result in ipairs(results) do
    local state = words.state(result)
    counts[state] = (counts[state] or 0) + 1
  end
  local parts = {}
  for _, state in ipairs(order) do
    if counts[state] then
      table.insert(parts, ("%d %s"):format(counts[state], state))
    end
  end
  return ("%s: %s"):format(words.many(#results, "case"), #parts > 0 and table.concat(parts, ", ") or "nothing was graded")
end

--- Return several results as lines, one for each behind the first two.
function M.summary(results, width)
  local page = setmetatable({ lines = {}, width = width }, Page)
  page:line({ M.counts(results), "RubricTitle" })
  page:line({ "Enter shows a case, q closes.", "RubricReasoning" })
  local ids = vim.tbl_map(function(result)
    return result.eval_id
  end, results)
  local width_of_ids = widest(ids)
  for _, result in ipairs(results) do
    page:line(
      { padded(result.eval_id, width_of_ids), "RubricName" },
      { "  " .. words.case(result), highlights.of_state(words.state(result)) },
      { result.error and "  " .. result.error:gsub("%s+", " ") or "", "RubricReasoning" }
    )
  end
  return page.lines
end

return M
