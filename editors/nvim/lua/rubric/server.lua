--- Starts the language server and sends it the capabilities of this editor.

local options = require("rubric.options")
local versions = require("rubric.versions")

local M = {}

M.name = "rubric"

--- Return what this editor can do beyond what Neovim announces by itself.
local function capabilities()
  local judges = { "manual" }
  if options.current.editor_judge then
    table.insert(judges, "editor")
  end
  local grading = { judges = judges, graded = true, report = true, secrets = options.current.secrets ~= nil }
  grading.dialect = true
  return {
    experimental = { rubric = grading },
    workspace = versions.pulls_diagnostics() and { diagnostics = { refreshSupport = true } } or nil,
  }
end

--- Return the settings with which the server starts.
local function initial_settings()
  -- The last judgement is shown as virtual text already; a hint would repeat it.
  local own = { inlayHints = { grades = not options.current.virtual_text } }
  return vim.tbl_deep_extend("force", own, options.current.settings)
end

--- Return whether the user trusts the files below a folder. Only `true` means trusted; a function is not called without
--- a folder.
local function is_trusted(root)
  local trusted = options.current.trusted
  if type(trusted) == "function" then
    return root ~= nil and trusted(root) == true
  end
  return trusted == true
end

--- Call a function of another module when it is needed, so that opening a file loads little.
local function later(module, name)
  return function(...)
    return require(module)[name](...)
  end
end

local function handlers()
  local found = {
    ["rubric/graded"] = later("rubric.grading", "on_graded"),
    ["rubric/dialect"] = function(_, params)
      vim.b[vim.uri_to_bufnr(params.uri)].rubric_dialect = params.title
    end,
    ["rubric/judge"] = later("rubric.judge", "on_judge"),
    ["rubric/secrets"] = later("rubric.judge", "on_secrets"),
    ["$/cancelRequest"] = later("rubric.judge", "on_cancel"),
    ["textDocument/publishDiagnostics"] = later("rubric.diagnostics", "on_push"),
    ["workspace/diagnostic/refresh"] = later("rubric.diagnostics", "on_refresh"),
  }
  if versions.pulls_diagnostics() then
    found["textDocument/diagnostic"] = later("rubric.diagnostics", "on_pull")
  end
  return found
end

-- The commands of the server that are done here, so that what they return is shown.
local shown_here = {
  "rubric.gradeCase",
  "rubric.gradeFile",
  "rubric.gradeCriterion",
  "rubric.generateRubrics",
  "rubric.previewPrompt",
  "rubric.showReport",
}

local function lens_commands()
  local commands = {}
  for _, name in ipairs(shown_here) do
    commands[name] = later("rubric.actions", "run_lens")
  end
  return commands
end

--- Return the folder above a file that holds the first marker that is found at all, or the file's own folder.
--- @param path string
--- @param markers string[]
function M.root_of(path, markers)
  local folder = path ~= "" and vim.fn.fnamemodify(path, ":p:h") or vim.fn.getcwd()
  for _, marker in ipairs(markers) do
    local above = folder
    while true do
      if (vim.uv or vim.loop).fs_stat(above .. "/" .. marker) then
        return above
      end
      local parent = vim.fn.fnamemodify(above, ":h")
      if parent == above then
        break
      end
      above = parent
    end
  end
  return folder
end

--- Return the markers of a root; from 0.11 on `vim.lsp.config` may name others than `setup`.
local function root_markers()
  local configured = vim.lsp.config and (vim.lsp.config[M.name] or {}).root_markers
  return configured and vim.iter(configured):flatten():totable() or options.current.root_markers
end

local function root_of_buffer(buffer)
  return M.root_of(vim.api.nvim_buf_get_name(buffer), root_markers())
end

--- Return the configuration of the server, for `vim.lsp.config` and for `vim.lsp.start` alike.
--- @return table
function M.config()
  local chosen = options.current
  return {
    name = M.name,
    cmd = chosen.cmd,
    filetypes = chosen.filetypes,
    -- From 0.11 on Neovim asks this. Markers would leave a file below none of them without a root, and whether it is
    -- trusted would be decided by the folder in which Neovim was started.
    root_dir = function(buffer, take)
      take(root_of_buffer(buffer))
    end,
    capabilities = capabilities(),
    init_options = initial_settings(),
    settings = { rubric = chosen.settings },
    before_init = function(params, config)
      local trusted = is_trusted(config.root_dir)
      params.initializationOptions = vim.tbl_extend("force", params.initializationOptions or {}, { trusted = trusted })
    end,
    handlers = handlers(),
    on_attach = not versions.announces_clients and function(_, buffer)
      M.on_attach(buffer)
    end or nil,
    commands = lens_commands(),
    on_exit = function(_, _, client)
      -- A process may end at a moment at which little may be called.
      vim.schedule(function()
        require("rubric.grading").on_exit(client)
      end)
    end,
  }
end

--- Return whether the command of the server is installed; if not, notify the user once. A function as `cmd` finds the
--- server itself.
function M.is_installed()
  if type(options.current.cmd) == "function" then
    return true
  end
  local command = options.current.cmd[1]
  if vim.fn.executable(command) == 1 then
    return true
  end
  local message = ("Rubric: command `%s` not found. Install it with `pip install rubric-lsp`."):format(command)
  vim.notify_once(message, vim.log.levels.WARN)
  return false
end

--- Note that the server was given the text of a buffer.
function M.on_attach(buffer)
  require("rubric.tracking").opened(buffer)
end

--- Start the server for a buffer, or attach the buffer to it.
--- @param buffer integer|nil
--- @return integer|nil the number of the client
function M.start(buffer)
  if not buffer or buffer == 0 then
    buffer = vim.api.nvim_get_current_buf()
  end
  if not M.is_installed() then
    return nil
  end
  local config = M.config()
  config.root_dir = root_of_buffer(buffer)
  -- Before 0.11 these take the place of the editor's own.
  config.capabilities =
    vim.tbl_deep_extend("force", vim.lsp.protocol.make_client_capabilities(), config.capabilities)
  return versions.start(config, buffer)
end

--- Return the client of a buffer, or nil.
function M.client_of(buffer)
  return versions.clients(M.name, buffer)[1]
end

return M
