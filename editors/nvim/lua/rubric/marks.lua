--- The last judgement, as virtual text behind each criterion and each case. A mark goes as soon as the text that was
--- judged is changed; a change elsewhere moves it along.

local highlights = require("rubric.highlights")
local options = require("rubric.options")
local tracking = require("rubric.tracking")
local words = require("rubric.words")

local M = {}

M.namespace = vim.api.nvim_create_namespace("rubric")

-- What sets a mark apart from the text before it.
local signs = {
  RubricPass = "  ✓ ",
  RubricMet = "  ✓ ",
  RubricFail = "  ✗ ",
  RubricError = "  ! ",
  RubricUnmet = "  ✗ ",
  RubricGateFailed = "  ✗ ",
}

-- By buffer, case and criterion: each mark with its lines and the number that Neovim gave it.
local shown = {}

-- What the mark of a case as a whole goes by; no criterion has this key.
local whole = ""

local function remove(buffer, mark)
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.api.nvim_buf_del_extmark(buffer, M.namespace, mark.id)
  end
end

local function changed(buffer, first, last, new_last)
  for _, marks in pairs(shown[buffer] or {}) do
    for key, mark in pairs(marks) do
      mark.lines = tracking.moved(mark.lines, first, last, new_last)
      if not mark.lines then
        remove(buffer, mark)
        marks[key] = nil
      end
    end
  end
end

--- Return the key of a criterion, which is unique among all evaluators.
local function key_of(criterion)
  return criterion.evaluator .. "\0" .. criterion.id
end

local function by_key(criteria)
  local found = {}
  for _, criterion in ipairs(criteria) do
    found[key_of(criterion)] = criterion
  end
  return found
end

-- What diagnostics show as well.
local shown_by_diagnostics = { RubricUnmet = true, RubricGateFailed = true }

--- Return what a mark shows: a sign and words. If diagnostics show the words as virtual text, only the sign is shown.
local function shown_as(text, colour)
  local sign = { signs[colour] or "  ● ", colour }
  if shown_by_diagnostics[colour] and vim.diagnostic.config().virtual_text then
    return { sign }
  end
  return { sign, { text, colour } }
end

local function place(buffer, versions, range, text, colour)
  local lines = range and tracking.present(buffer, versions.judged, versions.reported, tracking.lines_of(range))
  if not lines or lines.last >= vim.api.nvim_buf_line_count(buffer) then
    return nil
  end
  local id = vim.api.nvim_buf_set_extmark(buffer, M.namespace, lines.first, 0, {
    virt_text = shown_as(text, colour),
    virt_text_pos = "eol",
    hl_mode = "combine",
  })
  return { id = id, lines = lines }
end

--- Remove the marks of a buffer, or of one case of it.
function M.clear(buffer, case)
  for name, marks in pairs(shown[buffer] or {}) do
    if not case or name == case then
      for _, mark in pairs(marks) do
        remove(buffer, mark)
      end
      shown[buffer][name] = nil
    end
  end
  if next(shown[buffer] or {}) == nil then
    shown[buffer] = nil
    tracking.ignore(buffer, "marks")
  end
end

--- Show the judgements of a case in place of its previous ones. If only some criteria were judged, the marks of the
--- case and of its other criteria stay.
--- @param versions {judged: integer, reported: integer} of the text that was judged, and of that with the ranges
--- @param case table an entry of `cases` of the notification `rubric/graded`, with its result
function M.show(buffer, versions, case)
  if not case.result.partial then
    M.clear(buffer, case.caseId)
  end
  if not options.current.virtual_text then
    return
  end
  highlights.define()
  shown[buffer] = shown[buffer] or {}
  local marks = shown[buffer][case.caseId] or {}
  shown[buffer][case.caseId] = marks
  local function put(key, range, text, colour)
    if marks[key] then
      remove(buffer, marks[key])
    end
    marks[key] = place(buffer, versions, range, text, colour)
  end
  if not case.result.partial then
    -- Several cases of one test share a place, so each shows its id.
    local which = case.testId and case.testId ~= case.caseId and case.caseId .. ": " or ""
    put(whole, case.range, which .. words.case(case.result), highlights.of_state(words.state(case.result)))
  end
  local judged = by_key(case.result.criteria or {})
  for _, criterion in ipairs(case.criteria or {}) do
    local key = key_of(criterion)
    put(key, criterion.range, words.criterion(judged[key] or criterion))
  end
  tracking.listen(buffer, "marks", {
    changed = function(...)
      changed(buffer, ...)
    end,
    forgotten = function()
      M.clear(buffer)
    end,
  })
end

return M
