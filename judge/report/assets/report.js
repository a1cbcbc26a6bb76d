"use strict";
(() => {
  const { one, all } = judgePage;
  const root = document.documentElement;
  judgePage.themed();

  const tools = one("#tools");
  const search = one("#search");
  const found = one("#found");
  const clear = one("#reset");
  const differs = one("#differs");
  const category = one("#category");
  const run = one("#run");
  const states = all('input[name="state"]');
  const cards = all(".card");
  const texts = new Map();
  const textOf = (card) => {
    let text = texts.get(card);
    if (text === undefined) {
      const parts = [one("h3", card.closest(".task")).textContent];
      for (const child of card.children) {
        if (!child.classList.contains("evidence")) parts.push(child.textContent);
      }
      text = parts.join(" ").toLowerCase();
      texts.set(card, text);
    }
    return text;
  };

  const apply = () => {
    const wanted = new Set(states.filter((box) => box.checked).map((box) => box.value));
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const card of cards) {
      const fits = wanted.has(card.dataset.state)
        && (!category || !category.value || card.dataset.category === category.value)
        && (!run || !run.value || card.closest(".run").id === run.value)
        && (!differs || !differs.checked || "differs" in card.dataset)
        && words.every((word) => textOf(card).includes(word));
      card.hidden = !fits;
      if (fits) shown += 1;
    }
    const filtered = shown < cards.length;
    for (const task of all(".task")) task.hidden = filtered && !one(".card:not([hidden])", task);
    for (const part of all(".run")) part.hidden = filtered && !one(".card:not([hidden])", part);
    root.classList.toggle("filtered", filtered);
    clear.hidden = !filtered;
    found.textContent = filtered
      ? `${shown.toLocaleString("en")} of ${cards.length.toLocaleString("en")} requirements`
      : `${cards.length.toLocaleString("en")} requirements`;
  };

  const reset = () => {
    search.value = "";
    for (const box of states) box.checked = true;
    if (differs) differs.checked = false;
    if (category) category.value = "";
    if (run) run.value = "";
    apply();
  };

  judgePage.searching(search, apply, reset);
  for (const control of [...states, differs, category, run]) {
    if (control) control.addEventListener("change", apply);
  }
  clear.addEventListener("click", () => { reset(); search.focus(); });
  window.addEventListener("beforeprint", () => {
    for (const item of all("details.citations")) item.open = true;
  });
  tools.hidden = false;
  apply();
  judgePage.revealing(reset)();
})();
