// The page of a comparison: errors as a picture, results as a table.

byId("title").textContent = data.title;
byId("verdict").textContent = data.verdict;
byId("verdict").className = data.rows.some((row) => row.off) ? "error" : "";
byId("missing").textContent = data.missing.join(", ");
byId("missing-section").hidden = !data.missing.length;

const number = (value) => (value === null ? "" : value === 0 ? "0" : value.toExponential(2));

/** Each column: name, value to sort by, text where the value is not it, class. */
const COLUMNS = [
  ["#", (row) => row.index + (row.output ? 1e9 : 0), (row) => row.index],
  ["name", (row) => row.name, null, "text"],
  ["op", (row) => row.op, null, "text"],
  ["dtype", (row) => row.dtype, null, "text"],
  ["shape", (row) => row.shape, null, "text"],
  ["PCC", (row) => row.pcc, (row) => (row.pcc === null ? "" : row.pcc.toFixed(7))],
  ["max error", (row) => row.max_error, (row) => number(row.max_error)],
  ["relative", (row) => row.relative, (row) => number(row.relative)],
  ["special", (row) => row.special, (row) => row.special || ""],
  ["", (row) => row.reason || row.note, (row) => said(row), "text"],
  ["source", (row) => row.source, (row) => row.source.split("/").slice(-2).join("/"), "text"],
];

function said(row) {
  if (row.reason) return `not compared: ${row.reason}`;
  return [row.off ? "off" : "", row.note].filter(Boolean).join("; ");
}

class Results {
  constructor() {
    this.sort = { column: 0, up: true };
    this.body = element("tbody");
    this.heads = COLUMNS.map(([name, , , kind], i) => element("th", { scope: "col", class: kind || "" },
      element("button", { type: "button", onclick: () => this.sortBy(i) }, name)));
    byId("rows").append(element("thead", {}, element("tr", {}, ...this.heads)), this.body);
    this.filter = element("input", { type: "search", placeholder: "name, op, source", oninput: () => this.refresh() });
    this.off = element("input", { type: "checkbox", onchange: () => this.refresh() });
    this.parts = element("input", { type: "checkbox", onchange: () => this.refresh() });
    byId("tools").append(
      element("label", {}, "Filter", this.filter),
      element("label", {}, this.off, "only what is off"),
      element("label", {}, this.parts, "also parts of ops"));
    this.refresh();
  }

  sortBy(column) {
    this.sort = { column, up: this.sort.column === column ? !this.sort.up : column === 0 };
    this.refresh();
  }

  shown() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const value = COLUMNS[this.sort.column][1];
    const sign = this.sort.up ? 1 : -1;
    return data.rows
      .filter((row) => (this.parts.checked || !row.part) && (!this.off.checked || row.off))
      .filter((row) => words.every((word) => `${row.label} ${row.op} ${row.source}`.toLowerCase().includes(word)))
      .sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        if (x === null || y === null) return (x === null) - (y === null);
        return sign * (x < y ? -1 : x > y ? 1 : 0);
      });
  }

  refresh() {
    this.heads.forEach((head, i) => {
      if (i === this.sort.column) head.setAttribute("aria-sort", this.sort.up ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    this.body.replaceChildren(...this.shown().map((row) => {
      const cells = COLUMNS.map(([, value, text, kind]) =>
        element("td", { class: kind || "", title: kind ? String(value(row) ?? "") : false }, String((text || value)(row) ?? "")));
      row.line = element("tr", { class: row.off ? "failed" : "" }, ...cells);
      return row.line;
    }));
  }

  choose(row) {
    if (!row.line?.isConnected) {
      this.filter.value = "";
      this.off.checked = false;
      this.refresh();
    }
    for (const line of this.body.children) line.classList.toggle("chosen", line === row.line);
    row.line.scrollIntoView({ block: "center" });
  }
}

const results = new Results();

const box = { left: 48, top: 12, width: 900, height: 240 };
function height(error) {
  const power = error > 0 ? Math.log10(error) : data.lowest;
  const share = (Math.min(Math.max(power, data.lowest), data.highest) - data.lowest) / (data.highest - data.lowest);
  return box.top + (1 - share) * box.height;
}

for (let power = data.lowest; power <= data.highest; power += 2) {
  const y = height(10 ** power);
  byId("errors").append(
    shape("line", { x1: box.left, x2: box.left + box.width, y1: y, y2: y, stroke: "var(--line)" }),
    shape("text", { x: 4, y: y + 4 }, `1e${power}`));
}
const compared = data.rows.filter((row) => row.relative !== null);
const place = (i) => box.left + box.width * (i + 0.5) / Math.max(compared.length, 1);
byId("errors").append(shape("polyline", {
  points: compared.map((row, i) => `${place(i)},${height(row.relative)}`).join(" "),
  fill: "none", stroke: "var(--accent)", "stroke-opacity": 0.4,
}));
compared.forEach((row, i) => {
  const dot = shape("circle", {
    cx: place(i), cy: height(row.relative), r: row.off ? 4.5 : 3, "data-name": row.name,
    fill: row.off ? "var(--alarm)" : "var(--accent)",
  });
  const text = `${row.name} (${row.op})\nrelative error ${number(row.relative)}\nPCC ${row.pcc ?? "says nothing"}`;
  dot.addEventListener("pointermove", (event) => showTip(event, text));
  dot.addEventListener("pointerleave", (event) => showTip(event, ""));
  dot.addEventListener("click", () => results.choose(row));
  byId("errors").append(dot);
});
