// Says on the button how many runs are ticked, and sends them as one word of the address.
"use strict";

(() => {
  const button = document.querySelector("[data-counts]");
  if (!button) return;
  const { form } = button;
  const ticked = () => [...form.elements].filter((field) => field.name === "runs" && field.checked).map((field) => field.value);
  const count = () => { button.textContent = `${button.dataset.counts} (${ticked().length})`; };

  form.addEventListener("formdata", (event) => {
    const runs = ticked();
    event.formData.delete("runs");
    if (runs.length) event.formData.set("runs", runs.join());
  });
  for (const change of ["change", "ticked"]) document.addEventListener(change, count);
  window.addEventListener("pageshow", count);
  count();
})();
