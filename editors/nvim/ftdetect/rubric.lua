-- Older versions of Neovim do not know JSON Lines. What somebody chose for these files already stays.
vim.api.nvim_create_autocmd({ "BufNewFile", "BufRead" }, { pattern = "*.jsonl", command = "setfiletype jsonl" })
