"use strict";
// What every report has: the theme button, links that open what they lead to, and the keys of its search.
const judgePage = (() => {
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const root = document.documentElement;

  const theme = one("#theme");
  const dark = () => root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  // Sets the button up and paints; `painted` is told of each time, and what comes back paints again.
  const themed = (painted = () => {}) => {
    const paint = () => {
      theme.textContent = dark() ? "Light theme" : "Dark theme";
      painted();
    };
    try {
      const kept = localStorage.getItem("judge-theme");
      if (kept === "dark" || kept === "light") root.dataset.theme = kept;
    } catch { /* a file may not store */ }
    theme.hidden = false;
    theme.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      try { localStorage.setItem("judge-theme", root.dataset.theme); } catch { /* a file may not store */ }
      paint();
    });
    paint();
    return paint;
  };

  // Opens all that is folded around the target of a link; `show` is asked to show what is hidden.
  const revealing = (show) => {
    const reveal = () => {
      const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
      if (!target) return;
      for (let node = target; node; node = node.parentElement) {
        if (node.tagName === "DETAILS") node.open = true;
        if (node.hidden) show(node);
      }
      target.scrollIntoView();
    };
    window.addEventListener("hashchange", reveal);
    document.addEventListener("click", (event) => {
      const link = event.target.closest ? event.target.closest('a[href^="#"]') : null;
      if (link && link.getAttribute("href") === location.hash) reveal();
    });
    return reveal;
  };

  const searching = (search, apply, reset) => {
    let timer = 0;
    search.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(apply, 100); });
    document.addEventListener("keydown", (event) => {
      const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName || "");
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey && !search.hidden) {
        event.preventDefault();
        search.focus();
      }
      if (event.key === "Escape" && event.target === search) reset();
    });
  };
  return { one, all, themed, revealing, searching };
})();
