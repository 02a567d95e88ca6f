/** The script of a page: filters, details of a type, and pools of a fleet. */

/** Plain JavaScript, the same for all pages; text from the input is only set as text content. */
export const SCRIPT = String.raw`
"use strict";
(() => {
const SVG = "http://www.w3.org/2000/svg";
const data = JSON.parse(document.getElementById("data").textContent);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const make = (name, attributes = {}, ...children) => {
  const isSvg = ["svg", "use", "path", "rect", "title", "desc"].includes(name);
  const element = isSvg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

/* Tables of types, from the page's data. */
const tables = data.tables.map((table) => ({ ...table, names: table.names.split(" ") }));
const unrolled = (runs) => runs.flatMap((value, at) => (at % 2 === 0 ? Array(runs[at + 1]).fill(value) : []));
const boxesOf = (table, measure) => {
  const outline = document.querySelector("#c" + table + measure + " .cells");
  return [...outline.getAttribute("d").matchAll(/M(\d+) (\d+)h(\d+)v(\d+)/g)].map((found) => found.slice(1).map(Number));
};
const money = (amount, { currency, about }) => about + (currency === "USD" ? "$" + amount : amount + " " + currency);
const wordsOf = (at, type) => {
  const { names, vcpus, gib, price, spot } = tables[at];
  const costs = [
    price[type] === null ? "" : money(price[type], tables[at]) + " an hour",
    spot === null || spot[type] === null ? "" : money(spot[type], tables[at]) + " as Spot",
  ];
  return [names[type], vcpus[type] + " vCPU", gib[type] + " GiB", ...costs].filter((part) => part !== "").join(" · ");
};

/* Filters of findings and of pools. */
for (const tools of all("[data-filters]")) {
  tools.hidden = false;
  const what = tools.dataset.filters;
  const items = what === "finding" ? all("[data-finding]") : all("#strip tbody tr");
  const kindOf = (item) => (what === "finding" ? item.dataset.finding : item.dataset.verdict);
  const apply = () => {
    const kinds = new Set(all("input[type=checkbox]:checked", tools).map((input) => input.value));
    const words = tools.querySelector("input[type=search]").value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const item of items) {
      const text = item.textContent.toLowerCase();
      item.hidden = !kinds.has(kindOf(item)) || !words.every((word) => text.includes(word));
      if (!item.hidden) shown += 1;
    }
    tools.querySelector("[role=status]").textContent = shown === items.length ? "" : shown + " of " + items.length + " shown";
  };
  tools.addEventListener("input", apply);
}

/* The type under the pointer, or the next one for an arrow key. */
const explore = (map) => {
  const at = Number(map.dataset.table);
  const detail = document.getElementById(map.dataset.page + "detail");
  let boxes, fates, current;
  const open = () => {
    boxes ??= boxesOf(at, map.dataset.measure);
    const [, runs, words] = data.sets[Number(map.dataset.set)];
    fates ??= unrolled(runs).map((fate) => words[fate]);
  };
  const here = make("rect", { class: "here", width: 0, height: 0 });
  map.append(make("svg", { viewBox: "0 0 1600 900", preserveAspectRatio: "none" }, here));
  const show = (type) => {
    current = type;
    const [x, y, width, height] = boxes[type];
    for (const [key, value] of Object.entries({ x, y, width, height })) here.setAttribute(key, value);
    detail.textContent = wordsOf(at, type) + " · " + fates[type];
  };
  const typeAt = (x, y) => boxes.findIndex(([left, top, width, height]) => x >= left && y >= top && x < left + width && y < top + height);
  const point = ({ clientX, clientY }) => {
    open();
    const { left, top, width, height } = map.getBoundingClientRect();
    const type = typeAt(((clientX - left) / width) * 1600, ((clientY - top) / height) * 900);
    if (type !== -1 && type !== current) show(type);
  };
  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  map.setAttribute("tabindex", "0");
  map.addEventListener("pointermove", point);
  map.addEventListener("click", point);
  map.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    open();
    if (current === undefined) return show(typeAt(1, 1));
    const [x, y, width, height] = boxes[current];
    const next = typeAt(step[0] < 0 ? x - 1 : step[0] > 0 ? x + width : x + width / 2, step[1] < 0 ? y - 1 : step[1] > 0 ? y + height : y + height / 2);
    if (next !== -1) show(next);
  });
};
all("svg.map[data-set]").forEach(explore);

/* A pool of a fleet, drawn when it is opened. */
const panel = document.getElementById("pool");
const WHO = { policy: "policy", user: "pool", label: "label", class: "class" };
const CATEGORIES = { g: "general", c: "compute", m: "memory", s: "storage", a: "accelerated", o: "other" };
const pathsOf = (at, measure, kinds) => {
  const paths = new Map();
  for (const [type, [x, y, width, height]] of boxesOf(at, measure).entries())
    if (width > 0 && height > 0) paths.set(kinds[type], (paths.get(kinds[type]) ?? "") + "M" + x + " " + y + "h" + width + "v" + height + "h" + -width + "z");
  return [...paths].map(([kind, d]) => make("path", { class: "k-" + kind, d }));
};
const mapOf = (at, set, measure, kinds, name) => {
  const areas = make("svg", { viewBox: "0 0 1600 900", preserveAspectRatio: "none" }, ...pathsOf(at, measure, kinds));
  const uses = ["c", "n"].map((letter) => make("use", { href: "#" + letter + at + measure }));
  const look = { class: "map by-" + measure, role: "img", "aria-label": "Instance types of " + name + ": left, and ruled out by whom" };
  return make("svg", { ...look, "data-table": at, "data-set": set, "data-measure": measure, "data-page": "pool" }, areas, ...uses);
};
const plotOf = (at, kinds, isSpot, name) => {
  const { vcpus, price, spot, category, axes } = tables[at];
  const place = (value, from, to) => (to === from ? 0.5 : Math.log(value / from) / Math.log(to / from));
  const dots = new Map();
  for (const [type, kind] of kinds.entries()) {
    const cost = (isSpot && spot !== null ? spot[type] : null) ?? price[type];
    if (kind !== "left" || cost === null || vcpus[type] === 0) continue;
    const group = CATEGORIES[category[type]];
    const x = Math.round(1000 * place(vcpus[type], axes[0], axes[1]));
    const y = Math.round(700 * (1 - place(cost, axes[2], axes[3])));
    dots.set(group, (dots.get(group) ?? "") + "M" + x + " " + y + "h0");
  }
  const inner = make("svg", { viewBox: "0 0 1000 700", preserveAspectRatio: "none", x: "13%", y: "3%", width: "84%", height: "83%", overflow: "visible" });
  inner.append(...[...dots].map(([group, d]) => make("path", { class: "dots d-" + group, d })));
  return make("svg", { class: "plot", role: "img", "aria-label": "Price against vCPUs of what is left to " + name }, make("use", { href: "#a" + at }), inner);
};
const funnelOf = (steps, lefts, total) => {
  const rows = steps.map(([from, asks, place], index) => {
    const gone = (index === 0 ? total : lefts[index - 1]) - lefts[index];
    const says = gone < 0 ? "lets " + -gone + " in again" : gone === 0 ? "0" : "−" + gone;
    const bar = make("svg", { class: "bar", "aria-hidden": "true" }, make("rect", { width: (100 * lefts[index]) / Math.max(1, total) + "%", height: "100%" }));
    const who = make("th", { scope: "row" }, make("span", { class: "who who-" + from }, WHO[from]));
    return make("tr", {}, who, make("td", {}, make("code", {}, asks)), make("td", { class: "soft", "data-of": "at" }, place), make("td", { class: "n", "data-of": "rules out" }, says), make("td", { class: "n", "data-of": "left" }, String(lefts[index])), make("td", { class: "w" }, bar));
  });
  const head = ["who", "asks for", "where", "rules out", "left"].map((text) => make("th", { scope: "col" }, text));
  return make("table", { class: "stack" }, make("thead", {}, make("tr", {}, ...head, make("td"))), make("tbody", {}, ...rows));
};
const openPool = (button) => {
  const [at, shared, refs, lefts, isSpot, why] = data.pools[Number(button.dataset.open)];
  const name = button.textContent;
  const row = button.closest("tr");
  const steps = refs.map((ref) => data.steps[ref]);
  const head = make("h2", { tabindex: "-1" }, name);
  const says = make("p", { class: "soft" }, [...row.cells].slice(1).map((cell) => cell.textContent.trim()).filter((text) => text !== "").join(" · "));
  panel.replaceChildren(head, says);
  if (why !== "") panel.append(make("p", { class: "why" }, why));
  if (at !== null) {
    const runs = data.fates[shared];
    const fates = unrolled(runs);
    const kinds = fates.map((fate) => (fate === 0 ? "left" : steps[fate - 1][0]));
    const words = ["left", ...steps.map(([from, asks, place]) => "ruled out by " + WHO[from] + ": " + asks + " (" + place + ")")];
    const set = data.sets.push([at, runs, words]) - 1;
    const maps = ["vcpu", "price"].map((measure) => mapOf(at, set, measure, kinds, name));
    const detail = make("p", { class: "detail", id: "pooldetail", "aria-live": "polite" });
    panel.append(funnelOf(steps, lefts, tables[at].names.length));
    const left = make("figure", {}, make("figcaption", {}, "Instance types"), ...maps, detail);
    const right = make("figure", {}, make("figcaption", {}, "Price an hour against vCPUs of what is left"), plotOf(at, kinds, isSpot, name));
    panel.append(make("div", { class: "two" }, left, right));
    maps.forEach(explore);
  }
  panel.hidden = false;
  head.focus();
  panel.scrollIntoView();
};
for (const button of all("[data-open]")) button.addEventListener("click", () => openPool(button));
})();
`;
