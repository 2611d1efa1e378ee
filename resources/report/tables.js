// Tables that can be sorted, commands that can be copied, and everything opened for print.
// The page is complete without this script. Texts are only ever set as text; nothing is loaded and nothing is sent.
(function () {
  "use strict";

  const said = document.getElementById("said");

  // ---- sorting: rows move within their own body, so headings and reference rows keep their places ----

  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const NEXT = { none: "ascending", ascending: "descending", descending: "none" };

  function value(row, column, isNumeric) {
    const cell = row.cells[column];
    const text = cell.dataset.sort ?? (isNumeric ? "" : cell.textContent.trim());
    if (!isNumeric) return text;
    const number = text === "" ? NaN : Number(text);
    return number;
  }

  function compare(one, two, isNumeric) {
    // What has no value stands last in either direction.
    const missing = (v) => (isNumeric ? Number.isNaN(v) : v === "");
    if (missing(one.value) || missing(two.value)) return missing(one.value) - missing(two.value);
    const order = isNumeric ? one.value - two.value : collator.compare(one.value, two.value);
    return order * one.sign;
  }

  function sort(table, column, direction, isNumeric) {
    for (const body of table.tBodies) {
      const rows = [...body.rows].filter((row) => !row.classList.contains("group"));
      rows.forEach((row, place) => { row.dataset.place ??= String(place); });
      const sign = direction === "descending" ? -1 : 1;
      const keyed = rows.map((row) => ({ row, sign, value: value(row, column, isNumeric) }));
      const place = (one) => Number(one.row.dataset.place);
      keyed.sort((one, two) =>
        (direction === "none" ? 0 : compare(one, two, isNumeric)) || place(one) - place(two));
      body.append(...keyed.map((one) => one.row));
    }
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
    heads.forEach((head, column) => {
      const label = head.textContent;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.textContent = label;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const direction = NEXT[head.getAttribute("aria-sort") ?? "none"];
        for (const other of heads) other.removeAttribute("aria-sort");
        if (direction !== "none") head.setAttribute("aria-sort", direction);
        sort(table, column, direction, head.classList.contains("number"));
        said.textContent = direction === "none"
          ? say("In the order of the file.")
          : `${say("Sorted by")} ${label}, ${say(direction)}.`;
      });
    });
  }

  // ---- copying ----

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const field = document.createElement("textarea");
      field.value = text;
      (document.querySelector("dialog[open]") ?? document.body).append(field);
      field.select();
      const done = document.execCommand("copy");
      field.remove();
      return done;
    }
  }

  for (const button of document.querySelectorAll("button.copy")) button.hidden = false;
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    const text = button.dataset.text ?? button.parentElement.querySelector("code").textContent;
    const done = await copy(text);
    button.focus();
    said.textContent = say(done ? "Copied." : "The browser did not allow to copy.");
    button.dataset.done = say(done ? "copied" : "not copied");
    window.setTimeout(() => { delete button.dataset.done; }, 2000);
  });

  // ---- paper ----

  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const part of opened) part.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const part of opened) part.open = false;
  });
})();
