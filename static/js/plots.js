// Lets Plotly draw a figure over its drawing, in the same box and the page's colours. It is fetched when the page is there,
// and not at all where nobody could choose a stretch with it: a finger scrolls, and a slow line has better to do.
"use strict";

(() => {
  const GUARDS = ["9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53"]; // docs/decisions/0126
  const PLOT = 272; // the drawing's height, and where its inset is: limelight/figures/curves.py
  const INSET = { left: 0.66, right: 0.99, top: 24, foot: 106, edges: [6, 126] };

  // A colour of the page has two values, of which the browser takes one where the colour is used.
  const probe = document.head.appendChild(document.createElement("meta"));
  const colour = (name) => { probe.style.color = `var(${name})`; return getComputedStyle(probe).color; };
  const px = (element, property) => parseFloat(getComputedStyle(element)[property]) || 0;
  const made = (name, properties) => Object.assign(document.createElement(name), properties);
  const loaded = (element) => new Promise((done, failed) => {
    element.onload = done;
    element.onerror = failed;
    document.head.append(element);
  });

  let library = null; // a promise

  async function load(figure) {
    GUARDS.forEach((id) => document.head.append(made("meta", { id })));
    // Plotly adds its rules to a sheet with this id, and would otherwise write a style element, which the policy forbids.
    await loaded(made("link", { id: "plotly.js-style-global", rel: "stylesheet", href: figure.dataset.sheet }));
    await loaded(made("script", { src: figure.dataset.plotly }));
    return window.Plotly;
  }

  const isWanted = () => !matchMedia("(pointer: coarse)").matches && !(navigator.connection || {}).saveData;
  const hasInset = (told) => Boolean(told.inset) && matchMedia("(min-width: 40.01rem)").matches;

  function traces(told, [begin, end], axes) {
    const line = (values, style) => {
      const points = values.map((value, number) => [told.axis.first + number * told.axis.step, value]);
      const shown = points.filter(([at]) => at >= begin - 1e-9 && at <= end + 1e-9);
      const [x, y] = [shown.map((point) => point[0]), shown.map((point) => point[1])];
      return { type: "scatter", mode: "lines", x, y, hoverinfo: "skip", ...axes, ...style };
    };
    const { lines = [], lower, median, upper } = told.background;
    const grey = lines.map((values) => line(values, { line: { color: colour("--quiet"), width: 1 }, opacity: 0.45 }));
    if (median) {
      grey.push(line(lower, { line: { width: 0 } }));
      grey.push(line(upper, { line: { width: 0 }, fill: "tonexty", fillcolor: colour("--shade") }));
      grey.push(line(median, { line: { color: colour("--quiet"), width: 1, dash: "3px,3px" } }));
    }
    const runs = told.runs.map((run) => {
      const dash = run.strokes ? run.strokes.split(" ").map((length) => `${length}px`).join() : "solid";
      return line(run.values, { meta: run.code, line: { color: colour(`--run-${run.hue}`), dash, width: 2.2 } });
    });
    return [...grey, ...runs.reverse()]; // the best run lies on top
  }

  function axisOf(range, ticks, more) {
    return {
      range, tickvals: ticks, ticktext: ticks.map(String), tickfont: { size: 12 }, color: colour("--quiet"),
      gridcolor: colour("--rule"), zeroline: false, fixedrange: true, ticklabelstandoff: 6, ...more,
    };
  }

  // Rules along foot and top, where Plotly draws none of its grid.
  function edges() {
    return { showgrid: false, showline: true, mirror: true, linecolor: colour("--rule"), linewidth: 1 };
  }

  function note(text, x, y, more) {
    return { text, xref: "paper", yref: "paper", x, y, showarrow: false, ...more };
  }

  function layoutOf(told, plot) {
    const box = plot.getBoundingClientRect();
    const decimals = told.ticks.every((tick) => Math.abs(tick * 10 - Math.round(tick * 10)) < 1e-6) ? 1 : 2;
    const [t, r, b, l] = ["Top", "Right", "Bottom", "Left"].map((side) => px(plot, `padding${side}`));
    return {
      width: box.width, height: box.height, margin: { t, r, b, l },
      showlegend: false, hovermode: false, dragmode: "zoom",
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: getComputedStyle(plot).fontFamily, color: colour("--quiet"), size: 12 },
      xaxis: axisOf(told.stretch, told.across, { ...edges(), fixedrange: false }),
      yaxis: axisOf([0, told.height], told.ticks, { ticktext: told.ticks.map((tick) => tick.toFixed(decimals)) }),
      annotations: [
        note(told.vertical, 0, 1, { xshift: -38, yshift: 6, xanchor: "left", yanchor: "bottom" }),
        note(told.horizontal, 0.5, 0, { yshift: -24, yanchor: "top" }),
      ],
    };
  }

  function withInset(layout, told) {
    const share = (pixels) => 1 - pixels / PLOT;
    const [top, foot] = INSET.edges.map(share);
    layout.xaxis2 = axisOf(told.early, told.early, { domain: [INSET.left, INSET.right], anchor: "y2", ...edges(), ticklabelstandoff: 0 });
    layout.yaxis2 = axisOf(told.inset, told.inset, {
      domain: [share(INSET.foot), share(INSET.top)], anchor: "x2", ticktext: told.inset.map((one) => one.toFixed(1)),
    });
    const corners = { xref: "paper", yref: "paper", x0: INSET.left - 0.04, x1: 1, y0: foot, y1: top };
    layout.shapes = [{ type: "rect", layer: "between", ...corners, fillcolor: colour("--paper"), line: { width: 0 } }];
    const text = `${told.axis.name} ${told.early[0]} to ${told.early[1]}`;
    layout.annotations.push(note(text, INSET.left, share(INSET.top - 2), { xanchor: "left", yanchor: "bottom", font: { size: 11 } }));
  }

  window.plotCurves = async (figure, plot, told) => {
    if (!isWanted()) return null;
    library = library || load(figure);
    const Plotly = await library;
    const place = plot.querySelector(".drawn") || plot.appendChild(made("div", { className: "drawn" }));
    place.setAttribute("aria-hidden", "true"); // the drawing under it says what there is
    const [drawn, layout] = [traces(told, told.stretch, {}), layoutOf(told, plot)];
    if (hasInset(told)) {
      drawn.push(...traces(told, told.early, { xaxis: "x2", yaxis: "y2" }));
      withInset(layout, told);
    }
    const settings = { displayModeBar: false, doubleClick: false, showSendToCloud: false, plotlyServerURL: "" };
    await Plotly.react(place, drawn, layout, settings);
    return place;
  };
})();
