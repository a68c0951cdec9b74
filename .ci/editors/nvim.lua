-- Opens the first argument with the recipe in the third, and writes what the editor shows, as JSON, to the second.
local file, out, recipe = arg[1], arg[2], arg[3]

local function try()
  vim.cmd("filetype on")
  dofile(recipe)
  vim.cmd("edit " .. vim.fn.fnameescape(file))
  local buffer = vim.api.nvim_get_current_buf()
  local clients = vim.lsp.get_clients or vim.lsp.get_active_clients
  assert(vim.wait(10000, function() return #clients() > 0 end), "no client")
  local id = clients()[1].id
  assert(vim.wait(10000, function() return #vim.diagnostic.get(buffer) > 0 end), "no diagnostics")

  local shown = {}
  for _, found in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(shown, { line = found.lnum + 1, code = found.code or found.user_data.lsp.code })
  end

  local function ask(method, params)
    params.textDocument = { uri = vim.uri_from_bufnr(buffer) }
    return vim.lsp.buf_request_sync(buffer, method, params, 10000)[id].result
  end

  -- From the reference to the key.
  vim.fn.search("name: credentials, key: password")
  local position = vim.lsp.util.make_position_params(0, "utf-16").position
  local definition = ask("textDocument/definition", { position = position })[1]
  vim.lsp.util.jump_to_location(definition, "utf-16")
  local jumped = vim.api.nvim_get_current_line()

  -- Every certain fix.
  local whole = { start = { line = 0, character = 0 }, ["end"] = { line = 999, character = 0 } }
  local context = { diagnostics = {}, only = { "source.fixAll" } }
  vim.lsp.util.apply_workspace_edit(ask("textDocument/codeAction", { range = whole, context = context })[1].edit, "utf-16")
  local before = #shown
  assert(vim.wait(10000, function() return #vim.diagnostic.get(buffer) < before end), "the fix did not help")
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") .. "\n"
  vim.fn.writefile({ vim.fn.json_encode({ shown = shown, jumped = jumped, text = text }) }, out)
end

local worked, problem = pcall(try)
if not worked then
  io.stderr:write(tostring(problem) .. "\n")
  vim.cmd("cquit")
end
vim.cmd("qall!")
