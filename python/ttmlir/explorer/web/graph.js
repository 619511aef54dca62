// Draws a program: a row for each step from its arguments on, an arrow for each operand.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const SIZE = { width: 190, height: 34, gapX: 14, gapY: 26 };
// More nodes are a list to scroll, not a picture.
const MOST_DRAWN = 1500;

function svgElement(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// The longest way from an argument to each node. Operands come before what reads them.
function ranksOf(nodes) {
  const ranks = new Map();
  for (const node of nodes) {
    const before = node.inputs.map((id) => ranks.get(id) ?? -1);
    ranks.set(node.id, Math.max(-1, ...before) + 1);
  }
  return ranks;
}

function placesOf(nodes) {
  const ranks = ranksOf(nodes);
  const rows = [];
  for (const node of nodes) (rows[ranks.get(node.id)] ??= []).push(node);
  const places = new Map();
  for (const [rank, row] of rows.entries()) {
    // Below what a node reads, as far as there is room.
    const wish = (node) => {
      const above = node.inputs.filter((id) => places.has(id)).map((id) => places.get(id).x);
      return above.length ? above.reduce((a, b) => a + b) / above.length : 0;
    };
    const wishes = new Map(row.map((node) => [node, wish(node)]));
    row.sort((a, b) => wishes.get(a) - wishes.get(b));
    let x = 0;
    for (const node of row) {
      x = Math.max(x, wishes.get(node));
      places.set(node.id, { x, y: rank * (SIZE.height + SIZE.gapY) });
      x += SIZE.width + SIZE.gapX;
    }
  }
  return places;
}

function shorten(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

// `look(node)` gives classes, the share of time and the text that hovering shows.
function drawGraph(parent, nodes, look, choose) {
  const drawn = nodes.slice(0, MOST_DRAWN);
  const places = placesOf(drawn);
  const edges = svgElement("g", {});
  const boxes = svgElement("g", {});
  let width = 0;
  let height = 0;
  for (const node of drawn) {
    const { x, y } = places.get(node.id);
    width = Math.max(width, x + SIZE.width);
    height = Math.max(height, y + SIZE.height);
    for (const id of node.inputs) {
      const from = places.get(id);
      if (!from) continue;
      const [x0, y0] = [from.x + SIZE.width / 2, from.y + SIZE.height];
      const [x1, middle] = [x + SIZE.width / 2, (y0 + y) / 2];
      edges.append(svgElement("path", { d: `M${x0},${y0}C${x0},${middle} ${x1},${middle} ${x1},${y}` }));
    }
    const { classes, share, title } = look(node);
    const box = svgElement("g", { class: `node ${classes}`, transform: `translate(${x},${y})` },
      svgElement("title", {}, title),
      svgElement("rect", { width: SIZE.width, height: SIZE.height }),
      svgElement("rect", { class: "heat", y: SIZE.height - 5, height: 5, width: SIZE.width * share }),
      svgElement("text", { x: 8, y: 20 }, shorten(node.label, 28)));
    box.dataset.name = node.name;
    if (node.choosable) box.addEventListener("click", () => choose(node));
    boxes.append(box);
  }
  const svg = svgElement("svg", { width: width + 4, height: height + 4, viewBox: `-2 -2 ${width + 4} ${height + 4}` }, edges, boxes);
  parent.replaceChildren(svg);
  if (drawn.length < nodes.length) {
    parent.prepend(`The first ${drawn.length} of ${nodes.length} nodes.`);
  }
}
