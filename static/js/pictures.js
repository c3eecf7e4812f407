// Makes a PNG of a drawing that the site sends as SVG. Whatever fails on the way leaves the SVG.
"use strict";

(() => {
  const SHARP = 2; // pixels a unit of the drawing, each way
  const PATIENCE = 10_000; // milliseconds in which a browser has saved a file

  window.savePicture = async (address, name) => {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.status);
    const source = URL.createObjectURL(new Blob([await answer.text()], { type: "image/svg+xml" }));
    const picture = Object.assign(new Image(), { src: source });
    await picture.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: SHARP * picture.width, height: SHARP * picture.height });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    const file = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
    const saved = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: name });
    saved.click();
    setTimeout(() => [saved.href, source].forEach(URL.revokeObjectURL), PATIENCE);
  };

  // Buttons that need a script show when there is one, also in parts of a page that come later.
  const show = () => document.querySelectorAll("[data-picture]").forEach((button) => { button.hidden = false; });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest && event.target.closest("[data-picture]");
    if (!button) return;
    try {
      await window.savePicture(button.dataset.picture, button.dataset.name);
    } catch {
      button.replaceWith("(no picture could be made here; the SVG file shows the same)");
    }
  });
  document.addEventListener("htmx:afterSettle", show);
  show();
})();
