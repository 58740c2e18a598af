--- `:checkhealth rubric`: what is there, and what is missing.

local options = require("rubric.options")
local server = require("rubric.server")
local versions = require("rubric.versions")

local M = {}

--- Return the command that prints the version of the server: the one that starts it, without what makes it wait for an
--- editor. Its first word alone may be another program, such as Python.
local function version_command()
  local command = vim.tbl_filter(function(word)
    return word ~= "--stdio"
  end, options.current.cmd)
  return vim.list_extend(command, { "--version" })
end

local function check_server(health)
  local command = options.current.cmd
  if type(command) == "function" then
    health.info("the server is started by a function (option `cmd`)")
    return
  end
  if vim.fn.executable(command[1]) == 0 then
    health.error(("command `%s` not found"):format(command[1]), {
      "install it with `pip install rubric-lsp`, on the PATH of Neovim",
      "or set its path: require('rubric').setup({ cmd = { '/path/to/rubric-lsp', '--stdio' } })",
    })
    return
  end
  local output = vim.fn.systemlist(version_command())
  if vim.v.shell_error == 0 then
    health.ok(("%s: %s"):format(vim.fn.exepath(command[1]), output[#output] or ""))
  else
    health.error(("`%s` fails"):format(table.concat(version_command(), " ")), output)
  end
end

--- Return a file that is open and that the server should look at, or nil.
local function open_file()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.tbl_contains(options.current.filetypes, vim.bo[buffer].filetype) then
      return vim.api.nvim_buf_get_name(buffer)
    end
  end
end

--- Say why no server is running.
local function check_start(health)
  local filetypes = table.concat(options.current.filetypes, " or ")
  if vim.fn.exists("#rubric#FileType") == 0 and not versions.is_enabled(server.name) then
    health.warn("the server is not enabled", { "add require('rubric').setup() to init.lua" })
  elseif open_file() then
    health.warn(("no server is running, though %s is open"):format(open_file()), {
      "restart it with :edit; the log below has the reason",
    })
  else
    health.info(("no server is running; one starts when a file of type %s is opened"):format(filetypes))
  end
end

local function check_clients(health)
  local clients = versions.clients(server.name)
  if #clients == 0 then
    check_start(health)
  end
  for _, client in ipairs(clients) do
    health.ok(
      ("a server is running for %s with %d open files, position encoding %s"):format(
        client.config.root_dir or "single files",
        vim.tbl_count(client.attached_buffers),
        client.offset_encoding
      )
    )
  end
end

local function check_log(health)
  local log = require("vim.lsp.log")
  health.info("log of the servers' standard error: " .. log.get_filename())
end

local function check_judge(health)
  local judge = require("rubric.actions").judge()
  health.info(judge and ("the judge is %s"):format(judge) or "the judge is the default of the project, else you")
  if options.current.trusted ~= true then
    health.info("grading is disabled in folders that are not trusted")
  end
  if vim.fn.has("nvim-0.8") == 0 then
    health.warn("before Neovim 0.8 manual judging needs pickers that answer at once, such as Neovim's own")
  end
end

function M.check()
  local health = versions.health()
  health.start("rubric")
  check_server(health)
  check_clients(health)
  check_log(health)
  check_judge(health)
end

return M
