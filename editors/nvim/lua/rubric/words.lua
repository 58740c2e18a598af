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
  local result = {}
  for key, each in pairs(value) do
    result[key] = M.without_null(each)
  end
  return result
end

--- Return whether a text is nil or blank.
function M.is_blank(text)
  return not (text and text:find("%S"))
end

--- Return a number without trailing zeros.
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

--- Return the judgement of a criterion in a few words, and its colour.
function M.criterion(criterion)
  local text
  if criterion.score then
    text = ("%d of 10"):format(criterion.score)
  else
    text = criterion.satisfied and "met" or "not met"
  end
  if criterion.gate == "failed" then
    return text .. ", gate failed", "RubricGateFailed"
  end
  if criterion.score then
    return text, "RubricScored"
  end
  return text, criterion.satisfied and "RubricMet" or "RubricUnmet"
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
