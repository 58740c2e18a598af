-- What the tests call under a short name; the names are global so that they can.

--- Return our client of the current buffer once the two have agreed on everything and it knows the text.
function rubric_client()
  local buffer = vim.api.nvim_get_current_buf()
  local client = require("rubric.server").client_of(buffer)
  return client and client.initialized and client.attached_buffers[buffer] and client or nil
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

-- What the user was asked since the last script: the prompt and the labels of the choices.
asked = {}

--- Answer what `vim.ui.select` and `vim.ui.input` ask from now on by a list: each entry is the start of a label, a text
--- that is typed, or `false` for leaving. Answers come at once, as those of Neovim's own pickers, or later.
function answer_with(script, later)
  asked = {}
  local function next_answer()
    local entry = table.remove(script, 1)
    assert(entry ~= nil, "nobody knows what to answer to " .. vim.inspect(asked[#asked]))
    return entry
  end
  local function give(done, ...)
    local values = { ... }
    if later then
      vim.defer_fn(function()
        done(unpack(values))
      end, 5)
    else
      done(unpack(values))
    end
  end
  vim.ui.select = function(items, how, done)
    local labels = vim.tbl_map(how.format_item or tostring, items)
    table.insert(asked, { prompt = how.prompt, labels = labels })
    local wanted = next_answer()
    for number, label in ipairs(labels) do
      if wanted and vim.startswith(label, wanted) then
        return give(done, items[number], number)
      end
    end
    assert(not wanted, ("`%s` is not among %s"):format(wanted, vim.inspect(labels)))
    give(done, nil)
  end
  vim.ui.input = function(how, done)
    table.insert(asked, { prompt = how.prompt, default = how.default })
    give(done, next_answer() or nil)
  end
end

--- Return the text of the window of ours that shows something of a name, or nil.
function shown(name)
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local buffer = vim.api.nvim_win_get_buf(window)
    if vim.b[buffer].rubric == name then
      return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), "\n")
    end
  end
end

--- Close every window but the one with the file.
function close_floats()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      vim.api.nvim_win_close(window, true)
    end
  end
end

--- Return the marks of the current buffer as `{line, text}` without their signs, in the order of the lines.
function marks()
  local found = {}
  local namespace = require("rubric.marks").namespace
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
    local words = mark[4].virt_text[2]
    table.insert(found, { mark[2], words and words[1] or vim.NIL })
  end
  return found
end

-- What the user was notified of.
notified = {}

vim.notify = function(message)
  table.insert(notified, message)
end

--- Return the first notice that holds a text, or nil.
function told(part)
  for _, message in ipairs(notified) do
    if message:find(part, 1, true) then
      return message
    end
  end
end

--- Leave nothing of an earlier test.
function start_anew()
  close_floats()
  require("rubric.options").set({ root_markers = require("rubric.options").current.root_markers })
  require("rubric").trust(true)
  -- Newer versions have it so by themselves.
  vim.diagnostic.config({ virtual_text = false })
  notified = {}
end
