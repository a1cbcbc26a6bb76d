"use strict";
(() => {
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const root = document.documentElement;

  const theme = one("#theme");
  const stored = () => { try { return localStorage.getItem("judge-theme"); } catch { return null; } };
  const dark = () => root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  const paint = () => { theme.textContent = dark() ? "Light theme" : "Dark theme"; };
  const kept = stored();
  if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  theme.hidden = false;
  theme.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    try { localStorage.setItem("judge-theme", root.dataset.theme); } catch { /* a file may not store */ }
    paint();
  });
  paint();

  const reveal = () => {
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    if (!target) return;
    for (let node = target; node; node = node.parentElement) {
      node.hidden = false;
      if (node.tagName === "DETAILS") node.open = true;
    }
    target.scrollIntoView();
  };
  window.addEventListener("hashchange", reveal);
  document.addEventListener("click", (event) => {
    const link = event.target.closest ? event.target.closest('a[href^="#"]') : null;
    if (link && link.getAttribute("href") === location.hash) reveal();
  });

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
    let timer = 0;
    search.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(apply, 100); });
    document.addEventListener("keydown", (event) => {
      const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName || "");
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey && !search.hidden) {
        event.preventDefault();
        search.focus();
      }
      if (event.key === "Escape" && event.target === search) { search.value = ""; apply(); }
    });
  }
  reveal();
})();
