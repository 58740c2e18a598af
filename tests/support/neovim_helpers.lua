-- What the tests call under a short name; the names are global so that they can.

--- Return our client of the current buffer once the two have agreed on everything.
function rubric_client()
  local client = require("rubric.server").client_of(vim.api.nvim_get_current_buf())
  return client and client.server_capabilities and client or nil
end

--- Return the diagnostics of the current buffer, by source where one is named.
function diagnostics(source)
  local found = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    if not source or each.source == source then
      table.insert(found, {
        line = each.lnum,
        column = each.col,
        end_line = each.end_lnum,
        end_column = each.end_col,
        code = each.code,
        message = each.message,
        severity = each.severity,
        source = each.source,
      })
    end
  end
  return found
end

--- Return the text of the current buffer.
function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n") .. "\n"
end

--- Put the cursor on the first character of the first occurrence of a plain text.
function go_to(sought)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    local column = line:find(sought, 1, true)
    if column then
      vim.api.nvim_win_set_cursor(0, { number, column - 1 })
      return
    end
  end
  error("not in the buffer: " .. sought)
end

--- Ask the server something and wait for the result.
function ask(method, params)
  local client = rubric_client()
  local answer
  require("rubric.versions").request(client, method, params, function(err, result)
    answer = { err = err, result = result }
  end, vim.api.nvim_get_current_buf())
  vim.wait(60000, function()
    return answer ~= nil
  end, 10)
  assert(answer and not answer.err, answer and vim.inspect(answer.err) or "no answer to " .. method)
  return answer.result
end

--- Return the parameters of a request about the place of the cursor.
function here()
  return vim.lsp.util.make_position_params(0, rubric_client().offset_encoding)
end
