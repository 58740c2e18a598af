--- The editor as judge: a person decides one thing after the other, going back where they like; or a function that
--- the user gave answers in the place of a model.

local float = require("rubric.float")
local options = require("rubric.options")
local questions = require("rubric.questions")
local render = require("rubric.render")
local waiting = require("rubric.waiting")
local words = require("rubric.words")

local M = {}

local BACK, SKIP, STOP = "back", "skip", "stop"
local SKIPPED = { skipped = true, reason = "The person who judges skipped it." }
local STOPPED = { stopped = true }

-- Counts up when everything is dismissed: a question that came before is over then.
local dismissals = 0

--- Let go of every question that waits for a person.
function M.dismiss()
  dismissals = dismissals + 1
end

--- Return what asks a person, and stops asking once the question is dismissed.
local function new_person(asked)
  local person = {}

  local function answer(start)
    local given = waiting.for_answer(start)
    if dismissals > asked then
      error(STOPPED, 0)
    end
    return given
  end

  --- Ask for one choice; return it, or nil where the person wants none.
  function person.chosen(choices, prompt)
    return answer(function(done)
      vim.ui.select(choices, {
        prompt = prompt,
        kind = "rubric",
        format_item = function(choice)
          return choice.label
        end,
      }, done)
    end)
  end

  --- Ask for a line; return it, or nil where the person wants none.
  function person.typed(prompt, default)
    return answer(function(done)
      vim.ui.input({ prompt = prompt, default = default }, done)
    end)
  end

  return person
end

--- Return the case as lines, for the window above the choices.
local function page(question, items, decisions, place)
  local width = float.width()
  local lines = { { { ("%s · %s"):format(question.caseId, question.evaluator), "RubricTitle" } } }
  local function section(title, text)
    if text and vim.trim(text) ~= "" then
      table.insert(lines, { { title, "RubricName" } })
      for _, line in ipairs(render.wrapped(text, width - 2)) do
        table.insert(lines, { { "  " .. line } })
      end
    end
  end
  local item = items[place]
  if item then
    local heading = ("%s %s, %d of %d"):format(item.kind, item.id, place, #items)
    section(heading:sub(1, 1):upper() .. heading:sub(2), table.concat({ item.text or "", item.gate or "" }, "\n"))
  else
    for number, decided in ipairs(decisions) do
      local told = ("  %s: %s"):format(items[number].id, questions.told(items[number], decided))
      table.insert(lines, { { told }, { "  " .. (decided.reasoning or ""), "RubricReasoning" } })
    end
  end
  section("Answer to judge", vim.trim(question.answer or "") ~= "" and question.answer or "(empty)")
  section("Task", question.task)
  section("A good answer", question.expectedOutcome)
  section("Reference", question.reference)
  return lines
end

local function moves(place)
  local choices = {}
  if place > 1 then
    table.insert(choices, { move = BACK, label = "← back" })
  end
  table.insert(choices, { move = SKIP, label = "skip this case" })
  table.insert(choices, { move = STOP, label = "stop judging" })
  return choices
end

--- Ask for a number from 0 to 1; return a decision, or a move.
local function decide_number(person, item, place)
  while true do
    local line = person.typed(item.text .. " 0 to 1 (empty for other choices): ") or ""
    local number = questions.number(line)
    if number then
      return { value = number }
    end
    if vim.trim(line) == "" then
      local choices = vim.list_extend({ { label = "type a number" } }, moves(place))
      local choice = person.chosen(choices, "No number was typed") or { move = STOP }
      if choice.move then
        return choice.move
      end
    end
  end
end

--- Ask for a decision on one item; return it, or a move.
local function decide(person, items, place, earlier)
  local item = items[place]
  if not item.choices then
    return decide_number(person, item, place)
  end
  local choices = {}
  for _, choice in ipairs(item.choices) do
    local mark = earlier and earlier.value == choice.value and "  (until now)" or ""
    table.insert(choices, { value = choice.value, label = choice.label .. mark })
  end
  vim.list_extend(choices, moves(place))
  local prompt = ("%s (%d of %d)%s"):format(item.id, place, #items, item.gate and ": " .. item.gate or "")
  -- Leaving the choices is the way out of everything.
  local choice = person.chosen(choices, prompt) or { move = STOP }
  return choice.move or { value = choice.value }
end

local function with_reason(person, decision, earlier)
  if options.current.ask_reasons then
    decision.reasoning = person.typed("Why? (optional) ", earlier and earlier.reasoning) or ""
  end
  return decision
end

--- Ask whether everything stands; return the move where it does not.
local function confirm(person, items)
  local choices = vim.list_extend({ { label = "keep this" } }, moves(#items + 1))
  return (person.chosen(choices, "All is decided") or { move = STOP }).move
end

--- Ask about each item; return the decisions, or the move that ended it.
local function decisions_on(person, question, items)
  local decisions = {}
  local place = 1
  while true do
    person.show(page(question, items, decisions, place))
    local said
    if place <= #items then
      said = decide(person, items, place, decisions[place])
    else
      said = confirm(person, items)
      if not said then
        return decisions
      end
    end
    if type(said) == "table" then
      decisions[place] = with_reason(person, said, decisions[place])
      place = place + 1
    elseif said == BACK then
      place = math.max(place - 1, 1)
    else
      return said
    end
  end
end

local function ask_person(question, asked)
  local items = questions.items(question)
  if not items then
    return { skipped = true, reason = "Criteria are proposed by a model; :RubricJudge chooses one." }
  end
  if dismissals > asked then
    return STOPPED
  end
  local person = new_person(asked)
  local window
  function person.show(lines)
    float.close(window)
    window = float.open(lines, { name = "judge", focus = false, at = "top" })
    vim.cmd("redraw")
  end
  local went_well, said = pcall(decisions_on, person, question, items)
  float.close(window)
  if said == STOPPED or said == STOP then
    return STOPPED
  end
  if not went_well then
    error(said, 0)
  end
  return said == SKIP and SKIPPED or { judgement = questions.judgement(question, items, said) }
end

local function ask_function(question)
  local reply = waiting.for_answer(function(done)
    options.current.editor_judge(question, done)
  end)
  return type(reply) == "string" and { text = reply } or reply or STOPPED
end

--- Answer the request `rubric/judge`. A person is asked one question at a time, however many cases are graded at once.
function M.on_judge(_, question)
  question = words.without_null(question)
  local asked = dismissals
  if question.judge == "manual" then
    return waiting.in_turn(function()
      return ask_person(question, asked)
    end)
  end
  if question.judge == "editor" and options.current.editor_judge then
    return ask_function(question)
  end
  return { skipped = true, reason = ("This editor is no judge `%s`."):format(question.judge) }
end

--- Take the notification `$/cancelRequest`: the only requests of the server that take long are questions.
function M.on_cancel()
  M.dismiss()
end

--- Answer the request `rubric/secrets`.
function M.on_secrets(_, params)
  local found = options.current.secrets and options.current.secrets(params.names) or {}
  return next(found) and found or vim.empty_dict()
end

return M
