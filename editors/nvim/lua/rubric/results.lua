--- The results of this session, and the windows that show them.

local float = require("rubric.float")
local render = require("rubric.render")

local M = {}

-- The last result by file and case.
local known = {}

-- The results that arrived while the user was typing, by file.
local put_aside = {}

--- Keep a result as the last one of its case. That of a part of a case does not take the place of a whole one.
function M.keep(uri, result)
  known[uri] = known[uri] or {}
  local earlier = known[uri][result.eval_id]
  if not (result.partial and earlier and not earlier.partial) then
    known[uri][result.eval_id] = result
  end
end

--- Keep results that could not be shown when they came.
function M.put_aside(uri, results)
  put_aside[uri] = results
end

--- Return results of a file that could not be shown when they came, once; nil where there are none.
function M.take_aside(uri)
  local results = put_aside[uri]
  put_aside[uri] = nil
  return results
end

--- Return the last result of a case, or nil.
function M.of(uri, case)
  return (known[uri] or {})[case]
end

local function by_name(results)
  table.sort(results, function(left, right)
    return left.eval_id < right.eval_id
  end)
  return results
end

--- Return the last results of a file, by the names of the cases.
function M.all(uri)
  return by_name(vim.tbl_values(known[uri] or {}))
end

--- Return the last results of the cases that are made of a test, by its id in the text: none, one or several.
function M.of_test(uri, test)
  return by_name(vim.tbl_filter(function(result)
    return (result.test_id or result.eval_id) == test
  end, vim.tbl_values(known[uri] or {})))
end

local function show_one(result)
  return float.open(render.result(result, float.width()), { name = "result" })
end

local first_line_of_results = 3

local function show_many(results)
  local window
  window = float.open(render.summary(results, float.width()), {
    name = "results",
    keys = {
      ["<CR>"] = function()
        local line = vim.api.nvim_win_get_cursor(window)[1]
        local result = results[line - first_line_of_results + 1]
        if result then
          show_one(result)
        end
      end,
    },
  })
  return window
end

--- Show one result in detail, or several as a table.
function M.show(results)
  if #results == 0 then
    vim.notify("Rubric: nothing was graded.", vim.log.levels.WARN)
  elseif #results == 1 then
    show_one(results[1])
  else
    show_many(results)
  end
end

return M
