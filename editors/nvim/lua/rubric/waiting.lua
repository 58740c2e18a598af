--- Waiting for a person inside of the answer to a request of the server.
---
--- From Neovim 0.8 on a request is answered in a coroutine, which can wait. In 0.7 it must be answered at once, which
--- the editor's own `vim.ui.select` and `vim.ui.input` do.

local M = {}

--- Call a function that hands its answer to a callback, and return the answer.
--- @param start fun(done: fun(...))
function M.for_answer(start)
  local routine = coroutine.running()
  local answer
  local is_waiting = false
  start(function(...)
    if answer then
      return
    end
    answer = { ... }
    if is_waiting then
      local went_well, problem = coroutine.resume(routine)
      if not went_well then
        error(problem, 0)
      end
    end
  end)
  if not answer then
    if not routine then
      error("Neovim 0.7 needs a `vim.ui.select` and a `vim.ui.input` that answer at once; take 0.8 or later.", 0)
    end
    is_waiting = true
    coroutine.yield()
  end
  return answer[1]
end

-- Those who wait for their turn, in the order in which they came.
local queue = {}
local is_taken = false

--- Run a function when nobody else's runs, and return what it returns. Where nothing can wait, it runs at once.
function M.in_turn(run)
  local was_taken = is_taken
  if was_taken and coroutine.running() then
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
    is_taken = was_taken and not coroutine.running()
  end
  if not went_well then
    error(result, 0)
  end
  return result
end

return M
