--- Whether the server can read a text: a message to it is JSON in UTF-8, and one that is not would never be answered.

local M = {}

-- The characters that are no ASCII, by their bytes. Halves of pairs of UTF-16 are none, nor what could be shorter.
local characters = {
  "[\194-\223][\128-\191]",
  "\224[\160-\191][\128-\191]",
  "[\225-\236\238\239][\128-\191][\128-\191]",
  "\237[\128-\159][\128-\191]",
  "\240[\144-\191][\128-\191][\128-\191]",
  "[\241-\243][\128-\191][\128-\191][\128-\191]",
  "\244[\128-\143][\128-\191][\128-\191]",
}

--- Return whether a text is UTF-8.
function M.is_utf8(text)
  if not text:find("[\128-\255]") then
    return true
  end
  for _, character in ipairs(characters) do
    -- Something stays in their place, so that what stood around them does not come together.
    text = text:gsub(character, " ")
  end
  return not text:find("[\128-\255]")
end

--- Return whether a value can be part of a message to the server.
function M.is_sendable(value)
  local is_json, text = pcall(vim.json.encode, value)
  return is_json and M.is_utf8(text)
end

return M
