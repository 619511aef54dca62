// What cores, links and DRAM channels did, over the places that they have on the die.

const ENGINES = ["noc0", "noc1", "unpack", "math", "pack"];
const CELL = 52;

const zipped = (names, rows) => rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])));
const uses = data.uses.map((use) => ({
  cores: zipped(["device", "y", "x", ...ENGINES, "end"], use.cores),
  links: zipped(["device", "noc", "x", "y", "vertical", "bytes", "busy"], use.links),
  channels: zipped(["device", "channel", "read", "write", "busy"], use.channels),
  ethernet: zipped(["from", "to", "link", "bytes", "wire", "busy"], use.ethernet),
}));
const coreUses = (op) => uses[op.use].cores;

/** Sums of what the given ops did on a chip, by a key of each thing. */
function summed(ops, kind, device, key, fields) {
  const sums = new Map();
  for (const op of ops)
    for (const use of uses[op.use][kind]) {
      if (device !== null && use.device !== device) continue;
      const name = key(use);
      let sum = sums.get(name);
      if (!sum) sums.set(name, sum = { ...use, ...Object.fromEntries(fields.map((f) => [f, 0])) });
      for (const field of fields) sum[field] += use[field];
    }
  return sums;
}

class HeatMap {
  constructor(timeline) {
    this.timeline = timeline;
    this.device = 0;
    this.metric = "busiest";
    this.network = "both";
    const chips = Array.from({ length: data.devices }, (_, i) => [i, `chip ${i}`]);
    const tools = byId("heat-tools");
    if (data.devices > 1)
      tools.append(chooser("Chip", chips, (value) => { this.device = Number(value); this.refresh(); }).label);
    tools.append(
      chooser("Engine", ["busiest", ...ENGINES].map((e) => [e, e]), (value) => { this.metric = value; this.refresh(); }).label,
      chooser("Network", ["both", "noc0", "noc1"].map((e) => [e, e]), (value) => { this.network = value; this.refresh(); }).label);
    const ops = [["", "the whole run"], ...data.ops.map((op) => [op.index, `${op.index}: ${opTitle(op)}`])];
    if (ops.length <= 2000) {
      const { label, select } = chooser("Show", ops, (value) => this.choose(value === "" ? null : Number(value)));
      this.select = select;
      tools.append(label);
    }
    this.scope = element("span", { class: "note", "aria-live": "polite" });
    tools.append(this.scope);
    this.choose(null);
  }

  choose(index) {
    this.ops = index === null ? data.ops : [data.ops[index]];
    if (this.select) this.select.value = index === null ? "" : index;
    const name = index === null ? "the whole run" : `${index}: ${opTitle(data.ops[index])}`;
    this.scope.textContent = `shares of the time of ${name}, without dispatch`;
    this.refresh();
  }

  refresh() {
    const dispatch = data.parts.indexOf("dispatch");
    this.time = Math.max(this.ops.reduce((sum, op) => sum + op.cycles - op.parts[dispatch], 0), 1);
    const target = byId("heat");
    const cores = summed(this.ops, "cores", this.device, (c) => `${c.y},${c.x}`, [...ENGINES, "end"]);
    const links = summed(this.ops, "links", this.device, (l) => `${l.noc}/${l.x},${l.y}/${l.vertical}`, ["bytes", "busy"]);
    const channels = summed(this.ops, "channels", this.device, (c) => c.channel, ["read", "write", "busy"]);
    target.replaceChildren(data.chip ? this.picture(cores, links, channels) : element("p", {}, "The place of cores is not known."));
    const ethernet = summed(this.ops, "ethernet", null, (e) => `${e.from}/${e.to}/${e.link}`, ["bytes", "wire", "busy"]);
    if (ethernet.size) target.append(this.ethernet(ethernet));
  }

  picture(cores, links, channels) {
    const { width, height, columns, rows } = data.chip;
    const svg = shape("svg", { viewBox: `-8 -8 ${width * CELL + 16} ${height * CELL + 16}`, role: "group",
      "aria-label": `Cores, links and DRAM channels of chip ${this.device}`, style: `max-width: ${width * CELL * 1.3}px; width: 100%` });
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1)
        svg.append(shape("rect", { x: x * CELL + 8, y: y * CELL + 8, width: CELL - 16, height: CELL - 16, fill: "none", stroke: "var(--line)" }));
    for (const link of links.values()) this.link(svg, link, width, height);
    data.chip.channels.forEach(([x, y], channel) => this.channel(svg, x, y, channel, channels.get(channel)));
    for (let y = 0; y < data.chip.grid[0]; y += 1)
      for (let x = 0; x < data.chip.grid[1]; x += 1) this.core(svg, columns[x], rows[y], y, x, cores.get(`${y},${x}`));
    svg.addEventListener("pointerleave", (event) => showTip(event, ""));
    svg.addEventListener("keydown", (event) => this.key(svg, event));
    svg.querySelector(".core")?.setAttribute("tabindex", 0);
    return svg;
  }

  hint(node, text) {
    node.append(shape("title", {}, text));
    node.addEventListener("pointermove", (event) => showTip(event, text));
    node.addEventListener("pointerleave", (event) => showTip(event, ""));
  }

  box(svg, x, y, share, name, attributes) {
    const group = shape("g", attributes);
    group.append(
      shape("rect", { x: x * CELL + 8, y: y * CELL + 8, width: CELL - 16, height: CELL - 16, rx: 3,
        style: `fill: ${share === null ? "var(--idle)" : heat(share)}; stroke: var(--line)` }),
      shape("text", { x: (x + 0.5) * CELL, y: (y + 0.5) * CELL - 2, "text-anchor": "middle" }, name),
      shape("text", { x: (x + 0.5) * CELL, y: (y + 0.5) * CELL + 10, "text-anchor": "middle" },
        share === null ? "" : `${Math.round(100 * share)}%`));
    svg.append(group);
    return group;
  }

  core(svg, column, row, y, x, use) {
    const busy = (core) => (this.metric === "busiest" ? Math.max(...ENGINES.map((e) => core[e])) : core[this.metric]);
    const share = use ? busy(use) / this.time : null;
    const text = use ? ENGINES.map((e) => `${e} ${whole.format(use[e])} (${showShare(use[e], this.time)})`).join("\n") : "idle";
    const key = `${this.device}/${y},${x}`;
    const group = this.box(svg, column, row, share, `${y},${x}`,
      { class: "core", role: "button", tabindex: -1, "data-y": y, "data-x": x, "aria-pressed": this.timeline.cores.has(key) });
    this.hint(group, `core ${y},${x}, at ${column},${row} of the die\n${text}`);
    group.addEventListener("click", () => {
      this.timeline.toggle(key);
      group.setAttribute("aria-pressed", this.timeline.cores.has(key));
    });
  }

  /** Arrow keys go from core to core, Enter shows its threads in the timeline. */
  key(svg, event) {
    const from = document.activeElement;
    if (!from?.dataset || from.dataset.y === undefined) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      from.dispatchEvent(new MouseEvent("click"));
    }
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const to = svg.querySelector(`[data-y="${Number(from.dataset.y) + step[0]}"][data-x="${Number(from.dataset.x) + step[1]}"]`);
    if (!to) return;
    from.setAttribute("tabindex", -1);
    to.setAttribute("tabindex", 0);
    to.focus();
  }

  channel(svg, x, y, channel, use) {
    const group = this.box(svg, x, y, use ? use.busy / this.time : null, `D${channel}`, { class: "channel" });
    const text = use ? `read ${showBytes(use.read)}, written ${showBytes(use.write)}\nbusy ${whole.format(use.busy)} cycles (${showShare(use.busy, this.time)})` : "idle";
    this.hint(group, `DRAM channel ${channel}\n${text}`);
  }

  /** A bar in the gap behind a router, in the direction of its network. */
  link(svg, link, width, height) {
    if (this.network !== "both" && this.network !== `noc${link.noc}`) return;
    const back = link.noc === 1;
    const along = back ? -7 : CELL - 7;
    const across = back ? CELL / 2 + 3 : CELL / 2 - 9;
    const [x, y] = [link.x * CELL, link.y * CELL];
    const at = link.vertical ? { x: x + across, y: y + along, width: 6, height: 14 } : { x: x + along, y: y + across, width: 14, height: 6 };
    const share = link.busy / this.time;
    const bar = shape("rect", { ...at, class: "link", style: `fill: ${heat(Math.sqrt(share))}; stroke: var(--faint); stroke-width: .4` });
    const [dx, dy] = link.vertical ? [0, back ? -1 : 1] : [back ? -1 : 1, 0];
    const to = [(link.x + dx + width) % width, (link.y + dy + height) % height];
    this.hint(bar, `noc${link.noc}: from ${link.x},${link.y} to ${to.join(",")} of the die\n${showBytes(link.bytes)}, busy ${whole.format(link.busy)} cycles (${showShare(link.busy, this.time)})`);
    svg.append(bar);
  }

  ethernet(links) {
    const row = (link) => element("tr", {},
      element("td", { class: "text" }, `chip ${link.from} to ${link.to}, link ${link.link}`),
      element("td", {}, showBytes(link.bytes)), element("td", {}, showBytes(link.wire)),
      element("td", { style: { background: heat(link.busy / this.time) } }, showShare(link.busy, this.time)));
    return element("table", {}, element("caption", { class: "note" }, "Ethernet links"),
      element("thead", {}, element("tr", {}, ...["link", "bytes", "on the wire", "busy"].map((name, i) =>
        element("th", { scope: "col", class: i ? "" : "text" }, name)))),
      element("tbody", {}, ...[...links.values()].sort((a, b) => b.busy - a.busy).map(row)));
  }
}
