--- Waiting for a person inside of the answer to a request of the server.
---
--- From Neovim 0.8 on a request is answered in a coroutine, which can wait. In 0.7 it must be answered at once, which
--- the editor's own `vim.ui.select` and `vim.ui.input` do.

local M = {}

-- On whose behalf something waits, by the function that takes the answer.
local pending = {}

--- Tell whether this is a place that can wait.
function M.is_possible()
  return coroutine.running() ~= nil
end

--- Call a function that hands its answer to a callback, and return the answer. Only the first answer counts.
--- @param start fun(done: fun(...))
--- @param owner table|nil on whose behalf it waits, for `release`
function M.for_answer(start, owner)
  local routine = coroutine.running()
  local answer
  local is_waiting = false
  local function take(...)
    if answer then
      return
    end
    answer = { ... }
    pending[take] = nil
    if is_waiting then
      local went_well, problem = coroutine.resume(routine)
      if not went_well then
        error(problem, 0)
      end
    end
  end
  start(take)
  if not answer then
    if not routine then
      error("Neovim 0.7 needs a `vim.ui.select` and a `vim.ui.input` that answer at once. Use 0.8 or later.", 0)
    end
    pending[take] = owner
    is_waiting = true
    coroutine.yield()
  end
  return answer[1]
end

--- Let go of everything that waits on somebody's behalf: each gets nil, and an answer that comes later is ignored.
function M.release(owner)
  for take, waits_for in pairs(pending) do
    if waits_for == owner then
      vim.schedule(take)
    end
  end
end

-- Those who wait for their turn, in the order in which they came.
local queue = {}
local is_taken = false

--- Run a function when nobody else's runs, and return what it returns. Where nothing can wait, it runs at once.
function M.in_turn(run)
  local was_taken = is_taken
  if was_taken and M.is_possible() then
    M.for_answer(function(done)
      table.insert(queue, done)
    end)
  end
  is_taken = true
  local went_well, result = pcall(run)
  local next_one = table.remove(queue, 1)
  if next_one then
    vim.schedule(next_one)
  else
    is_taken = was_taken and not M.is_possible()
  end
  if not went_well then
    error(result, 0)
  end
  return result
end

return M
