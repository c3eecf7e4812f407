// What was typed into a form outlives a reload or a closed lid: kept in this tab until the form has been taken.
"use strict";

for (const form of document.querySelectorAll("form[data-draft]")) {
  const key = `draft ${window.location.pathname}${window.location.search}`;
  const fields = () => [...form.elements].filter((field) => field.name && !["hidden", "file", "submit", "password"].includes(field.type));
  const isTicked = (field) => field.type === "checkbox" || field.type === "radio";
  const store = (work) => { try { return work(window.sessionStorage); } catch { return null; } }; // it may be switched off

  const keep = () => {
    const typed = fields().map((field) => [field.name, field.value, isTicked(field) ? field.checked : null]);
    store((kept) => kept.setItem(key, JSON.stringify(typed)));
  };

  const giveBack = () => {
    let given = false;
    const typed = JSON.parse(store((kept) => kept.getItem(key)) || "[]");
    for (const [name, value, ticked] of typed) {
      for (const field of fields().filter((field) => field.name === name)) {
        if (isTicked(field)) { if (field.value === value) field.checked = ticked; }
        else if (field.value === "" && value !== "") { field.value = value; given = true; }
      }
    }
    if (!given) return;
    const note = document.createElement("p");
    note.className = "help";
    note.setAttribute("role", "status");
    note.textContent = form.dataset.draft;
    form.prepend(note);
  };

  giveBack();
  form.addEventListener("input", keep);
  form.addEventListener("change", keep);
  form.addEventListener("draft:done", () => store((kept) => kept.removeItem(key)));
}
