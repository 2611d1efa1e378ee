// A session: the screen's size, practice, and trials of which each is placed where its answer tells most. Texts are only
// ever set as text; nothing is sent but, where the study names an address, the answers to it.

// QUEST+ (Watson 2017). A track holds what is known of an observer's parameters beforehand (prior, a chance for each
// combination of them) and, for each cell, the chance of the first of two answers under each combination (first).
const QuestPlus = (function () {
  "use strict";

  const weighed = (chance) => (chance > 0 ? -chance * Math.log(chance) : 0);
  const entropy = (chance) => weighed(chance) + weighed(1 - chance);

  // What is known of the parameters after answers: [cell, whether it was the first] each.
  function knownAfter(track, given) {
    let known = track.prior;
    for (const [cell, isFirst] of given) {
      const first = track.first[cell];
      const joint = known.map((one, place) => one * (isFirst ? first[place] : 1 - first[place]));
      const likely = joint.reduce((sum, one) => sum + one, 0);
      known = joint.map((one) => one / likely);
    }
    return known;
  }

  // By how much an answer to each cell is expected to lower the entropy of what is known, in nats: the entropy of the
  // answer less what it would be if the observer were known.
  function expectedInformation(track, known) {
    return track.first.map((first) => {
      const mean = (of) => known.reduce((sum, one, place) => sum + one * of(first[place]), 0);
      return entropy(mean((chance) => chance)) - mean(entropy);
    });
  }

  // The cells whose answers tell most, to within a tolerance.
  function best(track, given, tolerance) {
    const gain = expectedInformation(track, knownAfter(track, given));
    const most = Math.max(...gain);
    return [...gain.keys()].filter((cell) => gain[cell] >= most - tolerance);
  }

  return { best, expectedInformation, knownAfter };
})();

(function () {
  "use strict";

  const failing = document.getElementById("no-script");
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (name) => document.getElementById(name);
  const PAGES = ["start", "calibrate", "ready", "trial", "finish"];
  // Sides of a bank card, mm (ISO/IEC 7810, ID-1).
  const CARD_MM = [85.6, 53.98];
  // Shown as far away as this, a picture spans the degrees at which the suite gives its sizes, where that is comfortable.
  const FARTHEST_CM = 80, NEAREST_CM = 25;
  const WIDE_PX = 960;
  const HALF_FRAME_MS = 8;
  const BLANK_MS = 400, FEEDBACK_MS = 900;
  const PARTICIPANT = ["PROLIFIC_PID", "participant", "participant_id", "workerId", "pid", "id"];
  const COMPLETION = ["completion", "completion_code", "cc", "code"];
  const byTask = new Map(data.tasks.map((task) => [task.id, task]));

  // ---- chance: the same for the same session and trial, so that a page that is loaded again goes on alike ----

  function random(...names) {
    let seed = 2166136261;
    for (const letter of [state.session, ...names].join("/")) {
      seed = Math.imul(seed ^ letter.codePointAt(0), 16777619);
    }
    return () => {
      seed = (seed + 0x6d2b79f5) | 0;
      let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
  }

  function shuffled(list, draw) {
    const left = [...list];
    return list.map(() => left.splice(Math.floor(draw() * left.length), 1)[0]);
  }

  function newSession() {
    const letters = "bcdfghjkmnpqrstvwxz";
    return [...crypto.getRandomValues(new Uint8Array(12))].map((one) => letters[one % letters.length]).join("");
  }

  // ---- who, by the page's address ----

  const address = new URLSearchParams(window.location.search);
  const named = (names) => names.map((name) => address.get(name)).find(Boolean) || "";
  const participant = named(PARTICIPANT);
  const completion = named(COMPLETION);

  // ---- what is kept ----

  // Of several people on one device each has a session of their own.
  const place = `afterimage ${data.form_id} ${data.page_checksum} ${participant}`;
  const storage = Afterimage.storageFor(place);
  let kept = storage !== null;
  let handedIn = true;
  const fresh = () => ({
    annotator: "", language: "", session: newSession(), px_per_mm: 0, step: "start", practised: data.practice === 0,
    answers: [],
  });
  const state = fresh();

  function keep() {
    if (!storage) return;
    try {
      storage.setItem(place, JSON.stringify(state));
      kept = true;
    } catch {
      kept = false;
    }
    showStorage();
  }

  function remembered() {
    try {
      const read = storage && JSON.parse(storage.getItem(place));
      const whole = read && typeof read.annotator === "string" && Array.isArray(read.answers) &&
        read.answers.every((one) => byTask.has(one.task)) && /^[a-z]{12}$/.test(read.session) &&
        PAGES.includes(read.step) && Number.isFinite(read.px_per_mm);
      return whole ? read : null;
    } catch {
      return null;
    }
  }

  // ---- words ----

  const language = () => document.documentElement.dataset.language;
  const say = (key, values) => Afterimage.filled(data.words[language()][key], values);
  const said = (text) => text[language()] ?? Object.values(text)[0];

  function speak(code) {
    Afterimage.choose(code);
    byId("annotator-error").textContent = "";
    byId("downloaded").textContent = "";
    showStorage();
    showProgress();
    showReady();
    if (running) showQuestion(running.task);
    document.title = say("title");
  }

  function showStorage() {
    byId("storage-note").textContent = say(kept ? "kept" : "not_kept");
  }

  function showProgress() {
    const done = state.answers.length;
    const text = say("progress_trials", { done, all: data.trials });
    byId("progress").value = done;
    byId("progress-text").textContent = text;
    if (state.step !== "trial") byId("status").textContent = text;
  }

  function go(step) {
    state.step = step;
    for (const name of PAGES) byId(name).hidden = name !== step;
    window.scrollTo(0, 0);
    const heading = byId(step).querySelector("h2");
    if (heading) heading.focus({ preventScroll: true });
    if (step === "ready") showReady();
    if (step === "calibrate") showCard();
    if (step === "trial") nextTrial();
    if (step === "finish") showFinish();
    showProgress();
    keep();
  }

  // ---- the screen ----

  // A card lies across where there is room, else it stands.
  const cardSides = () => (window.innerWidth >= 520 ? CARD_MM : [...CARD_MM].reverse());

  function showCard() {
    const width = Number(byId("card-size").value);
    const [across, down] = cardSides();
    byId("card").style.width = `${width}px`;
    byId("card").style.height = `${(width * down) / across}px`;
  }

  // How large a picture is shown: whole device pixels to each of its own, as many as there is room for.
  function scale(task) {
    const dense = window.devicePixelRatio || 1;
    // What the question takes: beside the picture on a wide screen, else below it.
    const sides = 2 * Math.min(40, Math.max(16, 0.04 * window.innerWidth));
    const taken = window.innerWidth >= WIDE_PX ? [464, 150] : [sides, 330];
    const room = [document.documentElement.clientWidth - taken[0], window.innerHeight - taken[1]];
    const fitting = Math.min((room[0] * dense) / task.width, (room[1] * dense) / task.height);
    const widest = state.px_per_mm ? (data.widest_mm * state.px_per_mm * dense) / task.width : fitting;
    const whole = Math.floor(Math.min(fitting, Math.max(widest, 1)) + 1e-9);
    // Never less than its own pixels for want of height: the page can be scrolled.
    if (whole >= 1) return whole / dense;
    const across = (room[0] * dense) / task.width;
    return (across >= 1 ? 1 : across) / dense;
  }

  const isShrunk = () => data.tasks.some((task) => scale(task) * (window.devicePixelRatio || 1) < 1 - 1e-9);

  function distanceCm() {
    if (!state.px_per_mm) return 0;
    const task = data.tasks[0];
    const wide = (scale(task) * task.width) / state.px_per_mm;
    const cm = wide / 20 / Math.tan((data.degrees * Math.PI) / 360);
    return Math.round(Math.min(FARTHEST_CM, Math.max(NEAREST_CM, cm)));
  }

  function showReady() {
    const practice = !state.practised;
    byId("ready-heading").textContent = say(practice ? "practice" : "begin_trials");
    byId("ready-text").textContent = practice
      ? say("practice_how", { number: data.practice })
      : say("trials_how", { number: data.trials - state.answers.length });
    const cm = distanceCm();
    byId("distance").textContent = cm ? say("distance", { cm }) : say("distance_unknown");
    byId("shrunk").hidden = !isShrunk();
  }

  // ---- trials ----

  let running = null;

  const answersOf = (track) =>
    state.answers.filter((one) => byTask.get(one.task).track === track)
      .map((one) => [byTask.get(one.task).cell, one.value === byTask.get(one.task).first]);

  // Attention checks lie in the middle of equal parts of the session.
  const checks = data.tasks.filter((task) => task.track === null);
  const checkAt = new Map(checks.map((task, index) =>
    [Math.floor(((index + 0.5) * data.trials) / checks.length), task]));

  // The next task: of the track whose turn it is, at one of the cells whose answer tells most, shown least often so far.
  function nextTask() {
    const number = state.answers.length;
    if (checkAt.has(number)) return checkAt.get(number);
    const index = turn(number);
    const draw = random("trial", number);
    const track = data.tracks[index];
    const fixed = track.first.length === 0;
    const cells = fixed ? [] : QuestPlus.best(track, answersOf(index), data.tolerance);
    const cell = cells[Math.floor(draw() * cells.length)];
    const shown = (task) => state.answers.filter((one) => one.task === task.id).length;
    const suitable = data.tasks.filter((task) =>
      task.track === index && (fixed ? !task.practice : task.cell === cell));
    const fewest = Math.min(...suitable.map(shown));
    const fresh = suitable.filter((task) => shown(task) === fewest);
    return fresh[fixed ? 0 : Math.floor(draw() * fresh.length)];
  }

  // Tracks take turns in an order drawn anew for each round.
  function turn(number) {
    const before = [...checkAt.keys()].filter((one) => one < number).length;
    const among = number - before;
    const tracks = data.tracks.map((_, index) => index);
    return shuffled(tracks, random("round", Math.floor(among / tracks.length)))[among % tracks.length];
  }

  function practiceTask(number) {
    const suitable = data.tasks.filter((task) => task.practice);
    return shuffled(suitable, random("practice"))[number % suitable.length];
  }

  function nextTrial() {
    if (state.practised && state.answers.length >= data.trials) {
      go("finish");
      return;
    }
    const practice = state.practised ? null : { number: running?.practice ? running.practice.number + 1 : 0 };
    if (practice && practice.number >= data.practice) {
      state.practised = true;
      running = null;
      go("ready");
      return;
    }
    show(practice ? practiceTask(practice.number) : nextTask(), practice);
  }

  async function show(task, practice) {
    const own = { task, practice, at: 0 };
    running = own;
    const picture = byId("picture");
    picture.hidden = true;
    byId("feedback").textContent = "";
    showQuestion(task);
    enable(false);
    picture.src = task.source;
    picture.style.width = `${task.width * scale(task)}px`;
    picture.style.height = `${task.height * scale(task)}px`;
    // Without pixels of their own, thin lines would be lost.
    picture.style.imageRendering = scale(task) * (window.devicePixelRatio || 1) < 1 ? "auto" : "";
    byId("trial").querySelector(".stage").style.minHeight = picture.style.height;
    picture.alt = say("picture", { number: state.answers.length + 1 });
    await Promise.all([picture.decode(), new Promise((done) => setTimeout(done, BLANK_MS))]);
    if (running !== own) return;
    picture.hidden = false;
    // Time runs from the frame in which the picture is there.
    requestAnimationFrame(() => requestAnimationFrame((now) => {
      if (running !== own) return;
      own.at = now;
      own.size = Afterimage.shownSize([picture]);
      enable(true);
      if (data.exposure_ms) requestAnimationFrame((frame) => conceal(own, frame));
    }));
  }

  // In the frame that is nearest to the end of the exposure.
  function conceal(own, frame) {
    if (running !== own) return;
    if (frame - own.at >= data.exposure_ms - HALF_FRAME_MS) byId("picture").hidden = true;
    else requestAnimationFrame((next) => conceal(own, next));
  }

  function enable(are) {
    for (const button of byId("answers").querySelectorAll("button")) button.disabled = !are;
  }

  function showQuestion(task) {
    byId("question").textContent = said(task.text);
    const disabled = byId("answers").querySelector("button")?.disabled ?? false;
    byId("answers").replaceChildren(...task.options.map((option) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.option = option.id;
      button.textContent = said(option.text);
      button.disabled = disabled;
      return button;
    }));
  }

  function answer(option) {
    const own = running;
    if (!own || !own.at) return;
    const took = Math.round(performance.now() - own.at);
    own.at = 0;
    enable(false);
    if (own.practice) {
      const right = own.task.key === option;
      byId("feedback").textContent = own.task.key ? say(right ? "right" : "wrong") : "";
      setTimeout(nextTrial, FEEDBACK_MS);
      return;
    }
    state.answers.push({
      task: own.task.id, value: option, ms: took, at: new Date().toISOString(),
      language: language(), shown: own.size, cm: distanceCm(),
    });
    handedIn = false;
    keep();
    showProgress();
    nextTrial();
  }

  // ---- the file ----

  function file() {
    const rows = state.answers.map((given, index) => {
      const task = byTask.get(given.task);
      const row = {
        form_id: data.form_id,
        page: data.page,
        page_checksum: data.page_checksum,
        task_id: task.id,
        task_checksum: task.checksums[given.language] || "",
        field_id: task.field,
        order: String(index + 1),
        language: given.language,
        annotator_id: state.annotator,
        answer: given.value,
        answered_at: given.at,
        shown: given.shown,
        session: state.session,
        milliseconds: String(given.ms),
        px_per_mm: state.px_per_mm ? state.px_per_mm.toFixed(3) : "",
        distance_cm: given.cm ? String(given.cm) : "",
      };
      return data.columns.map((column) => row[column]);
    });
    return Afterimage.csv([data.columns, ...rows]);
  }

  function showFinish() {
    byId("unanswered").hidden = true;
    byId("text").value = file();
  }

  function handIn() {
    handedIn = true;
    byId("completion-code").textContent = completion;
    byId("completion").hidden = !completion;
  }

  function download() {
    const name = `answers-${data.form_id}-${data.page}-${state.annotator}.csv`;
    Afterimage.save(name, file());
    byId("downloaded").textContent = say("downloaded", { name });
    handIn();
  }

  async function send() {
    byId("send").disabled = true;
    byId("sent").textContent = say("sending");
    try {
      // Plain text: what a server takes without being asked beforehand.
      const reply = await fetch(data.post_to, {
        method: "POST", body: file(), headers: { "Content-Type": "text/plain;charset=utf-8" },
        credentials: "omit", referrerPolicy: "no-referrer",
      });
      if (!reply.ok) throw new Error(String(reply.status));
      byId("sent").textContent = say("sent");
      handIn();
    } catch {
      byId("sent").textContent = say("not_sent");
      byId("send").disabled = false;
    }
  }

  // ---- what people do ----

  function begin() {
    const fault = Afterimage.codeFault(byId("annotator").value);
    byId("annotator-error").textContent = fault && say(fault);
    byId("annotator").toggleAttribute("aria-invalid", Boolean(fault));
    if (fault) {
      byId("annotator").focus();
      return;
    }
    state.annotator = byId("annotator").value.trim().normalize("NFKC");
    go("calibrate");
  }

  function calibrated(size) {
    state.px_per_mm = size ? size / cardSides()[0] : 0;
    go("ready");
  }

  byId("code-form").addEventListener("submit", (event) => {
    event.preventDefault();
    begin();
  });
  byId("card-size").addEventListener("input", showCard);
  byId("card-fits").addEventListener("click", () => calibrated(Number(byId("card-size").value)));
  byId("no-card").addEventListener("click", () => calibrated(0));
  byId("go").addEventListener("click", () => { running = null; go("trial"); });
  byId("download").addEventListener("click", download);
  if (byId("send")) byId("send").addEventListener("click", send);
  byId("text").addEventListener("focus", (event) => event.target.select());
  byId("restart").addEventListener("click", () => {
    if (!window.confirm(say("restart_confirm"))) return;
    Object.assign(state, fresh(), { language: state.language });
    if (storage) storage.removeItem(place);
    handedIn = true;
    byId("completion").hidden = true;
    byId("annotator").value = participant;
    go("start");
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.option) answer(button.dataset.option);
    if (button?.dataset.language !== undefined) {
      state.language = button.dataset.language;
      speak(state.language);
      keep();
    }
  });
  document.addEventListener("keydown", (event) => {
    const options = running && running.at ? running.task.options : [];
    const place = { ArrowLeft: 0, ArrowUp: 0, ArrowRight: 1, ArrowDown: 1 }[event.key] ?? Number(event.key) - 1;
    if (state.step === "trial" && options[place]) {
      event.preventDefault();
      answer(options[place].id);
    }
  });
  window.addEventListener("beforeunload", (event) => {
    if (!kept && !handedIn) event.preventDefault();
  });

  Object.assign(state, remembered() || {});
  byId("annotator").value = state.annotator || participant;
  byId("annotator").readOnly = Boolean(participant) && !Afterimage.codeFault(participant);
  byId("card-size").value = String(Math.round(cardSides()[0] * (state.px_per_mm || 96 / 25.4)));
  speak(state.language || Afterimage.preferred(data.languages));
  // Whoever comes back in the middle is told first where the session stands.
  go(state.step === "trial" ? "ready" : state.step);
  failing.hidden = true;
})();
