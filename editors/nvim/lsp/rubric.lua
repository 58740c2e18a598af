--- For Neovim 0.11 and later: `vim.lsp.enable("rubric")` starts the server for eval files.
return require("rubric.server").config()
