// The page: what is shown, and what is asked of the server. Texts go in as text, never as HTML.
"use strict";

const byId = (id) => document.getElementById(id);

// What the server said last: `state` of everybody, `program`, and results by try.
let state = null;
let program = null;
let programRevision = null;
const results = new Map();
// What this page chose: settings that nobody tried yet, the op, and what to compare with.
let draft = { overrides: {}, options: {} };
let edited = false;
let shown = -1;
let selected = "";
let base = 0;
// Why what the person asked for last was not done.
let problem = "";

async function ask(path, body) {
  const options = body && {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  let answer;
  try {
    answer = await fetch(`api/${path}`, options);
  } catch {
    throw new Error("the server does not answer: is it still running?");
  }
  const content = await answer.json();
  if (content.error && path !== "state" && !path.startsWith("state?")) throw new Error(content.error);
  return content;
}

function notify() {
  const current = state?.tries.find((found) => found.id === state.current);
  const message = problem || state?.error || (current?.status === "failed" ? current.message : "");
  byId("notice").textContent = message;
  byId("notice").hidden = !message;
}

async function attempt(work) {
  problem = "";
  try {
    await work();
  } catch (error) {
    problem = error.message;
  }
  notify();
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function fill(id, head, rows) {
  const table = byId(id);
  table.tHead.replaceChildren(element("tr", {}, ...head.map((text) => element("th", { textContent: text }))));
  table.tBodies[0].replaceChildren(...rows);
}

function row(cells, properties = {}) {
  const made = cells.map((cell) => cell instanceof Node ? element("td", {}, cell) : element("td", { textContent: cell ?? "" }));
  return element("tr", properties, ...made);
}

const count = (value) => value == null ? "" : Math.round(value).toLocaleString("en");

function errorText(accuracy) {
  if (!accuracy) return "";
  const correlation = accuracy.correlation == null ? "" : `PCC ${accuracy.correlation.toFixed(6)}, `;
  const special = accuracy.special ? `, ${accuracy.special} NaN or infinite` : "";
  return `${correlation}greatest error ${accuracy.max_error.toPrecision(3)} of ${accuracy.max_value.toPrecision(3)}${special}`;
}

function change(before, after) {
  const cell = element("span", {});
  if (before > 0 && after != null) {
    const share = after / before - 1;
    cell.textContent = `${share > 0 ? "+" : ""}${(100 * share).toFixed(1)} %`;
    cell.className = share < -0.001 ? "better" : share > 0.001 ? "worse" : "";
  }
  return cell;
}

function choiceText(found) {
  const parts = Object.entries(found.options).map(([name, value]) => `${name}=${value}`);
  for (const [name, settings] of Object.entries(found.overrides)) {
    const values = Object.entries(settings).map(([part, value]) =>
      value === "true" ? part : value === "false" ? `${part}=false` : value);
    parts.push(`${name}=${values.join(":")}`);
  }
  return parts.join(", ") || "the compiler's choice";
}

const resultOf = (id) => results.get(id);
const nodes = () => program?.graphs.find((graph) => graph.id === byId("function").value)?.nodes ?? [];

// Cycles of an op without those of bringing arguments and results over PCIe.
function cyclesOf(result) {
  const cycles = new Map();
  for (const op of result?.rows ?? []) {
    if (op.phase === "run") cycles.set(op.label, (cycles.get(op.label) ?? 0) + op.cycles);
  }
  return cycles;
}

function showGraph() {
  const result = resultOf(state.current);
  const cycles = cyclesOf(result);
  const most = Math.max(1, ...cycles.values());
  drawGraph(byId("graph"), nodes(), (node) => {
    const taken = node.choosable ? cycles.get(node.name) ?? 0 : 0;
    const output = node.outputs[0] ?? {};
    const classes = [];
    if (node.choosable) classes.push("choosable");
    if (node.choosable && node.name === selected) classes.push("selected");
    if (draft.overrides[node.name] && node.choosable) classes.push("set");
    const lines = [`${node.label}  ${output.shape ?? ""} ${output.dtype ?? ""}`, node.source];
    if (node.choosable && result) lines.push(result.layouts[node.name] ?? "", `${count(taken)} cycles`);
    return { classes: classes.join(" "), share: taken / most, title: lines.filter(Boolean).join("\n") };
  }, (node) => select(node.name));
}

function select(name) {
  selected = name;
  show();
}

function setting(name, values, value, hint, put) {
  const grid = values.length === 1 && values[0] === "RxC";
  const input = grid
    ? element("input", { value: value ?? "", placeholder: hint || "8x8" })
    : element("select", {}, element("option", { value: "", textContent: hint ? `(${hint})` : "(compiler)" }),
      ...values.map((text) => element("option", { value: text, textContent: text })));
  input.value = value ?? "";
  input.name = name;
  input.addEventListener("change", () => {
    put(input.value.trim());
    edited = true;
    showGraph();
  });
  return element("label", { className: "setting" }, name, input);
}

function put(target, name, value) {
  if (value) target[name] = value;
  else delete target[name];
}

// What somebody is filling in stays as it is, until they choose another op or another try.
let settingsOf = "";

function showSettings() {
  const key = JSON.stringify([selected, shown, programRevision]);
  if (key === settingsOf && byId("settings").parentElement.contains(document.activeElement)) return;
  settingsOf = key;
  const node = nodes().find((candidate) => candidate.choosable && candidate.name === selected);
  byId("selected").textContent = node ? node.name : "Choose an op";
  const result = resultOf(state.current);
  const [grid, memory, sharding, layout, dtype] = result?.layouts[selected]?.split(":") ?? [];
  const fidelity = result?.rows.find((op) => op.label === selected && op.fidelity)?.fidelity;
  const chosen = { grid, memory, sharding, layout, dtype, fidelity };
  const own = draft.overrides[selected] ?? {};
  const settings = Object.entries(node ? program.settings : {}).map(([name, values]) =>
    setting(name, values, own[name], chosen[name], (value) => {
      const changed = { ...draft.overrides[selected] };
      put(changed, name, value);
      put(draft.overrides, selected, Object.keys(changed).length ? changed : "");
    }));
  byId("settings").replaceChildren(...settings);
  const facts = node ? { op: node.op, source: node.source, ...node.outputs[0], ...node.attributes } : {};
  byId("facts").replaceChildren(...Object.entries(facts).filter(([, text]) => text).flatMap(([name, text]) =>
    [element("dt", { textContent: name }), element("dd", { textContent: text })]));
  byId("options").replaceChildren(...Object.entries(program?.options ?? {}).map(([name, values]) =>
    setting(name, values, draft.options[name], "", (value) => put(draft.options, name, value))));
}

function showCompared() {
  const [before, after] = [resultOf(base), resultOf(state.current)];
  const totals = [["cycles in all", before?.cycles, after?.cycles]];
  for (const phase of ["upload", "run", "download"]) {
    const sum = (result) => result && Object.values(result.parts[phase]).reduce((a, b) => a + b, 0);
    totals.push([`cycles of the ${phase}`, sum(before), sum(after)]);
  }
  totals.push(["L1 high water, bytes a core", before?.l1_high_water, after?.l1_high_water]);
  const rows = totals.map(([name, old, now]) => row([name, count(old), count(now), change(old, now)]));
  const outputs = Math.max(before?.accuracy.outputs?.length ?? 0, after?.accuracy.outputs?.length ?? 0);
  for (let i = 0; i < outputs; ++i) {
    rows.push(row([`output ${i} against f32`, errorText(before?.accuracy.outputs?.[i]), errorText(after?.accuracy.outputs?.[i])]));
  }
  const unknown = after?.accuracy.unknown;
  if (unknown) rows.push(row(["accuracy", "", `unknown: ${unknown}`]));
  fill("totals", ["", `try ${base}`, `try ${state.current}`, "change"], rows);

  const [old, now] = [cyclesOf(before), cyclesOf(after)];
  const longest = new Map();
  for (const op of after?.rows ?? []) {
    if (op.phase === "run" && op.cycles > (longest.get(op.label)?.cycles ?? 0)) longest.set(op.label, op);
  }
  fill("ops", ["op", "layout", `cycles of try ${base}`, `of try ${state.current}`, "change", "bound by", "error"],
    nodes().filter((node) => node.choosable).map((node) => {
      const made = row([node.label, after?.layouts[node.name], count(old.get(node.name)), count(now.get(node.name)),
        change(old.get(node.name), now.get(node.name)), longest.get(node.name)?.bound,
        errorText(after?.accuracy.each_op?.[node.name])],
      { className: node.name === selected ? "selected" : "", onclick: () => select(node.name) });
      made.dataset.name = node.name;
      return made;
    }));
}

function showHistory() {
  const button = (text, work) => element("button", { textContent: text, onclick: () => attempt(work) });
  fill("history", ["try", "choice", "status", "cycles", "accuracy", ""], [...state.tries].reverse().map((found) => {
    const actions = element("span", {});
    if (found.id !== state.current) {
      actions.append(button("Back to it", async () => {
        edited = false;
        await ask("select", { version: state.version, id: found.id });
      }));
    }
    if (found.status === "waiting" || found.status === "running") {
      actions.append(button("Cancel", () => ask("cancel", { id: found.id })));
    }
    const made = row([found.id, choiceText(found), [found.status, found.message].filter(Boolean).join(": "),
      count(found.cycles), found.outputs.map(errorText).join("; "), actions],
    { className: `${found.status} ${found.id === state.current ? "selected" : ""}` });
    made.dataset.id = found.id;
    made.cells[1].className = made.cells[2].className = "text";
    return made;
  }));
  const done = state.tries.filter((found) => found.status === "done");
  byId("base").replaceChildren(...done.map((found) =>
    element("option", { value: found.id, textContent: `try ${found.id}: ${choiceText(found)}` })));
  if (!done.some((found) => found.id === base) && done.length) base = done[0].id;
  byId("base").value = base;
}

function showRows() {
  const result = resultOf(state.current);
  fill("rows", ["op of the backend", "from", "place", "cycles", "bound by", "cores", "fidelity", "DRAM bytes", "NoC bytes"],
    (result?.rows ?? []).filter((op) => op.cycles).map((op) => row([op.name, op.label, op.source, count(op.cycles),
      op.bound, op.cores, op.fidelity, count(op.dram_bytes), count(op.noc_bytes)])));
  const remarks = (result?.remarks ?? []).filter((remark) => !selected || remark.name === selected)
    .map((remark) => `${remark.op} ${remark.name}: ${remark.pass_name} ${remark.kind}: ${remark.reason}`);
  byId("remarks").replaceChildren(...[...(result?.warnings ?? []), ...remarks].map((text) =>
    element("li", { textContent: text })));
}

async function showExport() {
  const found = await ask(`export?id=${state.current}`);
  byId("export-command").textContent = found.command;
  byId("export-python").textContent = found.python;
  byId("export-named").hidden = !found.mlir;
  if (found.mlir) byId("export-mlir").href = `data:text/plain;charset=utf-8,${encodeURIComponent(found.mlir)}`;
}

function show() {
  byId("model").textContent = `${state.model} on ${state.target}, ${state.backend}`;
  showHistory();
  if (!program) return;
  showGraph();
  showSettings();
  showCompared();
  showRows();
}

async function loadProgram() {
  program = await ask("program");
  programRevision = state.program;
  byId("numerics").replaceChildren(...program.numerics.map((text) => element("option", { value: text, textContent: text })));
  byId("function").replaceChildren(...program.graphs.map((graph) =>
    element("option", { value: graph.id, textContent: graph.id })));
}

async function update(found) {
  state = found;
  if (state.program && state.program !== programRevision) await loadProgram();
  const current = state.tries.find((candidate) => candidate.id === state.current);
  if (shown !== state.current && current) {
    shown = state.current;
    if (!edited) draft = structuredClone({ overrides: current.overrides, options: current.options });
  }
  notify();
  for (const id of [base, state.current]) {
    const known = state.tries.find((candidate) => candidate.id === id);
    if (known?.status === "done" && !results.has(id)) results.set(id, (await ask(`result?id=${id}`)).result);
  }
  show();
  if (program) await showExport();
}

async function watch() {
  let since = -1;
  let lost = "";
  for (;;) {
    try {
      const found = await ask(`state?since=${since}`);
      if (lost) problem = lost = "";
      if (found.revision !== since) await update(found);
      since = found.revision;
    } catch (error) {
      problem = lost = error.message;
      notify();
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  }
}

byId("run").addEventListener("click", () => attempt(async () => {
  const body = { version: state.version, each_op: byId("each-op").checked, numerics: byId("numerics").value, ...draft };
  await ask("try", body);
  edited = false;
}));
byId("clear").addEventListener("click", () => {
  draft = { overrides: {}, options: {} };
  edited = true;
  settingsOf = "";
  show();
});
byId("reload").addEventListener("click", () => attempt(async () => {
  await ask("reload", { version: state.version });
}));
byId("function").addEventListener("change", show);
byId("base").addEventListener("change", () => attempt(async () => {
  base = Number(byId("base").value);
  await update(state);
}));
watch();
