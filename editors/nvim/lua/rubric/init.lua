--- Rubric for Neovim: check eval files live, fix them, and grade. See `:help rubric`.

local options = require("rubric.options")
local server = require("rubric.server")
local versions = require("rubric.versions")

local M = {}

--- Choose options, and start the server for every eval file from now on.
--- @param chosen table|nil
function M.setup(chosen)
  options.set(chosen)
  -- From 0.11 on Neovim starts the server itself, and reports nothing if it cannot.
  local start = versions.enables_servers and server.is_installed or server.start
  local group = vim.api.nvim_create_augroup("rubric", { clear = true })
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = options.current.filetypes,
    callback = function(event)
      -- A callback that returns true would be the last one.
      start(event.buf)
    end,
  })
  if versions.enables_servers then
    vim.lsp.config(server.name, server.config())
    vim.lsp.enable(server.name)
    if vim.v.vim_did_enter == 0 then
      -- Until then Neovim passes over files that are open already, as they are after `nvim -c`.
      vim.api.nvim_create_autocmd("VimEnter", {
        group = group,
        once = true,
        command = "doautoall nvim.lsp.enable FileType",
      })
    end
    return
  end
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.tbl_contains(options.current.filetypes, vim.bo[buffer].filetype) then
      server.start(buffer)
    end
  end
end

--- Start the server for one buffer, by default the current one.
--- @param buffer integer|nil
--- @return integer|nil the number of the client
function M.start(buffer)
  return server.start(buffer)
end

--- Return what is going on in a few words, for a status line; empty where nothing is.
function M.status()
  return require("rubric.grading").status()
end

--- Say whether the files that are open may run commands and send text to judges when something is graded.
--- @param trusted boolean
function M.trust(trusted)
  for _, client in ipairs(versions.clients(server.name)) do
    versions.notify(client, "rubric/didChangeTrust", { trusted = trusted })
  end
end

return M
