"use strict";
// The map itself: boxes in boxes on a canvas, where one looks at, and what is drawn at which size.
const judgeGraph = (() => {
  const one = (selector) => document.querySelector(selector);
  const data = JSON.parse(one("#data").textContent);
  const KIND = 0, NAME = 1, PATH = 2, PARENT = 3, X = 4, Y = 5, W = 6, H = 7, LINE = 8, END = 9, REACHED = 10, FACTS = 11;
  const { boxes, arrows, kinds, relations } = data;
  const canvas = one("#canvas");
  const pen = canvas.getContext("2d");
  const state = { chosen: -1, hover: -1, hits: new Set(), kinds: new Set(kinds), relations: new Set(relations), dead: false, files: false };
  const eye = { x: 0, y: 0, scale: 1 };
  let width = 1, height = 1, colours = {}, waiting = false;

  const children = new Map();
  boxes.forEach((box, number) => {
    if (!children.has(box[PARENT])) children.set(box[PARENT], []);
    children.get(box[PARENT]).push(number);
  });

  const leaving = boxes.map(() => []), entering = boxes.map(() => []);
  arrows.forEach((arrow, number) => { leaving[arrow[0]].push(number); entering[arrow[1]].push(number); });

  const holder = (number) => {
    while (number >= 0 && !["module", "file", "artefact", "config", "package"].includes(kinds[boxes[number][KIND]])) number = boxes[number][PARENT];
    return number;
  };
  const within = (number) => {
    const found = [number];
    for (let at = 0; at < found.length; at += 1) for (const child of children.get(found[at]) || []) found.push(child);
    return found;
  };
  const visible = (number) => state.kinds.has(kinds[boxes[number][KIND]]);

  const readColours = () => {
    const style = getComputedStyle(document.documentElement);
    const get = (name) => style.getPropertyValue(name).trim();
    colours = { kind: kinds.map((kind) => get(`--k-${kind}`) || get("--k-file")) };
    for (const name of ["edge", "in", "out", "tests", "dead", "text", "accent", "mark", "mark-edge", "dim", "card"]) colours[name] = get(`--${name}`);
  };

  const draw = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; paint(); });
  };

  const paint = () => {
    const ratio = window.devicePixelRatio || 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = colours.card;
    pen.fillRect(0, 0, width, height);
    boxes.forEach((box, number) => { if (visible(number)) paintBox(box, number); });
    if (state.files) paintFiles();
    if (state.chosen >= 0) paintArrows(state.chosen);
    for (const number of [state.hover, state.chosen]) if (number >= 0) outline(number, number === state.chosen ? 3 : 2);
  };

  const on = (box) => [(box[X] - eye.x) * eye.scale, (box[Y] - eye.y) * eye.scale, box[W] * eye.scale, box[H] * eye.scale];

  const paintBox = (box, number) => {
    const [x, y, w, h] = on(box);
    if (x > width || y > height || x + w < 0 || y + h < 0 || w < 0.6 || h < 0.6) return;
    const dead = box[REACHED] === 0;
    pen.globalAlpha = state.dead && !dead && box[REACHED] === 1 ? 0.35 : 1;
    pen.fillStyle = state.hits.has(number) ? colours.mark : colours.kind[box[KIND]];
    pen.fillRect(x, y, w, h);
    if (dead && w > 3 && h > 3) hatch(x, y, w, h);
    if (w > 4 && h > 4) {
      pen.strokeStyle = state.hits.has(number) ? colours["mark-edge"] : dead && state.dead ? colours.in : colours.edge;
      pen.lineWidth = dead && state.dead ? 1.6 : 0.6;
      pen.setLineDash(dead ? [3, 2] : []);
      pen.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
      pen.setLineDash([]);
    }
    if (w > 26 && h > 9) paintName(box, number, x, y, w, h);
    pen.globalAlpha = 1;
  };

  const hatch = (x, y, w, h) => {
    pen.save();
    pen.beginPath();
    pen.rect(x, y, w, h);
    pen.clip();
    pen.strokeStyle = colours.dead;
    pen.globalAlpha *= 0.35;
    pen.lineWidth = 1;
    pen.beginPath();
    const left = Math.max(x, 0), right = Math.min(x + w, width), top = Math.max(y, 0), bottom = Math.min(y + h, height);
    for (let at = left - (bottom - top) - ((left + top) % 7); at < right; at += 7) {
      pen.moveTo(at, bottom);
      pen.lineTo(at + bottom - top, top);
    }
    pen.stroke();
    pen.restore();
  };

  // Room for a title: down to the first box inside.
  const headers = boxes.map((box, number) => Math.min(...(children.get(number) || []).map((child) => boxes[child][Y] - box[Y])));
  const paintName = (box, number, x, y, w, h) => {
    const parent = headers[number] !== Infinity;
    const size = Math.min(13, parent ? headers[number] * eye.scale * 0.82 : h - 3);
    if (size < 7.5) return;
    pen.font = `${parent ? "600 " : ""}${size}px ui-sans-serif, system-ui, "Segoe UI", "DejaVu Sans", sans-serif`;
    pen.fillStyle = colours.text;
    pen.textBaseline = parent ? "top" : "middle";
    const left = Math.max(x, 0), room = Math.min(x + w, width) - left - 6;
    const most = Math.floor(room / (size * 0.52));
    if (most < 3) return;
    const text = box[NAME].length > most ? `${box[NAME].slice(0, most - 1)}…` : box[NAME];
    pen.fillText(text, left + 3, parent ? y + (headers[number] * eye.scale - size) / 2 : y + h / 2, room);
  };

  const centre = (number) => {
    const [x, y, w, h] = on(boxes[number]);
    return [x + w / 2, y + h / 2];
  };

  const curve = (from, to, colour, thick) => {
    const [x0, y0] = centre(from), [x1, y1] = centre(to);
    const dx = x1 - x0, dy = y1 - y0, far = Math.hypot(dx, dy);
    if (far < 1) return;
    const bend = Math.min(60, far / 4), mx = (x0 + x1) / 2 - (dy / far) * bend, my = (y0 + y1) / 2 + (dx / far) * bend;
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = thick;
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.quadraticCurveTo(mx, my, x1, y1);
    pen.stroke();
    const angle = Math.atan2(y1 - my, x1 - mx), head = 4 + 2 * thick;
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x1 - head * Math.cos(angle - 0.45), y1 - head * Math.sin(angle - 0.45));
    pen.lineTo(x1 - head * Math.cos(angle + 0.45), y1 - head * Math.sin(angle + 0.45));
    pen.fill();
  };

  const paintArrows = (number) => {
    const own = within(number), inner = new Set(own);
    let left = 1500;
    pen.globalAlpha = 0.8;
    for (const [table, end, colour] of [[leaving, 1, colours.out], [entering, 0, colours.in]]) {
      for (const box of own) {
        for (const item of table[box]) {
          const arrow = arrows[item];
          if (inner.has(arrow[end]) && own.length > 1) continue;
          if (left <= 0 || !state.relations.has(relations[arrow[2]]) || !visible(arrow[end])) continue;
          left -= 1;
          curve(arrow[0], arrow[1], colour, 1.4);
        }
      }
    }
    pen.globalAlpha = 1;
  };

  const paintFiles = () => {
    const sums = new Map();
    for (const arrow of arrows) {
      if (!state.relations.has(relations[arrow[2]])) continue;
      const from = holder(arrow[0]), to = holder(arrow[1]);
      if (from < 0 || to < 0 || from === to || kinds[boxes[to][KIND]] === "package") continue;
      const key = from * boxes.length + to;
      sums.set(key, (sums.get(key) || 0) + 1);
    }
    const most = Array.from(sums).sort((one, other) => other[1] - one[1]).slice(0, 800);
    pen.globalAlpha = most.length > 200 ? 0.3 : 0.55;
    for (const [key, count] of most) curve(Math.floor(key / boxes.length), key % boxes.length, colours.edge, Math.min(4, 0.7 + Math.log2(count) / 2));
    pen.globalAlpha = 1;
  };

  const outline = (number, thick) => {
    const [x, y, w, h] = on(boxes[number]);
    pen.strokeStyle = colours.accent;
    pen.lineWidth = thick;
    pen.strokeRect(x, y, Math.max(w, 3), Math.max(h, 3));
  };

  const at = (px, py) => {
    const x = px / eye.scale + eye.x, y = py / eye.scale + eye.y;
    for (let number = boxes.length - 1; number >= 0; number -= 1) {
      const box = boxes[number];
      if (x >= box[X] && x <= box[X] + box[W] && y >= box[Y] && y <= box[Y] + box[H] && visible(number) && box[W] * eye.scale > 2) return number;
    }
    return -1;
  };

  const look = (x, y, w, h) => {
    eye.scale = Math.min(width / w, height / h);
    eye.x = x - (width / eye.scale - w) / 2;
    eye.y = y - (height / eye.scale - h) / 2;
    draw();
  };
  const fit = () => look(-8, -8, data.size[0] + 16, data.size[1] + 16);
  const zoom = (factor, px = width / 2, py = height / 2) => {
    const scale = Math.min(Math.max(eye.scale * factor, 0.1), 20000);
    eye.x += px / eye.scale - px / scale;
    eye.y += py / eye.scale - py / scale;
    eye.scale = scale;
    draw();
  };
  const move = (dx, dy) => { eye.x += dx / eye.scale; eye.y += dy / eye.scale; draw(); };
  const goTo = (number) => {
    const [x, y, w, h] = boxes[number].slice(X, X + 4);
    const around = 1.6;
    look(x - (w * (around - 1)) / 2, y - (h * (around - 1)) / 2, w * around, h * around);
  };
  const reveal = (number) => {
    const [x, y, w, h] = on(boxes[number]);
    if (w < 14 || h < 8 || w > width * 1.4 || h > height * 1.4 || x + w / 2 < 0 || y + h / 2 < 0 || x + w / 2 > width || y + h / 2 > height) goTo(number);
    else draw();
  };
  const resize = () => {
    const ratio = window.devicePixelRatio || 1, room = canvas.parentElement.getBoundingClientRect();
    const first = width === 1;
    width = Math.max(room.width, 50);
    height = Math.max(room.height, 50);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    if (first) fit();
    draw();
  };
  return { data, state, boxes, arrows, kinds, relations, children, leaving, entering, within, visible, canvas, readColours, draw, at, fit, zoom, move, goTo, reveal, resize, eye,
    at_: { KIND, NAME, PATH, PARENT, LINE, END, REACHED, FACTS } };
})();
