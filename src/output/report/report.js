// Draws the report's plots with uPlot. The numbers are in the element #daedalus-data: JSON whose columns are base64 of
// little-endian floats, decoded when a plot first needs them. Plots are made when they scroll into view, so that a
// report with hundreds of variables opens at once. Names are only ever set as text, never as markup.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const data = JSON.parse($("#daedalus-data").textContent);

  const element = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  };

  // ---- numbers ----------------------------------------------------------------------------------------------------
  const decode = (column) => {
    const bytes = Uint8Array.from(atob(column.data), (c) => c.charCodeAt(0));
    return column.type === "f64" ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer);
  };
  const cache = new Map();
  // uPlot wants ascending x and null for a gap; integration may run backwards and values may be NaN.
  const columnOf = (column, backwards) => {
    if (!cache.has(column)) {
      let values = decode(column);
      if (backwards) values = values.slice().reverse();
      if (!values.every(Number.isFinite)) values = Array.from(values, (v) => (Number.isFinite(v) ? v : null));
      cache.set(column, values);
    }
    return cache.get(column);
  };
  const backwards = data.backwards;
  const time = () => columnOf(data.time, backwards);
  const valuesOf = (i) => columnOf(data.variables[i], backwards);
  const stepColumn = (name) => columnOf(data.steps[name], backwards);

  const brief = (v) => {
    if (v == null) return "–";
    const text = Math.abs(v) >= 1e-3 && Math.abs(v) < 1e6 ? String(Number(v.toPrecision(6))) : v === 0 ? "0" : v.toExponential(3);
    return text.replace(/-/g, "−");
  };
  const superscript = (n) => String(n).replace(/./g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]));
  const tick = (v) => {
    if (v == null) return "";
    if (v !== 0 && (Math.abs(v) >= 1e6 || Math.abs(v) < 1e-4)) return Number(v.toPrecision(6)).toExponential().replace("e+", "e");
    return String(Number(v.toPrecision(10)));
  };
  const logTick = (v) => {
    if (v == null) return "";
    const exponent = Math.round(Math.log10(v));
    if (Math.abs(v / 10 ** exponent - 1) > 1e-6) return "";
    return exponent === 0 ? "1" : "10" + superscript(exponent);
  };

  // ---- theme ------------------------------------------------------------------------------------------------------
  const themes = {
    light: { ink: "#5d6167", grid: "#e9e9e5", mark: "#b3261e", event: "#8f6200", dot: "#1d1e20",
      series: ["#2f6fb0", "#c9571a", "#2e8b57", "#a33b7f", "#b08a00", "#3a98a8", "#7a5cc4", "#777777"] },
    dark: { ink: "#a9aeb5", grid: "#262a2f", mark: "#f2938b", event: "#e5bd62", dot: "#e8e9eb",
      series: ["#6aa9e9", "#f0894f", "#5cc48c", "#e07cba", "#dcb83c", "#63c5d6", "#a990f0", "#aaaaaa"] },
  };
  const darkQuery = matchMedia("(prefers-color-scheme: dark)");
  let printing = false;
  const theme = () => (darkQuery.matches && !printing ? themes.dark : themes.light);
  const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

  // ---- plots that exist only while they are needed ----------------------------------------------------------------
  const live = new Map(); // container → { build, plot }
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) show(entry.target);
  }, { rootMargin: "300px" });

  const show = (container) => {
    const item = live.get(container);
    if (!item || item.plot) return;
    item.plot = item.build(container, Math.max(220, Math.floor(container.clientWidth)));
    $$(".u-legend th", container).forEach((head, i) => {
      if (i === 0) return; // the time itself
      head.tabIndex = 0;
      head.setAttribute("role", "button");
      head.title = "show or hide; Ctrl+click: only this one";
      head.addEventListener("keydown", (e) => {
        if (e.key === "Enter" || e.key === " ") { e.preventDefault(); head.click(); }
      });
    });
  };
  const hide = (container) => {
    const item = live.get(container);
    if (item && item.plot) { item.plot.destroy(); item.plot = null; }
  };
  const mount = (container, height, build) => {
    container.style.minHeight = height + 32 + "px"; // with its legend: little moves when it appears
    live.set(container, { build, plot: null });
    observer.observe(container);
  };
  // What is in view at once, without waiting for the observer's first report.
  const settle = () => {
    const near = [...live.keys()].filter((container) => {
      const box = container.getBoundingClientRect();
      return box.top < innerHeight + 300 && box.bottom > -300;
    });
    near.forEach(show);
  };
  const unmount = (container) => { hide(container); observer.unobserve(container); live.delete(container); };
  const rebuild = () => {
    for (const [container, item] of live) if (item.plot) { hide(container); show(container); }
  };
  darkQuery.addEventListener("change", rebuild);
  addEventListener("beforeprint", () => { printing = true; rebuild(); for (const container of live.keys()) show(container); });
  addEventListener("afterprint", () => { printing = false; rebuild(); });
  let resizing = 0;
  addEventListener("resize", () => {
    clearTimeout(resizing);
    resizing = setTimeout(() => {
      for (const [container, item] of live)
        if (item.plot) item.plot.setSize({ width: Math.max(220, Math.floor(container.clientWidth)), height: item.plot.height });
    }, 120);
  });

  // ---- all plots over time share one zoom and one cursor ----------------------------------------------------------
  const cursorGroup = uPlot.sync("time");
  let zoom = null; // [min, max] or null for everything
  const fullRange = () => { const t = time(); return t.length ? [t[0], t[t.length - 1]] : [0, 1]; };
  const setZoom = (range) => {
    zoom = range;
    const [min, max] = range || fullRange();
    for (const item of live.values()) if (item.plot && item.plot.overTime) item.plot.setScale("x", { min, max });
    $$("[data-reset]").forEach((button) => { button.disabled = zoom === null; });
  };

  // The mechanism moves: its moment is where the cursor is.
  document.addEventListener("daedalus-moment", ({ detail }) => {
    for (const [container, item] of live) {
      if (!item.plot || !item.plot.overTime) continue;
      const box = container.getBoundingClientRect();
      if (box.top > innerHeight || box.bottom < 0) continue;
      item.plot.setCursor({ left: item.plot.valToPos(detail, "x"), top: -10 });
      break; // the others follow
    }
  });

  const axis = (label, format, extra) => ({
    stroke: () => theme().ink, font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif",
    grid: { stroke: () => theme().grid, width: 1 }, ticks: { stroke: () => theme().grid, width: 1, size: 4 },
    values: (u, splits) => splits.map(format), label, labelSize: 20, ...extra,
  });
  const yAxis = (label, format = tick) => axis(label, format, {
    size: (u, texts) => 14 + 7.2 * Math.max(3, ...(texts || []).map((text) => text.length)),
  });
  const xRoom = { size: 28, labelSize: 18, labelGap: 0 };
  const decades = (u, axisIndex, min, max) => { // at most about eight lines
    const low = Math.round(Math.log10(min)), high = Math.round(Math.log10(max)), every = Math.ceil((high - low) / 8) || 1;
    const splits = [];
    for (let e = Math.ceil(low / every) * every; e <= high; e += every) splits.push(10 ** e);
    return splits;
  };
  const logRange = (u, min, max) => {
    if (min == null || !(min > 0)) return [1e-12, 1];
    const low = Math.floor(Math.log10(min) + 1e-9), high = Math.ceil(Math.log10(max) - 1e-9);
    return [10 ** low, 10 ** (high > low ? high : low + 1)];
  };
  const markTimes = (u) => { // events and state switches as thin vertical lines
    const context = u.ctx;
    context.save();
    context.strokeStyle = theme().event;
    context.globalAlpha = 0.55;
    context.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
    for (const t of data.marks) {
      if (t < u.scales.x.min || t > u.scales.x.max) continue;
      const x = Math.round(u.valToPos(t, "x", true));
      context.beginPath();
      context.moveTo(x, u.bbox.top);
      context.lineTo(x, u.bbox.top + u.bbox.height);
      context.stroke();
    }
    context.restore();
  };

  // `load` gives [x, column, …] and is called when the plot is made.
  const timePlot = ({ container, height, load, series, label, log = false, format = brief, yRange, yExtra }) =>
    mount(container, height, (target, width) => {
      const plot = new uPlot({
        width, height, pxAlign: 1,
        scales: {
          x: { time: false },
          y: log ? { distr: 3, log: 10, range: logRange } : yRange ? { range: yRange } : {},
        },
        cursor: { sync: { key: cursorGroup.key, setSeries: false }, drag: { x: true, y: false }, points: { size: 6 },
          bind: { dblclick: () => () => setZoom(null) } }, // everything again, everywhere
        legend: { live: true, markers: { width: 0, fill: (u, i) => u.series[i].stroke(u, i) } },
        axes: [axis("time", tick, xRoom), { ...yAxis(label, log ? logTick : tick), ...(log ? { splits: decades } : {}), ...yExtra }],
        series: [
          { label: "t", value: (u, v) => brief(v) },
          ...series.map((s, i) => ({
            stroke: () => theme().series[i % 8], width: 1.6, dash: dashes[Math.floor(i / 8) % 4], points: { show: false },
            value: (u, v) => format(v), ...s,
          })),
        ],
        hooks: {
          draw: [markTimes],
          setScale: [(u, key) => {
            // uPlot reports changes later, also those that setZoom made itself: those are no news.
            const [low, high] = zoom || fullRange(), { min, max } = u.scales.x;
            if (u.overTime && (min !== low || max !== high)) setZoom([min, max]);
          }],
        },
      }, load(), target);
      plot.overTime = true;
      const [min, max] = zoom || fullRange();
      plot.setScale("x", { min, max });
      return plot;
    });

  const figure = (parent, caption, detail) => {
    const container = element("div", { class: "canvas" });
    const head = element("figcaption", {}, caption);
    if (detail) head.append(" ", element("span", {}, detail));
    parent.append(element("figure", {}, head, container));
    return container;
  };
  const clear = (parent) => {
    $$(".canvas", parent).forEach(unmount);
    parent.replaceChildren();
  };

  // ---- variables --------------------------------------------------------------------------------------------------
  const kinds = ["differential", "algebraic", "eliminated"];
  const titled = (i) => { const v = data.variables[i]; return v.unit ? `${v.name} [${v.unit}]` : v.name; };
  const chosen = new Set();
  const perPlot = 8; // as many as there are colours
  const heights = { single: 190, grouped: 270, together: 420 };

  const drawVariables = () => {
    const parent = $("#variable-plots");
    const view = $("input[name=view]:checked").value;
    clear(parent);
    parent.classList.toggle("small", view === "single");
    const picked = data.variables.map((_, i) => i).filter((i) => chosen.has(i));
    const groups = [];
    if (view === "single") {
      for (const i of picked) groups.push({ title: titled(i), detail: data.variables[i].description, members: [i], unit: data.variables[i].unit });
    } else if (view === "together") {
      if (picked.length) groups.push({ title: "Chosen variables", members: picked, unit: "" });
    } else {
      for (const kind of kinds) {
        const byUnit = new Map();
        for (const i of picked) {
          const v = data.variables[i];
          if (v.kind !== kind) continue;
          if (!byUnit.has(v.unit)) byUnit.set(v.unit, []);
          byUnit.get(v.unit).push(i);
        }
        for (const [unit, members] of byUnit)
          for (let at = 0; at < members.length; at += perPlot)
            groups.push({ title: kind[0].toUpperCase() + kind.slice(1), detail: unit ? `in ${unit}` : "",
              members: members.slice(at, at + perPlot), unit });
      }
    }
    for (const group of groups) {
      const container = figure(parent, group.title, group.detail);
      container.setAttribute("role", "group");
      container.setAttribute("aria-label", `${group.members.map((i) => data.variables[i].name).join(", ")} over time`);
      timePlot({ container, height: heights[view], label: group.unit || undefined,
        load: () => [time(), ...group.members.map(valuesOf)],
        series: group.members.map((i) => ({ label: titled(i) })) });
    }
    if (!groups.length) parent.append(element("p", { class: "note" }, "Nothing chosen: tick a variable above."));
    settle();
  };
  const setUpVariables = () => {
    const chooser = $("#chooser");
    if (!chooser) return;
    // All of a small model; the first of a large one.
    const initially = data.variables.length <= 24 ? data.variables.length : 16;
    const boxes = [];
    for (const kind of kinds) {
      const members = data.variables.map((v, i) => [v, i]).filter(([v]) => v.kind === kind);
      if (!members.length) continue;
      const list = element("div");
      for (const [v, i] of members) {
        const box = element("input", { type: "checkbox" });
        box.checked = i < initially;
        if (box.checked) chosen.add(i);
        box.addEventListener("change", () => { box.checked ? chosen.add(i) : chosen.delete(i); drawVariables(); });
        const label = element("label", {}, box, v.name);
        if (v.description) label.title = v.description;
        boxes.push({ box, i, label });
        list.append(label);
      }
      chooser.append(element("fieldset", {}, element("legend", {}, kind), list));
    }
    $("#search").addEventListener("input", (e) => {
      const wanted = e.target.value.trim().toLowerCase();
      for (const { i, label } of boxes) {
        const v = data.variables[i];
        label.hidden = !(v.name + " " + v.description).toLowerCase().includes(wanted);
      }
    });
    const setAll = (on) => {
      for (const { box, i, label } of boxes) if (!label.hidden) { box.checked = on; on ? chosen.add(i) : chosen.delete(i); }
      drawVariables();
    };
    $("#choose-all").addEventListener("click", () => setAll(true));
    $("#choose-none").addEventListener("click", () => setAll(false));
    $$("input[name=view]").forEach((radio) => radio.addEventListener("change", drawVariables));
    drawVariables();
  };

  // ---- phase plot -------------------------------------------------------------------------------------------------
  const drawPhase = () => {
    const parent = $("#phase-plot");
    clear(parent);
    const ix = Number($("#phase-x").value), iy = Number($("#phase-y").value), equal = $("#phase-equal").checked;
    const container = figure(parent, `${data.variables[iy].name} over ${data.variables[ix].name}`, "● start  ○ end");
    const path = (u, index) => {
      uPlot.orient(u, index, (s, dx, dy, sx, sy, toX, toY, left, top, width, height) => {
        const context = u.ctx, [xs, ys] = u.data[index];
        const px = (k) => toX(xs[k], sx, width, left), py = (k) => toY(ys[k], sy, height, top);
        context.save();
        context.beginPath();
        context.rect(left, top, width, height);
        context.clip();
        context.strokeStyle = theme().series[0];
        context.lineWidth = 1.5 * devicePixelRatio;
        context.lineJoin = "round";
        context.beginPath();
        let down = false;
        const last = xs.length - 1;
        for (let k = 0; k <= last; ++k) {
          if (xs[k] == null || ys[k] == null) { down = false; continue; }
          if (down) context.lineTo(px(k), py(k)); else context.moveTo(px(k), py(k));
          down = true;
        }
        context.stroke();
        for (const [k, filled] of [[backwards ? last : 0, true], [backwards ? 0 : last, false]]) {
          if (last < 0 || xs[k] == null || ys[k] == null) continue;
          context.beginPath();
          context.arc(px(k), py(k), 4 * devicePixelRatio, 0, 2 * Math.PI);
          context.strokeStyle = context.fillStyle = theme().dot;
          if (filled) context.fill(); else context.stroke();
        }
        context.restore();
      });
      return null;
    };
    const limits = (values) => {
      let low = Infinity, high = -Infinity;
      for (const v of values) if (v != null) { if (v < low) low = v; if (v > high) high = v; }
      if (!(low <= high)) return [0, 1];
      const pad = high > low ? 0.06 * (high - low) : Math.abs(low) * 0.1 || 1;
      return [low - pad, high + pad];
    };
    mount(container, 420, (target, fullWidth) => {
      const height = 420, width = Math.min(fullWidth, 780);
      const xs = valuesOf(ix), ys = valuesOf(iy);
      let [x0, x1] = limits(xs), [y0, y1] = limits(ys);
      if (equal) { // widen the shorter direction; the axes take about 85 and 60 pixels
        const perPixel = Math.max((x1 - x0) / (width - 85), (y1 - y0) / (height - 60));
        const gx = (perPixel * (width - 85) - (x1 - x0)) / 2, gy = (perPixel * (height - 60) - (y1 - y0)) / 2;
        [x0, x1, y0, y1] = [x0 - gx, x1 + gx, y0 - gy, y1 + gy];
      }
      return new uPlot({
        mode: 2, width, height,
        scales: { x: { time: false, auto: false, range: (u, a, b) => (u.zoomed ? [a, b] : [x0, x1]) },
          y: { auto: false, range: (u, a, b) => (u.zoomed ? [a, b] : [y0, y1]) } },
        cursor: { drag: { x: true, y: true, uni: 12 }, points: { show: false }, bind: { dblclick: (u) => () => {
          u.zoomed = false;
          u.batch(() => { u.setScale("x", { min: x0, max: x1 }); u.setScale("y", { min: y0, max: y1 }); });
        } } },
        legend: { show: false },
        axes: [axis(titled(ix), tick, xRoom), yAxis(titled(iy))],
        series: [{}, { paths: path, facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }] }],
        hooks: { setSelect: [(u) => { u.zoomed = true; }] },
      }, [null, [xs, ys]], target);
    });
  };
  const redrawPhase = () => { drawPhase(); settle(); };
  const setUpPhase = () => {
    const sx = $("#phase-x"), sy = $("#phase-y");
    if (!sx) return;
    data.variables.forEach((v, i) => {
      sx.append(element("option", { value: i }, titled(i)));
      sy.append(element("option", { value: i }, titled(i)));
    });
    sx.value = "0";
    sy.value = String(Math.min(1, data.variables.length - 1));
    const same = data.variables.length > 1 && data.variables[0].unit === data.variables[1].unit;
    $("#phase-equal").checked = same;
    for (const control of [sx, sy, $("#phase-equal")]) control.addEventListener("change", redrawPhase);
    $("#phase-swap").addEventListener("click", () => { [sx.value, sy.value] = [sy.value, sx.value]; redrawPhase(); });
    drawPhase();
  };

  // ---- steps ------------------------------------------------------------------------------------------------------
  const setUpSteps = () => {
    const parent = $("#step-plots");
    if (!parent) return;
    const t = stepColumn("t"), rejected = stepColumn("rejected");
    const h = Array.from(stepColumn("h"), (v) => (v === null || v === 0 ? null : Math.abs(v)));
    const refused = h.map((v, k) => (rejected[k] > 0 ? v : null));
    timePlot({ container: figure(parent, "Step size", "log scale"), height: 250, log: true, label: "h", load: () => [t, h, refused],
      series: [{ label: "h" }, { label: "after rejections", stroke: () => theme().mark, width: 0, paths: () => null,
        points: { show: true, size: 6, fill: () => theme().mark, stroke: () => theme().mark } }] });
    timePlot({ container: figure(parent, "Order of the method"), height: 170, label: "order",
      yRange: (u, min, max) => [0, Math.max(2, (max || 0) + 1)],
      yExtra: { splits: (u, i, min, max) => Array.from({ length: Math.floor(max) + 1 }, (_, k) => k), space: 14 }, load: () => [t, stepColumn("order")],
      series: [{ label: "order", stroke: () => theme().series[2], paths: uPlot.paths.stepped({ align: -1 }) }] });
  };

  // ---- residuals --------------------------------------------------------------------------------------------------
  const smallest = 1e-18; // zero has no logarithm; far below the rounding error of anything of size 1
  const drawResiduals = () => {
    const parent = $("#residual-plots");
    clear(parent);
    const rows = $$("input.pick:checked").map((box) => data.residuals.rows[Number(box.dataset.row)]).filter((row) => row && row.steps);
    if (!rows.length) { parent.append(element("p", { class: "note" }, "Tick an equation in the table to see its residual over time.")); return; }
    const t = stepColumn("t");
    const floor = (values) => Array.from(values, (v) => (v === null ? null : Math.max(Math.abs(v), smallest)));
    for (const [key, title, detail] of [["steps", "At the steps", "|residual|, log scale"], ["midpoints", "Between the steps", "|residual| at the midpoints, log scale"]]) {
      const columns = rows.map((row) => floor(columnOf(row[key], backwards)));
      const series = rows.map((row) => ({ label: row.name }));
      if (data.residuals.tolerance > 0) {
        columns.push(Array.from(t, () => data.residuals.tolerance));
        series.push({ label: "tolerance", stroke: () => theme().mark, dash: [6, 4], width: 1.2 });
      }
      timePlot({ container: figure(parent, title, detail), height: 280, log: true, load: () => [t, ...columns], series,
        format: (v) => (v == null ? "–" : v <= smallest ? "0" : v.toExponential(1).replace(/-/g, "−")) });
    }
  };
  const setUpResiduals = () => {
    if (!$("#residual-plots")) return;
    $$("input.pick").forEach((box) => { box.disabled = false; box.addEventListener("change", () => { drawResiduals(); settle(); }); });
    drawResiduals();
  };

  // ---- navigation: mark the section being read --------------------------------------------------------------------
  const setUpNavigation = () => {
    const links = new Map($$("nav a").map((a) => [a.getAttribute("href").slice(1), a]));
    const visible = new Set();
    const watch = new IntersectionObserver((entries) => {
      for (const entry of entries) entry.isIntersecting ? visible.add(entry.target.id) : visible.delete(entry.target.id);
      const first = [...links.keys()].find((id) => visible.has(id));
      for (const [id, a] of links) {
        a.classList.toggle("here", id === first);
        id === first ? a.setAttribute("aria-current", "true") : a.removeAttribute("aria-current");
      }
    }, { rootMargin: "-10% 0px -60% 0px" });
    for (const id of links.keys()) { const section = document.getElementById(id); if (section) watch.observe(section); }
  };

  $$("[data-reset]").forEach((button) => { button.disabled = true; button.addEventListener("click", () => setZoom(null)); });
  setUpNavigation();
  setUpVariables();
  setUpPhase();
  setUpSteps();
  setUpResiduals();
  settle();
})();
