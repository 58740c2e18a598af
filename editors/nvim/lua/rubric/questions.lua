--- What a person must decide to answer a question of the server, and the judgement that their decisions make.
---
--- An item is one decision: `choices` are the values with their texts, or none where a number is typed.

local M = {}

local function yes_or_no(kind, found, yes, no)
  return {
    kind = kind,
    id = found.id,
    text = found.expectedOutcome,
    choices = { { value = true, label = yes }, { value = false, label = no } },
  }
end

--- Return the band that a score lies in.
local function band_of(ranges, score)
  for _, range in ipairs(ranges) do
    if range.minimum <= score and score <= range.maximum then
      return ("  (%d-%d) %s"):format(range.minimum, range.maximum, range.expectedOutcome)
    end
  end
  return ""
end

local function scores(lowest, ranges)
  local choices = {}
  for score = 10, lowest, -1 do
    table.insert(choices, { value = score, label = tostring(score) .. band_of(ranges, score) })
  end
  return choices
end

local function criterion_item(criterion)
  local item
  if criterion.mode == "checklist" then
    item = yes_or_no("criterion", criterion, "met", "not met")
    item.gate = criterion.gate and "It is required: without it the case fails." or nil
  else
    item = { kind = "criterion", id = criterion.id, text = criterion.expectedOutcome }
    item.choices = scores(0, criterion.scoreRanges or {})
    if type(criterion.gate) == "number" then
      item.gate = ("It is a gate: below %d the case fails."):format(criterion.gate)
    end
  end
  return item
end

local function scorecard_items(scorecard)
  local items = {}
  for _, dimension in ipairs(scorecard.dimensions) do
    table.insert(items, {
      kind = "dimension",
      id = dimension.name,
      text = dimension.definition,
      choices = scores(1, {}),
    })
  end
  for _, flag in ipairs(scorecard.redFlags) do
    table.insert(items, yes_or_no("red flag", flag, "it is there", "it is not there"))
  end
  for _, bonus in ipairs(scorecard.bonuses) do
    table.insert(items, yes_or_no("bonus", bonus, "earned", "not earned"))
  end
  return items
end

--- Return the items of a question, or nil for one that no person can answer.
function M.items(question)
  if question.kind == "rubric" then
    return vim.tbl_map(criterion_item, question.criteria)
  end
  if question.kind == "scorecard" then
    return scorecard_items(question.scorecard)
  end
  if question.kind == "free-form" then
    return { { kind = "answer", id = "score", text = "How far does the answer achieve what is expected?" } }
  end
  return nil
end

--- Return the number that was typed, from 0 to 1, or nil.
function M.number(typed)
  local number = tonumber((vim.trim(typed):gsub(",", ".")))
  return number and number >= 0 and number <= 1 and number or nil
end

local function with_reasoning(entry, decision)
  if decision.reasoning and decision.reasoning ~= "" then
    entry.reasoning = decision.reasoning
  end
  return entry
end

local function findings(items, decisions, kind)
  local found = {}
  for place, item in ipairs(items) do
    if item.kind == kind and decisions[place].value then
      table.insert(found, { id = item.id, explanation = decisions[place].reasoning or "" })
    end
  end
  return found
end

--- Return decisions as the judgement that a model would have written.
function M.judgement(question, items, decisions)
  if question.kind == "free-form" then
    return with_reasoning({ score = decisions[1].value }, decisions[1])
  end
  if question.kind == "rubric" then
    local checks = {}
    for place, item in ipairs(items) do
      local value = decisions[place].value
      local name = type(value) == "boolean" and "satisfied" or "score"
      table.insert(checks, with_reasoning({ id = item.id, [name] = value }, decisions[place]))
    end
    return { checks = checks }
  end
  local dimensions = {}
  for place, item in ipairs(items) do
    if item.kind == "dimension" then
      dimensions[item.id] = with_reasoning({ score = decisions[place].value }, decisions[place])
    end
  end
  return {
    dimensions = dimensions,
    red_flags = findings(items, decisions, "red flag"),
    bonuses = findings(items, decisions, "bonus"),
  }
end

--- Return a decision in words.
function M.told(item, decision)
  for _, choice in ipairs(item.choices or {}) do
    if choice.value == decision.value and type(choice.value) == "boolean" then
      return choice.label
    end
  end
  return tostring(decision.value)
end

return M
