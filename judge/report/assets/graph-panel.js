"use strict";
// What one does with the map: choosing, searching, filtering, the keyboard, and the panel beside it.
(() => {
  const graph = judgeGraph;
  const { KIND, NAME, PATH, PARENT, LINE, END, REACHED, FACTS } = graph.at_;
  const { boxes, arrows, kinds, relations, state, canvas } = graph;
  const { one } = judgePage;
  const make = (tag, text, ...inner) => {
    const element = document.createElement(tag);
    if (text !== undefined && text !== null) element.textContent = text;
    element.append(...inner);
    return element;
  };

  const place = (box) => (box[LINE] ? `${box[PATH]}:${box[LINE]}` : box[PATH]);
  const button = (number, small) => {
    const item = make("button", boxes[number][NAME], ...(small ? [make("small", small)] : []));
    item.type = "button";
    item.addEventListener("click", () => choose(number, true));
    return make("li", null, item);
  };

  const choose = (number, focus = false) => {
    state.chosen = number;
    if (number >= 0) graph.reveal(number); else graph.draw();
    describe(number);
    if (focus && number >= 0) one("#details").focus();
  };

  const describe = (number) => {
    const panel = one("#details");
    panel.replaceChildren();
    if (number < 0) {
      panel.append(make("p", "Choose a box to see what it calls, reads and writes, and what calls it. The larger a box, the more lines it has; hatched ones no entry point gets to."));
      panel.lastChild.className = "dim";
      return;
    }
    const box = boxes[number], kind = kinds[box[KIND]];
    const badge = make("span", kind);
    badge.className = `badge k-${kind}`;
    panel.append(make("h2", null, make("span", box[NAME]), badge));
    const facts = Object.entries(box[FACTS]).filter(([name]) => name !== "signature" && name !== "says");
    if (box[FACTS].signature) panel.append(make("pre", box[FACTS].signature));
    if (box[FACTS].says) panel.append(make("p", box[FACTS].says));
    const list = make("dl");
    const add = (name, value) => { if (value) list.append(make("dt", name), make("dd", value)); };
    add("path", box[PATH] !== box[NAME] ? box[PATH] : "");
    add("lines", box[LINE] ? `${box[LINE]}–${box[END]}` : "");
    add("reached", box[REACHED] === 1 ? "yes" : box[REACHED] === 0 ? "no entry point gets here" : "");
    for (const [name, value] of facts) add(name, value);
    panel.append(list);
    if (box[PARENT] >= 0) links(panel, "Lies in", [[box[PARENT], ""]]);
    neighbours(panel, number);
    const inner = graph.children.get(number) || [];
    links(panel, `Holds ${inner.length}`, inner.map((child) => [child, boxes[child][LINE] ? `line ${boxes[child][LINE]}` : ""]));
  };

  const neighbours = (panel, number) => {
    const own = graph.within(number), inner = new Set(own);
    for (const [table, end, words] of [[graph.leaving, 1, "→"], [graph.entering, 0, "←"]]) {
      const found = new Map();
      for (const box of own) {
        for (const item of table[box]) {
          const [, , relation, line, name] = arrows[item], other = arrows[item][end];
          if (inner.has(other) && own.length > 1) continue;
          if (!found.has(relation)) found.set(relation, new Map());
          const from = end === 1 ? arrows[item][0] : other;
          const note = [name, line ? `line ${line}` : "", from !== number && end === 1 ? `from ${boxes[from][NAME]}` : ""].filter(Boolean).join(", ");
          if (!found.get(relation).has(other)) found.get(relation).set(other, note);
        }
      }
      for (const [relation, others] of found) {
        const items = Array.from(others).map(([other, note]) => [other, [place(boxes[other]), note].filter(Boolean).join(" · ")]);
        links(panel, `${words} ${relations[relation]} (${items.length})`, items);
      }
    }
  };

  const links = (panel, title, items) => {
    if (!items.length) return;
    const list = make("ul");
    list.className = "links";
    const more = (from) => {
      list.append(...items.slice(from, from + 40).map(([number, note]) => button(number, note)));
      if (items.length <= from + 40) return;
      const rest = make("button", `${items.length - from - 40} more`);
      rest.type = "button";
      const row = make("li", null, rest);
      rest.addEventListener("click", () => { row.remove(); more(from + 40); });
      list.append(row);
    };
    more(0);
    panel.append(make("h3", title), list);
  };

  const search = one("#search");
  const texts = boxes.map((box) => `${box[NAME]}\n${box[PATH]}\n${kinds[box[KIND]]}`.toLowerCase());
  const seek = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    state.hits.clear();
    if (words.length) texts.forEach((text, number) => { if (graph.visible(number) && words.every((word) => text.includes(word))) state.hits.add(number); });
    const first = words[0] || "";
    const rank = (number) => {
      const name = boxes[number][NAME].toLowerCase();
      return name === first ? 0 : name.startsWith(first) ? 1 : name.includes(first) ? 2 : 3;
    };
    const ranked = Array.from(state.hits).sort((a, b) => rank(a) - rank(b) || a - b);
    one("#hits").replaceChildren(...ranked.slice(0, 30).map((number) => button(number, `${kinds[boxes[number][KIND]]} · ${place(boxes[number])}`)));
    one("#found").textContent = words.length ? `${state.hits.size.toLocaleString("en")} found${state.hits.size > 30 ? ", 30 listed" : ""}` : "";
    graph.draw();
  };
  let later = 0;
  search.addEventListener("input", () => { clearTimeout(later); later = setTimeout(seek, 120); });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { search.value = ""; seek(); }
    if (event.key === "Enter") { clearTimeout(later); seek(); one("#hits button")?.click(); }
    if (event.key === "ArrowDown") { one("#hits button")?.focus(); event.preventDefault(); }
  });

  for (const box of document.querySelectorAll("#tools input")) {
    box.addEventListener("change", () => {
      if (box.name === "more") state[box.value === "not reached" ? "dead" : "files"] = box.checked;
      else state[box.name][box.checked ? "add" : "delete"](box.value);
      if (search.value) seek();
      graph.draw();
    });
  }

  const pointers = new Map();
  let moved = 0, spread = 0;
  const tip = one("#tip");
  const local = (event) => { const room = canvas.getBoundingClientRect(); return [event.clientX - room.left, event.clientY - room.top]; };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, local(event));
    if (pointers.size === 1) moved = 0;
    spread = 0;
    canvas.classList.add("moving");
  });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = local(event), before = pointers.get(event.pointerId);
    if (!before) { hover(x, y); return; }
    pointers.set(event.pointerId, [x, y]);
    if (pointers.size === 2) {
      const [a, b] = Array.from(pointers.values()), wide = Math.hypot(a[0] - b[0], a[1] - b[1]);
      if (spread) graph.zoom(wide / spread, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
      spread = wide;
      moved = 99;
      return;
    }
    moved += Math.abs(x - before[0]) + Math.abs(y - before[1]);
    if (moved > 4) { graph.move(before[0] - x, before[1] - y); tip.hidden = true; }
  });
  const release = (event) => {
    const known = pointers.delete(event.pointerId);
    if (!pointers.size) canvas.classList.remove("moving");
    if (known && event.type === "pointerup" && moved <= 4) choose(graph.at(...local(event)));
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => { state.hover = -1; tip.hidden = true; graph.draw(); });
  canvas.addEventListener("dblclick", (event) => { const number = graph.at(...local(event)); if (number >= 0) graph.goTo(number); });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const step = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
    graph.zoom(Math.exp(-Math.max(-200, Math.min(200, step)) / 350), ...local(event));
  }, { passive: false });

  const hover = (x, y) => {
    const number = graph.at(x, y);
    if (number !== state.hover) { state.hover = number; graph.draw(); }
    tip.hidden = number < 0;
    if (number < 0) return;
    const box = boxes[number];
    tip.textContent = `${kinds[box[KIND]]} ${box[NAME]}${box[LINE] ? ` · ${box[END] - box[LINE] + 1} lines` : ""}${box[REACHED] === 0 ? " · not reached" : ""}`;
    const room = canvas.getBoundingClientRect();
    tip.style.transform = `translate(${Math.min(x + 14, Math.max(0, room.width - tip.offsetWidth - 8))}px, ${Math.min(y + 16, Math.max(0, room.height - tip.offsetHeight - 8))}px)`;
  };

  const step = (by) => {
    const around = (graph.children.get(state.chosen >= 0 ? boxes[state.chosen][PARENT] : -1) || []).filter(graph.visible);
    if (!around.length) return;
    const now = around.indexOf(state.chosen);
    choose(around[(now + by + around.length) % around.length]);
  };
  const keys = {
    ArrowLeft: () => graph.move(-80, 0), ArrowRight: () => graph.move(80, 0), ArrowUp: () => graph.move(0, -80), ArrowDown: () => graph.move(0, 80),
    "+": () => graph.zoom(1.3), "=": () => graph.zoom(1.3), "-": () => graph.zoom(1 / 1.3), "0": graph.fit,
    "[": () => step(-1), "]": () => step(1),
    Enter: () => { const inner = (graph.children.get(state.chosen) || []).filter(graph.visible); if (inner.length) choose(inner[0]); },
    Backspace: () => { if (state.chosen >= 0) choose(boxes[state.chosen][PARENT]); },
    Escape: () => choose(-1),
  };
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    search.focus();
    event.preventDefault();
  });
  one("#closer").addEventListener("click", () => graph.zoom(1.4));
  one("#farther").addEventListener("click", () => graph.zoom(1 / 1.4));
  one("#fit").addEventListener("click", graph.fit);

  one("#map").hidden = false;
  describe(-1);
  const recolour = judgePage.themed(() => { graph.readColours(); graph.draw(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  new ResizeObserver(graph.resize).observe(canvas.parentElement);
  graph.resize();
})();
