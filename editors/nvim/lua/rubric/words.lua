--- Short texts for results.

local M = {}

-- As many characters of a score as the command line shows.
local longest_score = 6

--- Return a message of the server without `vim.NIL`.
function M.without_null(value)
  if value == vim.NIL then
    return nil
  end
  if type(value) ~= "table" then
    return value
  end
  local kept = {}
  for key, each in pairs(value) do
    kept[key] = M.without_null(each)
  end
  return kept
end

--- Return whether a text is nil or blank.
function M.is_blank(text)
  return not (text and text:find("%S"))
end

--- Return a number without a fraction that says nothing.
function M.number(value)
  return (("%.10f"):format(value):gsub("0+$", ""):gsub("%.$", ""))
end

--- Return a score; digits are cut off and never rounded, so that nothing below a mark is shown as the mark.
function M.score(value)
  local text = M.number(value)
  return #text <= longest_score and text or text:sub(1, longest_score) .. "…"
end

--- Return the state of a result: its verdict, `error`, `partial`, or `no verdict` for a scorecard alone.
function M.state(result)
  if result.error then
    return "error"
  end
  return result.verdict or (result.partial and "partial" or "no verdict")
end

--- Return what was said of a criterion, and the colour for it.
function M.criterion(criterion)
  local said
  if criterion.score then
    said = ("%d of 10"):format(criterion.score)
  else
    said = criterion.satisfied and "met" or "not met"
  end
  if criterion.gate == "failed" then
    return said .. ", gate failed", "RubricGateFailed"
  end
  if criterion.score then
    return said, "RubricScored"
  end
  return said, criterion.satisfied and "RubricMet" or "RubricUnmet"
end

--- Return a result in one line: verdict, score, grade of the scorecard.
function M.case(result)
  local parts = { M.state(result) }
  if result.score then
    table.insert(parts, M.score(result.score))
  end
  if result.scorecard and result.scorecard.grade then
    table.insert(parts, "grade " .. result.scorecard.grade)
  end
  return table.concat(parts, " ")
end

--- Return a count with its noun.
function M.many(count, noun)
  return ("%d %s%s"):format(count, noun, count == 1 and "" or "s")
end

return M
