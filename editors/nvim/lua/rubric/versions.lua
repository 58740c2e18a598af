--- Differences between the versions of Neovim, 0.7 and later.

local M = {}

--- Return whether this is at least some version, such as "0.11".
local function is_at_least(version)
  return vim.fn.has("nvim-" .. version) == 1
end

--- Whether `vim.lsp.enable` starts servers by the files in `lsp/`.
M.enables_servers = is_at_least("0.11")

--- Whether the event `LspAttach` exists.
M.announces_clients = is_at_least("0.8")

--- Return whether `vim.lsp.enable` starts a server.
function M.is_enabled(name)
  if vim.lsp.is_enabled then
    return vim.lsp.is_enabled(name)
  end
  return vim.lsp._enabled_configs ~= nil and vim.lsp._enabled_configs[name] ~= nil
end

--- Return whether this Neovim pulls diagnostics; the server pushes them to older ones.
function M.pulls_diagnostics()
  return vim.lsp.handlers["textDocument/diagnostic"] ~= nil
end

--- Return the clients of a server's name, by buffer where one is given.
--- @param name string
--- @param buffer integer|nil
function M.clients(name, buffer)
  local filter = { name = name, bufnr = buffer }
  if vim.lsp.get_clients then
    return vim.lsp.get_clients(filter)
  end
  if is_at_least("0.8") then
    return vim.lsp.get_active_clients(filter)
  end
  local found = buffer and vim.lsp.buf_get_clients(buffer) or vim.lsp.get_active_clients()
  return vim.tbl_filter(function(client)
    return client.name == name
  end, vim.tbl_values(found))
end

--- Send a request; return its number, or nil where the server is gone.
function M.request(client, method, params, handler, buffer)
  local sent, number
  if is_at_least("0.11") then
    sent, number = client:request(method, params, handler, buffer)
  else
    sent, number = client.request(method, params, handler, buffer)
  end
  return sent and number or nil
end

function M.notify(client, method, params)
  if is_at_least("0.11") then
    return client:notify(method, params)
  end
  return client.notify(method, params)
end

function M.cancel(client, number)
  if is_at_least("0.11") then
    return client:cancel_request(number)
  end
  return client.cancel_request(number)
end

-- In 0.7, the server that was started for each root: Neovim does not list those that are not ready yet.
local started = {}

--- Start a server for a buffer, or attach the buffer to one that is running for the same root.
--- @param config table
--- @param buffer integer
--- @return integer|nil the number of the client
function M.start(config, buffer)
  if vim.lsp.start then
    -- Before 0.9 there is no option for the buffer; it must be the current one.
    local number
    vim.api.nvim_buf_call(buffer, function()
      number = vim.lsp.start(config, { bufnr = buffer })
    end)
    return number
  end
  local number = started[config.root_dir]
  if not (number and vim.lsp.get_client_by_id(number)) then
    number = vim.lsp.start_client(config)
    started[config.root_dir] = number
  end
  if number then
    vim.lsp.buf_attach_client(buffer, number)
  end
  return number
end

--- Return the heads of a report of `:checkhealth`.
function M.health()
  local health = vim.health or require("health")
  return {
    start = health.start or health.report_start,
    ok = health.ok or health.report_ok,
    info = health.info or health.report_info,
    warn = health.warn or health.report_warn,
    error = health.error or health.report_error,
  }
end

return M
