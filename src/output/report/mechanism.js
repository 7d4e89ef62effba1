// Shows the mechanism moving, in the plane or in space, on a canvas. What is drawn is in #daedalus-scene: places on
// bodies, joints and springs, and for every frame where each body is. Between frames positions vary linearly and
// quaternions along the great circle. Names are only ever drawn as text.
(() => {
  "use strict";
  const $ = (selector) => document.querySelector(selector);
  const scene = JSON.parse($("#daedalus-scene").textContent);
  const canvas = $("#scene"), context = canvas.getContext("2d");
  const decode = (text, Type) => new Type(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  const time = decode(scene.time, Float64Array), poses = decode(scene.poses, Float32Array);
  const space = scene.space, width = space ? 7 : 3, bodies = scene.bodies, count = bodies.length;
  const first = time[0], last = time[time.length - 1], duration = last - first;

  // ---- vectors ----------------------------------------------------------------------------------------------------
  const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const scaled = (s, a) => [s * a[0], s * a[1], s * a[2]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const size = (a) => Math.hypot(a[0], a[1], a[2]);
  const unit = (a) => { const l = size(a); return l > 0 ? scaled(1 / l, a) : [0, 0, 1]; };
  const across = (axis) => { // two directions orthogonal to it
    const u = unit(cross(axis, Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
    return [u, cross(unit(axis), u)];
  };

  // ---- where bodies are at a moment -------------------------------------------------------------------------------
  const frameOf = (t) => {
    const forward = last >= first;
    let low = 0, high = time.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (forward ? time[middle] <= t : time[middle] >= t) low = middle; else high = middle;
    }
    const span = time[high] - time[low];
    return { low, high, share: span !== 0 ? Math.min(1, Math.max(0, (t - time[low]) / span)) : 0 };
  };
  const rotation = (pose) => {
    if (!space) {
      const c = Math.cos(pose[2]), s = Math.sin(pose[2]);
      return [[c, -s, 0], [s, c, 0], [0, 0, 1]];
    }
    const l = Math.hypot(pose[3], pose[4], pose[5], pose[6]) || 1, w = pose[3] / l, x = pose[4] / l, y = pose[5] / l, z = pose[6] / l;
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]];
  };
  const placesAt = (low, high, share) => bodies.map((_, b) => {
    const i = (low * count + b) * width, j = (high * count + b) * width, pose = [];
    for (let k = 0; k < width; ++k) pose.push(poses[i + k] + share * (poses[j + k] - poses[i + k]));
    return { center: space ? pose.slice(0, 3) : [pose[0], pose[1], 0], turn: rotation(pose) };
  });
  const turned = (place, p) => place.turn.map((row) => dot(row, p));
  const on = (places, body, p) => (body < 0 ? p : add(places[body].center, turned(places[body], p)));
  const along = (places, body, axis) => (body < 0 ? axis : turned(places[body], axis));

  // ---- what is in view --------------------------------------------------------------------------------------------
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  const include = (p, r = 0) => { for (let k = 0; k < 3; ++k) { low[k] = Math.min(low[k], p[k] - r); high[k] = Math.max(high[k], p[k] + r); } };
  const reach = bodies.map((b) => Math.max(0.5 * size(b.size), ...b.points.map(size), 0));
  for (const link of scene.links) if (link.radius > 0 && link.b >= 0) reach[link.b] = Math.max(reach[link.b], link.radius);
  for (let f = 0; f < time.length; f += Math.max(1, Math.floor(time.length / 120))) {
    const places = placesAt(f, f, 0);
    places.forEach((place, b) => {
      if (bodies[b].points.length) for (const p of bodies[b].points) include(add(place.center, turned(place, p)));
      include(place.center, bodies[b].points.length ? 0 : reach[b]);
    });
  }
  for (const link of scene.links) { if (link.a < 0 && link.kind !== "rolling") include(link.at_a); if (link.b < 0) include(link.at_b); }
  const extent = Math.max(...high.map((h, k) => h - low[k]), 1e-12);
  const middle = low.map((l, k) => 0.5 * (l + high[k]));
  const thick = 0.022 * extent; // of bars
  const up = size(scene.gravity) > 0 ? unit(scaled(-1, scene.gravity)) : space ? [0, 0, 1] : [0, 1, 0];

  // ---- view -------------------------------------------------------------------------------------------------------
  const home = { yaw: -0.9, pitch: 0.42, zoom: 1, shift: [0, 0] };
  let view = structuredClone(home);
  const [east, north] = across(up);
  let pixels = 1, w = 0, h = 0;
  const project = (p) => {
    const d = sub(p, middle);
    if (!space) return { x: w / 2 + view.shift[0] + d[0] * pixels, y: h / 2 + view.shift[1] - d[1] * pixels, depth: 0, scale: pixels };
    const a = dot(d, east), b = dot(d, north), c = dot(d, up);
    const x = a * Math.cos(view.yaw) - b * Math.sin(view.yaw), away = a * Math.sin(view.yaw) + b * Math.cos(view.yaw);
    const y = c * Math.cos(view.pitch) - away * Math.sin(view.pitch), depth = away * Math.cos(view.pitch) + c * Math.sin(view.pitch);
    const near = 3.2 * extent / (3.2 * extent + depth); // a little perspective
    return { x: w / 2 + view.shift[0] + x * pixels * near, y: h / 2 + view.shift[1] - y * pixels * near, depth, scale: pixels * near };
  };

  // ---- colours ----------------------------------------------------------------------------------------------------
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const palette = () => dark.matches
    ? { ink: "#e8e9eb", soft: "#8b9198", faint: "#2c3036", paper: "#1a1d21", trace: "#f0894f",
      series: ["#6aa9e9", "#5cc48c", "#dcb83c", "#e07cba", "#63c5d6", "#a990f0", "#f0894f", "#aaaaaa"] }
    : { ink: "#1d1e20", soft: "#8a8f96", faint: "#e3e3de", paper: "#ffffff", trace: "#c9571a",
      series: ["#2f6fb0", "#2e8b57", "#b08a00", "#a33b7f", "#3a98a8", "#7a5cc4", "#c9571a", "#777777"] };
  let colours = palette();
  const shaded = (colour, light) => { // mixed with black or white
    const value = parseInt(colour.slice(1), 16), to = light < 0 ? 0 : 255, s = Math.abs(light);
    const part = (k) => Math.round(((value >> k) & 255) * (1 - s) + to * s);
    return `rgb(${part(16)},${part(8)},${part(0)})`;
  };

  // ---- pieces: drawn from back to front ---------------------------------------------------------------------------
  let pieces = [];
  const piece = (depth, draw) => pieces.push({ depth, draw });
  const polygon = (points, fill, stroke, line = 1) => {
    context.beginPath();
    points.forEach((p, k) => (k ? context.lineTo(p.x, p.y) : context.moveTo(p.x, p.y)));
    context.closePath();
    if (fill) { context.fillStyle = fill; context.fill(); }
    if (stroke) { context.strokeStyle = stroke; context.lineWidth = line; context.lineJoin = "round"; context.stroke(); }
  };
  const stroke = (a, b, colour, line) => {
    context.strokeStyle = colour; context.lineWidth = line; context.lineCap = "round";
    context.beginPath(); context.moveTo(a.x, a.y); context.lineTo(b.x, b.y); context.stroke();
  };
  const bar = (from, to, colour, breadth) => { // in pieces, so that others may pass between
    const parts = space ? 8 : 1;
    for (let k = 0; k < parts; ++k) {
      const a = project(add(from, scaled(k / parts, sub(to, from)))), b = project(add(from, scaled((k + 1) / parts, sub(to, from))));
      const depth = 0.5 * (a.depth + b.depth), line = Math.max(2, breadth * 0.5 * (a.scale + b.scale));
      piece(depth + 0.002 * extent, () => stroke(a, b, shaded(colour, -0.35), line + 2));
      piece(depth, () => stroke(a, b, colour, line));
    }
  };
  const ball = (at, radius, colour) => {
    const p = project(at), r = Math.max(2.5, radius * p.scale);
    piece(p.depth - radius, () => {
      const shine = context.createRadialGradient(p.x - 0.35 * r, p.y - 0.35 * r, 0.1 * r, p.x, p.y, r);
      shine.addColorStop(0, shaded(colour, 0.55)); shine.addColorStop(1, shaded(colour, -0.15));
      context.fillStyle = shine; context.beginPath(); context.arc(p.x, p.y, r, 0, 7); context.fill();
    });
  };
  const ring = (at, radius, colour) => {
    const p = project(at), r = Math.max(3.5, radius * p.scale);
    piece(p.depth - 2 * radius, () => {
      context.beginPath(); context.arc(p.x, p.y, r, 0, 7);
      context.fillStyle = colours.paper; context.fill();
      context.strokeStyle = colour; context.lineWidth = Math.max(1.5, 0.35 * r); context.stroke();
    });
  };
  const block = (place, edges, colour) => {
    const e = edges.map((l) => 0.5 * Math.max(l, 0.4 * thick));
    const corner = (i, j, k) => add(place.center, turned(place, [i * e[0], j * e[1], k * e[2]]));
    for (let axis = 0; axis < 3; ++axis)
      for (const side of [-1, 1]) {
        const at = (a, b) => { const s = [0, 0, 0]; s[axis] = side; s[(axis + 1) % 3] = a; s[(axis + 2) % 3] = b; return corner(...s); };
        const corners = [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)], seen = corners.map(project);
        const normal = unit(cross(sub(corners[1], corners[0]), sub(corners[2], corners[1])));
        const light = Math.abs(dot(normal, unit(add(up, scaled(0.6, east)))));
        const turn = (seen[1].x - seen[0].x) * (seen[2].y - seen[1].y) - (seen[1].y - seen[0].y) * (seen[2].x - seen[1].x);
        if (turn * side > 0) continue; // its back
        const depth = Math.max(...seen.map((p) => p.depth)) * 0.5 + 0.5 * seen.reduce((s, p) => s + p.depth, 0) / 4;
        piece(depth, () => {
          context.globalAlpha = 0.88;
          polygon(seen, shaded(colour, 0.55 * light - 0.12), shaded(colour, -0.35), 1);
          context.globalAlpha = 1;
        });
      }
  };
  const hull = (points) => { // Andrew 1979
    const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    const half = (list) => {
      const chain = [];
      for (const p of list) {
        while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], p) <= 0) chain.pop();
        chain.push(p);
      }
      return chain.slice(0, -1);
    };
    return [...half(sorted), ...half(sorted.reverse())];
  };
  const wheel = (place, radius, axis, disc, colour) => {
    if (space && !disc) { ball(place.center, radius, colour); }
    const [u, v] = space ? (disc ? across(axis) : [[1, 0, 0], [0, 1, 0]]) : [[1, 0, 0], [0, 1, 0]];
    const rim = Array.from({ length: 48 }, (_, k) => {
      const a = (k * Math.PI) / 24;
      return project(add(place.center, turned(place, add(scaled(radius * Math.cos(a), u), scaled(radius * Math.sin(a), v)))));
    });
    const hub = project(place.center);
    if (!space || disc)
      piece(hub.depth, () => {
        context.globalAlpha = 0.3; polygon(rim, colour); context.globalAlpha = 1;
        polygon(rim, null, colour, 3);
        for (let k = 0; k < 48; k += 8) stroke(hub, rim[k], k ? shaded(colour, 0.3) : colour, k ? 1 : 3);
      });
  };

  const shownBody = (b, place) => {
    const body = bodies[b], colour = colours.series[b % 8];
    const rolls = scene.links.find((l) => l.kind === "rolling" && l.b === b);
    if (rolls) return wheel(place, rolls.radius, rolls.axis, rolls.disc, colour);
    const biggest = Math.max(...body.size);
    const far = body.points.filter((p) => size(p) > 1e-6 * extent);
    const world = (p) => add(place.center, turned(place, p));
    const flat = !space && far.length > 2 ? hull(far) : [];
    if (flat.length > 2) {
      const seen = flat.map((p) => project(world(p)));
      piece(0, () => {
        context.globalAlpha = 0.3; polygon(seen, colour); context.globalAlpha = 1;
        polygon(seen, null, colour, Math.max(2, 0.7 * thick * pixels));
      });
      return;
    }
    if (space && biggest > 0.4 * thick) block(place, body.size, colour);
    if (far.length === 0) {
      if (!space && biggest > 0) {
        const e = body.size.map((l) => 0.5 * l);
        const seen = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]) => project(world([i * e[0], j * e[1], 0])));
        piece(0, () => polygon(seen, shaded(colour, 0.4), colour, 2));
      } else if (biggest <= 0.4 * thick) ball(place.center, 1.1 * thick, colour);
      return;
    }
    const straight = far.length === 2 && size(cross(unit(sub(far[1], far[0])), far[0])) < 0.05 * extent;
    const breadth = space ? 0.55 * thick : thick;
    if (straight) bar(world(far[0]), world(far[1]), colour, breadth);
    else if (far.length === 1 && 0.5 * biggest > 0.6 * size(far[0])) bar(world(far[0]), world(scaled(-1, far[0])), colour, breadth); // a rod
    else {
      for (const p of far) bar(place.center, world(p), colour, breadth);
      if (!space) ball(place.center, Math.max(1.2 * thick, Math.min(0.35 * biggest, 0.05 * extent)), colour);
    }
  };
  const zigzag = (a, b) => {
    const d = { x: b.x - a.x, y: b.y - a.y }, l = Math.hypot(d.x, d.y) || 1, n = { x: -d.y / l, y: d.x / l }, r = 6, turns = 9;
    context.strokeStyle = colours.soft; context.lineWidth = 1.6; context.lineJoin = "round";
    context.beginPath(); context.moveTo(a.x, a.y);
    for (let k = 0; k <= 2 * turns; ++k) {
      const s = 0.15 + (0.7 * k) / (2 * turns), o = k === 0 || k === 2 * turns ? 0 : k % 2 ? r : -r;
      context.lineTo(a.x + s * d.x + o * n.x, a.y + s * d.y + o * n.y);
    }
    context.lineTo(b.x, b.y); context.stroke();
  };
  const support = (at) => { // a bearing on the ground
    const p = project(at), s = Math.max(7, 1.5 * thick * pixels);
    piece(space ? p.depth : 1, () => {
      context.strokeStyle = colours.soft; context.lineWidth = 1.5; context.lineCap = "round";
      context.beginPath(); context.moveTo(p.x, p.y); context.lineTo(p.x - 0.7 * s, p.y + s); context.lineTo(p.x + 0.7 * s, p.y + s); context.closePath();
      context.fillStyle = colours.paper; context.fill(); context.stroke();
      for (let k = -1; k <= 1; ++k) { context.beginPath(); context.moveTo(p.x + 0.45 * k * s, p.y + s); context.lineTo(p.x + (0.45 * k - 0.25) * s, p.y + 1.35 * s); context.stroke(); }
    });
  };
  const shownLink = (link, places) => {
    const a = on(places, link.a, link.at_a), b = on(places, link.b, link.at_b), r = 0.5 * thick;
    if (link.kind === "line") {
      const p = project(a), q = project(b);
      return piece(0.5 * (p.depth + q.depth), () => zigzag(p, q));
    }
    if (link.kind === "rod" || link.kind === "distance") {
      bar(a, b, colours.soft, 0.35 * thick);
      if (link.b < 0) support(b); else if (link.a < 0) support(a);
      return;
    }
    if (link.kind === "rolling" || link.kind === "planar") return;
    const axis = along(places, link.a, link.axis);
    if (["prismatic", "slot", "cylindrical", "screw"].includes(link.kind)) {
      const d = unit(axis), offset = dot(sub(b, a), d), from = Math.min(0, offset) - 4 * thick, to = Math.max(0, offset) + 4 * thick;
      const p = project(add(a, scaled(from, d))), q = project(add(a, scaled(to, d)));
      piece(0.5 * (p.depth + q.depth) + 0.01 * extent, () => { context.setLineDash([6, 4]); stroke(p, q, colours.soft, 1.5); context.setLineDash([]); });
      const c = project(b), s = Math.max(5, 1.1 * thick * c.scale), angle = Math.atan2(q.y - p.y, q.x - p.x);
      piece(c.depth - thick, () => {
        context.save(); context.translate(c.x, c.y); context.rotate(angle);
        context.fillStyle = colours.paper; context.strokeStyle = colours.ink; context.lineWidth = 1.5;
        context.beginPath(); context.rect(-1.3 * s, -0.8 * s, 2.6 * s, 1.6 * s); context.fill(); context.stroke(); context.restore();
      });
      return;
    }
    if (link.a < 0) support(a); else if (link.b < 0) support(b);
    if (link.kind === "fixed") return;
    if (space && size(link.axis) > 0 && link.kind === "revolute") bar(add(b, scaled(-1.6 * thick, unit(axis))), add(b, scaled(1.6 * thick, unit(axis))), colours.soft, 0.9 * thick);
    else ring(b, r, colours.ink);
  };

  // ---- traces -----------------------------------------------------------------------------------------------------
  const traceable = [];
  bodies.forEach((body, b) => {
    traceable.push({ name: body.name, b, p: [0, 0, 0] });
    const end = body.points.reduce((best, p) => (size(p) > size(best) ? p : best), [0, 0, 0]);
    // Of two ends, the one that is not held by an earlier body.
    const ends = body.points.filter((p) => size(p) > 0.5 * size(end));
    const free = ends.find((p) => !scene.links.some((l) => (l.b === b && l.a < b && size(sub(l.at_b, p)) < 1e-9) || (l.a === b && l.b < b && size(sub(l.at_a, p)) < 1e-9)));
    const tip = free || (ends.length === 1 && 0.5 * Math.max(...body.size) > 0.6 * size(end) ? scaled(-1, end) : null);
    if (tip && size(tip) > 1e-6 * extent) traceable.push({ name: `end of ${body.name}`, b, p: tip });
  });
  const traceSelect = $("#trace");
  const option = (select, text, value) => { const o = document.createElement("option"); o.textContent = text; o.value = value; select.append(o); };
  option(traceSelect, "none", "-1");
  if (traceable.length > 1) option(traceSelect, "all centres", "-2");
  traceable.forEach((t, k) => option(traceSelect, t.name, String(k)));
  traceSelect.value = String(traceable.length - 1);
  const paths = new Map();
  const pathOf = (k) => {
    if (!paths.has(k)) paths.set(k, Array.from(time, (_, f) => { const places = placesAt(f, f, 0); return on(places, traceable[k].b, traceable[k].p); }));
    return paths.get(k);
  };
  const drawTrace = (k, until, colour) => {
    const path = pathOf(k);
    for (const [from, to, alpha, line] of [[0, path.length - 1, 0.22, 1], [0, until, 0.9, 1.6]]) {
      context.globalAlpha = alpha; context.strokeStyle = colour; context.lineWidth = line; context.lineJoin = "round";
      context.beginPath();
      for (let f = from; f <= to; ++f) { const p = project(path[f]); f === from ? context.moveTo(p.x, p.y) : context.lineTo(p.x, p.y); }
      context.stroke();
    }
    context.globalAlpha = 1;
  };

  // ---- the picture ------------------------------------------------------------------------------------------------
  const ground = () => {
    const rolling = scene.links.find((l) => l.kind === "rolling" && l.a < 0);
    if (!space) {
      if (!rolling) return;
      const y = project(rolling.at_a).y;
      stroke({ x: 0, y }, { x: w, y }, colours.soft, 1.5);
      return;
    }
    const level = rolling ? dot(sub(rolling.at_a, middle), up) : Math.min(...[low, high].map((c) => dot(sub(c, middle), up)));
    const cells = 8, cell = extent * 1.3 / cells;
    for (let k = -cells / 2; k <= cells / 2; ++k)
      for (const [u, v] of [[east, north], [north, east]]) {
        const base = add(middle, scaled(level, up)), side = scaled(k * cell, u), end = scaled((cells / 2) * cell, v);
        stroke(project(add(add(base, side), end)), project(sub(add(base, side), end)), colours.faint, 1);
      }
  };
  const names = (places) => {
    context.font = "12px system-ui, sans-serif"; context.textAlign = "left"; context.fillStyle = colours.ink;
    places.forEach((place, b) => {
      const p = project(place.center);
      context.lineWidth = 3; context.strokeStyle = colours.paper;
      context.strokeText(bodies[b].name, p.x + 8, p.y - 8); context.fillText(bodies[b].name, p.x + 8, p.y - 8);
    });
  };
  let moment = first;
  const draw = () => {
    const ratio = devicePixelRatio || 1;
    w = canvas.clientWidth; h = canvas.clientHeight;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) { canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio); }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, w, h);
    const room = space ? [Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) * 0.92, extent * 1.05] : [high[0] - low[0], high[1] - low[1]];
    pixels = view.zoom * 0.82 * Math.min(w / Math.max(room[0], 1e-3 * extent), h / Math.max(room[1], 1e-3 * extent));
    const at = frameOf(moment), places = placesAt(at.low, at.high, at.share);
    ground();
    const chosen = Number(traceSelect.value);
    if (chosen === -2) traceable.forEach((t, k) => { if (size(t.p) === 0) drawTrace(k, at.low, colours.series[t.b % 8]); });
    else if (chosen >= 0) drawTrace(chosen, at.low, colours.trace);
    pieces = [];
    places.forEach((place, b) => shownBody(b, place));
    for (const link of scene.links) shownLink(link, places);
    if (space) pieces.sort((a, b) => b.depth - a.depth); else pieces.sort((a, b) => (b.depth > 0.5) - (a.depth > 0.5));
    for (const p of pieces) p.draw();
    if ($("#scene-names").checked) names(places);
  };

  // ---- controls ---------------------------------------------------------------------------------------------------
  const play = $("#play"), slider = $("#moment"), shownTime = $("#moment-text"), speed = $("#speed");
  const digits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(Math.abs(duration) || 1))));
  const pace = 2 ** Math.round(Math.log2(Math.max(Math.abs(duration), 1e-300) / 10)); // all of it in about ten seconds
  const brief = (v) => (v >= 1 ? Number(v.toPrecision(4)) : v >= 1e-3 ? `1/${Number((1 / v).toPrecision(4))}` : v.toExponential(1));
  for (let k = -3; k <= 3; ++k) option(speed, `${brief(pace * 2 ** k)} × real time`, String(pace * 2 ** k));
  speed.value = String(pace);
  let playing = false, before = 0, told = 0;
  const show = () => {
    slider.value = String(Math.round(1000 * (duration ? (moment - first) / duration : 0)));
    shownTime.textContent = `t = ${moment.toFixed(digits)}`;
    slider.setAttribute("aria-valuetext", shownTime.textContent);
    draw();
    const now = performance.now();
    if (now - told > 80 || !playing) { told = now; document.dispatchEvent(new CustomEvent("daedalus-moment", { detail: moment })); }
  };
  const tick = (now) => {
    if (!playing) return;
    moment += Math.sign(duration || 1) * Number(speed.value) * Math.min(0.1, (now - before) / 1000);
    before = now;
    if (duration >= 0 ? moment >= last : moment <= last) moment = first; // again
    show();
    requestAnimationFrame(tick);
  };
  const setPlaying = (on_) => {
    playing = on_;
    play.textContent = playing ? "Pause" : "Play";
    play.setAttribute("aria-pressed", String(playing));
    if (playing) { before = performance.now(); requestAnimationFrame(tick); } else show();
  };
  play.addEventListener("click", () => setPlaying(!playing));
  slider.addEventListener("input", () => { setPlaying(false); moment = first + (duration * Number(slider.value)) / 1000; show(); });
  for (const control of [traceSelect, $("#scene-names")]) control.addEventListener("change", draw);
  $("#view-reset").addEventListener("click", () => { view = structuredClone(home); draw(); });
  canvas.addEventListener("keydown", (e) => {
    const turn = 0.08, step = 24;
    const act = {
      " ": () => setPlaying(!playing), "+": () => { view.zoom *= 1.15; }, "=": () => { view.zoom *= 1.15; }, "-": () => { view.zoom /= 1.15; },
      "0": () => { view = structuredClone(home); },
      ArrowLeft: () => { if (space) view.yaw -= turn; else view.shift[0] += step; }, ArrowRight: () => { if (space) view.yaw += turn; else view.shift[0] -= step; },
      ArrowUp: () => { if (space) view.pitch = Math.min(1.57, view.pitch + turn); else view.shift[1] += step; },
      ArrowDown: () => { if (space) view.pitch = Math.max(-1.57, view.pitch - turn); else view.shift[1] -= step; },
    }[e.key];
    if (!act) return;
    e.preventDefault(); act(); draw();
  });
  let grip = null;
  canvas.addEventListener("pointerdown", (e) => { grip = { x: e.clientX, y: e.clientY }; canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener("pointerup", () => { grip = null; });
  canvas.addEventListener("pointermove", (e) => {
    if (!grip) return;
    const dx = e.clientX - grip.x, dy = e.clientY - grip.y;
    grip = { x: e.clientX, y: e.clientY };
    if (space && !e.shiftKey) { view.yaw += 0.008 * dx; view.pitch = Math.max(-1.57, Math.min(1.57, view.pitch + 0.008 * dy)); }
    else { view.shift[0] += dx; view.shift[1] += dy; }
    draw();
  });
  canvas.addEventListener("wheel", (e) => { if (document.activeElement !== canvas && !e.ctrlKey) return; e.preventDefault(); view.zoom *= Math.exp(-0.0012 * e.deltaY); draw(); }, { passive: false });
  dark.addEventListener("change", () => { colours = palette(); draw(); });
  addEventListener("resize", draw);
  addEventListener("beforeprint", () => setPlaying(false));
  show();
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches && duration !== 0) setPlaying(true);
})();
