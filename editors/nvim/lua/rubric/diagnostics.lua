--- Diagnostics that Neovim asks for: from 0.10 on it pulls them, but asks again only after a change of the text.

local versions = require("rubric.versions")

local M = {}

local method = "textDocument/diagnostic"

--- Take the request `workspace/diagnostic/refresh`: ask again for every open file. Neovim 0.10 does not know the
--- request, and 0.12 asks for the files that are not open only.
function M.on_refresh(_, _, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  local provider = client and client.server_capabilities.diagnosticProvider
  if type(provider) == "table" then
    for buffer in pairs(client.attached_buffers) do
      local params = { identifier = provider.identifier, textDocument = { uri = vim.uri_from_bufnr(buffer) } }
      versions.request(client, method, params, nil, buffer)
    end
  end
  return vim.NIL
end

return M
