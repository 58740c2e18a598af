--- Waits for the user in the handler of a server request.
---
--- Neovim 0.8 and later run handlers in a coroutine, which can wait. In 0.7 a handler must return at once, which works
--- with the built-in `vim.ui.select` and `vim.ui.input`.

local M = {}

-- The owner of each pending answer, by its callback.
local pending = {}

--- Return whether the caller runs in a coroutine and can wait.
function M.is_possible()
  return coroutine.running() ~= nil
end

--- Call a function with a callback and return what the callback gets first.
--- @param start fun(done: fun(...))
--- @param owner table|nil the owner, for `release`
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

--- End the waiting of an owner: each call returns nil, and later answers are ignored.
function M.release(owner)
  for take, waits_for in pairs(pending) do
    if waits_for == owner then
      vim.schedule(take)
    end
  end
end

-- The calls that wait for their turn, the oldest first.
local queue = {}
local is_taken = false

--- Run functions one at a time and return the result. Where waiting is impossible, run at once.
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
