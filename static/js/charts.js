// Ties the curves of a page to its rows and ticks, reads them at a place, and keeps what is drawn in the address. The
// page comes with a drawing; Plotly draws over it, in the same box, once everything else is there. Whatever fails on the
// way leaves the drawing and the table.
"use strict";

(() => {
  const PATIENCE = 120; // milliseconds in which several ticks are one change
  const NEAR = 14; // pixels from a curve at which it is meant
  const SVG = "http://www.w3.org/2000/svg";

  const px = (element, property) => parseFloat(getComputedStyle(element)[property]) || 0;
  const within = (value, low, high) => Math.min(Math.max(value, low), high);

  function chart(figure) {
    const plot = figure.querySelector(".plot");
    const reading = figure.querySelector(".read-out");
    const address = figure.dataset.chart;
    const query = new URLSearchParams(location.search);
    const atFirst = query.has("curves") ? null : figure.dataset.drawn;
    let drawn = figure.dataset.drawn.split(",").filter(Boolean);
    let zoom = (figure.querySelector("[data-zoom][aria-current]") || { dataset: { zoom: "" } }).dataset.zoom;
    let told = null; // the figure as it was fetched
    let place = null; // the number of the point that is read
    let lit = null;
    let asking = null;
    let timer = 0;
    let isChanged = false;

    // --- what is drawn -------------------------------------------------------------------------------------------

    function parts(base, opening = atFirst) {
      const asked = new URLSearchParams(base);
      if (drawn.join() === opening) asked.delete("curves");
      else asked.set("curves", drawn.join());
      if (zoom) asked.set("zoom", zoom);
      else asked.delete("zoom");
      return asked.toString().replaceAll("%2C", ",");
    }

    function keep() {
      const asked = parts(location.search);
      history.replaceState(history.state, "", location.pathname + (asked && `?${asked}`) + location.hash);
      figure.querySelectorAll("a[data-file]").forEach((link) => { link.search = parts("", null); });
    }

    function changed() {
      keep();
      clearTimeout(timer);
      if (asking) asking.abort(); // what it would answer is older than this tick
      isChanged = true;
      timer = setTimeout(fetchFigure, PATIENCE);
    }

    async function fetchFigure() {
      if (asking) asking.abort();
      asking = new AbortController();
      try {
        const answer = await fetch(`${address}?${parts("", null)}`, { signal: asking.signal });
        if (!answer.ok) throw new Error(answer.status);
        told = await answer.json();
      } catch (fault) {
        if (fault.name !== "AbortError") say("The curves could not be fetched. Reload the page to try again.");
        return;
      }
      show();
    }

    function show() {
      drawn = told.runs.map((run) => run.code);
      const svg = new DOMParser().parseFromString(told.svg, "text/html").querySelector("svg");
      plot.querySelector("svg.curves").replaceWith(svg);
      showTicks();
      showZooms();
      if (told.notes.length) say(told.notes.join(" "));
      if (isChanged) keep(); // the runs are in the board's order now
      draw();
      readAt(place);
      light(lit);
    }

    function showTicks() {
      document.querySelectorAll("input[data-curve]").forEach((tick) => {
        tick.checked = drawn.includes(tick.dataset.curve); // browsers remember ticks over a reload
      });
      document.dispatchEvent(new Event("ticked"));
    }

    function showZooms() {
      const links = told.zooms.map((one) => {
        const link = Object.assign(document.createElement("a"), { textContent: one.label, href: "#curves" });
        link.dataset.zoom = one.name;
        if (one.is_shown) link.setAttribute("aria-current", "true");
        return link;
      });
      const focused = figure.querySelector(".zooms a:focus");
      figure.querySelector(".zooms").replaceChildren(...links.flatMap((link, number) => (number ? [" · ", link] : [link])));
      if (focused) (links.find((link) => link.hasAttribute("aria-current")) || links[0]).focus();
    }

    // --- Plotly --------------------------------------------------------------------------------------------------

    const x = (number) => told.axis.first + number * told.axis.step;

    async function draw() {
      if (!told) return;
      try {
        const place = await window.plotCurves(figure, plot, told);
        if (place && !plot.classList.contains("taken")) {
          place.on("plotly_relayout", zoomed);
          place.on("plotly_doubleclick", () => zoomTo(""));
          plot.classList.add("taken");
        }
        light(lit);
      } catch {
        plot.classList.remove("taken"); // the drawing is still there
      }
    }

    function zoomed(moved) {
      if (moved["xaxis.range[0]"] === undefined) return;
      const [low, high] = [told.axis.first, x(points() - 1)];
      const [begin, end] = ["xaxis.range[0]", "xaxis.range[1]"].map((name) => {
        const number = Math.round((moved[name] - told.axis.first) / told.axis.step);
        return Number(within(x(number), low, high).toFixed(4));
      });
      zoomTo(end - begin >= 2 * told.axis.step - 1e-9 ? `${begin}-${end}` : zoom);
    }

    function zoomTo(name) {
      zoom = name;
      place = null;
      changed();
    }

    // --- reading -------------------------------------------------------------------------------------------------

    const points = () => (told.runs[0] || { values: told.background.median || told.background.lines[0] }).values.length;
    const medians = () => told.background.median;

    function box() {
      const [left, top] = [px(plot, "paddingLeft"), px(plot, "paddingTop")];
      const inside = plot.querySelector("svg.curves").getBoundingClientRect();
      return { left, top, width: inside.width, height: inside.height };
    }

    const across = (number, area) => area.left + (area.width * (x(number) - told.stretch[0])) / (told.stretch[1] - told.stretch[0]);
    const down = (value, area) => area.top + area.height * (1 - value / told.height);

    function say(text) { reading.textContent = text; }

    function make(name, attributes, text = "") {
      const made = document.createElementNS(SVG, name);
      Object.entries(attributes).forEach(([key, value]) => { made.setAttribute(key, value); });
      made.textContent = text;
      return made;
    }

    function readAt(number) {
      place = number;
      const overlay = plot.querySelector(".reading-line")
        || plot.appendChild(make("svg", { class: "reading-line", "aria-hidden": "true" }));
      overlay.replaceChildren();
      if (number === null || !told) return;
      const area = box();
      const at = across(number, area);
      const where = `${told.axis.name} ${x(number).toFixed(told.decimals)}`;
      const read = told.runs.map((run) => ({ ...run, value: run.values[number] })).filter((run) => run.value !== null);
      read.sort((one, other) => other.value - one.value);
      overlay.append(make("line", { x1: at, x2: at, y1: area.top, y2: area.top + area.height }));
      overlay.append(make("text", { x: at + 6, y: area.top + 12 }, `at ${where}`));
      let above = area.top + 16;
      read.forEach((run) => {
        const height = down(run.value, area);
        overlay.append(make("circle", { cx: at, cy: height, r: 3.5, class: `hue-${run.hue}` }));
        if (read.length > 6) return; // the sentence below has them all
        above = Math.max(height + 4, above + 13);
        overlay.append(make("text", { x: at + 7, y: above, class: `value hue-${run.hue}` }, run.value.toFixed(2)));
      });
      const sentence = read.map((run) => `${run.name} ${run.value.toFixed(4)}`);
      if (medians()) sentence.push(`median of all ${told.background.run_count} runs ${medians()[number].toFixed(4)}`);
      const head = Object.assign(document.createElement("b"), { textContent: `At ${where}: ` });
      reading.replaceChildren(head, sentence.join(" · ") || "no run is drawn");
    }

    function nearest(event) {
      const area = box();
      const corner = plot.getBoundingClientRect();
      const share = (event.clientX - corner.left - area.left) / area.width;
      if (share < -0.02 || share > 1.02) return null;
      const at = told.stretch[0] + share * (told.stretch[1] - told.stretch[0]);
      return clamped(Math.round((at - told.axis.first) / told.axis.step));
    }

    function clamped(number) {
      const [begin, end] = told.stretch.map((at) => Math.round((at - told.axis.first) / told.axis.step));
      return within(number, begin, end);
    }

    function pointed(event) {
      if (!told || (event.buttons && event.pointerType === "mouse")) return; // a stretch is being chosen
      const number = nearest(event);
      readAt(number);
      if (number === null) return light(null);
      const height = event.clientY - plot.getBoundingClientRect().top;
      const far = (run) => Math.abs(down(run.values[number], box()) - height);
      const close = [...told.runs].sort((one, other) => far(one) - far(other))[0];
      return light(close && far(close) <= NEAR ? close.code : null);
    }

    const STEPS = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };

    function keyed(event) {
      if (!told || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key in STEPS) {
        const from = place === null ? clamped(-Infinity) - 1 : place;
        readAt(clamped(place === null && STEPS[event.key] < 0 ? Infinity : from + STEPS[event.key]));
      } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
        const now = drawn.indexOf(lit);
        light(drawn[within(now < 0 ? 0 : now + (event.key === "ArrowUp" ? -1 : 1), 0, drawn.length - 1)] || null);
      } else if (event.key === "Escape") {
        readAt(null);
        light(null);
      } else return;
      event.preventDefault();
    }

    // --- rows and curves light each other ------------------------------------------------------------------------

    function light(code) {
      lit = code && drawn.includes(code) ? code : null;
      plot.classList.toggle("lighting", lit !== null);
      plot.querySelectorAll("[data-run]").forEach((curve) => { curve.classList.toggle("lit", curve.dataset.run === lit); });
      plot.querySelectorAll(".drawn .trace").forEach((curve) => {
        const { meta } = ((curve.__data__ || [])[0] || {}).trace || {};
        curve.classList.toggle("run", Boolean(meta));
        curve.classList.toggle("lit", Boolean(lit) && meta === lit);
      });
      document.querySelectorAll("tr[data-run]").forEach((row) => { row.classList.toggle("lit", row.dataset.run === lit); });
    }

    const rowOf = (event) => (event.target.closest ? event.target.closest("tr[data-run]") : null);
    for (const [begins, ends] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
      document.addEventListener(begins, (event) => { const row = rowOf(event); if (row) light(row.dataset.run); });
      document.addEventListener(ends, (event) => { if (rowOf(event)) light(null); });
    }

    // --- what people do ------------------------------------------------------------------------------------------

    document.addEventListener("change", (event) => {
      const code = event.target.dataset && event.target.dataset.curve;
      if (!code) return;
      drawn = event.target.checked ? [...drawn.filter((one) => one !== code), code] : drawn.filter((one) => one !== code);
      if (!event.target.checked && told) {
        told.runs = told.runs.filter((run) => run.code !== code); // gone at once; the drawing follows
        plot.querySelectorAll("[data-run]").forEach((curve) => { if (curve.dataset.run === code) curve.remove(); });
        draw();
      }
      changed();
    });

    document.addEventListener("click", (event) => {
      const link = event.target.closest && event.target.closest("a[href]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (figure.contains(link) && link.dataset.zoom !== undefined) {
        event.preventDefault();
        zoomTo(link.dataset.zoom);
      } else if (link.dataset.untick !== undefined) {
        event.preventDefault();
        drawn = [];
        showTicks();
        changed();
      } else if (link.origin === location.origin && link.pathname === location.pathname && link.search && !figure.contains(link)) {
        link.search = parts(link.search); // a sorted table keeps its curves
      }
    });

    document.addEventListener("formdata", (event) => {
      if (event.target.method !== "get" || new URL(event.target.action).pathname !== location.pathname) return;
      for (const name of ["curves", "zoom"]) {
        const value = new URLSearchParams(parts("")).get(name);
        event.formData.delete(name);
        if (value !== null) event.formData.set(name, value);
      }
    });

    async function savePicture() {
      try {
        await window.savePicture(figure.querySelector("a[data-file]").href, `${figure.dataset.name}.png`);
      } catch {
        say("The picture could not be made here. The SVG file shows the same.");
      }
    }

    const button = figure.querySelector("[data-png]");
    button.addEventListener("click", savePicture);
    button.hidden = false;
    reading.hidden = false;
    say("Point at the curves, or go there with the tab key and use the arrow keys, to read them.");
    plot.tabIndex = 0;
    plot.setAttribute("role", "group");
    plot.setAttribute("aria-label", "Curves: the arrow keys read them at a place, and light one after the other");
    plot.addEventListener("pointermove", pointed);
    plot.addEventListener("pointerdown", pointed);
    plot.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") { readAt(null); light(null); } });
    plot.addEventListener("keydown", keyed);
    plot.addEventListener("blur", () => { readAt(null); light(null); });
    document.addEventListener("themechange", draw);
    new ResizeObserver(() => { draw(); readAt(place); }).observe(plot);
    showTicks();
    fetchFigure();
  }

  const begin = () => document.querySelectorAll("[data-chart]").forEach(chart);
  if (document.readyState === "complete") begin();
  else window.addEventListener("load", begin);
})();
