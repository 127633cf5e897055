// The explorer. Whatever comes from a specification becomes text of a node, never markup: see `el` and `svg`.
"use strict";

// --- nodes -------------------------------------------------------------------------------------------------------------

function filled(node, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) node.append(child);  // a string becomes a text node
  }
  return node;
}
const el = (tag, properties, ...children) => filled(document.createElement(tag), properties, children);
const svg = (tag, properties, ...children) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
const $ = (id) => document.getElementById(id);
const put = (id, ...children) => $(id).replaceChildren(...children.flat().filter((child) => child));
const short = (text, most) => (text.length <= most ? text : text.slice(0, most - 1) + "…");

// --- where answers come from ---------------------------------------------------------------------------------------------

class Served {
  async ask(name, body = {}) {
    let answer;
    try {
      answer = await fetch("api/" + name, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
      });
    } catch {
      throw new Error("The explorer has ended: start it again.");
    }
    if (!answer.ok) throw new Error(`The explorer refused ${name} (${answer.status}).`);
    const found = await answer.json();
    if (found.failed) throw new Error(found.error);
    return found;
  }
}

class Inside {
  // The same answers, of what the file holds.
  constructor(data) { this.data = data; }
  async ask(name, body = {}) {
    const data = this.data;
    if (name === "model") return data.model;
    if (name === "state") return this.state(body.id);
    if (name === "walk") return { steps: this.walk(body.numbers) };
    if (name === "why") return { reasons: ((data.why[body.id] || {})[body.action] || []) };
    if (name === "values") {
      const known = data.values[body.expression];
      if (!known) throw new Error("This file has no values of it: give it with --watch where the file is made.");
      return { values: body.steps.map(([, id]) => known[id] || { text: "–" }) };
    }
    if (name === "chart") {
      const place = data.model.given.findIndex((numbers) => String(numbers) === String(body.numbers));
      if (place < 0) throw new Error("This file has the picture of the walks that it was given only.");
      return data.charts[place];
    }
    if (name === "graph" && data.graph && !body.fold) return data.graph;
    if (name === "compare" && data.compare) return data.compare;
    throw new Error("This needs the explorer itself: rmqproof explore.");
  }
  state(id) {
    const found = this.data.states[id];
    if (!found) throw new Error("This file ends here: it holds a part of the states. Make a larger one with --states N.");
    return found;
  }
  walk(numbers) {
    const steps = [];
    for (const number of numbers) {
      const moves = steps.length ? this.state(steps[steps.length - 1].to).moves : this.data.model.initial;
      const move = moves.find((each) => each.number === number);
      if (!move) throw new Error("There is no such walk in this file.");
      steps.push(move);
    }
    return steps;
  }
}

// --- what the page knows ---------------------------------------------------------------------------------------------------

const inside = $("data");
const source = inside ? new Inside(JSON.parse(inside.textContent)) : new Served();
const page = { model: null, path: [], at: 0, aim: 0, state: null, watched: [], pinned: null, tab: "picture", fold: "", folding: "", turn: 0, seed: 1 };

function say(error) {
  $("message").hidden = !error;
  $("message").textContent = error ? (error.message || String(error)) : "";
}
const guarded = (action) => async (...given) => {
  try {
    say("");
    await action(...given);
  } catch (error) {
    say(error);
  }
};

const numbers = (until = page.path.length) => page.path.slice(0, until).map((step) => step.number);
const place = () => "#" + numbers().join(".") + (page.at + 1 < page.path.length ? "@" + (page.at + 1) : "");

async function open(walk, at) {
  const found = walk.length ? await source.ask("walk", { numbers: walk }) : { steps: [] };
  page.path = found.steps;
  await drawWalk();
  await go(at === undefined ? page.path.length - 1 : at);
}

async function go(index) {
  if (!page.path.length) {
    page.state = null;
    draw();
    return;
  }
  const at = Math.max(0, Math.min(index, page.path.length - 1));
  const turn = ++page.turn;
  const before = at ? page.path[at - 1].to : null;
  page.aim = at;
  let state;
  try {
    state = await source.ask("state", { id: page.path[at].to, before });
  } finally {
    if (turn === page.turn) page.aim = state ? at : page.at;
  }
  if (turn !== page.turn) return;  // somebody was faster
  page.at = at;
  page.state = state;
  if (location.hash !== place()) history.replaceState(null, "", place());
  draw();
}

async function take(move) {
  page.path = page.path.length ? page.path.slice(0, page.at + 1) : [];
  page.path.push(move);
  await drawWalk();
  await go(page.path.length - 1);
}

async function takeBack() {
  if (page.path.length < 2) return;
  page.path = page.path.slice(0, Math.max(page.at, 1));
  await drawWalk();
  await go(page.path.length - 1);
}

async function atRandom(count) {
  // a small generator of its own, so that a seed gives the same walk everywhere
  let seed = page.seed >>> 0;
  const next = () => {
    seed = (seed + 0x6d2b79f5) >>> 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  let path = page.path.slice(0, page.at + 1);
  for (let made = 0; made < count; made++) {
    const moves = path.length ? (await source.ask("state", { id: path[path.length - 1].to })).moves : page.model.initial;
    const inner = moves.filter((move) => !move.outside);
    if (!inner.length) break;
    const move = inner[Math.floor(next() * inner.length)];
    const before = path.length ? path[path.length - 1].breaks : [];
    path = [...path, move];
    if (move.breaks.some((name) => !before.includes(name))) break;
  }
  page.seed += 1;
  page.path = path;
  await drawWalk();
  await go(path.length - 1);
}

async function jump(expression) {
  const here = page.path.length ? page.path[page.at].to : null;
  const searching = setTimeout(() => say("Searching …"), 500);
  let found;
  try {
    found = await source.ask("find", { id: here, expression });
  } finally {
    clearTimeout(searching);
    say("");
  }
  if (!found.steps) {
    const many = found.lookedAt.toLocaleString("en");
    throw new Error(found.anew ? `True in none of the ${many} states of the store.`
      : found.whole ? `True in none of the ${many} states that can be reached from here.`
        : `True in none of the first ${many} states from here.`);
  }
  page.path = found.anew ? found.steps : [...page.path.slice(0, page.path.length ? page.at + 1 : 0), ...found.steps];
  await drawWalk();
  await go(page.path.length - 1);
  if (!found.steps.length) say("It is true here.");
}

// --- the walk --------------------------------------------------------------------------------------------------------------

async function drawWalk() {
  const columns = [];
  for (const expression of page.watched) {
    const steps = page.path.map((step, index) => [index ? page.path[index - 1].to : null, step.to]);
    try {
      columns.push((await source.ask("values", { expression, steps })).values);
    } catch (error) {
      columns.push(page.path.map(() => ({ text: "?", error: true })));
      say(error);
    }
  }
  const first = page.path.findIndex((step) => step.breaks.length);
  const row = (step, index) => el("tr", {
    "data-index": index, class: step.breaks.length ? "bad" : null, onclick: guarded(() => go(index)),
  },
  el("td", { class: "number" }, String(index + 1)),
  el("td", { class: "title" }, step.title, step.breaks.length ? " ✗ " + step.breaks.join(", ") : ""),
  columns.map((values) => el("td", { class: "code" + (values[index].error ? " odd" : "") }, el("div", { class: "value" }, values[index].text))));
  put("walk",
    el("h2", {}, "Walk"),
    first >= 0 && el("p", { class: "bad" }, `First violated in state ${first + 1}: ${page.path[first].breaks.join(", ")}`),
    el("table", {},
      el("thead", {}, el("tr", {}, el("th", {}), el("th", {}, "step"), page.watched.map((text) => el("th", {}, el("code", {}, text))))),
      el("tbody", {}, page.path.map(row))),
    watching());
  drawBeside();
}

function watching() {
  const input = el("input", { class: "code", id: "watch", placeholder: "Watch an expression", "aria-label": "Watch an expression" });
  const submit = guarded(async (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (!text) return;
    const here = page.path.map((step) => [step.to, step.to]).slice(0, 1);
    await source.ask("values", { expression: text, steps: here });  // is it one?
    if (!page.watched.includes(text)) page.watched.push(text);
    await drawWalk();
    mark();
  });
  return el("div", {},
    (page.model.live || page.model.watched.length > 0) && el("h3", {}, "Watched"),
    el("ul", {}, page.watched.map((text) => el("li", {}, el("button", {
      class: "link", title: "Watch it no more", onclick: guarded(async () => {
        page.watched = page.watched.filter((other) => other !== text);
        await drawWalk();
        mark();
      }),
    }, "✕"), " ", el("code", {}, text)))),
    page.model.live && el("form", { onsubmit: submit }, input, el("button", {}, "Watch")));
}

function mark() {
  for (const row of document.querySelectorAll("#walk tbody tr")) {
    const now = Number(row.dataset.index) === page.at;
    if (now) row.setAttribute("aria-current", "step");
    else row.removeAttribute("aria-current");
    if (now) row.scrollIntoView({ block: "nearest" });
  }
  for (const row of document.querySelectorAll("#beside .row")) {
    row.classList.toggle("now", Number(row.dataset.step) === page.at);
  }
  const here = page.path.length ? page.path[page.at].to : -1;
  for (const node of document.querySelectorAll("#beside .node")) {
    node.classList.toggle("now", (node.dataset.ids || "").split(" ").includes(String(here)));
  }
  const figure = document.querySelector("#beside figure");
  const shown = figure && (figure.querySelector(".now") || figure.querySelector(".node"));
  if (shown) bringIntoView(figure, shown);
}

function bringIntoView(figure, shown) {
  const [outer, inner] = [figure.getBoundingClientRect(), shown.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    figure.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
  }
  if (inner.width < outer.width && (inner.left < outer.left || inner.right > outer.right)) {
    figure.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
  }
}

// --- the state, and the steps from it ----------------------------------------------------------------------------------------

const changeLine = (line) => {
  const sign = line.trim().slice(0, 1);
  return el("div", { class: sign === "-" ? "removed" : sign === "+" ? "added" : null }, line || " ");
};
const changed = (changes) => el("pre", {}, changes.map(changeLine));

function draw() {
  drawState();
  drawSteps();
  drawTools();
  mark();
}

function drawState() {
  if (!page.state) {
    put("state", el("h2", {}, "Choose an initial state"));
    return;
  }
  const step = page.path[page.at];
  const touched = new Set(step.changes.map((line) => (line.match(/^\w+/) || [""])[0]));
  const variable = ({ name, lines }) => el("div", { class: "variable" + (page.at && touched.has(name) ? " changed" : "") },
    el("code", {}, name), el("pre", {}, lines.join("\n")));
  const standing = (one) => el("li", { title: one.sentence, class: one.holds ? "good" : one.holds === false ? "bad" : "odd" },
    (one.holds ? "✓ " : one.holds === false ? "✗ " : "? ") + one.name,
    one.holds === false && one.sentence ? " – " + one.sentence : "", one.error ? el("pre", {}, one.error) : null);
  put("state",
    el("h2", {}, `State ${page.at + 1} of ${page.path.length}: ${step.title}`),
    page.model.algorithm[step.action] && el("p", { id: "algorithm", class: "faint" }, el("code", {}, page.model.algorithm[step.action])),
    page.at > 0 && [el("h3", {}, "Changed"), step.changes.length ? changed(step.changes) : el("p", { class: "faint" }, "nothing")],
    el("h3", {}, "Variables"), el("div", { id: "variables" }, page.state.variables.map(variable)),
    page.state.properties.length > 0 && [el("h3", {}, "Properties"), el("ul", { id: "properties" }, page.state.properties.map(standing))]);
}

function drawSteps() {
  const moves = page.state ? page.state.moves : page.model.initial;
  const button = (move, index) => el("button", { class: "move", "data-number": move.number, onclick: guarded(() => take(move)) },
    el("span", { class: "key" }, String(index + 1)), move.title,
    move.breaks.length ? el("span", { class: "bad" }, " ✗ " + move.breaks.join(", ")) : null,
    move.outside ? el("span", { class: "odd" }, " outside of the constraints") : null,
    move.changes.length ? el("pre", {}, move.changes.join("\n")) : null);
  const list = el("div", { id: "moves" }, moves.map(button));
  const filter = moves.length > 9 && el("input", {
    class: "code", placeholder: "Filter", "aria-label": "Filter steps", oninput: (event) => {
      const wanted = event.target.value.toLowerCase();
      for (const one of list.children) one.hidden = !one.textContent.toLowerCase().includes(wanted);
    },
  });
  const impossible = page.state ? page.state.impossible : [];
  const why = (action) => {
    const answer = el("div", { class: "why" });
    const ask = guarded(async () => {
      if (answer.childNodes.length) {
        answer.replaceChildren();
        return;
      }
      const { reasons } = await source.ask("why", { id: page.path[page.at].to, action });
      answer.replaceChildren(...reasons.map((one) => el("div", {}, el("b", {}, one.title), ": ", el("code", {}, one.text),
        el("pre", {}, one.values.map(([text, value]) => `${text} = ${value}`).join("\n")),
        one.place ? el("div", { class: "faint" }, one.place) : null)));
      if (!reasons.length) answer.append("Why is not known here.");
    });
    return el("li", {}, el("button", { class: "link", "data-why": action, onclick: ask }, action), answer);
  };
  put("steps",
    el("h2", {}, page.state ? `${moves.length} ${moves.length === 1 ? "step" : "steps"} from here` : "Initial states"),
    filter, list,
    page.state && !moves.length && !page.state.error && el("p", { class: "odd" }, page.model.actions.length ? "Deadlock: no step is possible." : "The trace ends here."),
    page.state && page.state.error && el("pre", { class: "odd" }, page.state.error),
    page.state && page.state.cut && el("p", { class: "odd" }, "There are more steps than are shown."),
    impossible.length > 0 && el("details", { open: !moves.length }, el("summary", {}, `Not possible here: ${impossible.length} action${impossible.length === 1 ? "" : "s"}`),
      el("ul", { id: "impossible" }, impossible.map(why))));
}

function drawTools() {
  const kept = document.activeElement && document.activeElement.id;
  const seed = el("input", { class: "short", id: "seed", type: "number", value: page.seed, title: "Seed", "aria-label": "Seed",
    onchange: (event) => { page.seed = Number(event.target.value) || 1; } });
  const target = el("input", { class: "code", id: "jump", placeholder: "Go to a state where …", "aria-label": "Go to a state where" });
  target.value = page.wanted || "";
  const format = el("select", { id: "format", "aria-label": "Format" }, page.model.formats.map((one) => el("option", { value: one }, one)));
  put("tools",
    page.model.live && page.model.actions.length > 0 && el("form", { onsubmit: guarded(async (event) => {
      event.preventDefault();
      page.wanted = target.value;
      await jump(target.value);
      $("jump").blur();  // keys make steps again
    }) }, target, el("button", {}, "Go")),
    el("button", { id: "back", title: "Take the step back (Backspace)", disabled: page.path.length < 2, onclick: guarded(takeBack) }, "Back"),
    el("button", { id: "random", title: "Ten steps at random (r)", onclick: guarded(() => atRandom(10)) }, "Random"), seed,
    el("button", { id: "restart", title: "Begin anew", onclick: guarded(begin) }, "Restart"),
    el("button", { id: "pin", title: "Compare other walks with this one", onclick: guarded(async () => {
      page.pinned = numbers();
      page.tab = "compare";
      drawBeside();
    }) }, "Pin"),
    page.model.formats.length > 0 && [format, el("button", { id: "export", onclick: guarded(() => save(format.value)) }, "Save")],
    el("button", { id: "link", title: "Copy a link to this state", onclick: guarded(copyLink) }, "Link"),
    el("button", { title: "Keys (?)", onclick: () => $("help").showModal() }, "?"));
  if (kept && $(kept) && $("tools").contains($(kept))) $(kept).focus();
}

async function copyLink() {
  await navigator.clipboard.writeText(location.href);
  say("A link to this state is in the clipboard. It works as long as the explorer runs, and in a file always.");
}

async function save(format) {
  const stem = page.model.name.replace(/\W/g, "_");
  const name = format === ".py" ? `test_${stem}.py` : format === ".tla" ? `${stem}_walk.tla` : `${stem}${format}`;
  const { text } = await source.ask("export", { numbers: numbers(), name });
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

async function begin() {
  page.path = [];
  page.at = 0;
  await open(page.model.initial.length === 1 ? [page.model.initial[0].number] : []);
}

// --- beside: the picture, the graph, two walks --------------------------------------------------------------------------------

const TABS = { picture: "Picture", graph: "Graph", compare: "Side by side" };

const drawBeside = guarded(async () => {
  const turn = (page.drawn = (page.drawn || 0) + 1);
  const tab = (name) => el("button", { role: "tab", id: "tab-" + name, "aria-selected": String(page.tab === name), onclick: () => {
    page.tab = name;
    drawBeside();
  } }, TABS[name]);
  let content;
  try {
    content = await { picture: drawPicture, graph: drawGraph, compare: drawCompared }[page.tab]();
  } catch (error) {
    content = [el("p", { class: "faint" }, error.message)];
  }
  if (turn !== page.drawn) return;
  const kept = document.activeElement && document.activeElement.id === "fold";  // what is typed there is not lost
  put("beside", el("div", { role: "tablist" }, Object.keys(TABS).map(tab)), ...content.filter((one) => one));
  if ($("fold")) $("fold").value = page.folding;
  if (kept && $("fold")) $("fold").focus();
  mark();
});

const WIDE = 270, BOX = 188, LEFT = 30, TOP = 46, LINE = 14;

async function drawPicture() {
  const path = page.path;  // while an answer is awaited the walk may become another one
  if (!path.length) return [];
  const chart = await source.ask("chart", { numbers: numbers() });
  if (chart.error) throw new Error(chart.error);
  const column = new Map(chart.lanes.map((lane, index) => [lane.name, LEFT + WIDE / 2 + index * WIDE]));
  const lines = (event) => [
    ...event.notes.map((note) => note.text),
    ...event.strips.map((strip) => strip.label + " " + strip.cells.map((cell, index) =>
      (strip.bar === index ? "|" : "") + "[" + cell.text + (cell.ticked ? "✓" : "") + "]").join("") + (strip.bar === strip.cells.length ? "|" : "")),
  ];
  const rows = path.map(() => 26);
  for (const event of chart.events) rows[event.step] = Math.max(rows[event.step], 30 + LINE * lines(event).length);
  const tops = rows.map((_, index) => TOP + rows.slice(0, index).reduce((sum, height) => sum + height, 0));
  const end = TOP + rows.reduce((sum, height) => sum + height, 0);
  const width = LEFT + WIDE * chart.lanes.length + 10;
  const middle = (step) => tops[step] + 13;
  const root = svg("svg", { width, height: end + 16, viewBox: `0 0 ${width} ${end + 16}`, role: "img", "aria-label": "Space-time picture" });
  path.forEach((step, index) => root.append(
    svg("rect", { class: "row", "data-step": index, x: 0, y: tops[index], width, height: rows[index], onclick: guarded(() => go(index)) }),
    svg("text", { class: "faint passive", x: 8, y: middle(index) + 4 }, String(index + 1))));
  for (const lane of chart.lanes) {
    const x = column.get(lane.name);
    root.append(svg("text", { x, y: 18, "text-anchor": "middle", "font-weight": "bold" }, short(lane.title, 26)),
      svg("text", { class: "faint", x, y: 34, "text-anchor": "middle" }, short(lane.subtitle, 28)));
    const turns = chart.turns.filter((one) => one.lane === lane.name);
    turns.forEach((one, index) => root.append(svg("line", { class: "lane passive " + one.life, x1: x, x2: x,
      y1: tops[one.step], y2: index + 1 < turns.length ? tops[turns[index + 1].step] : end })));
  }
  for (const event of chart.events) root.append(drawEvent(event, path[event.step], lines(event), column.get(event.lane), tops[event.step]));
  for (const arrow of chart.arrows) {
    const [x1, x2] = [column.get(arrow.tail), column.get(arrow.head)];
    const [y1, y2] = [middle(arrow.sent), middle(arrow.received)];
    const side = x1 < x2 ? 1 : -1;
    const [from, to] = x1 === x2 ? [x1 + BOX / 2, x2 + BOX / 2] : [x1 + side * BOX / 2, x2 - side * BOX / 2];
    root.append(svg("path", { class: "arrow" + (arrow.dropped ? " dropped" : ""), d: `M${from},${y1} L${to},${y2}` }),
      svg("circle", { class: "head passive", cx: to, cy: y2, r: 3 }),
      svg("text", { class: "faint passive", x: (from + to) / 2, y: (y1 + y2) / 2 - 3, "text-anchor": "middle" },
        short((arrow.label || "") + (arrow.dropped ? " ✗" : ""), 22)));
  }
  const legend = chart.legend.lines.join(" · ");
  return [legend && el("p", { class: "faint" }, legend), el("figure", { id: "picture" }, root)];
}

function drawEvent(event, step, lines, x, top) {
  if (!event.title && !lines.length) return svg("g", {});
  const bad = event.title && step.breaks.length > 0;
  const box = svg("g", { class: "passive" }, svg("rect", { class: "box " + (bad ? "bad" : event.tone), x: x - BOX / 2, y: top + 3, width: BOX,
    height: (event.title ? 18 : 6) + LINE * lines.length, rx: 3 }));
  const start = top + (event.title ? 16 : 2);
  if (event.title) box.append(svg("text", { x, y: start, "text-anchor": "middle" }, short(event.title, 27)));
  lines.forEach((line, index) => box.append(
    svg("text", { class: "faint", x: x - BOX / 2 + 5, y: start + LINE * (index + 1) - (event.title ? 1 : 0) }, short(line, 27), svg("title", {}, line))));
  return box;
}

async function drawGraph() {
  const fold = el("input", { class: "code", id: "fold", value: page.folding, placeholder: "Fold by an expression", "aria-label": "Fold by an expression",
    oninput: (event) => { page.folding = event.target.value; } });
  const form = page.model.live && el("form", { onsubmit: (event) => {
    event.preventDefault();
    page.fold = page.folding.trim();
    drawBeside();
  } }, fold, el("button", {}, "Fold"));
  let graph;
  try {
    graph = await source.ask("graph", { most: 300, fold: page.fold });
  } catch (error) {
    return [form, el("p", { class: "odd" }, error.message)];
  }
  const wide = graph.folded ? 190 : 46, high = 74;
  const heights = [...new Set(graph.nodes.map((node) => node.level))].sort((one, other) => one - other);
  const levels = new Map();
  const spots = graph.nodes.map((node) => {
    const level = heights.indexOf(node.level), row = levels.get(level) || 0;
    levels.set(level, row + 1);
    return { row, level };
  });
  const most = Math.max(1, ...levels.values());
  const width = most * wide + 40;
  const x = (spot) => 20 + wide / 2 + spot.row * wide + (most - levels.get(spot.level)) * wide / 2;
  const y = (spot) => 30 + spot.level * high;
  const height = 60 + Math.max(0, ...spots.map((spot) => spot.level)) * high;
  const root = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "State graph" });
  root.append(svg("defs", {}, svg("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
    svg("path", { class: "tip", d: "M0,0 L8,4 L0,8 z" }))));
  for (const edge of graph.edges) {
    const [from, to] = [spots[edge.from], spots[edge.to]];
    const bend = edge.from === edge.to ? "" : (to.level <= from.level ? 40 : 0);
    const d = edge.from === edge.to ? `M${x(from) - 8},${y(from) + 10} q-14,24 8,24 q22,0 8,-24`
      : `M${x(from)},${y(from)} Q${(x(from) + x(to)) / 2 + bend},${(y(from) + y(to)) / 2 + bend / 2} `
        + (to.level > from.level ? `${x(to)},${y(to) - 13}` : to.level < from.level ? `${x(to) + 6},${y(to) + 13}` : `${x(to) + (x(to) < x(from) ? 16 : -16)},${y(to)}`);
    root.append(svg("path", { class: "edge", "marker-end": "url(#tip)", d }, svg("title", {}, edge.titles.join("\n"))));
  }
  graph.nodes.forEach((node, index) => {
    const spot = spots[index], half = graph.folded ? wide / 2 - 8 : 15;
    root.append(svg("rect", { class: "node" + (node.bad ? " bad" : node.end ? " end" : ""), "data-ids": node.ids.join(" "), x: x(spot) - half, y: y(spot) - 12,
      width: 2 * half, height: 24, rx: 6, onclick: guarded(() => open(node.numbers)) }, svg("title", {}, node.label)),
    svg("text", { class: "passive", x: x(spot), y: y(spot) + 4, "text-anchor": "middle" },
      graph.folded ? short(node.label, 20) + " ×" + node.states : node.label));
  });
  const words = `${graph.states} states${graph.cut ? ", the first ones of more" : ""}${graph.folded ? ` in ${graph.nodes.length} groups` : ""}. `
    + "Red: a property is false. Amber: no step leads on. Blue: here. A click goes there.";
  return [form, el("p", { class: "faint" }, words), el("figure", { id: "graph" }, root)];
}

async function drawCompared() {
  const [first, second] = page.model.given;
  const left = page.pinned || (second ? first : null);
  if (!left) return [el("p", { class: "faint" }, "Pin a walk, and go another way: they are shown side by side here.")];
  const right = page.pinned ? numbers() : second;
  const { rows } = await source.ask("compare", { left, right });
  const parts = rows.findIndex((row) => row.differences.length || row.left !== row.right);
  const row = (one, index) => el("tr", { class: one.differences.length || one.left !== one.right ? "differs" : null },
    el("td", { class: "faint" }, String(index + 1)), el("td", {}, one.left), el("td", {}, one.right),
    el("td", {}, changed(one.differences)));
  return [
    el("p", { class: "faint" }, parts < 0 ? "They are the same." : `They part in state ${parts + 1}.`),
    el("figure", { id: "compared" }, el("table", {},
      el("thead", {}, el("tr", {}, ["", page.pinned ? "pinned" : "first", page.pinned ? "this walk" : "second", "from the left to the right state"].map((text) => el("th", {}, text)))),
      el("tbody", {}, rows.map(row)))),
  ];
}

// --- keys ------------------------------------------------------------------------------------------------------------------

const KEYS = [
  ["1 … 9", "make that step", null],
  ["← ↑", "to the state before", (key) => key === "ArrowLeft" || key === "ArrowUp", () => go(page.aim - 1)],
  ["→ ↓", "to the state after", (key) => key === "ArrowRight" || key === "ArrowDown", () => go(page.aim + 1)],
  ["Home End", "to the first or last state", (key) => key === "Home" || key === "End", (key) => go(key === "Home" ? 0 : page.path.length - 1)],
  ["Backspace", "take the step back", (key) => key === "Backspace", takeBack],
  ["r", "ten steps at random", (key) => key === "r", () => atRandom(10)],
  ["/", "go to a state where …", (key) => key === "/", () => $("jump") && $("jump").focus()],
  ["w", "watch an expression", (key) => key === "w", () => $("watch") && $("watch").focus()],
  ["p g s", "picture, graph, side by side", (key) => "pgs".includes(key) && key.length === 1, (key) => {
    page.tab = { p: "picture", g: "graph", s: "compare" }[key];
    return drawBeside();
  }],
  ["?", "these keys", (key) => key === "?", () => $("help").showModal()],
];

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && event.target.blur) event.target.blur();
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || $("help").open) return;
  if (/^[1-9]$/.test(event.key)) {
    const button = document.querySelectorAll("#moves .move:not([hidden])")[Number(event.key) - 1];
    if (button) button.click();
    return;
  }
  const found = KEYS.find(([, , fits]) => fits && fits(event.key));
  if (!found) return;
  event.preventDefault();
  guarded(found[3])(event.key);
});

window.addEventListener("hashchange", guarded(async () => {
  if (location.hash !== place()) await fromHash();
}));

async function fromHash() {
  const [walk, at] = location.hash.slice(1).split("@");
  const wanted = walk.split(".").filter((part) => /^\d+$/.test(part)).map(Number);
  if (!wanted.length) return false;
  await open(wanted, at ? Number(at) - 1 : undefined);
  return true;
}

const start = guarded(async () => {
  const model = (page.model = await source.ask("model"));
  page.watched = [...model.watched];
  put("name", model.name);
  put("origin", [model.specification, model.configuration].filter((one) => one).join(" · "));
  put("verdict", model.verdict, model.sentence ? " " + model.sentence : "");
  put("help", el("h2", {}, "Keys"), el("table", {}, KEYS.map(([key, what]) => el("tr", {}, el("td", {}, el("kbd", {}, key)), el("td", {}, what)))),
    el("form", { method: "dialog" }, el("button", {}, "Close")));
  if (model.error) say(model.error);
  if (model.given.length > 1) page.tab = "compare";
  try {
    if (await fromHash()) return;
  } catch (error) {
    await (model.given.length ? open(model.given[0]) : begin());
    say(error);
    return;
  }
  await (model.given.length ? open(model.given[0]) : begin());
});
start();
