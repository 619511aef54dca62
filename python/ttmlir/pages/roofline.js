// Achieved FLOP/s against FLOPs for each byte of DRAM, below what the chip can do at most. Where an
// op leaves DRAM alone, the bytes are those of the networks on chip, which have a roof of their own.

class Roofline {
  constructor(choose) {
    this.canvas = byId("roofline");
    const points = new Map();
    for (const op of data.ops) {
      const bytes = op.dram || op.noc;
      if (!op.flops || !bytes || !op.cycles) continue;
      const point = { op, memory: op.dram ? "DRAM" : "NoC", x: op.flops / bytes, y: rate(op, op.flops) };
      const key = `${op.name} ${point.x.toPrecision(3)} ${point.y.toPrecision(3)}`;
      if (points.has(key)) points.get(key).count += 1;
      else points.set(key, { ...point, count: 1 });
    }
    this.points = [...points.values()];
    this.roofs = data.chip ? data.chip.peaks : [];
    this.slopes = data.chip ? [["DRAM", data.chip.dram_rate], ["NoC", data.chip.noc_rate]] : [];
    this.surface = new Surface(this.canvas, this.points.length ? 320 : 30, (pen, width, height) => this.draw(pen, width, height));
    this.canvas.addEventListener("pointermove", (event) => {
      const found = this.near(event);
      this.canvas.style.cursor = found ? "pointer" : "";
      showTip(event, found ? this.text(found) : "");
    });
    this.canvas.addEventListener("pointerleave", (event) => showTip(event, ""));
    this.canvas.addEventListener("click", (event) => { const found = this.near(event); if (found) choose(found.op.index); });
  }

  text({ op, memory, x, y, count }) {
    return `${opTitle(op)}${count > 1 ? ` and ${count - 1} like it` : ""}\n${showRate(y, "FLOP/s")}, ${short.format(x)} FLOP a byte of ${memory}\n${op.fidelity || "vector engine"}, ${op.cores} cores, bound by ${op.bound}\nat the peak of its cores ${showShare(op.ideal_compute, op.cycles)} of the time`;
  }

  scales(width, height) {
    const xs = [...this.points.map((p) => p.x), ...this.roofs.flatMap(([, peak]) => this.slopes.map(([, slope]) => peak / slope))];
    const ys = [...this.points.map((p) => p.y), ...this.roofs.map(([, peak]) => peak)];
    const ends = (values) => [Math.floor(Math.log10(Math.min(...values)) - 0.2), Math.ceil(Math.log10(Math.max(...values)) + 0.1)];
    this.xs = ends(xs);
    this.ys = ends(ys);
    const [left, top, bottom] = [70, 8, 34];
    this.px = (x) => left + (Math.log10(x) - this.xs[0]) / (this.xs[1] - this.xs[0]) * (width - left - 10);
    this.py = (y) => height - bottom - (Math.log10(y) - this.ys[0]) / (this.ys[1] - this.ys[0]) * (height - bottom - top);
    return { left, right: width - 10, top, bottom: height - bottom };
  }

  draw(pen, width, height) {
    pen.fillStyle = colour("faint");
    if (!this.points.length) {
      pen.fillText("No operation computes from bytes of a memory.", 0, 12);
      return;
    }
    const area = this.scales(width, height);
    pen.strokeStyle = colour("line");
    pen.textAlign = "center";
    for (let x = this.xs[0]; x <= this.xs[1]; x += 1) this.grid(pen, [this.px(10 ** x), area.top, this.px(10 ** x), area.bottom], String(short.format(10 ** x)), this.px(10 ** x), area.bottom + 9);
    pen.fillText("FLOPs a byte of DRAM; hollow: of the NoC", (area.left + area.right) / 2, area.bottom + 24);
    pen.textAlign = "left";
    for (let y = this.ys[0]; y <= this.ys[1]; y += 1) this.grid(pen, [area.left, this.py(10 ** y), area.right, this.py(10 ** y)], showRate(10 ** y, "FLOP/s"), 0, this.py(10 ** y));
    this.drawRoofs(pen, area);
    for (const point of this.points) {
      pen.beginPath();
      pen.arc(this.px(point.x), this.py(point.y), 3 + Math.min(Math.log2(point.count), 5), 0, 2 * Math.PI);
      const own = colour(point.op.index === this.chosen ? "select" : point.op.bound);
      const solid = point.memory === "DRAM";
      pen.fillStyle = solid ? own : colour("back");
      pen.fill();
      pen.strokeStyle = solid ? colour("back") : own;
      pen.stroke();
    }
  }

  grid(pen, [x0, y0, x1, y1], text, x, y) {
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
    pen.stroke();
    pen.fillText(text, x, y);
  }

  drawRoofs(pen, area) {
    if (!this.roofs.length) return;
    pen.strokeStyle = colour("faint");
    pen.fillStyle = colour("ink");
    pen.lineWidth = 1.5;
    const highest = Math.max(...this.roofs.map(([, peak]) => peak));
    const steepest = Math.max(...this.slopes.map(([, slope]) => slope));
    const x0 = 10 ** this.xs[0];
    pen.save();
    pen.beginPath();
    pen.rect(area.left, area.top, area.right - area.left, area.bottom - area.top);
    pen.clip();
    for (const [name, slope] of this.slopes) {
      this.grid(pen, [this.px(x0), this.py(x0 * slope), this.px(highest / slope), this.py(highest)], "", 0, 0);
      const middle = Math.sqrt(Math.max(x0, 10 ** this.ys[0] / slope) * highest / slope);
      boxText(pen, `${name} ${showRate(slope, "B/s")}`, this.px(middle) + 14, this.py(middle * slope) + 12, 200);
    }
    for (const [name, peak] of this.roofs)
      this.grid(pen, [this.px(peak / steepest), this.py(peak), area.right, this.py(peak)], `${name} ${showRate(peak, "FLOP/s")}`, area.right - 130, this.py(peak) - 8);
    pen.restore();
    pen.lineWidth = 1;
  }

  near(event) {
    if (!this.px) return null;
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const far = (p) => Math.hypot(this.px(p.x) - x, this.py(p.y) - y);
    const best = this.points.reduce((a, b) => (a && far(a) <= far(b) ? a : b), null);
    return best && far(best) < 12 ? best : null;
  }

  choose(index) {
    this.chosen = index;
    this.surface.redraw();
  }
}
