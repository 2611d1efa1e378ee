// Rows of a table's file by the names that manuscripts cite them by: #row/TABLE/NAME, as showing/tables/cited_cells.py forms it.
(function () {
  "use strict";

  const ODD = /[^\p{L}\p{N}_.+:,=()'-]+/gu;
  const PLACE = /^#row\/([^/]+)\/(.+)$/s;

  // Cells may be quoted and hold line breaks; an apostrophe keeps spreadsheets from changing some.
  function parsed(text) {
    const rows = [[]];
    for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
      const cell = quoted === undefined ? plain : quoted.replaceAll('""', '"');
      rows.at(-1).push(cell.replace(/^'(?=[=+\-@\t])/, ""));
      if (end !== ",") rows.push([]);
    }
    return rows.filter((row) => row.length > 1 || row[0]);
  }

  function file(section) {
    const [, coded] = section.querySelector("a.file").href.split(",");
    const bytes = Uint8Array.from(atob(coded), (one) => one.charCodeAt(0));
    const [header, ...rows] = parsed(new TextDecoder().decode(bytes));
    const naming = JSON.parse(section.dataset.naming).map((name) => header.indexOf(name));
    const seen = new Map();
    return rows.map((cells) => {
      const name = naming.map((place) => cells[place]).filter(Boolean).map((one) => one.replace(ODD, "_")).join("/");
      seen.set(name, (seen.get(name) ?? 0) + 1);
      return { header, cells, name: seen.get(name) > 1 ? `${name}~${seen.get(name)}` : name };
    });
  }

  function add(parent, tag, text) {
    const made = parent.appendChild(document.createElement(tag));
    if (text) made.textContent = text;
    return made;
  }

  // A comparison is cited in either order of its two models.
  function turned(name) {
    const parts = name.split("/");
    return [...parts.slice(0, -2), ...parts.slice(-2).reverse()].join("/");
  }

  function show() {
    let hash = location.hash;
    try { hash = decodeURIComponent(hash); } catch { /* taken as it stands */ }
    const [, table, name] = hash.match(PLACE) ?? [];
    const section = table && document.getElementById(`table-${table}`);
    if (!section?.dataset.naming) return;
    document.getElementById("cited-row")?.remove();
    const rows = file(section);
    const row = rows.find((one) => one.name === name) ?? rows.find((one) => one.name === turned(name));
    const panel = document.createElement("div");
    panel.id = "cited-row";
    panel.tabIndex = -1;
    section.querySelector("h3").after(panel);
    const title = add(panel, "p");
    add(title, "strong", say(row ? "Row" : "There is no such row:"));
    title.append(" ");
    add(title, "code", row ? row.name : name);
    if (row) {
      const facts = add(panel, "dl");
      facts.className = "facts";
      row.header.forEach((column, place) => {
        const fact = add(facts, "div");
        add(fact, "dt", column);
        add(fact, "dd", row.cells[place] || "–");
      });
      const files = add(panel, "p");
      files.className = "command";
      add(files, "code", section.dataset.why);
      files.append(" ");
      const button = add(files, "button", say("Copy"));
      button.type = "button";
      button.className = "copy";
    }
    panel.focus();
    panel.scrollIntoView({ block: "start" });
  }

  for (const names of document.querySelectorAll("details.named")) {
    names.hidden = false;
    names.addEventListener("toggle", () => {
      if (!names.open || names.querySelector("ul")) return;
      const section = names.closest("section");
      const list = add(names, "ul");
      for (const { name } of file(section)) {
        const link = add(add(list, "li"), "a", name);
        link.href = `#row/${section.id.replace("table-", "")}/${name}`;
      }
    });
  }
  window.addEventListener("hashchange", show);
  show();
})();
