// Shared by all pages: the data, texts of numbers, elements, canvases and the hint at the pointer.
// Text goes into the page with textContent only, so names of a program are never markup.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(made.style, value);
    else if (value !== false && value !== null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

function shape(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A `<select>` of [value, text] pairs with its label. */
function chooser(label, pairs, change) {
  const select = element("select", { "aria-label": label, onchange: () => change(select.value) });
  for (const [value, text] of pairs) select.append(element("option", { value }, text));
  return { label: element("label", {}, label, select), select };
}

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

function scaled(value, steps, base, unit) {
  let i = 0;
  while (Math.abs(value) >= base && i + 1 < steps.length) { value /= base; i += 1; }
  return `${short.format(value)} ${steps[i]}${unit}`;
}
const showBytes = (n) => scaled(n, ["", "Ki", "Mi", "Gi"], 1024, "B");
const showRate = (n, unit) => scaled(n, ["", "K", "M", "G", "T", "P"], 1000, unit);
const showShare = (part, of) => `${(100 * part / Math.max(of, 1e-30)).toFixed(1)} %`;
function showSeconds(seconds) {
  for (const [factor, unit] of [[1, "s"], [1e3, "ms"], [1e6, "us"]])
    if (seconds * factor >= 1) return `${short.format(seconds * factor)} ${unit}`;
  return `${short.format(seconds * 1e9)} ns`;
}

const darkness = matchMedia("(prefers-color-scheme: dark)");
const colours = new Map();
darkness.addEventListener("change", () => colours.clear());
/** A colour of the style sheet, as it is now: light or dark. */
function colour(name) {
  if (!colours.has(name))
    colours.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
  return colours.get(name);
}
/** From cold to hot. */
function heat(share) {
  const percent = Math.round(100 * Math.min(Math.max(share, 0), 1));
  return `color-mix(in srgb, var(--hot) ${percent}%, var(--cold))`;
}
/** One of many colours that differ, for things with no order. */
function hue(index) {
  return `hsl(${(index * 137.508) % 360} 55% ${darkness.matches ? 38 : 74}%)`;
}

const tip = element("div", { id: "tip", role: "tooltip", hidden: true });
document.body.append(tip);
function showTip(event, text) {
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const room = 14;
  const left = Math.min(event.clientX + room, innerWidth - tip.offsetWidth - room);
  const over = event.clientY + room + tip.offsetHeight > innerHeight;
  tip.style.left = `${Math.max(left, 0)}px`;
  tip.style.top = `${over ? event.clientY - room - tip.offsetHeight : event.clientY + room}px`;
}
addEventListener("scroll", () => showTip(null, ""), true);

/** A canvas that is drawn again, once a frame, when its size or the colours change. */
class Surface {
  constructor(canvas, height, draw) {
    this.canvas = canvas;
    this.draw = draw;
    this.pending = false;
    this.resize(height);
    new ResizeObserver(() => this.redraw()).observe(canvas);
    darkness.addEventListener("change", () => this.redraw());
  }

  resize(height) {
    this.height = height;
    this.canvas.style.height = `${height}px`;
    this.redraw();
  }

  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      const scale = devicePixelRatio || 1;
      this.width = this.canvas.clientWidth;
      if (!this.width) return;
      this.canvas.width = Math.round(this.width * scale);
      this.canvas.height = Math.round(this.height * scale);
      const pen = this.canvas.getContext("2d");
      pen.setTransform(scale, 0, 0, scale, 0, 0);
      pen.font = "11px system-ui, sans-serif";
      pen.textBaseline = "middle";
      this.draw(pen, this.width, this.height);
    });
  }
}

/** Text in a box, cut to its width. */
function boxText(pen, text, x, y, width) {
  if (width < 18) return;
  let room = Math.floor(width / 6.2);
  if (room < text.length) text = `${text.slice(0, room - 1)}\u2026`;
  pen.fillText(text, x, y);
}

/** The range of an axis that is shown, between 0 and `total`; those who listen draw it. */
class Range {
  constructor(total) {
    this.total = Math.max(total, 1);
    this.begin = 0;
    this.end = this.total;
    this.listeners = [];
  }

  show(begin, end) {
    const least = this.total / 1e7;
    const length = Math.min(Math.max(end - begin, least), this.total);
    this.begin = Math.min(Math.max(begin, 0), this.total - length);
    this.end = this.begin + length;
    for (const listener of this.listeners) listener();
  }

  zoom(factor, at = (this.begin + this.end) / 2) {
    this.show(at - (at - this.begin) * factor, at + (this.end - at) * factor);
  }

  move(share) {
    const by = (this.end - this.begin) * share;
    this.show(this.begin + by, this.end + by);
  }

  fit() {
    this.show(0, this.total);
  }
}

/** Mouse and keys of a canvas with a range from `left` on: drag, wheel with Ctrl or in focus, + - 0. */
function control(canvas, range, left) {
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    const share = (event.clientX - box.left - left) / Math.max(box.width - left, 1);
    return range.begin + share * (range.end - range.begin);
  };
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;
    event.preventDefault();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
      range.move((event.deltaX || event.deltaY) / 1000);
    else range.zoom(Math.exp(event.deltaY / 400), at(event));
  }, { passive: false });
  let from = null;
  canvas.addEventListener("pointerdown", (event) => { from = event.clientX; });
  addEventListener("pointerup", () => { from = null; });
  addEventListener("pointermove", (event) => {
    if (from === null || event.clientX === from) return;
    range.move((from - event.clientX) / Math.max(canvas.clientWidth - left, 1));
    from = event.clientX;
  });
  const keys = {
    "+": () => range.zoom(0.6), "=": () => range.zoom(0.6), "-": () => range.zoom(1 / 0.6),
    "0": () => range.fit(), ArrowLeft: () => range.move(-0.15), ArrowRight: () => range.move(0.15),
  };
  canvas.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  });
}

/** Buttons that do what the keys do. */
function zoomButtons(range) {
  return [["Zoom in", () => range.zoom(0.6)], ["Zoom out", () => range.zoom(1 / 0.6)], ["All", () => range.fit()]]
    .map(([text, act]) => element("button", { type: "button", onclick: act }, text));
}
