--- The editor as judge: the user fills in the form of the server, or the function `editor_judge` replies like a model.

local encoding = require("rubric.encoding")
local float = require("rubric.float")
local typing = require("rubric.typing")
local options = require("rubric.options")
local render = require("rubric.render")
local waiting = require("rubric.waiting")
local words = require("rubric.words")

local M = {}

local BACK, SKIP, STOP, READ = "back", "skip", "stop", "read"
local SKIPPED = { skipped = true }
local STOPPED = { stopped = true }

-- Whether each grading of this Neovim is over, by its progress token. A question can arrive after its grading was
-- stopped.
local is_over = {}

-- A round is the questions of one grading, or those without a grading of one server and judge. It is over when they are
-- dismissed.
local rounds = {}

local function round_of(client, question)
  for _, round in ipairs(rounds) do
    if round.client == client and round.judge == question.judge and round.grading == question.grading then
      return round
    end
  end
  local round = { client = client, judge = question.judge, grading = question.grading, is_over = false }
  table.insert(rounds, round)
  return round
end

--- End the rounds that match a condition, and everything that waits in them.
local function end_rounds(holds)
  local left = {}
  for _, round in ipairs(rounds) do
    if holds(round) then
      round.is_over = true
      waiting.release(round)
    else
      table.insert(left, round)
    end
  end
  rounds = left
end

--- Register a grading that will be ended with `end_grading`.
--- @param grading string its token
function M.begin_grading(grading)
  is_over[grading] = false
end

--- Dismiss the questions of a grading, also those that arrive later.
function M.end_grading(grading)
  is_over[grading] = true
  end_rounds(function(round)
    return round.grading == grading
  end)
end

--- Dismiss all open questions, or those of one server.
--- @param client integer|nil
function M.dismiss(client)
  end_rounds(function(round)
    return not client or round.client == client
  end)
end

--- Return an object that prompts the user until the round is over.
local function new_person(round)
  local person = {}
  local window

  local function answer(start)
    local given = waiting.for_answer(start, round)
    if round.is_over then
      error(STOPPED, 0)
    end
    return given
  end

  --- Wait until the user is not typing, if waiting is possible.
  function person.be_free()
    if typing.is_free() or not waiting.is_possible() then
      return
    end
    typing.after_command_line(function()
      vim.api.nvim_echo({ { "Rubric: a question is waiting until you return to normal mode." } }, false, {})
    end)
    answer(typing.when_free)
  end

  --- Show the case.
  function person.show(lines)
    float.close(window)
    window = float.open(lines, { name = "judge", focus = false, at = "top" })
    vim.cmd("redraw")
  end

  function person.hide()
    float.close(window)
  end

  --- Return the lines of the case that are above and below what is shown.
  function person.hidden()
    return float.hidden(window)
  end

  --- Show what comes next, or the start again where nothing does.
  function person.read_on()
    float.read_on(window)
    vim.cmd("redraw")
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

--- Add a text under its title to lines, unless it is blank.
local function add_section(lines, width, title, text)
  if not words.is_blank(text) then
    table.insert(lines, { { title, "RubricName" } })
    for _, line in ipairs(render.wrapped(text, width - 2)) do
      table.insert(lines, { { "  " .. line } })
    end
  end
end

--- Return a function that renders the sections of the form, once for each width, because an answer can be long.
local function case_of(form)
  local lines, width_of_lines
  return function(width)
    if width_of_lines ~= width then
      lines, width_of_lines = {}, width
      for _, section in ipairs(form.sections) do
        add_section(lines, width, section.title, section.text)
      end
    end
    return lines
  end
end

--- Return the label of the choice with a value; a number that was typed has none.
local function label_of(item, value)
  for _, choice in ipairs(item.choices) do
    if choice.value == value then
      return choice.label
    end
  end
  return tostring(value)
end

--- Return the lines of the window above the choices: the item, or all decisions at the end, and the case.
local function page(form, case, decisions, place)
  local width = float.width()
  local lines = { { { form.title, "RubricTitle" } } }
  local item = form.items[place]
  if item then
    local heading = ("%s %s, %d of %d"):format(item.kind, item.id, place, #form.items)
    add_section(lines, width, heading:sub(1, 1):upper() .. heading:sub(2), item.text .. "\n" .. item.gate)
  else
    for number, decided in ipairs(decisions) do
      local line = ("  %s: %s"):format(form.items[number].id, label_of(form.items[number], decided.value))
      table.insert(lines, { { line }, { "  " .. (decided.reasoning or ""), "RubricReasoning" } })
    end
  end
  return vim.list_extend(lines, case(width))
end

--- Return the choice that scrolls the case, if it does not fit into its window.
local function reading(person)
  local hidden = person.hidden()
  if hidden.below > 0 then
    return { move = READ, label = ("read on: %s below"):format(words.many(hidden.below, "more line")) }
  end
  return hidden.above > 0 and { move = READ, label = "read from the start" } or nil
end

local function moves(person, place)
  local choices = { reading(person) }
  if place > 1 then
    table.insert(choices, { move = BACK, label = "← back" })
  end
  table.insert(choices, { move = SKIP, label = "skip this case" })
  table.insert(choices, { move = STOP, label = "stop judging" })
  return choices
end

--- Return the number that was typed, or nil where it is none or not legal.
local function typed_number(line, legal)
  local number = tonumber((vim.trim(line):gsub(",", ".")))
  return number and number >= legal.minimum and number <= legal.maximum and number or nil
end

--- Ask for a number; return a decision, or a move.
local function decide_number(person, item, place)
  local legal = item.number
  while true do
    local more = person.hidden().below > 0 and "to read on and " or ""
    local bounds = ("%d to %d (empty %sfor other choices)"):format(legal.minimum, legal.maximum, more)
    local line = person.typed(("%s %s: "):format(item.text, bounds)) or ""
    local number = typed_number(line, legal)
    if number then
      return { value = number }
    end
    if vim.trim(line) == "" then
      local choices = vim.list_extend({ { label = "type a number" } }, moves(person, place))
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
  if item.number then
    return decide_number(person, item, place)
  end
  local choices = {}
  for _, choice in ipairs(item.choices) do
    local range = choice.scoreRange ~= "" and ("  (%s) %s"):format(choice.scoreRange, choice.meaning) or ""
    local mark = earlier and earlier.value == choice.value and "  (current)" or ""
    table.insert(choices, { value = choice.value, label = choice.label .. range .. mark })
  end
  vim.list_extend(choices, moves(person, place))
  local prompt = ("%s (%d of %d)%s"):format(item.id, place, #items, item.gate ~= "" and ": " .. item.gate or "")
  -- Leaving the choices stops judging.
  local choice = person.chosen(choices, prompt) or { move = STOP }
  return choice.move or { value = choice.value }
end

local function with_reason(person, decision, earlier)
  local prompt = "Why? (optional) "
  while options.current.ask_reasons do
    decision.reasoning = person.typed(prompt, earlier and earlier.reasoning) or ""
    if encoding.is_utf8(decision.reasoning) then
      break
    end
    prompt = "That is not UTF-8. Why? (optional) "
  end
  return decision
end

--- Ask for confirmation of all decisions; return a move instead, if one is chosen.
local function confirm(person, items)
  local choices = vim.list_extend({ { label = "keep this" } }, moves(person, #items + 1))
  return (person.chosen(choices, "All is decided") or { move = STOP }).move
end

--- Ask about each item; return the decisions, or the move that ended it.
local function decisions_on(person, form)
  local decisions = {}
  local items = form.items
  local case = case_of(form)
  local place = 1
  local shown
  while true do
    if shown ~= place then
      person.show(page(form, case, decisions, place))
      shown = place
    end
    local reply
    if place <= #items then
      reply = decide(person, items, place, decisions[place])
    else
      reply = confirm(person, items)
      if not reply then
        return decisions
      end
    end
    if type(reply) == "table" then
      decisions[place] = with_reason(person, reply, decisions[place])
      place = place + 1
    elseif reply == BACK then
      place = math.max(place - 1, 1)
    elseif reply == READ then
      person.read_on()
    else
      return reply
    end
  end
end

local function ask_person(question, round)
  if round.is_over then
    return STOPPED
  end
  local person = new_person(round)
  local went_well, reply = pcall(function()
    person.be_free()
    return decisions_on(person, question.form)
  end)
  person.hide()
  if reply == STOPPED then
    return STOPPED
  end
  if reply == STOP then
    -- Waiting questions would be asked before the server cancels them.
    end_rounds(function(each)
      return each == round
    end)
    return STOPPED
  end
  if not went_well then
    error(reply, 0)
  end
  return reply == SKIP and SKIPPED or { decisions = reply }
end

local function ask_function(question, round)
  local reply = waiting.for_answer(function(done)
    options.current.editor_judge(question, done)
  end, round)
  if reply ~= nil and not encoding.is_sendable(reply) then
    return { skipped = true, reason = "The reply of `editor_judge` is not UTF-8 text." }
  end
  return type(reply) == "string" and { text = reply } or reply or STOPPED
end

--- Handle the request `rubric/judge`. The user gets one question at a time.
function M.on_judge(_, question, context)
  question = words.without_null(question)
  if is_over[question.grading] then
    return STOPPED
  end
  local round = round_of((context or {}).client_id, question)
  if question.judge == "manual" then
    return waiting.in_turn(function()
      return ask_person(question, round)
    end)
  end
  if question.judge == "editor" and options.current.editor_judge then
    return ask_function(question, round)
  end
  return { skipped = true, reason = ("This editor does not support the judge `%s`."):format(question.judge) }
end

--- Handle the notification `$/cancelRequest`. Neovim does not say which request it is for, so it ends the questions of
--- gradings that were not started here.
function M.on_cancel(_, _, context)
  end_rounds(function(round)
    return round.client == context.client_id and is_over[round.grading] == nil
  end)
end

--- Handle the request `rubric/secrets`.
function M.on_secrets(_, params)
  local found = {}
  for name, value in pairs(options.current.secrets and options.current.secrets(params.names) or {}) do
    if encoding.is_sendable({ [name] = value }) then
      found[name] = value
    else
      vim.notify(("Rubric: the value of `secrets` for %s is not UTF-8 text."):format(name), vim.log.levels.ERROR)
    end
  end
  return next(found) and found or vim.empty_dict()
end

return M
