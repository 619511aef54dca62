// Operations as a table: sorted by a column, filtered by words, some rows at a time.

const ROWS = 200;

/** A row of shares as a bar; `of` is what the whole width stands for. */
function partsBar(parts, of) {
  const texts = parts
    .map((cycles, i) => [cycles, data.parts[i]])
    .filter(([cycles]) => cycles > 0)
    .map(([cycles, name]) => `${name} ${whole.format(cycles)} cycles (${showShare(cycles, of)})`);
  const bar = element("div", { class: "bar", role: "img", "aria-label": texts.join(", ") });
  parts.forEach((cycles, i) => {
    if (cycles > 0)
      bar.append(element("i", { style: { width: `${100 * cycles / Math.max(of, 1e-30)}%`, background: `var(--${data.parts[i]})` } }));
  });
  bar.addEventListener("pointermove", (event) => showTip(event, texts.join("\n")));
  bar.addEventListener("pointerleave", (event) => showTip(event, ""));
  return bar;
}

const opTitle = (op) => op.label || op.name;
const rate = (op, amount) => amount * data.clock / Math.max(op.cycles, 1e-9);

/** Each column: name, value to sort by, and text or element to show where the value is not it. */
const COLUMNS = [
  ["#", (op) => op.index],
  ["op", opTitle, null, "text"],
  ["operation", (op) => op.name, null, "text"],
  ["source", (op) => op.source, (op) => op.source.split("/").slice(-2).join("/"), "text"],
  ["phase", (op) => op.phase, null, "text"],
  ["time", (op) => op.cycles, (op) => showSeconds(op.cycles / data.clock)],
  ["cycles", (op) => op.cycles, (op) => whole.format(op.cycles)],
  ["share", (op) => op.cycles, (op) => showShare(op.cycles, data.cycles)],
  ["parts", (op) => op.cycles, (op) => partsBar(op.parts, op.cycles)],
  ["bound by", (op) => op.bound, null, "text"],
  ["cores", (op) => op.cores],
  ["fidelity", (op) => op.fidelity, null, "text"],
  ["FLOP/s", (op) => rate(op, op.flops), (op) => (op.flops ? showRate(rate(op, op.flops), "") : "")],
  ["of peak", (op) => op.ideal_compute / Math.max(op.cycles, 1e-9),
    (op) => (op.ideal_compute ? showShare(op.ideal_compute, op.cycles) : "")],
  ["DRAM", (op) => op.dram, (op) => showBytes(op.dram)],
  ["NoC", (op) => op.noc, (op) => showBytes(op.noc)],
  ["Ethernet", (op) => op.ethernet, (op) => showBytes(op.ethernet)],
  ["host", (op) => op.host, (op) => showBytes(op.host)],
  ["L1 high water", (op) => op.l1_high, (op) => showBytes(op.l1_high)],
];

class OpTable {
  /** `choose(index)` is called with the op of a row that was clicked. */
  constructor(choose) {
    this.choose = choose;
    this.columns = COLUMNS.filter(([name, value]) =>
      !["Ethernet", "host", "fidelity", "source"].includes(name) || data.ops.some(value));
    this.sort = { column: 0, up: true };
    this.words = [];
    this.limit = ROWS;
    this.body = element("tbody");
    this.heads = this.columns.map(([name, , , kind], i) => element("th",
      { scope: "col", class: kind || "" },
      element("button", { type: "button", onclick: () => this.sortBy(i) }, name)));
    byId("ops").append(element("caption", { class: "note" }), element("thead", {}, element("tr", {}, ...this.heads)), this.body);
    this.filter = element("input", { type: "search", placeholder: "name, source, phase, part", oninput: () => this.search() });
    byId("ops-tools").append(element("label", {}, "Filter", this.filter));
    this.refresh();
  }

  sortBy(column) {
    const numbers = this.columns[column][3] !== "text";
    // The first click on a number shows the largest first, but for the order of the program.
    this.sort = this.sort.column === column ? { column, up: !this.sort.up } : { column, up: !numbers || column === 0 };
    this.limit = ROWS;
    this.refresh();
  }

  search() {
    this.words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.limit = ROWS;
    this.refresh();
  }

  found() {
    const value = this.columns[this.sort.column][1];
    const way = this.sort.up ? 1 : -1;
    const texts = (op) => [op.label, op.name, op.source, op.phase, op.bound, op.fidelity].join(" ").toLowerCase();
    return data.ops
      .filter((op) => { const text = texts(op); return this.words.every((word) => text.includes(word)); })
      .map((op) => [value(op), op])
      .sort(([a, left], [b, right]) => (a < b ? -way : a > b ? way : left.index - right.index))
      .map(([, op]) => op);
  }

  refresh() {
    const found = this.found();
    const shown = found.slice(0, this.limit);
    byId("ops").caption.textContent = `${found.length} of ${data.ops.length} operations`;
    this.heads.forEach((head, i) => {
      if (i === this.sort.column) head.setAttribute("aria-sort", this.sort.up ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    this.body.replaceChildren(...shown.map((op) => this.row(op)));
    this.body.rows[0]?.setAttribute("tabindex", 0); // One stop of Tab; arrows go on from there.
    byId("ops-more").replaceChildren();
    if (shown.length < found.length)
      byId("ops-more").append(element("button", { type: "button", onclick: () => { this.limit += 5 * ROWS; this.refresh(); } },
        `Show more of ${found.length - shown.length}`));
    this.mark(this.chosen);
  }

  row(op) {
    const cells = this.columns.map(([, value, show, kind]) => {
      const content = show ? show(op) : value(op);
      return element("td", { class: kind || "", title: kind === "text" && content ? value(op) : null }, content);
    });
    const pick = () => this.choose(this.chosen === op.index ? null : op.index);
    const row = element("tr", { tabindex: -1, "data-op": op.index, onclick: pick,
      onkeydown: (event) => {
        const act = { Enter: pick, " ": pick, ArrowDown: () => row.nextSibling?.focus(), ArrowUp: () => row.previousSibling?.focus() }[event.key];
        if (!act) return;
        event.preventDefault();
        act();
      } }, ...cells);
    return row;
  }

  mark(index) {
    this.chosen = index;
    for (const row of this.body.rows) {
      const chosen = Number(row.dataset.op) === index;
      row.classList.toggle("chosen", chosen);
      row.setAttribute("aria-current", chosen);
    }
  }
}

/** Kernels and operands of one op, below the table. */
function showDetail(op) {
  const target = byId("detail");
  target.replaceChildren();
  if (!op) return;
  target.append(element("h3", {}, `${op.index}: ${opTitle(op)}`),
    element("p", {}, op.source || "no source"));
  if (op.location)
    target.append(element("details", {}, element("summary", {}, "as it is in the file"), element("p", { class: "code" }, op.location)));
  for (const [name, uses] of [["operands", op.operands], ["results", op.results]])
    if (uses.length) target.append(element("p", {}, `${name}: ${uses.join("; ")}`));
  if (!op.kernels.length) return;
  const heads = ["kernel", "thread", "cores", "begin", "end", "busy", "parts of its last thread"];
  target.append(element("table", {}, element("caption", { class: "note" }, "kernels, in cycles from the begin of the operation"),
    element("thead", {}, element("tr", {}, ...heads.map((name, i) => element("th", { scope: "col", class: i < 2 ? "text" : "" }, name)))),
    element("tbody", {}, ...op.kernels.map((k) => element("tr", {},
      element("td", { class: "text" }, k.name), element("td", { class: "text" }, k.thread),
      ...[k.cores, k.begin, k.end, k.busy].map((n) => element("td", {}, whole.format(n))),
      element("td", {}, partsBar(k.parts, op.cycles)))))));
}
