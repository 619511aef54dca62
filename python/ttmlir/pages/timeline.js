// Operations over time, below them their kernels by thread, and the threads of chosen cores.

const LEFT = 130;
const LANE = 18;
const WAITS = /^cb_(wait|reserve)|semaphore_wait|barrier/;
const THREADS = ["noc0", "compute", "noc1"];

/** Marks of the time axis, at round numbers. */
function timeMarks(begin, end) {
  const rough = (end - begin) / 8;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  const marks = [];
  for (let at = Math.ceil(begin / step) * step; at <= end; at += step) marks.push(at);
  return marks;
}

function drawTimeAxis(pen, range, left, width, height) {
  pen.strokeStyle = colour("line");
  pen.fillStyle = colour("faint");
  pen.textAlign = "center";
  for (const at of timeMarks(range.begin, range.end)) {
    const x = left + (at - range.begin) / (range.end - range.begin) * (width - left);
    pen.beginPath();
    pen.moveTo(x, 14);
    pen.lineTo(x, height);
    pen.stroke();
    pen.fillText(showSeconds(at / data.clock), Math.min(Math.max(x, left + 20), width - 24), 7);
  }
  pen.textAlign = "left";
}

/** The first item of a sorted list that ends after `time`. */
function firstAfter(items, time) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle].end > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Items that do not overlap, sorted: each has begin, end, fill and text. Items of less than a pixel
 * that follow another in the same pixel are left out, so that a track costs its pixels at most. */
function drawTrack(pen, items, range, left, width, y, height) {
  const scale = (width - left) / (range.end - range.begin);
  let drawn = -1;
  for (let i = firstAfter(items, range.begin); i < items.length && items[i].begin < range.end; i += 1) {
    const item = items[i];
    const x0 = Math.max(left + (item.begin - range.begin) * scale, left);
    const x1 = Math.min(left + (item.end - range.begin) * scale, width);
    if (x1 <= drawn) {
      i = Math.max(i, firstAfter(items, range.begin + (drawn - left) / scale) - 1);
      continue;
    }
    pen.fillStyle = item.fill();
    pen.fillRect(x0, y, Math.max(x1 - x0 - (x1 - x0 > 4 ? 1 : 0), 1), height - 2);
    if (x1 - x0 > 24) {
      pen.fillStyle = colour("ink");
      boxText(pen, item.text, x0 + 4, y + (height - 2) / 2, x1 - x0 - 6);
    }
    if (item.chosen?.()) {
      pen.strokeStyle = colour("select");
      pen.lineWidth = 2;
      pen.strokeRect(x0, y, Math.max(x1 - x0 - 1, 2), height - 2);
      pen.lineWidth = 1;
    }
    drawn = Math.ceil(Math.max(x1, x0 + 1));
  }
}

/** Tracks in which no two items overlap. */
function packed(items) {
  const tracks = [];
  for (const item of items.sort((a, b) => a.begin - b.begin || b.end - a.end)) {
    const free = tracks.find((track) => track[track.length - 1].end <= item.begin);
    if (free) free.push(item);
    else tracks.push([item]);
  }
  return tracks;
}

function partsText(parts, of) {
  return parts.map((cycles, i) => (cycles > 0 ? `\n${data.parts[i]}: ${whole.format(cycles)} (${showShare(cycles, of)})` : "")).join("");
}

class Timeline {
  constructor(range, choose) {
    this.range = range;
    this.canvas = byId("timeline");
    this.cores = new Set();
    const ops = data.ops.map((op) => ({
      begin: op.start, end: op.start + op.cycles, text: opTitle(op), op,
      fill: () => colour(op.bound), chosen: () => op.index === this.chosen,
      hint: () => `${opTitle(op)}${op.label ? ` (${op.name})` : ""}\n${op.source}\n${op.phase}, ${whole.format(op.cycles)} cycles from ${whole.format(op.start)}${partsText(op.parts, op.cycles)}`,
    }));
    this.fixed = [["operations", ops], ...THREADS.flatMap((thread) => this.kernels(thread))];
    this.rows = this.fixed;
    this.surface = new Surface(this.canvas, 80, (pen, width, height) => this.draw(pen, width, height));
    this.arrange();
    range.listeners.push(() => this.surface.redraw());
    control(this.canvas, range, LEFT);
    this.canvas.addEventListener("pointermove", (event) => showTip(event, this.at(event)?.hint() ?? ""));
    this.canvas.addEventListener("pointerleave", (event) => showTip(event, ""));
    this.canvas.addEventListener("click", (event) => { const op = this.at(event)?.op; if (op) choose(op.index); });
    this.canvas.addEventListener("dblclick", (event) => {
      const item = this.at(event);
      if (item) range.show(item.begin - (item.end - item.begin) * 0.05, item.end + (item.end - item.begin) * 0.05);
    });
    byId("timeline-tools").append(...zoomButtons(range), element("span", { class: "note" }, data.note));
  }

  kernels(thread) {
    const items = data.ops.flatMap((op) => op.kernels.filter((k) => k.thread === thread).map((k) => ({
      begin: op.start + k.begin, end: op.start + k.end, text: k.name, op,
      fill: () => colour(data.parts[k.parts.indexOf(Math.max(...k.parts))]),
      hint: () => `${k.name} of ${opTitle(op)}, ${k.cores} cores\nbusy ${whole.format(k.busy)} of ${whole.format(k.end - k.begin)} cycles${partsText(k.parts, k.end - k.begin)}`,
    })));
    return packed(items).slice(0, 6).map((track, i) => [i ? "" : `kernels: ${thread}`, track]);
  }

  /** Rows of a core: its threads where the page has a trace, else how long each op kept it. */
  core(key) {
    const [device, place] = key.split("/");
    const traced = data.tracks.filter((t) => t.device === Number(device) && t.core === place);
    const name = data.devices > 1 ? `chip ${device} core ${place}` : `core ${place}`;
    if (traced.length)
      return traced.flatMap((track) => this.slices(track).map((items, depth) => [depth ? "" : `${name} ${track.thread}`, items]));
    const items = [];
    for (const op of data.ops) {
      const use = coreUses(op).find((c) => c.device === Number(device) && `${c.y},${c.x}` === place);
      if (!use) continue;
      const begin = op.start + op.parts[data.parts.indexOf("dispatch")];
      const engines = ENGINES.map((engine) => `${engine} ${whole.format(use[engine])}`).join(", ");
      items.push({ begin, end: begin + Math.max(use.end, 1), text: opTitle(op), op,
        fill: () => colour(op.bound), hint: () => `${name}: ${opTitle(op)}\n${engines} cycles busy` });
    }
    return [[name, items]];
  }

  /** Kernels, and what they do inside. */
  slices(track) {
    return track.rows ??= packed(track.slices.map(([begin, length, index]) => ({
      begin, end: begin + length, text: data.names[index],
      fill: () => (WAITS.test(data.names[index]) ? colour("idle") : hue(index)),
      hint: () => `${data.names[index]}\n${whole.format(length)} cycles from ${whole.format(begin)}`,
    })));
  }

  toggle(key) {
    if (!this.cores.delete(key)) this.cores.add(key);
    this.arrange();
  }

  arrange() {
    this.rows = [...this.fixed, ...[...this.cores].flatMap((key) => this.core(key))];
    this.surface.resize(18 + this.rows.length * LANE + 14);
  }

  choose(index) {
    this.chosen = index;
    this.surface.redraw();
  }

  draw(pen, width, height) {
    drawTimeAxis(pen, this.range, LEFT, width, height);
    this.rows.forEach(([name, items], i) => {
      pen.fillStyle = colour("ink");
      boxText(pen, name, 0, 18 + i * LANE + LANE / 2 - 1, LEFT - 4);
      drawTrack(pen, items, this.range, LEFT, width, 18 + i * LANE, LANE);
    });
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const row = this.rows[Math.floor((event.clientY - box.top - 18) / LANE)];
    const pixel = (this.range.end - this.range.begin) / Math.max(box.width - LEFT, 1);
    const time = this.range.begin + (event.clientX - box.left - LEFT) * pixel;
    if (!row || event.clientX < box.left + LEFT) return null;
    const item = row[1][firstAfter(row[1], time - pixel)];
    return item && item.begin <= time + pixel ? item : null;
  }
}
