// Draws the figures that the page carries as JSON, in the page's own colours, and ties curves to the table's ticks.
"use strict";

// A colour of the page has two values, of which the browser takes one where the colour is used.
const probe = document.head.appendChild(document.createElement("meta"));
const colour = (name) => { probe.style.color = `var(${name})`; return getComputedStyle(probe).color; };

function inPageColours(layout) {
  const axis = { gridcolor: colour("--rule"), linecolor: colour("--rule"), zerolinecolor: colour("--rule") };
  return {
    ...layout,
    font: { ...layout.font, family: getComputedStyle(document.body).fontFamily, color: colour("--ink"), size: 13 },
    xaxis: { ...layout.xaxis, ...axis },
    yaxis: { ...layout.yaxis, ...axis },
    hoverlabel: { bgcolor: colour("--paper"), bordercolor: colour("--quiet"), font: { color: colour("--ink") } },
    modebar: { bgcolor: "rgba(0,0,0,0)", color: colour("--quiet"), activecolor: colour("--ink") },
  };
}

function draw(place) {
  const figure = JSON.parse(document.getElementById(place.dataset.figure).textContent);
  const narrow = window.matchMedia("(max-width: 40rem)").matches;
  const layout = { ...figure.layout, showlegend: !narrow };
  const settings = {
    responsive: true,
    displaylogo: false,
    showSendToCloud: false, // no chart leaves the site by a button that is on by default
    plotlyServerURL: "",
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
    toImageButtonOptions: { filename: "limelight" },
  };
  window.Plotly.newPlot(place, figure.data, inPageColours(layout), settings);

  const ticks = new Map([...document.querySelectorAll("[data-curve]")].map((tick) => [tick.dataset.curve, tick]));
  const position = new Map(figure.data.map((trace, index) => [trace.meta, index]));
  for (const [key, tick] of ticks) {
    const index = position.get(key);
    if (index === undefined) { tick.disabled = true; continue; }
    tick.checked = figure.data[index].visible !== "legendonly"; // browsers remember ticks over a reload
    tick.addEventListener("change", () => {
      window.Plotly.restyle(place, { visible: tick.checked ? true : "legendonly" }, [index]);
    });
  }
  place.on("plotly_restyle", () => {
    for (const [key, index] of position) {
      const tick = ticks.get(key);
      if (tick) tick.checked = place.data[index].visible !== "legendonly";
    }
  });
  document.addEventListener("themechange", () => {
    window.Plotly.relayout(place, inPageColours(place.layout));
  });
}

document.querySelectorAll("[data-figure]").forEach(draw);
