/* Search, citation cards and copy buttons. Loads nothing but files of this site; without it every
   page still reads, links and prints. */
(() => {
  "use strict";
  const base = new URL("..", document.currentScript.src).href;
  const SHOWN = 8;
  const FILTERS = { kind: "Kind", type: "Type", year: "Year", tag: "Tag", topic: "Topic", venue: "Venue" };
  const TYPES = {
    article: "preprint", "article-journal": "journal article", "paper-conference": "conference paper",
    "article-magazine": "magazine article", "article-newspaper": "newspaper article",
  };
  const OPTIONS = 300;

  /** An element with attributes and children; text is never read as HTML. */
  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes))
      if (value === true) element.setAttribute(key, "");
      else if (value !== false && value != null) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  // The index

  let engine;
  const pagefind = () => (engine ??= (async () => {
    const found = await import(base + "pagefind/pagefind.js");
    await found.options({ baseUrl: new URL(base).pathname, excerptLength: 24, noWorker: true });
    await found.init();
    return found;
  })());

  let titles;
  /** Titles alone: what is left where a browser may load no index, as from a folder on disk. */
  const fromTitles = async (query, filters) => {
    titles ??= new Promise((resolve, reject) => {
      const script = make("script", { src: base + "assets/titles.js" });
      script.onload = () => resolve(window.pressmarkTitles || []);
      script.onerror = () => reject(new Error("no list of titles"));
      document.head.append(script);
    });
    const fold = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
    const words = fold(query).split(/\s+/).filter(Boolean);
    const kinds = filters.kind;
    const held = (await titles).filter(([title, by, , kind]) =>
      words.every(word => fold(title + " " + by).includes(word)) && (!kinds || kinds === kind));
    return {
      total: held.length, counts: null,
      take: async (from, to) => held.slice(from, to).map(([title, by, url]) =>
        ({ title, by, url: base + url, excerpt: "" })),
    };
  };

  const fromIndex = async (query, filters) => {
    const found = await pagefind();
    const answer = await found.search(query || null, { filters, sort: query ? {} : { year: "desc" } });
    return {
      total: answer.results.length, counts: answer.filters,
      take: async (from, to) => Promise.all(answer.results.slice(from, to).map(async each => {
        const data = await each.data();
        return { title: data.meta.title, by: data.meta.by, url: data.url, excerpt: data.excerpt };
      })),
    };
  };

  let indexed = location.protocol !== "file:";
  const ask = async (query, filters) => {
    if (indexed) {
      try {
        return await fromIndex(query, filters);
      } catch (problem) {
        indexed = false;
        console.warn("The search index cannot be read, titles are searched instead:", problem);
      }
    }
    return fromTitles(query, filters);
  };

  /** An excerpt with its marks; whatever else stands in it is text. */
  const excerpt = html => {
    const out = document.createDocumentFragment();
    const plain = text => text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, '"')
      .replace(/&#x27;|&#39;/g, "'").replace(/&amp;/g, "&");
    html.split(/<mark>|<\/mark>/).forEach((part, n) =>
      out.append(n % 2 ? make("mark", {}, plain(part)) : plain(part)));
    return out;
  };

  // The form and its answers

  let number = 0;
  const searcher = (place, { page }) => {
    const id = `pm-search-${number += 1}`;
    const input = make("input", {
      id, type: "search", name: "q", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
      placeholder: "Words, authors, a year …", "aria-controls": `${id}-results`,
    });
    const status = make("p", { class: "pm-status", role: "status" });
    const results = make("ol", { class: "pm-results", id: `${id}-results` });
    const more = make("button", { type: "button", class: "pm-more-results", hidden: true }, "Show more");
    const selects = {};
    const filters = make("div", { class: "pm-selects" });
    for (const [name, words] of Object.entries(FILTERS)) {
      selects[name] = make("select", { name, id: `${id}-${name}` });
      selects[name].append(make("option", { value: "" }, "any"));
      filters.append(make("label", { for: `${id}-${name}`, hidden: true }, words + " ", selects[name]));
    }
    const fold = make("details", { class: "pm-filters" }, make("summary", {}, "Filters"), filters);
    const form = make("form", { role: "search", class: "pm-form" },
      make("label", { for: id, class: "pm-hidden" }, "Search this library"), input);
    const texts = place.dataset.pmTexts != null;
    const full = make("input", { type: "checkbox", name: "texts", id: `${id}-texts` });
    if (texts) filters.append(make("label", { for: `${id}-texts` }, full, " full texts too"));
    place.append(form, fold, status, results, more);

    const chosen = () => Object.fromEntries(
      Object.entries(selects).filter(([, each]) => each.value).map(([name, each]) => [name, each.value]));

    /** The values of each filter with what each would leave; asked for when somebody looks. */
    const fill = counts => {
      for (const [name, select] of Object.entries(selects)) {
        const kept = select.value;
        const values = Object.entries((counts || {})[name] || {}).filter(([value, n]) => n || value === kept);
        values.sort(name === "year" ? (a, b) => b[0].localeCompare(a[0])
          : (a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
        select.replaceChildren(make("option", { value: "" }, "any"));
        for (const [value, n] of values.slice(0, OPTIONS))
          select.append(make("option", { value, selected: value === kept },
            `${name === "type" ? TYPES[value] || value : value} (${n})`));
        select.parentElement.hidden = !values.length;
      }
    };

    let turn = 0, answer, shown = 0;
    const show = async () => {
      const mine = turn;
      const some = await answer.take(shown, shown + SHOWN);
      if (mine !== turn) return;
      for (const each of some)
        results.append(make("li", {}, make("a", { href: each.url }, each.title),
          make("span", { class: "pm-by" }, each.by || ""),
          make("p", {}, excerpt(each.excerpt || ""))));
      shown += some.length;
      more.hidden = shown >= answer.total;
    };

    const run = async () => {
      const mine = turn += 1;
      const query = input.value.trim(), narrowed = chosen();
      if (page) {
        const search = new URLSearchParams({ ...(query && { q: query }), ...narrowed });
        history.replaceState(null, "", location.pathname + (search.size ? "?" + search : "") + location.hash);
      }
      if (!query && !Object.keys(narrowed).length) {
        results.replaceChildren();
        status.textContent = "";
        more.hidden = true;
        if (fold.open && indexed) fill(await (await pagefind()).filters());
        return;
      }
      status.textContent = "Searching …";
      try {
        const found = await ask(query, narrowed);
        if (mine !== turn) return;
        answer = found;
        shown = 0;
        results.replaceChildren();
        status.textContent = found.total === 1 ? "1 result" : `${found.total.toLocaleString("en")} results`;
        if (!indexed) status.textContent += ", among titles and authors";
        if (fold.open && found.counts) fill(found.counts);
        await show();
      } catch (problem) {
        status.textContent = "The search cannot be read here.";
        console.warn(problem);
      }
    };

    let waiting;
    const soon = () => { clearTimeout(waiting); waiting = setTimeout(run, 160); };
    input.addEventListener("input", soon);
    form.addEventListener("submit", event => { event.preventDefault(); run(); });
    filters.addEventListener("change", async event => {
      if (event.target === full && full.checked && indexed)
        await (await pagefind()).mergeIndex(base + "pagefind-texts");
      run();
    });
    fold.addEventListener("toggle", async () => {
      if (!fold.open || !indexed) return;
      // Pagefind counts for a search only what it has read of the filters.
      fill(await (await pagefind()).filters());
      if (input.value.trim() || Object.keys(chosen()).length) run();
    });
    more.addEventListener("click", async () => {
      const before = results.children.length;
      await show();
      results.children[before]?.querySelector("a").focus();
    });
    place.addEventListener("keydown", event => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      const links = [...results.querySelectorAll("a")];
      const at = links.indexOf(document.activeElement);
      if (at < 0 && document.activeElement !== input) return;
      event.preventDefault();
      const next = event.key === "ArrowDown" ? at + 1 : at - 1;
      (next < 0 ? input : links[Math.min(next, links.length - 1)])?.focus();
    });

    if (page) {
      const asked = new URLSearchParams(location.search);
      input.value = asked.get("q") || "";
      for (const name of Object.keys(FILTERS)) {
        const value = asked.get(name);
        if (!value) continue;
        selects[name].append(make("option", { value, selected: true }, value));
        selects[name].parentElement.hidden = false;
        fold.open = true;
      }
      run();
    }
    return input;
  };

  let dialog, field;
  const open = () => {
    const inPage = document.querySelector("[data-pm-search] input[type=search]");
    if (inPage) return inPage.focus();
    if (!dialog) {
      const body = make("div", { class: "pm-search" });
      const close = make("button", { type: "button", class: "pm-close", "aria-label": "Close" }, "×");
      dialog = make("dialog", { class: "pm-dialog md-typeset", "aria-label": "Search" }, close, body);
      document.body.append(dialog);
      field = searcher(body, { page: false });
      const hint = [["↓", "next result"], ["↑", "back"], ["Enter", "open"], ["Esc", "close"]];
      body.append(make("p", { class: "pm-hint" }, ...hint.flatMap(([key, words], n) =>
        [n ? " · " : "", make("kbd", {}, key), " " + words])));
      close.addEventListener("click", () => dialog.close());
      // In a search field the key would only empty it.
      dialog.addEventListener("keydown", event => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        dialog.close();
      });
      dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });
    }
    dialog.showModal();
    field.select();
  };

  const typing = () => /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName || "")
    || document.activeElement?.isContentEditable;

  document.addEventListener("click", event => {
    const opener = event.target.closest?.("[data-pm-open]");
    if (!opener || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  document.addEventListener("keydown", event => {
    const slash = event.key === "/" && !event.metaKey && !event.ctrlKey && !event.altKey && !typing();
    const command = event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey);
    if (!slash && !command) return;
    event.preventDefault();
    open();
  });

  // A card for a citation: its line of the bibliography below

  let card, hiding;
  const hide = () => { card?.remove(); card = null; };
  /** The entry that a citation stands for: of this page's bibliography, or of a full text's list. */
  const entry = link => link.matches(".pm-mark") ? link.hash.slice(1) : "ref-" + link.dataset.key;
  const reveal = link => {
    const key = entry(link), anchor = document.getElementById(key);
    if (!anchor || link.closest(".pm-bibliography, .pm-card")) return;
    clearTimeout(hiding);
    if (card?.dataset.key === key) return;
    hide();
    card = make("div", { class: "pm-card md-typeset", role: "tooltip", id: "pm-card", "data-key": key });
    const line = anchor.parentElement.cloneNode(true);
    line.querySelectorAll("[id], .Z3988, .pm-back").forEach(each => each.remove());
    card.append(...line.childNodes);
    document.body.append(card);
    const at = link.getBoundingClientRect(), size = card.getBoundingClientRect();
    const left = Math.max(8, Math.min(at.left, innerWidth - size.width - 8));
    const below = at.bottom + size.height + 12 < innerHeight;
    card.style.left = left + scrollX + "px";
    card.style.top = (below ? at.bottom + 6 : at.top - size.height - 6) + scrollY + "px";
    link.setAttribute("aria-describedby", "pm-card");
    card.addEventListener("mouseenter", () => clearTimeout(hiding));
    card.addEventListener("mouseleave", later);
  };
  const later = () => { clearTimeout(hiding); hiding = setTimeout(hide, 200); };
  for (const name of ["mouseover", "focusin"])
    document.addEventListener(name, event => {
      const link = event.target.closest?.("a.pm-cite, a.pm-mark");
      if (link) reveal(link);
    });
  for (const name of ["mouseout", "focusout"])
    document.addEventListener(name, event => {
      if (event.target.closest?.("a.pm-cite, a.pm-mark")) later();
    });
  document.addEventListener("keydown", event => { if (event.key === "Escape") hide(); });

  // Copying a citation

  const copy = async text => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", { class: "pm-hidden" });
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };
  /** A button that copies and says so, to the eye and to a screen reader. */
  const copier = (words, text, said) => {
    const button = make("button", { type: "button" }, words);
    button.addEventListener("click", async () => {
      await copy(text());
      button.textContent = "Copied";
      said.textContent = words + " copied";
      setTimeout(() => { button.textContent = words; }, 1500);
    });
    return button;
  };
  const copies = scope => {
    const first = scope.querySelector(".pm-formatted");
    if (!first || scope.querySelector(".pm-copies")) return;
    const row = make("div", { class: "pm-copies" });
    const said = make("span", { role: "status", class: "pm-hidden" });
    const add = (words, text) => row.append(copier(words, text, said));
    add("Citation", () => first.textContent.trim());
    for (const format of scope.querySelectorAll(".pm-format"))
      add(format.querySelector("summary").textContent, () => format.querySelector("code").textContent);
    row.append(said);
    first.after(row);
    const bibtex = scope.querySelector(".pm-format code");
    if (bibtex)
      scope.querySelector(".pm-actions")?.append(copier("Copy BibTeX", () => bibtex.textContent, said));
  };

  // A passage of a full text, copied as a note quotes it

  let passage;
  const quote = () => {
    passage?.remove();
    passage = null;
    const source = document.querySelector(".pm-source"), chosen = getSelection();
    if (!source || chosen.isCollapsed || !chosen.rangeCount) return;
    const range = chosen.getRangeAt(0), within = source.closest(".pm-page");
    const words = chosen.toString().replace(/\s+/g, " ").trim();
    if (words.length < 8 || !within.contains(range.commonAncestorContainer)) return;
    const before = [...within.querySelectorAll(".pm-leaf")].filter(each =>
      range.comparePoint(each, 0) < 0);
    const page = before.at(-1)?.id.slice(5);
    passage = make("button", { type: "button", class: "pm-passage" }, "Copy as quotation");
    // The selection must outlive the press.
    passage.addEventListener("mousedown", event => event.preventDefault());
    passage.addEventListener("click", async () => {
      await copy(`> ${words} [@${source.dataset.key}${page ? ", p. " + page : ""}]`);
      passage.textContent = "Copied";
      setTimeout(() => passage?.remove(), 1200);
    });
    document.body.append(passage);
    const at = range.getBoundingClientRect(), size = passage.getBoundingClientRect();
    passage.style.left = Math.max(8, Math.min(at.left, innerWidth - size.width - 8)) + scrollX + "px";
    passage.style.top = at.bottom + 8 + scrollY + "px";
  };
  let choosing;
  document.addEventListener("selectionchange", () => {
    clearTimeout(choosing);
    choosing = setTimeout(quote, 250);
  });

  // The scheme: the system's, until somebody chooses the other one

  const dark = matchMedia("(prefers-color-scheme: dark)");
  /** The two options of a palette that follows the system; none of any other palette. */
  const schemes = () => {
    const all = [...document.querySelectorAll("input[name=__palette]")];
    return all.length === 2 && all.every(each => /: (light|dark)/.test(each.dataset.mdColorMedia)) ? all : [];
  };
  const isDark = input => input.dataset.mdColorMedia.includes("dark");
  let own = false;
  document.addEventListener("change", event => {
    if (own || !schemes().includes(event.target)) return;
    __md_set("__chosen", isDark(event.target) !== dark.matches);
  });
  dark.addEventListener("change", () => {
    const wanted = schemes().find(each => isDark(each) === dark.matches);
    if (__md_get("__chosen") || !wanted || wanted.checked) return;
    own = true;
    wanted.click();
    own = false;
  });

  // The theme's menu is a checkbox that only a pointer reaches

  const menu = () => {
    const drawer = document.getElementById("__drawer");
    const opener = document.querySelector(".md-header label[for=__drawer]");
    if (!drawer || !opener || opener.hasAttribute("role")) return;
    const told = () => opener.setAttribute("aria-expanded", String(drawer.checked));
    for (const [name, value] of Object.entries({ role: "button", tabindex: "0", "aria-label": "Menu" }))
      opener.setAttribute(name, value);
    told();
    drawer.addEventListener("change", told);
    opener.addEventListener("keydown", event => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      // The theme clicks a label on Enter, and takes the focus from it; other versions need not.
      const wanted = !drawer.checked;
      setTimeout(() => {
        if (drawer.checked !== wanted) drawer.click();
        const links = [...document.querySelectorAll(".md-sidebar--primary .md-nav a[href]")];
        (wanted ? links.find(each => each.offsetParent && !each.closest(".md-nav__title")) : opener)?.focus();
      }, 60);
    });
    document.addEventListener("keydown", event => {
      if (event.key !== "Escape" || !drawer.checked) return;
      drawer.click();
      opener.focus();
    });
  };

  const ready = () => {
    menu();
    // What scrolls sideways can be scrolled with the keyboard.
    for (const each of document.querySelectorAll(".pm-table, .md-typeset math[display=block]"))
      if (each.scrollWidth > each.clientWidth + 1) {
        each.tabIndex = 0;
        if (each.matches(".pm-table")) each.setAttribute("role", "region"), each.setAttribute("aria-label", "Table");
      }
    document.querySelectorAll(".pm-reference").forEach(copies);
    for (const place of document.querySelectorAll("[data-pm-search]"))
      if (!place.querySelector("form")) searcher(place, { page: true });
  };
  // Material says when it has put another page in place of this one.
  if (window.document$?.subscribe) window.document$.subscribe(ready);
  else ready();
})();
