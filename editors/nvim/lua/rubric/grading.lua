--- Gradings: asking the server for one, following it, stopping it.

local answers = require("rubric.answers")
local encoding = require("rubric.encoding")
local marks = require("rubric.marks")
local typing = require("rubric.typing")
local render = require("rubric.render")
local results = require("rubric.results")
local tracking = require("rubric.tracking")
local versions = require("rubric.versions")
local words = require("rubric.words")

local M = {}

-- What runs, by the token that its questions to the editor have.
local running = {}
local last_number = 0

--- Show a message in the command line; the next one replaces it. So that Neovim does not ask for Enter, the line is
--- cleared first and a long text is cut. A command line that is being typed is left alone.
local function notify(text)
  if typing.is_command_line() then
    return
  end
  vim.cmd("redraw")
  local width = math.max(vim.o.columns - 12, 20)
  vim.api.nvim_echo({ { vim.fn.strcharpart("Rubric: " .. text, 0, width) } }, false, {})
end

local function complain(text)
  vim.notify("Rubric: " .. text, vim.log.levels.ERROR)
end

local function begin(run)
  running[run.token] = run
  require("rubric.judge").begin_grading(run.token)
end

local function end_of(run)
  running[run.token] = nil
  require("rubric.judge").end_grading(run.token)
end

--- Return what is going on in a few words, for a status line; empty where nothing is.
function M.status()
  local parts = {}
  for _, run in pairs(running) do
    table.insert(parts, run.total and ("%s %d/%d"):format(run.title, run.done, run.total) or run.title)
  end
  table.sort(parts)
  return table.concat(parts, ", ")
end

-- What the user calls some of the things that an argument names.
local called = { caseId = "case", caseIds = "case", criterionId = "criterion" }

--- Return what of an argument the server could not read, as the user calls it; nil where it can read all of it.
local function unreadable(argument)
  for name, value in pairs(argument) do
    if not encoding.is_sendable(value) then
      return called[name] or name
    end
  end
end

--- Have the server do a command. Whatever runs can be stopped.
--- @param order {client: table, buffer: integer, command: string, argument: table, title: string, keeps: boolean|nil}
---   `keeps`: what is finished when it is stopped is kept
--- @param take fun(result: any) is called with what the command returns
--- @param refused fun(err: table)|nil is called if it fails; by default the user sees the error
function M.execute(order, take, refused)
  local wrong = unreadable(order.argument)
  if wrong then
    complain(("the %s is not UTF-8."):format(wrong))
    return
  end
  last_number = last_number + 1
  local run = {
    token = "rubric-nvim-" .. last_number,
    client = order.client,
    uri = order.argument.uri,
    title = order.title,
    keeps = order.keeps,
    generation = tracking.generation(order.buffer),
    done = 0,
  }
  begin(run)
  notify(order.title .. "… (:RubricStop stops it)")
  local params = { command = order.command, arguments = { order.argument }, workDoneToken = run.token }
  run.request = versions.request(order.client, "workspace/executeCommand", params, function(err, result)
    if not running[run.token] then
      return
    end
    end_of(run)
    if not err then
      take(words.without_null(result))
    elseif refused then
      refused(words.without_null(err))
    else
      complain(err.message)
    end
  end, order.buffer)
  if not run.request then
    end_of(run)
    complain("the server has stopped. Restart it with :edit.")
  end
end

--- Show the result. If the user is typing, show a message, because the window would take their keys.
local function show_graded(uri, graded)
  local summary = (graded.stopped and "stopped; " or "") .. render.counts(graded.results)
  if typing.is_free() then
    results.take_aside(uri)
    notify(summary)
    results.show(graded.results)
    return
  end
  results.put_aside(uri, graded.results)
  typing.after_command_line(function()
    notify(summary .. "; :RubricResult shows it.")
  end)
end

--- Ask where the answer of a case is, and grade it then.
local function grade_with_answer(order, case)
  typing.when_free(function()
    answers.ask(case, function(answer)
      local argument = vim.tbl_extend("force", order.argument, { answer = answer })
      M.grade(vim.tbl_extend("force", order, { argument = argument }))
    end)
  end)
end

--- Grade, and show what comes out.
function M.grade(order)
  M.execute(vim.tbl_extend("force", order, { keeps = true }), function(graded)
    for _, result in ipairs(graded.results) do
      results.keep(order.argument.uri, result)
    end
    show_graded(order.argument.uri, graded)
  end, function(err)
    if (err.data or {}).reason ~= "no-answer" or order.command == "rubric.gradeFile" then
      complain(err.message)
    else
      grade_with_answer(order, err.data.caseId)
    end
  end)
end

--- Tell the server to stop something. A grading is ended, so that the server keeps what was judged; anything else is
--- called off.
local function request_stop(run)
  if run.keeps then
    versions.notify(run.client, "window/workDoneProgress/cancel", { token = run.token })
  else
    versions.cancel(run.client, run.request)
  end
end

--- Stop all running work; finished judgements are kept.
--- @return integer how much was stopped
function M.stop()
  local stopped = 0
  for _, run in pairs(running) do
    end_of(run)
    request_stop(run)
    stopped = stopped + 1
  end
  require("rubric.judge").dismiss()
  return stopped
end

--- Forget what a server that has ended was doing.
function M.on_exit(client)
  for _, run in pairs(running) do
    if run.client.id == client then
      end_of(run)
      complain(("the server stopped unexpectedly: %s."):format(run.title))
    end
  end
  require("rubric.judge").dismiss(client)
end

local function buffer_of(uri)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.uri_from_bufnr(buffer) == uri then
      return buffer
    end
  end
end

local function follow(params, client)
  for _, run in pairs(running) do
    if run.uri == params.uri and run.client.id == client then
      run.done, run.total = params.done, params.total
      if params.state == "running" then
        notify(("%s: %d of %d"):format(run.title, params.done, params.total))
      end
    end
  end
end

--- Return whether a grading of a file was begun before the file was read anew. Neovim counts the versions of the text
--- from the start again then, so those of the grading say nothing any more.
local function is_outdated(uri, client, buffer)
  for _, run in pairs(running) do
    if run.uri == uri and run.client.id == client and run.generation ~= tracking.generation(buffer) then
      return true
    end
  end
  return false
end

--- Handle the notification `rubric/graded`: show what was judged where it was judged.
function M.on_graded(_, params, context)
  params = words.without_null(params)
  follow(params, context.client_id)
  local buffer = buffer_of(params.uri)
  local is_placed = buffer and params.version and params.textVersion
    and not is_outdated(params.uri, context.client_id, buffer)
  for _, case in ipairs(params.cases or {}) do
    if case.result then
      results.keep(params.uri, case.result)
      if is_placed then
        marks.show(buffer, { judged = params.version, reported = params.textVersion }, case)
      end
    end
  end
end

return M
