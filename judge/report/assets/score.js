"use strict";
(() => {
  const { one, all } = judgePage;
  judgePage.themed();

  const table = one(".overview table");
  if (table) {
    const body = one("tbody", table);
    const rows = Array.from(body.rows);
    const heads = all("th", table);
    const value = (row, place) => {
      const text = row.cells[place].textContent;
      const number = parseFloat(text);
      return Number.isNaN(number) ? text : number;
    };
    heads.forEach((head, place) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") === "descending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        rows.sort((a, b) => {
          const x = place ? value(a, place) : a.cells[0].textContent;
          const y = place ? value(b, place) : b.cells[0].textContent;
          const order = typeof x === typeof y ? (x < y ? -1 : x > y ? 1 : 0) : typeof x === "number" ? 1 : -1;
          return up ? order : -order;
        });
        body.replaceChildren(...rows);
      });
    });

    const search = one("#search");
    const parts = all(".submission");
    if (rows.length > 5) search.hidden = false;
    const apply = () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        const part = document.getElementById(one("a", row).getAttribute("href").slice(1));
        if (part && parts.includes(part)) part.hidden = row.hidden;
      }
    };
    judgePage.searching(search, apply, () => { search.value = ""; apply(); });
  }
  judgePage.revealing((node) => { node.hidden = false; })();
})();
