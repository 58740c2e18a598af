--- Diagnostics: requested again when the server asks for it, without those that another YAML server reports too.

local options = require("rubric.options")
local server = require("rubric.server")
local versions = require("rubric.versions")

local M = {}

local pull, push = "textDocument/diagnostic", "textDocument/publishDiagnostics"

-- What every YAML server reports: text that is no YAML, and keys that are repeated.
local about_yaml = { RB001 = true, RB002 = true }

-- The last report of each file, as the server sent it.
local reports = {}

local function clients_of(buffer)
  return vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = buffer }) or vim.lsp.buf_get_clients(buffer)
end

--- Return whether another server checks the YAML of a buffer.
local function is_yaml_checked(buffer)
  for _, client in pairs(clients_of(buffer)) do
    local yaml = ((client.config or {}).settings or {}).yaml or {}
    if client.name ~= server.name and client.name:find("yaml", 1, true) and yaml.validate ~= false then
      return true
    end
  end
  return false
end

local function is_shortened(buffer)
  return options.current.leave_yaml_errors and is_yaml_checked(buffer)
end

--- Hand a report over to Neovim, without what another server reports too.
local function show(report)
  report.is_shortened = is_shortened(report.buffer)
  local diagnostics = report.result[report.list]
  if report.is_shortened then
    diagnostics = vim.tbl_filter(function(diagnostic)
      return not about_yaml[diagnostic.code]
    end, diagnostics)
  end
  local shown = vim.tbl_extend("force", report.result, { [report.list] = diagnostics })
  vim.lsp.handlers[report.method](nil, shown, report.context, report.config)
end

local function take(report)
  reports[report.buffer] = report
  show(report)
end

--- Handle the notification `textDocument/publishDiagnostics`.
function M.on_push(err, result, context, config)
  local buffer = vim.uri_to_bufnr(result.uri)
  if err or not vim.api.nvim_buf_is_loaded(buffer) then
    return vim.lsp.handlers[push](err, result, context, config)
  end
  take({ method = push, buffer = buffer, result = result, list = "diagnostics", context = context, config = config })
end

--- Handle the response to `textDocument/diagnostic`.
function M.on_pull(err, result, context, config)
  if err or type(result) ~= "table" or not result.items or not context.bufnr then
    return vim.lsp.handlers[pull](err, result, context, config)
  end
  take({ method = pull, buffer = context.bufnr, result = result, list = "items", context = context, config = config })
end

--- Show what is known of a buffer again where another server has come or gone since.
function M.show_again(buffer)
  local report = reports[buffer]
  if not vim.api.nvim_buf_is_loaded(buffer) then
    reports[buffer] = nil
  elseif report and report.is_shortened ~= is_shortened(buffer) then
    show(report)
  end
end

--- Handle the request `workspace/diagnostic/refresh`: ask again for every open file. Neovim 0.10 does not know the
--- request, and 0.12 asks for the files that are not open only.
function M.on_refresh(_, _, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  local provider = client and client.server_capabilities.diagnosticProvider
  if type(provider) == "table" then
    for buffer in pairs(client.attached_buffers) do
      local params = { identifier = provider.identifier, textDocument = { uri = vim.uri_from_bufnr(buffer) } }
      versions.request(client, pull, params, nil, buffer)
    end
  end
  return vim.NIL
end

return M
