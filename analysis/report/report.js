// Sorting, filtering and saving of tables. The page is complete without it.
"use strict";
(() => {
  const text = (cell) => (cell.firstChild ? cell.firstChild.textContent : "").trim();
  const number = (cell) => parseFloat(text(cell).replace(/,/g, "").replace("\u2212", "-"));
  const words = new Intl.Collator("en", { numeric: true }).compare;

  function compare(a, b, column, numeric) {
    const [x, y] = [a.cells[column], b.cells[column]];
    if (!numeric) return words(text(x), text(y));
    const [p, q] = [number(x), number(y)];
    return Number.isNaN(p) || Number.isNaN(q) ? 0 : p - q;
  }

  function sort(table, column, down) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const known = rows.filter((row) => !["", "-", "−"].includes(text(row.cells[column])));
    const rest = rows.filter((row) => !known.includes(row));
    const numeric = known.every((row) => !Number.isNaN(number(row.cells[column])));
    known.sort((a, b) => (down ? -1 : 1) * compare(a, b, column, numeric));
    body.append(...known, ...rest);
  }

  function sortable(table) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(table, column, down);
      });
    });
  }

  function filter(table, name) {
    const label = document.createElement("label");
    const input = document.createElement("input");
    const count = document.createElement("span");
    input.type = "search";
    input.placeholder = "words in a row";
    count.setAttribute("role", "status");
    label.append("Filter ", input);
    input.addEventListener("input", () => {
      const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of table.tBodies[0].rows) {
        const content = row.textContent.toLowerCase();
        row.hidden = !wanted.every((word) => content.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      count.textContent = wanted.length ? `${shown} of ${table.tBodies[0].rows.length} rows` : "";
    });
    return [label, count];
  }

  function csv(table) {
    const quote = (value) => (/[",\n]/.test(value) ? `"${value.replace(/"/g, '""')}"` : value);
    const fields = (row) =>
      [...row.cells].flatMap((cell) => {
        const interval = cell.querySelector(".interval");
        return interval ? [text(cell), interval.textContent] : [cell.textContent.trim()];
      });
    const wide = [...table.tBodies[0].rows].find((row) => !row.hidden);
    const head = [...table.tHead.rows[0].cells].flatMap((cell, i) => {
      const name = cell.textContent.trim();
      return wide && wide.cells[i].querySelector(".interval") ? [name, `${name}, interval`] : [name];
    });
    const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden).map(fields);
    return [head, ...rows].map((row) => row.map(quote).join(",")).join("\n") + "\n";
  }

  function save(table, name) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Save as CSV";
    button.addEventListener("click", () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob(["\ufeff", csv(table)], { type: "text/csv" }));
      link.download = `${name.toLowerCase().replace(/[^a-z0-9]+/g, "_")}.csv`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
    return button;
  }

  for (const area of document.querySelectorAll(".scroll")) {
    const table = area.querySelector("table");
    const tools = document.createElement("div");
    const name = area.getAttribute("aria-label");
    tools.className = "tools";
    if (table.tBodies[0].rows.length > 1) sortable(table);
    if (table.tBodies[0].rows.length > 7) tools.append(...filter(table, name));
    tools.append(save(table, name));
    area.before(tools);
  }
})();
