// Submitting a run: the form is filled in from the file, the upload shows how far it is, and nothing typed is lost.
"use strict";

const form = document.getElementById("submission");
if (form) {
  const BEGINNING = 256 * 1024;
  const file = form.elements.file;
  const sending = document.getElementById("sending");
  const bar = sending.querySelector("progress");
  const word = sending.querySelector("[role=status]");
  const report = document.getElementById("dry-run");
  const buttons = [...form.querySelectorAll("button")];
  const filled = new Map(); // what we filled in ourselves, so that another file may change it again

  const control = (name) => form.elements[name];
  const boxes = () => [...form.querySelectorAll("[name=topic_fields]")];

  const fillIn = (said) => {
    const taken = [];
    for (const [name, label] of [["name", "run name"], ["description", "description"], ["query", "queries"]]) {
      const field = control(name);
      const typing = field === document.activeElement; // nothing may change under somebody's fingers
      const untouched = !typing && (field.value === "" || field.value === filled.get(name));
      if (untouched && said[name]) { field.value = said[name]; filled.set(name, said[name]); taken.push(label); }
      else if (untouched && filled.has(name)) { field.value = ""; filled.delete(name); }
    }
    const ticked = boxes().filter((box) => box.checked).map((box) => box.value).join();
    if ((ticked === "" || ticked === filled.get("topic_fields")) && said.topic_fields && said.topic_fields.length) {
      for (const box of boxes()) box.checked = said.topic_fields.includes(box.value);
      filled.set("topic_fields", boxes().filter((box) => box.checked).map((box) => box.value).join());
      taken.push("topic fields");
    }
    document.getElementById("filled-in").textContent =
      taken.length ? `Filled in from the file: ${taken.join(", ")}. Change what you like.` : "";
  };

  const lookAtFile = async () => {
    report.replaceChildren();
    if (!file.files.length) return;
    if (tooLarge()) return complain({ file: [tooLargeSentence()] });
    complain({});
    const sent = new FormData();
    sent.append("file", file.files[0].slice(0, BEGINNING), file.files[0].name);
    sent.append("csrfmiddlewaretoken", control("csrfmiddlewaretoken").value);
    const chosen = file.files[0];
    try {
      const response = await fetch(form.dataset.beginning, { method: "POST", body: sent });
      if (!response.ok || file.files[0] !== chosen) return;
      const said = await response.json();
      fillIn(said);
      if (said.problem) complain({ file: [said.problem] });
    } catch { /* without it the fields stay as they are */ }
  };

  const tooLarge = () => file.files.length && file.files[0].size > form.dataset.limit * 1e6;
  const tooLargeSentence = () => `This file is larger than ${form.dataset.limit} MB. Compress it with gzip and submit that.`;

  const complain = (errors) => {
    for (const old of form.querySelectorAll("p.error, .problem")) old.remove();
    for (const wrong of form.querySelectorAll(".wrong")) wrong.classList.remove("wrong");
    const general = [...(errors.__all__ || [])];
    for (const [name, sentences] of Object.entries(errors)) {
      if (name === "__all__") continue;
      const field = form.querySelector(`[name="${name}"]:not([type=hidden])`);
      const place = field && field.closest(".field");
      if (!place) { general.push(...sentences); continue; }
      place.classList.add("wrong");
      for (const sentence of sentences) {
        const line = document.createElement("p");
        line.className = "error";
        line.textContent = sentence;
        place.append(line);
      }
    }
    if (!Object.keys(errors).length) return;
    const box = document.createElement("div");
    box.className = "problem";
    box.setAttribute("role", "alert");
    box.tabIndex = -1;
    for (const sentence of general.length ? general : ["Something in this form needs another look."]) {
      const line = document.createElement("p");
      line.textContent = sentence;
      box.append(line);
    }
    form.prepend(box);
    box.focus();
  };

  const rest = () => {
    for (const button of buttons) button.disabled = false;
    sending.hidden = true;
    window.removeEventListener("beforeunload", askFirst);
  };

  // Leaving in the middle of an upload loses it: browsers ask when a page says so.
  const askFirst = (event) => { event.preventDefault(); event.returnValue = ""; };

  const send = (submitter) => {
    const dry = submitter && submitter.name === "dry-run";
    const fields = new FormData(form, submitter);
    const request = new XMLHttpRequest();
    complain({});
    report.replaceChildren();
    if (tooLarge()) return complain({ file: [tooLargeSentence()] });
    for (const button of buttons) button.disabled = true;
    bar.value = 0;
    word.textContent = "Sending …";
    sending.hidden = false;
    window.addEventListener("beforeunload", askFirst);
    let percent = 0;
    request.upload.addEventListener("progress", (event) => {
      percent = event.lengthComputable ? Math.floor(100 * event.loaded / event.total) : percent;
      bar.value = percent;
      word.textContent = percent < 100 ? `${percent} % sent` : dry ? "Every line is being read …" : "The file is being stored …";
    });
    const broken = () => {
      rest();
      complain({ __all__: [`The connection broke after ${percent} %. Nothing you typed is lost: press the button again. If the run did arrive, you are led to it.`] });
    };
    request.addEventListener("error", broken);
    request.addEventListener("timeout", broken);
    request.addEventListener("load", () => {
      const kind = request.getResponseHeader("Content-Type") || "";
      if (dry && kind.startsWith("text/html") && request.status !== 422 && request.status < 500) {
        rest();
        report.innerHTML = request.responseText; // our own page's fragment, escaped by the server
        report.focus();
        report.scrollIntoView({ block: "start" });
      } else if (kind.startsWith("application/json")) {
        const answer = JSON.parse(request.responseText);
        if (answer.address) {
          window.removeEventListener("beforeunload", askFirst);
          form.dispatchEvent(new Event("draft:done"));
          window.location.assign(answer.address);
          return;
        }
        rest();
        complain(answer.errors || {});
      } else if (request.status === 403 || request.responseURL.includes("/sign-in/")) {
        rest();
        complain({ __all__: ["You are no longer signed in. Sign in in another tab, then press the button again: nothing you typed is lost."] });
      } else {
        rest();
        complain({ __all__: ["Something went wrong on our side. Nothing you typed is lost: press the button again in a moment."] });
      }
    });
    request.open("POST", window.location.href);
    request.setRequestHeader("X-Requested-With", "XMLHttpRequest");
    request.send(fields);
  };

  file.addEventListener("change", lookAtFile);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!buttons.some((button) => button.disabled)) send(event.submitter);
  });
  // A file may be dropped anywhere on the form.
  form.addEventListener("dragover", (event) => { event.preventDefault(); form.classList.add("dropping"); });
  form.addEventListener("dragleave", () => form.classList.remove("dropping"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("dropping");
    if (event.dataTransfer.files.length) { file.files = event.dataTransfer.files; lookAtFile(); }
  });
  window.addEventListener("pageshow", rest);
  if (file.files.length) lookAtFile();
}
