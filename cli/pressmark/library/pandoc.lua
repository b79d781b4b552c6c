-- Turns [[key]] into a citation, so that notes which link to papers become documents that cite them.
-- Written by `pressmark init --pandoc-filter`; change it as you like. Give it before --citeproc:
--   pandoc note.md --lua-filter pandoc/pressmark.lua --citeproc --bibliography references.json
-- [[key]] and [[@key]] cite; [[key|words]] puts the words before the citation; a link to a note, or
-- to a key that the bibliography lacks, becomes its words. Code is left alone.

local known = {}
local any = false

local function remember(doc)
  if pandoc.utils.references then
    -- Only what is cited is told, so everything is: in a copy that goes no further.
    local meta = {}
    for name, value in pairs(doc.meta) do meta[name] = value end
    local all = pandoc.Citation("*", "NormalCitation")
    meta.nocite = pandoc.MetaInlines({ pandoc.Cite({ pandoc.Str("@*") }, { all }) })
    local ok, found = pcall(pandoc.utils.references, pandoc.Pandoc(doc.blocks, meta))
    if ok then
      for _, reference in ipairs(found) do
        known[reference.id:lower()] = reference.id
        any = true
      end
    end
  end
  return nil
end

local function held(key)
  local year = key:match("%d%d%d%d") or "nd"
  local file = io.open("library/" .. year .. "/" .. key .. ".md")
  if file then file:close() end
  return file ~= nil
end

-- The key that a link's target means, or nil for a note.
local function key_of(target)
  local name = target:gsub("#.*$", ""):gsub("%^.*$", ""):gsub("%.md$", "")
  name = name:gsub("^.*/", ""):gsub("^@", ""):gsub("^%s+", ""):gsub("%s+$", "")
  if known[name:lower()] then return known[name:lower()] end
  if not any and name:match("^[%w_-]+$") and held(name) then return name end
  return nil
end

local function words(text)
  local found = pandoc.List()
  for word in text:gmatch("%S+") do
    if #found > 0 then found:insert(pandoc.Space()) end
    found:insert(pandoc.Str(word))
  end
  return found
end

-- What a wikilink with these words between its brackets becomes.
local function linked(inside)
  local target, label = inside:match("^(.-)\\?|(.*)$")
  target = target or inside
  local key = key_of(target)
  local out = pandoc.List()
  if not key then
    local name, heading = target:match("^([^#]*)#?%^?(.*)$")
    local shown = name:gsub("^.*/", ""):gsub("%.md$", ""):gsub("^@", "")
    return words(label or (shown:match("%S") and shown or heading))
  end
  if label and label:match("%S") then
    out:extend(words(label))
    out:insert(pandoc.Space())
  end
  out:insert(pandoc.Cite({ pandoc.Str("[@" .. key .. "]") }, { pandoc.Citation(key, "NormalCitation") }))
  return out
end

-- From the inline at i on, whose text holds [[: what stands before, inside and behind it, and the
-- number of the last inline that it takes; nil where it does not close.
local function whole(inlines, i)
  local text = inlines[i].text
  local start = text:find("[[", 1, true)
  local before, rest, j = text:sub(1, start - 1), text:sub(start + 2), i
  while true do
    local stop = rest:find("]]", 1, true)
    if stop then return before, rest:sub(1, stop - 1), rest:sub(stop + 2), j end
    j = j + 1
    local next = inlines[j]
    if not next then return nil end
    if next.t == "Str" then
      rest = rest .. next.text
    elseif next.t == "Space" or next.t == "SoftBreak" then
      rest = rest .. " "
    else
      return nil
    end
  end
end

local function convert(inlines)
  local out, i = pandoc.List(), 1
  while i <= #inlines do
    local each, cite, close = inlines[i], inlines[i + 1], inlines[i + 2]
    if each.t == "Str" and each.text:sub(-1) == "[" and cite and cite.t == "Cite"
      and close and close.t == "Str" and close.text:sub(1, 1) == "]" then
      -- [[@key]] is read as brackets around a citation.
      local before, after = each.text:sub(1, -2), close.text:sub(2)
      if before ~= "" then out:insert(pandoc.Str(before)) end
      out:insert(cite)
      inlines[i + 2] = pandoc.Str(after)
      i = i + 2
      if after == "" then i = i + 1 end
    elseif each.t == "Str" and each.text:find("[[", 1, true) then
      local before, inside, after, last = whole(inlines, i)
      if before then
        before = before:gsub("!$", "")
        if before ~= "" then out:insert(pandoc.Str(before)) end
        out:extend(linked(inside))
        i = last
        if after ~= "" then inlines[i] = pandoc.Str(after) else i = i + 1 end
      else
        out:insert(each)
        i = i + 1
      end
    else
      out:insert(each)
      i = i + 1
    end
  end
  return out
end

return { { Pandoc = remember }, { Inlines = convert } }
