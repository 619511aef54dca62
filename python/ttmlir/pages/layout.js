// The page of a layout: the tensor, its rows and columns in memory, and the cores or banks of the chip.
// What is under the pointer in one of them is marked in all; its address comes from tables of the data.

let view = null; // What the data says, with the tables the other way round.
let pointed = null; // The element that is shown.

/** From a row or column of the picture back to the flat index of the dimensions that lead there. */
function inverse(at, size) {
  const back = new Int32Array(size).fill(-1);
  at.forEach((to, from) => { back[to] = from; });
  return back;
}

function prepare(given) {
  const page = given.page;
  const height = page.rows * page.height;
  const width = page.columns * page.width;
  const keys = new Map();
  given.places.forEach(([y, x]) => { const key = `${y},${x}`; if (!keys.has(key)) keys.set(key, keys.size); });
  return { ...given, height, width, keys,
    rowBack: inverse(given.rows.at, height), columnBack: inverse(given.columns.at, width) };
}

function unravel(flat, dims, index) {
  for (const d of [...dims].reverse()) {
    index[d] = flat % view.shape[d];
    flat = Math.floor(flat / view.shape[d]);
  }
}

const ravel = (index, dims) => dims.reduce((flat, d) => flat * view.shape[d] + index[d], 0);

/** The element at a row and column of the picture; its index is null in padding. */
function elementAt(row, column) {
  if (row < 0 || column < 0 || row >= view.height || column >= view.width) return null;
  const { page } = view;
  const flatRow = view.rowBack[row];
  const flatColumn = view.columnBack[column];
  let index = null;
  if (flatRow >= 0 && flatColumn >= 0) {
    index = new Array(view.shape.length).fill(0);
    unravel(flatRow, view.rows.dims, index);
    unravel(flatColumn, view.columns.dims, index);
  }
  const pageRow = Math.floor(row / page.height);
  const pageColumn = Math.floor(column / page.width);
  const number = pageRow * page.columns + pageColumn;
  const inside = [row % page.height, column % page.width];
  const position = view.order.length ? view.order[inside[0] * page.width + inside[1]] : inside[1];
  const [y, x, offset] = view.places[number];
  const bit = position * view.bits;
  const address = view.base + offset + view.header + Math.floor(bit / 8);
  return { row, column, index, page: number, pageRow, pageColumn, inside, y, x, offset, address, bit: bit % 8, key: `${y},${x}` };
}

function elementOf(index) {
  return elementAt(view.rows.at[ravel(index, view.rows.dims)], view.columns.at[ravel(index, view.columns.dims)]);
}

const bankName = (e) => (view.memory === "dram" ? `DRAM channel ${e.x}` : `core ${e.y},${e.x}`);

function describe(e) {
  if (!e) return "Point at an element.";
  const what = e.index ? `element [${e.index.join(", ")}]` : "padding";
  const shard = view.shard_pages.length
    ? `, shard ${Math.floor(e.pageRow / view.shard_pages[0])},${Math.floor(e.pageColumn / view.shard_pages[1])}` : "";
  const bits = view.bits < 8 ? ` bit ${e.bit}` : "";
  return `${what}: ${bankName(e)}, address ${e.address} (0x${e.address.toString(16)})${bits}\nrow ${e.row}, column ${e.column}${shard}; ${view.tile ? "tile" : "page"} ${e.page} (${e.pageRow},${e.pageColumn}), there ${e.inside.join(",")}, at byte ${e.offset} of the tensor in ${view.memory === "dram" ? "the channel" : "L1"}`;
}

/** A canvas of rows and columns of elements that zooms and moves. */
class Sheet {
  constructor(id, size, at) {
    this.canvas = byId(id);
    this.size = size; // () => [rows, columns]
    this.at = at; // (row, column) => element
    this.surface = new Surface(this.canvas, 420, (pen, width, height) => this.draw(pen, width, height));
    this.reset();
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerdown", (event) => { this.from = [event.clientX, event.clientY]; });
    addEventListener("pointerup", () => { this.from = null; });
    this.canvas.addEventListener("pointerleave", (event) => showTip(event, ""));
    this.canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== this.canvas) return;
      event.preventDefault();
      const box = this.canvas.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    this.canvas.addEventListener("keydown", (event) => {
      const act = { "+": () => this.zoom(1.5), "=": () => this.zoom(1.5), "-": () => this.zoom(1 / 1.5), "0": () => this.reset() }[event.key];
      if (!act || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      act();
    });
    byId(`${id}-tools`).append(...[["Zoom in", () => this.zoom(1.5)], ["Zoom out", () => this.zoom(1 / 1.5)], ["All", () => this.reset()]]
      .map(([text, act]) => element("button", { type: "button", onclick: act }, text)));
  }

  reset() {
    this.scale = 0; // fitted when drawn
    this.left = this.top = 0;
    this.surface.redraw();
  }

  zoom(factor, x = this.surface.width / 2, y = this.surface.height / 2) {
    const fitted = this.fitted();
    const scale = Math.min(Math.max(this.scale * factor, fitted), 60);
    this.left += x / this.scale - x / scale;
    this.top += y / this.scale - y / scale;
    this.scale = scale;
    this.bound();
    this.surface.redraw();
  }

  bound() {
    const [rows, columns] = this.size();
    this.left = Math.min(Math.max(this.left, 0), Math.max(columns - this.surface.width / this.scale, 0));
    this.top = Math.min(Math.max(this.top, 0), Math.max(rows - this.surface.height / this.scale, 0));
  }

  fitted() {
    const [rows, columns] = this.size();
    return Math.min(this.surface.width / columns, this.surface.height / rows, 60);
  }

  move(event) {
    const box = this.canvas.getBoundingClientRect();
    if (this.from) {
      this.left -= (event.clientX - this.from[0]) / this.scale;
      this.top -= (event.clientY - this.from[1]) / this.scale;
      this.from = [event.clientX, event.clientY];
      this.bound();
      this.surface.redraw();
      return;
    }
    const row = Math.floor(this.top + (event.clientY - box.top) / this.scale);
    const column = Math.floor(this.left + (event.clientX - box.left) / this.scale);
    const [rows, columns] = this.size();
    const found = row < rows && column < columns ? this.at(row, column) : null;
    showTip(event, found ? describe(found) : "");
    if (found) point(found);
  }

  /** Runs of one colour in a row of pixels are one rectangle; a pixel shows its first element. */
  draw(pen, width, height) {
    if (!view) return;
    this.scale ||= this.fitted();
    this.scale = Math.max(this.scale, this.fitted());
    const [rows, columns] = this.size();
    const step = Math.max(1 / this.scale, 1);
    const lastRow = Math.min(rows, this.top + height / this.scale);
    const lastColumn = Math.min(columns, this.left + width / this.scale);
    const first = (from) => Math.floor(from / step) * step;
    for (let row = first(this.top); row < lastRow; row += step) {
      let run = null;
      const y = Math.floor((row - this.top) * this.scale);
      const below = Math.floor((row + step - this.top) * this.scale);
      const flush = (x) => {
        if (!run) return;
        pen.fillStyle = run.fill;
        pen.fillRect(run.x, y, Math.floor(x) - run.x, Math.max(below - y, 1));
      };
      for (let column = first(this.left); column < lastColumn; column += step) {
        const e = this.at(Math.floor(row), Math.floor(column));
        const x = (column - this.left) * this.scale;
        const fill = !e ? colour("back") : e.index ? hue(view.keys.get(e.key)) : colour("idle");
        if (!run || run.fill !== fill) {
          flush(x);
          run = { fill, x: Math.floor(x) };
        }
      }
      flush((lastColumn - this.left) * this.scale);
    }
    this.lines(pen, rows, columns, width, height);
    if (this.scale > 26) this.texts(pen, lastRow, lastColumn);
    this.mark(pen);
  }

  lines() {}

  texts(pen, lastRow, lastColumn) {
    pen.fillStyle = colour("ink");
    pen.textAlign = "center";
    for (let row = Math.floor(this.top); row < lastRow; row += 1)
      for (let column = Math.floor(this.left); column < lastColumn; column += 1) {
        const e = this.at(row, column);
        if (e?.index) pen.fillText(e.index.slice(-2).join(","), (column + 0.5 - this.left) * this.scale, (row + 0.5 - this.top) * this.scale, this.scale - 2);
      }
    pen.textAlign = "left";
  }

  outline(pen, row, column, name) {
    pen.strokeStyle = colour(name);
    pen.lineWidth = 2;
    pen.strokeRect((column - this.left) * this.scale - 1, (row - this.top) * this.scale - 1, Math.max(this.scale, 3) + 2, Math.max(this.scale, 3) + 2);
    pen.lineWidth = 1;
  }
}

class Physical extends Sheet {
  lines(pen, rows, columns, width, height) {
    const grid = (stepRow, stepColumn, name, thick) => {
      if (!stepRow || stepRow * this.scale < 4 || stepColumn * this.scale < 4) return;
      pen.strokeStyle = colour(name);
      pen.lineWidth = thick;
      pen.beginPath();
      for (let row = 0; row <= rows; row += stepRow) {
        pen.moveTo(0, (row - this.top) * this.scale);
        pen.lineTo(Math.min(width, (columns - this.left) * this.scale), (row - this.top) * this.scale);
      }
      for (let column = 0; column <= columns; column += stepColumn) {
        pen.moveTo((column - this.left) * this.scale, 0);
        pen.lineTo((column - this.left) * this.scale, Math.min(height, (rows - this.top) * this.scale));
      }
      pen.stroke();
      pen.lineWidth = 1;
    };
    const { page, shard_pages: shard } = view;
    grid(page.height, page.width, "faint", 0.5);
    if (shard.length) grid(page.height * shard[0], page.width * shard[1], "ink", 2);
  }

  mark(pen) {
    if (pointed) this.outline(pen, pointed.row, pointed.column, "select");
  }
}

class Logical extends Sheet {
  draw(pen, width, height) {
    if (view) this.slice = slice();
    super.draw(pen, width, height);
  }

  mark(pen) {
    if (!pointed?.index || slice().some((value, d) => pointed.index[d] !== value)) return;
    this.outline(pen, view.shape.length > 1 ? pointed.index.at(-2) : 0, pointed.index.at(-1), "select");
  }
}

/** Fields with the indices of the leading dimensions: the picture shows the matrix there. */
let leading = [];
const slice = () => leading.map((input, d) => Math.min(Math.max(Math.trunc(input.valueAsNumber || 0), 0), view.shape[d] - 1));

function showLeading() {
  const target = byId("logical-tools");
  for (const old of target.querySelectorAll("label")) old.remove();
  leading = view.shape.slice(0, -2).map((extent, d) => {
    const input = element("input", { type: "number", min: 0, max: extent - 1, value: 0, style: { width: "5rem" },
      oninput: () => logical.surface.redraw() });
    target.append(element("label", {}, `d${d}`, input));
    return input;
  });
}

function point(found) {
  pointed = found;
  byId("element").textContent = describe(found);
  found?.index?.slice(0, -2).forEach((value, d) => { leading[d].value = value; });
  for (const sheet of [logical, physical]) sheet.surface.redraw();
  for (const bank of byId("banks").querySelectorAll("g")) bank.setAttribute("aria-pressed", bank.dataset.key === found?.key);
}

/** Cores, or DRAM channels, in the colours of what they have. */
function showBanks() {
  const dram = view.memory === "dram";
  const [rows, columns] = dram ? [1, view.chip.channels] : view.chip.grid;
  byId("banks-title").textContent = dram ? "DRAM channels" : `Cores: L1 of ${view.chip.grid.join("x")}`;
  const counts = new Map();
  const firsts = new Map();
  view.places.forEach(([y, x], i) => { const key = `${y},${x}`; counts.set(key, (counts.get(key) ?? 0) + 1); if (!firsts.has(key)) firsts.set(key, i); });
  const svg = shape("svg", { viewBox: `0 0 ${columns * 44 + 2} ${rows * 44 + 2}`, role: "group", "aria-label": byId("banks-title").textContent, style: `max-width: ${columns * 60}px; width: 100%` });
  for (let y = 0; y < rows; y += 1)
    for (let x = 0; x < columns; x += 1) {
      const key = `${y},${x}`;
      const count = counts.get(key) ?? 0;
      const name = dram ? `D${x}` : key;
      const group = shape("g", { class: "core", "data-key": key, role: "button", "aria-pressed": false, "aria-label": `${name}: ${count} pages` },
        shape("rect", { x: x * 44 + 3, y: y * 44 + 3, width: 38, height: 38, rx: 3, style: `fill: ${count ? hue(view.keys.get(key)) : "var(--idle)"}; stroke: var(--line)` }),
        shape("text", { x: x * 44 + 22, y: y * 44 + 20, "text-anchor": "middle" }, name),
        shape("text", { x: x * 44 + 22, y: y * 44 + 33, "text-anchor": "middle" }, count ? `${count} p` : ""));
      if (count) group.addEventListener("click", () => {
        const first = firsts.get(key);
        point(elementAt(Math.floor(first / view.page.columns) * view.page.height, (first % view.page.columns) * view.page.width));
      });
      svg.append(group);
    }
  byId("banks").replaceChildren(svg);
}

/** A way to an element without a pointer: its index, typed. */
function showFinder() {
  const input = element("input", { type: "text", size: 16, placeholder: view.shape.map(() => 0).join(", ") });
  const find = () => {
    const index = input.value.split(/[\s,]+/).filter(Boolean).map(Number);
    const inside = index.length === view.shape.length && index.every((n, d) => Number.isInteger(n) && n >= 0 && n < view.shape[d]);
    if (inside) point(elementOf(index));
    else byId("element").textContent = `Expected ${view.shape.length} indices below ${view.shape.join(", ")}.`;
  };
  byId("element-tools").replaceChildren(element("label", {}, "Index", input), element("button", { type: "button", onclick: find }, "Show"));
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); find(); } });
}

function show(given) {
  view = prepare(given);
  pointed = null;
  document.title = view.title;
  byId("title").textContent = view.title;
  byId("type").textContent = view.type;
  const { page } = view;
  const facts = [
    ["map", view.linear], ["strides", view.stride.join(", ")], ["grid", view.grid.join("x")],
    ["shard", `${view.shard.join("x")} elements`],
    ["memory", `${view.memory} ${view.memory_layout}`],
    ["pages", `${page.rows}x${page.columns} of ${page.height}x${page.width} elements, ${page.bytes} bytes, every ${page.aligned}`],
    [view.memory === "dram" ? "fullest channel" : "each core", showBytes(view.bank_bytes)],
    ["addresses from", view.base],
  ];
  byId("facts").replaceChildren(...facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
  showLeading();
  showBanks();
  showFinder();
  logical.reset();
  physical.reset();
  point(elementOf(view.shape.map(() => 0)));
}

const logical = new Logical("logical", () => [view.shape.at(-2) ?? 1, view.shape.at(-1)],
  (row, column) => elementOf(view.shape.length > 1 ? [...logical.slice, row, column] : [column]));
const physical = new Physical("physical", () => [view.height, view.width], elementAt);
if (data.fields) askServer();
show(data.layout);
