// Who holds which bytes of a memory, and when: a block for each buffer.

/** The first and the last core, such as "0,0 to 3,7". */
const coresOf = ({ y0, x0, y1, x1 }) => (y0 === y1 && x0 === x1 ? `${y0},${x0}` : `${y0},${x0} to ${y1},${x1}`);

class MemoryMap {
  constructor(range) {
    this.range = range;
    this.canvas = byId("memory");
    this.uses = zipped(["device", "space", "address", "bytes", "name", "begin", "end", "y0", "x0", "y1", "x1"], data.memory);
    this.names = new Map();
    for (const use of this.uses) if (!this.names.has(use.name)) this.names.set(use.name, this.names.size);
    const request = data.failure;
    const places = new Set(this.uses.map((use) => `${use.space}/${use.device}`));
    if (request) places.add(`${request.space}/${request.device}`);
    const pairs = [...places].sort().map((place) => {
      const [space, device] = place.split("/");
      return [place, `${space === "l1" ? "L1 of cores" : "DRAM channels"}${data.devices > 1 ? `, chip ${device}` : ""}`];
    });
    const { label, select } = chooser("Memory", pairs, (value) => this.choose(value));
    const least = chooser("Core", [["", "all"], ...this.corePairs()], (value) => { this.core = value; this.choose(select.value); });
    this.select = select;
    byId("memory-tools").append(label, least.label, ...zoomButtons(range));
    this.surface = new Surface(this.canvas, 340, (pen, width, height) => this.draw(pen, width, height));
    range.listeners.push(() => this.surface.redraw());
    control(this.canvas, range, LEFT);
    this.canvas.addEventListener("pointermove", (event) => showTip(event, this.at(event)));
    this.canvas.addEventListener("pointerleave", (event) => showTip(event, ""));
    if (pairs.length) this.choose(request ? select.value = `${request.space}/${request.device}` : pairs[0][0]);
    else byId("memory-table").append(element("p", {}, "No buffer was allocated."));
  }

  corePairs() {
    const [rows, columns] = data.chip ? data.chip.grid : [0, 0];
    return Array.from({ length: rows * columns }, (_, i) => {
      const place = `${Math.floor(i / columns)},${i % columns}`;
      return [place, place];
    });
  }

  choose(place) {
    const [space, device] = place.split("/");
    this.space = space;
    const [y, x] = this.core && space === "l1" ? this.core.split(",").map(Number) : [];
    this.shown = this.uses.filter((use) => use.space === space && use.device === Number(device)
      && (y === undefined || (use.y0 <= y && y <= use.y1 && use.x0 <= x && x <= use.x1)));
    const request = data.failure;
    this.request = request && request.space === space && request.device === Number(device) ? request : null;
    this.size = data.chip ? (space === "l1" ? data.chip.l1_size : data.chip.dram_size) : 0;
    const top = this.shown.reduce((most, use) => Math.max(most, use.address + use.bytes), 1);
    const bottom = this.shown.reduce((least, use) => Math.min(least, use.address), top);
    // All of L1; of a DRAM channel, which is large, what somebody holds.
    const full = this.size && (space === "l1" || this.request);
    this.low = full ? 0 : bottom;
    this.high = full ? Math.max(this.size, top) : top + (top - bottom) * 0.04 + 1;
    this.peak = this.findPeak();
    this.list();
    this.surface.redraw();
  }

  /** The time at which the most bytes are held: in a channel, or by one core. */
  findPeak() {
    const side = 1 + this.shown.reduce((most, use) => Math.max(most, use.x1), 0);
    const sums = new Map();
    const peak = { bytes: 0, time: 0 };
    // At one time what ends goes before what begins.
    const events = this.shown.flatMap((use) => [[use.begin, 1, use], [use.end, -1, use]])
      .sort(([a, left], [b, right]) => a - b || left - right);
    for (const [time, sign, use] of events)
      for (let y = use.y0; y <= use.y1; y += 1)
        for (let x = use.x0; x <= use.x1; x += 1) {
          const bytes = (sums.get(y * side + x) ?? 0) + sign * use.bytes;
          sums.set(y * side + x, bytes);
          if (bytes > peak.bytes) Object.assign(peak, { bytes, time });
        }
    return { ...peak, uses: this.shown.filter((use) => use.begin <= peak.time && peak.time < use.end) };
  }

  list() {
    const largest = [...this.peak.uses].sort((a, b) => b.bytes - a.bytes).slice(0, 20);
    const l1 = this.space === "l1";
    const cells = (use) => [use.name, showBytes(use.bytes), ...(l1 ? [coresOf(use)] : []), whole.format(use.address), whole.format(use.begin), whole.format(use.end)];
    const where = l1 ? "a core" : "a channel";
    const rows = largest.map((use) => ["", cells(use)]);
    if (this.request) {
      const { name, bytes, available, largest_free } = this.request;
      rows.unshift(["failed", [name, showBytes(bytes), ...(l1 ? [""] : []), "no room", `${showBytes(available)} free`, `${showBytes(largest_free)} in one piece`]]);
    }
    byId("memory-table").replaceChildren(element("table", {},
      element("caption", { class: "note" }, `Most in use: ${showBytes(this.peak.bytes)} of ${where}, at ${showSeconds(this.peak.time / data.clock)}; its largest buffers`),
      element("thead", {}, element("tr", {}, ...["buffer", "size", ...(l1 ? ["cores"] : []), "address", "from cycle", "to cycle"].map((name, i) =>
        element("th", { scope: "col", class: i ? "" : "text" }, name)))),
      element("tbody", {}, ...rows.map(([kind, texts]) => element("tr", { class: kind }, ...texts.map((text, i) =>
        element("td", { class: i ? "" : "text" }, text)))))));
  }

  y(address, height) {
    return 18 + (height - 20) * (1 - (address - this.low) / Math.max(this.high - this.low, 1));
  }

  draw(pen, width, height) {
    if (!this.shown) return;
    drawTimeAxis(pen, this.range, LEFT, width, height);
    const scale = (width - LEFT) / (this.range.end - this.range.begin);
    pen.fillStyle = colour("faint");
    for (let i = 0; i <= 4; i += 1) {
      const address = this.low + (this.high - this.low) * i / 4;
      pen.fillText(showBytes(address), 0, Math.min(Math.max(this.y(address, height), 24), height - 6));
    }
    const ink = colour("ink");
    for (const use of this.shown) {
      if (use.end < this.range.begin || use.begin > this.range.end) continue;
      const x0 = Math.max(LEFT + (use.begin - this.range.begin) * scale, LEFT);
      const x1 = Math.min(LEFT + (use.end - this.range.begin) * scale, width);
      const y1 = this.y(use.address + use.bytes, height);
      const tall = Math.max(this.y(use.address, height) - y1, 1);
      pen.fillStyle = hue(this.names.get(use.name));
      pen.fillRect(x0, y1, Math.max(x1 - x0, 1), Math.max(tall - 0.5, 0.7));
      if (tall > 11 && x1 - x0 > 24) {
        pen.fillStyle = ink;
        boxText(pen, use.name, x0 + 3, y1 + tall / 2, x1 - x0 - 5);
      }
    }
    if (this.request) this.drawRequest(pen, width, height, scale);
  }

  /** What could not be allocated: its size, at the end of the run, beside what is held then. */
  drawRequest(pen, width, height, scale) {
    const { bytes } = this.request;
    const x = Math.min(LEFT + (data.cycles - this.range.begin) * scale, width - 2);
    const tall = Math.min((height - 20) * bytes / Math.max(this.high - this.low, 1), height - 20);
    pen.strokeStyle = colour("alarm");
    pen.fillStyle = colour("alarm");
    pen.lineWidth = 2;
    pen.setLineDash([5, 3]);
    pen.strokeRect(Math.max(x - 90, LEFT + 1), height - 2 - tall, 88, tall);
    pen.setLineDash([]);
    pen.lineWidth = 1;
    pen.textAlign = "right";
    const top = Math.max(height - 2 - tall, 26);
    pen.fillText(`${this.request.name}: needs ${showBytes(bytes)},`, x - 98, top + 6);
    pen.fillText(`${showBytes(this.request.available)} are free, ${showBytes(this.request.largest_free)} in one piece`, x - 98, top + 20);
    pen.textAlign = "left";
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / Math.max(box.width - LEFT, 1);
    if (share < 0 || !this.shown) return "";
    const time = this.range.begin + share * (this.range.end - this.range.begin);
    const part = 1 - (event.clientY - box.top - 18) / Math.max(box.height - 20, 1);
    const address = this.low + part * (this.high - this.low);
    const slack = (this.range.end - this.range.begin) / Math.max(box.width - LEFT, 1);
    const found = this.shown.filter((use) => use.address <= address && address < use.address + use.bytes
      && use.begin - slack <= time && time <= use.end + slack);
    return found.slice(0, 4).map((use) => {
      const one = use.y0 === use.y1 && use.x0 === use.x1;
      const where = use.space !== "l1" ? "each channel" : `${one ? "core" : "cores"} ${coresOf(use)}`;
      return `${use.name}: ${showBytes(use.bytes)} of ${where}\nat ${whole.format(use.address)} to ${whole.format(use.address + use.bytes)}\ncycles ${whole.format(use.begin)} to ${whole.format(use.end)} (${showSeconds((use.end - use.begin) / data.clock)})`;
    }).join("\n");
  }
}
