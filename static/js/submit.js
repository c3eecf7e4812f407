// Submitting a run: the form is filled in from the file, the upload shows how far it is, and nothing typed is lost.
"use strict";

const BEGINNING = 256 * 1024;
const TEXTS = [["name", "run name"], ["description", "description"], ["query", "queries"]];

// Fill in: what the file says about itself goes into fields that nobody has touched.
function makeFillIn(form) {
  const filled = new Map(); // what we filled in ourselves, so that another file may change it again
  const boxes = () => [...form.querySelectorAll("[name=topic_fields]")];
  const ticked = () => boxes().filter((box) => box.checked).map((box) => box.value).join();

  const fillText = (name, said) => {
    const field = form.elements[name];
    const typing = field === document.activeElement; // nothing may change under somebody's fingers
    const untouched = !typing && (field.value === "" || field.value === filled.get(name));
    if (untouched && said) { field.value = said; filled.set(name, said); return true; }
    if (untouched && filled.has(name)) { field.value = ""; filled.delete(name); }
    return false;
  };

  const fillTopicFields = (said) => {
    const untouched = ticked() === "" || ticked() === filled.get("topic_fields");
    if (!untouched || !said || !said.length) return false;
    for (const box of boxes()) box.checked = said.includes(box.value);
    filled.set("topic_fields", ticked());
    return true;
  };

  return (said) => {
    const taken = TEXTS.filter(([name]) => fillText(name, said[name])).map(([, label]) => label);
    if (fillTopicFields(said.topic_fields)) taken.push("topic fields");
    document.getElementById("filled-in").textContent =
      taken.length ? `Filled in from the file: ${taken.join(", ")}. Change what you like.` : "";
  };
}

// Complain: each sentence stands below its field, what belongs to none on top of the form.
function makeComplain(form) {
  const paragraph = (sentence, look) => {
    const line = document.createElement("p");
    if (look) line.className = look;
    line.textContent = sentence;
    return line;
  };

  const takeBack = () => {
    for (const old of form.querySelectorAll("p.error, .problem")) old.remove();
    for (const wrong of form.querySelectorAll(".wrong")) wrong.classList.remove("wrong");
  };

  const placeOf = (name) => {
    const field = form.querySelector(`[name="${name}"]:not([type=hidden])`);
    return field && field.closest(".field");
  };

  const sayOnTop = (sentences) => {
    const box = document.createElement("div");
    box.className = "problem";
    box.setAttribute("role", "alert");
    box.tabIndex = -1;
    box.append(...sentences.map((sentence) => paragraph(sentence)));
    form.prepend(box);
    box.focus();
  };

  return (errors) => {
    takeBack();
    const { __all__: general = [], ...fields } = errors;
    const onTop = [...general];
    for (const [name, sentences] of Object.entries(fields)) {
      const place = placeOf(name);
      if (!place) { onTop.push(...sentences); continue; }
      place.classList.add("wrong");
      place.append(...sentences.map((sentence) => paragraph(sentence, "error")));
    }
    if (Object.keys(errors).length) sayOnTop(onTop.length ? onTop : ["Something in this form needs another look."]);
  };
}

// Send: the buttons rest meanwhile, a bar shows how far the upload is, and the answer says where to go next.
function makeSend(form, complain, report) {
  const sending = document.getElementById("sending");
  const bar = sending.querySelector("progress");
  const word = sending.querySelector("[role=status]");
  const buttons = [...form.querySelectorAll("button")];

  // Leaving in the middle of an upload loses it: browsers ask when a page says so.
  const askFirst = (event) => { event.preventDefault(); event.returnValue = ""; };

  const begin = () => {
    for (const button of buttons) button.disabled = true;
    bar.value = 0;
    word.textContent = "Sending …";
    sending.hidden = false;
    window.addEventListener("beforeunload", askFirst);
  };

  const rest = () => {
    for (const button of buttons) button.disabled = false;
    sending.hidden = true;
    window.removeEventListener("beforeunload", askFirst);
  };

  const refuse = (errors) => { rest(); complain(errors); };

  const showReport = (html) => {
    rest();
    report.innerHTML = html; // our own page's fragment, escaped by the server
    report.focus();
    report.scrollIntoView({ block: "start" });
  };

  const follow = (answer) => {
    if (!answer.address) return refuse(answer.errors || {});
    window.removeEventListener("beforeunload", askFirst);
    form.dispatchEvent(new Event("draft:done"));
    window.location.assign(answer.address);
  };

  const take = (request, dry) => {
    const kind = request.getResponseHeader("Content-Type") || "";
    const signedOut = request.status === 403 || request.responseURL.includes("/sign-in/");
    if (dry && kind.startsWith("text/html") && request.status !== 422 && request.status < 500) showReport(request.responseText);
    else if (kind.startsWith("application/json")) follow(JSON.parse(request.responseText));
    else if (signedOut) refuse({ __all__: ["You are no longer signed in. Sign in in another tab, then press the button again: nothing you typed is lost."] });
    else refuse({ __all__: ["Something went wrong on our side. Nothing you typed is lost: press the button again in a moment."] });
  };

  const send = (submitter) => {
    const dry = submitter && submitter.name === "dry-run";
    const fields = new FormData(form, submitter); // before the buttons rest: what is disabled is not sent
    const request = new XMLHttpRequest();
    let percent = 0;
    const broken = () => refuse({ __all__: [`The connection broke after ${percent} %. Nothing you typed is lost: press the button again. If the run did arrive, you are led to it.`] });
    request.upload.addEventListener("progress", (event) => {
      percent = event.lengthComputable ? Math.floor(100 * event.loaded / event.total) : percent;
      bar.value = percent;
      word.textContent = percent < 100 ? `${percent} % sent` : dry ? "Every line is being read …" : "The file is being stored …";
    });
    request.addEventListener("error", broken);
    request.addEventListener("timeout", broken);
    request.addEventListener("load", () => take(request, dry));
    begin();
    request.open("POST", window.location.href);
    request.setRequestHeader("X-Requested-With", "XMLHttpRequest");
    request.send(fields);
  };

  const isSending = () => buttons.some((button) => button.disabled);
  return { send, rest, isSending };
}

function setUp(form) {
  const file = form.elements.file;
  const report = document.getElementById("dry-run");
  const fillIn = makeFillIn(form);
  const complain = makeComplain(form);
  const { send, rest, isSending } = makeSend(form, complain, report);

  const forget = () => { report.replaceChildren(); complain({}); };
  const isTooLarge = () => file.files.length && file.files[0].size > form.dataset.limit * 1e6;
  const complainOfSize = () =>
    complain({ file: [form.dataset.tooLarge] });

  const readBeginning = async (chosen) => {
    const sent = new FormData();
    sent.append("file", chosen.slice(0, BEGINNING), chosen.name);
    sent.append("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    try {
      const response = await fetch(form.dataset.beginning, { method: "POST", body: sent });
      if (!response.ok || file.files[0] !== chosen) return;
      const said = await response.json();
      fillIn(said);
      if (said.problem) complain({ file: [said.problem] });
    } catch { /* without it the fields stay as they are */ }
  };

  const lookAtFile = () => {
    report.replaceChildren();
    if (!file.files.length) return;
    if (isTooLarge()) return complainOfSize();
    complain({});
    readBeginning(file.files[0]);
  };

  file.addEventListener("change", lookAtFile);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isSending()) return;
    forget();
    if (isTooLarge()) complainOfSize();
    else send(event.submitter);
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

const submission = document.getElementById("submission");
if (submission) setUp(submission);
