// The page of a report: its parts, and what is chosen in one of them shown in all.

function head() {
  document.title = data.title;
  byId("title").textContent = `${data.program} on ${data.arch}`;
  const facts = [
    ["modelled time", showSeconds(data.seconds)],
    ["cycles", `${whole.format(data.cycles)} at ${data.clock / 1e9} GHz`],
    ["operations", whole.format(data.ops.length)],
    ["L1 high water", `${showBytes(data.l1)} a core`],
    ["DRAM high water", `${showBytes(data.dram)} a channel`],
    ["host to device", showBytes(data.to_device)],
    ["device to host", showBytes(data.to_host)],
  ];
  if (data.devices > 1) facts.push(["chips", data.devices], ["Ethernet", showBytes(data.ethernet)]);
  for (const [name, value] of facts) byId("facts").append(element("div", {}, element("dt", {}, name), element("dd", {}, value)));
  if (data.failure) {
    byId("failure").hidden = false;
    byId("failure").textContent = data.failure.message;
  }
  for (const phase of ["upload", "run", "download"]) {
    const ops = data.ops.filter((op) => op.phase === phase);
    if (!ops.length) continue;
    const parts = data.parts.map((_, i) => ops.reduce((sum, op) => sum + op.parts[i], 0));
    const cycles = ops.reduce((sum, op) => sum + op.cycles, 0);
    byId("total").append(element("p", {}, `${phase}: ${ops.length} operations, ${showSeconds(cycles / data.clock)} (${showShare(cycles, data.cycles)})`, partsBar(parts, cycles)));
  }
  for (const part of data.parts)
    byId("legend").append(element("span", {}, element("i", { style: { background: `var(--${part})` } }), part));
}

/** Fills a table of texts whose last column is long; hides its section if there are no rows. */
function texts(id, heads, rows) {
  byId(`${id}-section`).hidden = !rows.length;
  const last = heads.length - 1;
  byId(id).append(
    element("thead", {}, element("tr", {}, ...heads.map((name) => element("th", { scope: "col", class: "text" }, name)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {},
      ...row.map((text, i) => element("td", { class: i < last ? "text" : "", style: i < last ? {} : { textAlign: "left", whiteSpace: "normal" } }, text))))));
}

const range = new Range(data.cycles);
head();
const table = new OpTable((index) => choose(index));
const timeline = new Timeline(range, (index) => choose(index));
const heatMap = new HeatMap(timeline);
const memoryMap = new MemoryMap(range);
const roofline = new Roofline((index) => choose(index));
texts("advice", ["times as fast", "time", "PCC", "options", "change"], data.advice);
texts("remarks", ["place", "operation", "pass", "kind", "reason"], data.remarks);

function choose(index) {
  for (const view of [timeline, heatMap, roofline]) view.choose(index);
  table.mark(index);
  showDetail(index === null ? null : data.ops[index]);
}
if (heatMap.select) heatMap.select.addEventListener("change", () => choose(heatMap.select.value === "" ? null : Number(heatMap.select.value)));
const [busiest] = uses.flatMap((use) => use.cores).sort((a, b) => b.end - a.end);
if (busiest) timeline.toggle(`${busiest.device}/${busiest.y},${busiest.x}`);
heatMap.refresh();
