-- Run by headless Neovim: does in a buffer what a person does, and prints what the editor then has.
local root, command = vim.env.LIBRARY, vim.json and vim.json.decode(vim.env.COMMAND) or vim.fn.json_decode(vim.env.COMMAND)
local encode = vim.json and vim.json.encode or vim.fn.json_encode
local function say(name, value) io.stdout:write(encode({ [name] = value }) .. "\n") end

local function wait(what, ready)
  if not vim.wait(30000, ready, 50) then
    say("failed", what)
    vim.cmd("cquit")
  end
end

-- As the guide has it for 0.11 and later, in init.lua: before any file is open.
local enabled = vim.lsp.enable and vim.lsp.config and true or false
if enabled then
  vim.lsp.config("pressmark", {
    cmd = command, filetypes = { "markdown", "tex", "typst", "org", "rst" },
    root_markers = { "pressmark.toml", ".git" }, init_options = { inlayHints = true },
  })
  vim.lsp.enable("pressmark")
end
vim.cmd("edit " .. vim.fn.fnameescape(root .. "/notes/branching.md"))
local buffer = vim.api.nvim_get_current_buf()
vim.bo[buffer].filetype = "markdown"
if not enabled then
  local found = vim.fs and vim.fs.find({ "pressmark.toml" }, { upward = true, path = root .. "/notes" })[1]
  local folder = found and vim.fs.dirname(found) or root
  local id = vim.lsp.start_client({ name = "pressmark", cmd = command, root_dir = folder })
  vim.lsp.buf_attach_client(buffer, id)
end
say("attached", enabled and "enable" or "start_client")

local function clients()
  local get = vim.lsp.get_clients or vim.lsp.get_active_clients
  return get({ bufnr = buffer })
end
wait("initialized", function() return #clients() > 0 and (clients()[1].initialized or clients()[1].server_capabilities) end)
local client = clients()[1]
say("name", client.name)

local function request(method, params)
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 20000) or {}
  for _, answer in pairs(answers) do return answer.result end
end
local function here(line, character)
  return { textDocument = { uri = vim.uri_from_bufnr(buffer) }, position = { line = line, character = character } }
end

-- The library is read when it completes something.
vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { "See [@sim" })
local last = vim.api.nvim_buf_line_count(buffer) - 1
local items
wait("completion", function()
  local found = request("textDocument/completion", here(last, 9))
  items = found and found.items or {}
  return #items > 0
end)
say("completion", { items[1].label, items[1].textEdit.newText })

-- What a person types with CTRL-X CTRL-O.
vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc"
vim.api.nvim_win_set_cursor(0, { last + 1, 9 })
vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes("A<C-x><C-o>", true, false, true), "n", false)
vim.api.nvim_feedkeys("", "x", false)

say("hover", (request("textDocument/hover", here(9, 20)) or {}).contents.value)
local there = request("textDocument/definition", here(9, 20))
say("definition", (there.uri or there[1].uri):match("[^/]+$"))

vim.api.nvim_buf_set_lines(buffer, last, last + 1, false, { "See [@simic2017river] and [[reeds]]." })
wait("diagnostics", function() return #vim.diagnostic.get(buffer) > 0 end)
local found = vim.diagnostic.get(buffer)[1]
say("diagnostic", { found.code, found.lnum, found.col, found.source })

local edit = request("textDocument/rename", vim.tbl_extend("force", here(9, 20), { newName = "simic2016x" }))
vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding or "utf-16")
say("renamed", vim.api.nvim_buf_get_lines(buffer, 9, 10, false)[1])
vim.cmd("silent! wall")
say("file", vim.fn.filereadable(root .. "/library/2016/simic2016x.md"))
vim.cmd("qall!")
