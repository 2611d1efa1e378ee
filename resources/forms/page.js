// The page's conduct: one task at a time, answers kept in the browser, a CSV file at the end.
// Texts are only ever set as text. Nothing is loaded and nothing is sent.
(function () {
  "use strict";

  // Shown where scripts are off, or this one fails.
  const failing = document.getElementById("no-script");
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (name) => document.getElementById(name);
  const steps = [byId("start"), ...document.querySelectorAll(".task"), byId("finish")];
  const last = steps.length - 1;
  const fields = new Map();
  for (const task of data.tasks) {
    for (const field of task.fields) fields.set(field.id, { ...field, task });
  }

  // ---- what is kept: in the browser's storage, or in this page alone where the browser allows none ----

  const place = `afterimage ${data.form_id} ${data.page_checksum}`;
  const storage = Afterimage.storageFor(place);
  let kept = storage !== null;
  let handedIn = true;
  const fresh = () => ({ annotator: "", language: "", step: 0, answers: {} });
  const state = fresh();

  function stored() {
    if (!storage) return null;
    try {
      const read = JSON.parse(storage.getItem(place));
      return read && typeof read === "object" && typeof read.answers === "object" ? read : null;
    } catch {
      return null;
    }
  }

  function adopt(other) {
    // Two windows may show the same page: of two answers the later one stands.
    for (const [id, answer] of Object.entries(other.answers)) {
      const own = state.answers[id];
      if (fields.has(id) && typeof answer.value === "string" && (!own || own.at < answer.at)) {
        state.answers[id] = answer;
      }
    }
  }

  function keep() {
    if (!storage) return;
    try {
      const other = stored();
      if (other) adopt(other);
      storage.setItem(place, JSON.stringify(state));
      kept = true;
    } catch {
      kept = false;
    }
    showStorage();
  }

  // ---- words ----

  const say = (key, values) => Afterimage.filled(data.words[language()][key], values);
  const language = () => document.documentElement.dataset.language;

  function choose(code) {
    Afterimage.choose(code);
    document.querySelectorAll(".task").forEach((section, index) => {
      const images = section.querySelectorAll("img");
      images.forEach((image, number) => {
        image.alt = images.length > 1
          ? say("picture_of_several", { number: index + 1, index: number + 1 })
          : say("picture", { number: index + 1 });
      });
    });
    if (byId("annotator-error").textContent) byId("annotator-error").textContent = codeFault();
    byId("downloaded").textContent = "";
    showStorage();
    showProgress();
    showUnanswered();
    showTitle();
  }

  // ---- answers ----

  const value = (id) => (state.answers[id] ? state.answers[id].value : "");
  const isAnswered = (task) =>
    task.fields.every((field) => field.optional || value(field.id) !== "") &&
    task.fields.some((field) => value(field.id) !== "");
  const answeredTasks = () => data.tasks.filter(isAnswered).length;

  const shownSize = (task) =>
    Afterimage.shownSize([...document.querySelectorAll(`[data-task="${task.id}"] .shown img`)]);

  function answer(id, given) {
    state.answers[id] = {
      value: given, at: new Date().toISOString(), language: language(), shown: shownSize(fields.get(id).task),
    };
    handedIn = false;
    keep();
    showProgress();
  }

  function fillIn() {
    for (const id of fields.keys()) {
      const shown = document.querySelector(`[data-field="${id}"]`);
      for (const input of shown.querySelectorAll("input")) {
        if (input.type === "radio") input.checked = input.value === value(id);
        else if (input !== document.activeElement) input.value = value(id);
      }
    }
  }

  // ---- what is shown ----

  function showProgress() {
    const done = answeredTasks();
    const text = say("progress", { done, all: data.tasks.length });
    byId("progress").value = done;
    byId("progress-text").textContent = text;
    if (byId("status").textContent !== text) byId("status").textContent = text;
  }

  function showStorage() {
    byId("storage-note").textContent = say(kept ? "kept" : "not_kept");
  }

  function showTitle() {
    const where = steps[state.step].querySelector(".count");
    const words = where ? say("task", { number: state.step, all: data.tasks.length }) : "";
    document.title = words ? `${words} – ${say("title")}` : say("title");
  }

  function showUnanswered() {
    const missing = data.tasks.map((task, index) => [task, index + 1])
      .filter(([task]) => !isAnswered(task));
    const list = byId("unanswered").querySelector("ul");
    list.replaceChildren(...missing.map(([, number]) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.go = String(number);
      button.textContent = say("unanswered_task", { number });
      item.append(button);
      return item;
    }));
    byId("unanswered").hidden = missing.length === 0;
    byId("complete").hidden = missing.length > 0;
    byId("unanswered-text").textContent = say("unanswered", { number: missing.length });
    byId("text").value = file();
  }

  function go(number, focus = true) {
    state.step = Math.min(Math.max(number, 0), last);
    steps.forEach((step, index) => { step.hidden = index !== state.step; });
    if (state.step === last) showUnanswered();
    showTitle();
    if (focus) {
      window.scrollTo(0, 0);
      steps[state.step].querySelector("h2").focus({ preventScroll: true });
    }
    keep();
  }

  // ---- the code, the file ----

  function codeFault() {
    const fault = Afterimage.codeFault(byId("annotator").value);
    return fault && say(fault);
  }

  function codeIsGood() {
    const fault = codeFault();
    const input = byId("annotator");
    byId("annotator-error").textContent = fault;
    if (fault) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    return !fault;
  }

  function file() {
    const rows = [data.columns];
    data.tasks.forEach((task, index) => {
      for (const field of task.fields) {
        const given = state.answers[field.id];
        const filled = given && given.value !== "";
        const read = filled ? given.language : language();
        const row = {
          form_id: data.form_id,
          page: data.page,
          page_checksum: data.page_checksum,
          task_id: task.id,
          task_checksum: task.checksums[read] || "",
          field_id: field.id,
          order: String(index + 1),
          language: read,
          annotator_id: state.annotator,
          answer: filled ? given.value : "",
          answered_at: filled ? given.at : "",
          shown: filled ? given.shown || "" : "",
        };
        rows.push(data.columns.map((column) => row[column]));
      }
    });
    return Afterimage.csv(rows);
  }

  function download() {
    if (!codeIsGood()) {
      go(0);
      byId("annotator").focus();
      return;
    }
    const name = `answers-${data.form_id}-${data.page}-${state.annotator}.csv`;
    Afterimage.save(name, file());
    handedIn = true;
    byId("downloaded").textContent = say("downloaded", { name });
    byId("status").textContent = byId("downloaded").textContent;
  }

  function restart() {
    if (!window.confirm(say("restart_confirm"))) return;
    const spoken = state.language;
    Object.assign(state, fresh(), { language: spoken });
    if (storage) storage.removeItem(place);
    handedIn = true;
    byId("annotator").value = "";
    byId("downloaded").textContent = "";
    fillIn();
    showProgress();
    go(0);
  }

  // ---- what people do ----

  document.addEventListener("change", (event) => {
    if (event.target.type === "radio") answer(event.target.name, event.target.value);
  });
  document.addEventListener("input", (event) => {
    if (event.target.id === "annotator") {
      state.annotator = event.target.value.trim().normalize("NFKC");
      keep();
    } else if (fields.has(event.target.id)) {
      answer(event.target.id, event.target.value.trim());
    }
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.go !== undefined) go(Number(button.dataset.go));
    if (button.dataset.language !== undefined) {
      choose(button.dataset.language);
      state.language = button.dataset.language;
      keep();
    }
  });
  byId("code-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (!codeIsGood()) {
      byId("annotator").focus();
      return;
    }
    const open = data.tasks.findIndex((task) => !isAnswered(task));
    go(open < 0 ? last : open + 1);
  });
  byId("download").addEventListener("click", download);
  byId("restart").addEventListener("click", restart);
  byId("text").addEventListener("focus", (event) => event.target.select());
  window.addEventListener("storage", (event) => {
    const other = event.key === place ? stored() : null;
    if (!other) return;
    adopt(other);
    fillIn();
    showProgress();
  });
  window.addEventListener("beforeunload", (event) => {
    if (!kept && !handedIn) event.preventDefault();
  });

  const before = stored();
  if (before) {
    adopt(before);
    state.annotator = typeof before.annotator === "string" ? before.annotator : "";
    state.language = data.languages.includes(before.language) ? before.language : "";
    state.step = Number.isInteger(before.step) ? before.step : 0;
    byId("annotator").value = state.annotator;
    fillIn();
  }
  choose(state.language || Afterimage.preferred(data.languages));
  go(state.step, false);
  failing.hidden = true;
})();
