// The gallery: items filtered, a few of them in the page at a time, one of them in a dialog.
// What models said is set as text and never as anything else. Nothing is loaded and nothing is sent.
(function () {
  "use strict";

  const source = document.getElementById("gallery-index");
  if (!source) return;
  const byId = (name) => document.getElementById(name);
  const data = JSON.parse(source.textContent);
  source.remove();
  const { models, factors, outcomes, items, texts } = data;
  const MARKS = { right: "✓", wrong: "✗", unparsed: "?" };
  const MOST_MODELS = 8;
  const MOST_PRINTED = 24;
  const MOST_CONDITIONS = 4;
  const number = (n) => n.toLocaleString("en");
  const words = (name) => name.replaceAll("_", " ");

  function make(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = say(text);
    return element;
  }

  // A reply may hold marks of direction: they end where it ends.
  function literal(tag, className, text) {
    const element = make(tag, className);
    element.textContent = text;
    element.dir = "auto";
    return element;
  }

  // ---- pictures: kept as text in blocks, read when the first of a block is wanted ----

  const blocks = [...document.querySelectorAll("script.pictures")].map((node) => ({
    first: Number(node.dataset.first), node, pictures: null,
  }));

  function picture(place) {
    let low = 0;
    let high = blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (blocks[middle].first <= place) low = middle;
      else high = middle - 1;
    }
    const block = blocks[low];
    if (!block.pictures) {
      block.pictures = JSON.parse(block.node.textContent);
      block.node.remove();
      block.node = null;
    }
    return block.pictures[place - block.first];
  }

  function image(place, alt, isFull) {
    const { thumbnail, full, width, height } = picture(place);
    const element = make("img");
    element.alt = alt;
    element.decoding = "async";
    element.width = width;
    element.height = height;
    element.src = (isFull && full) || thumbnail;
    return element;
  }

  function mark(outcome) {
    const element = make("span", `mark ${outcome}`);
    const sign = make("span", "", MARKS[outcome] ?? "–");
    sign.setAttribute("aria-hidden", "true");
    element.append(sign, ` ${say(words(outcome))}`);
    return element;
  }

  // An option as a card shows it: its letter, and the words in which it differs from the others.
  function brief(item, place) {
    const found = (item.briefs ?? []).find(([option]) => option === place);
    return texts[found ? found[1] : place];
  }

  const outcomeOf = (answer) => (answer ? outcomes[answer[0]] : "not_asked");

  // ---- filters: each tells which of its values an item has ----

  const form = byId("filters");
  const fields = form.querySelector(".fields");
  // Beyond a few, conditions are kept behind a word.
  const more = make("details", "more");
  const further = make("div", "fields");
  more.append(make("summary", "", "More conditions"), further);
  const filters = [];
  let fieldCount = 0;

  function labelled(label, control, place = fields) {
    const element = make("div", "field");
    const name = make("label", "", label);
    fieldCount += 1;
    control.id = `filter-${fieldCount}`;
    name.htmlFor = control.id;
    element.append(name, control);
    place.append(element);
    return control;
  }

  function choice(key, label, any, values, has, place) {
    const select = labelled(label, make("select"), place);
    select.name = key;
    const options = [["", any], ...values].map(([value, text]) => {
      const option = make("option", "", text);
      option.value = value;
      select.append(option);
      return { value, text, option };
    });
    const filter = { key, select, options, has, counted: has !== null };
    filters.push(filter);
    return filter;
  }

  const unique = (list) => [...new Set(list)];
  const EVERY = "every model";
  const model = choice("model", "Model", "any model",
    [...(models.length > 1 ? [[EVERY, EVERY]] : []), ...models.map((name) => [name, name])], null);
  const asked = unique(items.flatMap((item) => item.answers.map(outcomeOf)));
  choice("outcome", "Answer", "any answer",
    [...outcomes, "not_asked"].filter((name) => asked.includes(name)).map((name) => [name, words(name)]),
    (item) => {
      const chosen = models.indexOf(model.select.value);
      if (chosen >= 0) return [outcomeOf(item.answers[chosen])];
      const found = unique(item.answers.map(outcomeOf));
      return model.select.value === EVERY && found.length > 1 ? [] : found;
    });
  if (models.length > 1) {
    choice("models", "Between models", "any",
      [["same", "same answer"], ["different", "different answers"], ["divided", "right and wrong"]],
      (item) => {
        const given = item.answers.filter(Boolean);
        if (given.length < 2) return [];
        const readings = unique(given.map((answer) => answer[2]));
        const verdicts = given.map(outcomeOf);
        const found = [readings.length > 1 ? "different" : "same"];
        if (verdicts.includes("right") && verdicts.includes("wrong")) found.push("divided");
        return found;
      });
  }
  const search = labelled("Text", make("input"));
  search.type = "search";
  search.name = "text";
  search.placeholder = say("questions, answers");
  search.autocomplete = "off";

  const isMany = factors.length > MOST_CONDITIONS;
  factors.forEach((factor, place) => {
    choice(`factor.${factor.name}`, words(factor.name), "any",
      factor.values.map((name) => [name, name]),
      (item) => (item.factors[place] < 0 ? [] : [factor.values[item.factors[place]]]),
      isMany && place >= MOST_CONDITIONS - 1 ? further : fields);
  });
  if (isMany) fields.after(more);

  let lowered = null;
  function matching() {
    const wanted = search.value.trim().toLowerCase();
    if (!wanted) return () => true;
    lowered ??= texts.map((text) => text.toLowerCase());
    const hits = lowered.map((text) => text.includes(wanted));
    return (item) =>
      hits[item.question] || hits[item.key] || item.id.toLowerCase().includes(wanted) ||
      item.answers.some((answer) => answer && (hits[answer[1]] || hits[answer[2]] || hits[answer[3]]));
  }

  let chosen = items;
  function select() {
    const fits = matching();
    const counted = filters.filter((filter) => filter.counted);
    const tallies = counted.map(() => new Map([["", 0]]));
    const add = (place, value) => tallies[place].set(value, (tallies[place].get(value) ?? 0) + 1);
    chosen = items.filter((item) => {
      if (!fits(item)) return false;
      const had = counted.map((filter) => filter.has(item));
      const failed = [];
      counted.forEach((filter, place) => {
        const value = filter.select.value;
        if (value && !had[place].includes(value)) failed.push(place);
      });
      // An item counts for a filter if all the others let it pass.
      counted.forEach((_, place) => {
        if (failed.length > 1 || (failed.length === 1 && failed[0] !== place)) return;
        add(place, "");
        for (const value of had[place]) add(place, value);
      });
      return failed.length === 0;
    });
    counted.forEach((filter, place) => {
      for (const { value, text, option } of filter.options) {
        if (value) option.textContent = `${say(text)} (${number(tallies[place].get(value) ?? 0)})`;
      }
    });
    const all = !filters.some((filter) => filter.select.value) && !search.value;
    byId("count").textContent = say("{shown} of {all} items", { shown: number(chosen.length), all: number(items.length) });
    byId("clear").hidden = all;
    byId("none").hidden = chosen.length > 0;
    box.hidden = chosen.length === 0;
    active = 0;
    redraw();
  }

  // ---- cards ----

  // A card shows what is asked: first sentences that many questions share are left out, up to one that is a question.
  const MANY = 4;
  const asking = unique(items.map((item) => item.question));
  const linesOf = (place) => texts[place].split(/\n|(?<=[.:?!])\s+/).map((line) => line.trim()).filter(Boolean);
  const shared = new Map();
  for (const place of asking) {
    for (const line of new Set(linesOf(place))) shared.set(line, (shared.get(line) ?? 0) + 1);
  }
  const briefs = new Map(asking.map((place) => {
    const lines = linesOf(place);
    const first = lines.findIndex((line) => shared.get(line) < MANY || /[?？]$/.test(line));
    return [place, lines.slice(Math.max(first, 0)).join(" ")];
  }));

  // The figure, the question and the first conditions of the suite; so many letters stand on a line.
  const ONE_LINE = 48;
  function condition(item) {
    const values = item.factors.map((value, place) => (value < 0 ? "" : words(factors[place].values[value])));
    return values.filter(Boolean).slice(0, MOST_CONDITIONS).join(" · ");
  }

  // Names that begin alike would look alike where they are cut: those are cut before the place where they differ.
  const ROOM = 14;
  const begin = (name) => name.slice(0, ROOM);
  const short = models.map((name) => {
    const alike = models.filter((other) => other !== name && begin(other) === begin(name));
    if (alike.length === 0) return name;
    const same = Math.min(...alike.map((other) => [...name].findIndex((letter, place) => letter !== other[place])).filter((place) => place >= 0));
    return Number.isFinite(same) ? `${name.slice(0, 3)}…${name.slice(same)}` : name;
  });

  // The models on a card, and those that there is no place for; the chosen one is always there.
  function sorted(chosenPlace) {
    const places = models.map((_, place) => place);
    if (chosenPlace >= MOST_MODELS) places.unshift(...places.splice(chosenPlace, 1));
    return [places.slice(0, MOST_MODELS), places.slice(MOST_MODELS)];
  }

  function card(item, position) {
    const element = make("article", "card");
    element.setAttribute("role", "listitem");
    const pictures = make("div", `picture${item.image.length > 1 ? " several" : ""}`);
    for (const place of item.image.slice(0, 3)) pictures.append(image(place, "", false));
    if (item.image.length === 0) pictures.append(make("span", "nothing", "no picture"));
    const open = make("button", "question");
    open.type = "button";
    open.append(literal("span", "", briefs.get(item.question)));
    const answers = make("dl", "answers");
    const key = make("div", "key");
    key.append(make("dt", "", "right answer"), literal("dd", "", brief(item, item.key) || "–"));
    answers.append(key);
    const given = item.answers.filter(Boolean).map((answer) => answer[2]);
    const divided = unique(given).length > 1;
    const [shown, left] = sorted(models.indexOf(model.select.value));
    shown.forEach((place) => {
      const answer = item.answers[place];
      const line = make("div", models[place] === model.select.value ? "chosen" : "");
      // Where answers differ, those that are not the right one stand out.
      if (divided && answer && answer[2] !== item.key) line.classList.add("apart");
      const judged = make("dd", "judged");
      judged.append(mark(outcomeOf(answer)));
      const text = answer ? brief(item, answer[2]) || texts[answer[1]] || say("(empty)") : "";
      const name = make("dt", "", short[place]);
      name.title = models[place];
      line.append(name, literal("dd", "", text.slice(0, 200)), judged);
      answers.append(line);
    });
    if (left.length > 0) {
      const line = make("div", "more");
      const rest = left.map((place) => outcomeOf(item.answers[place]));
      const tally = unique(rest).map((name) => `${rest.filter((one) => one === name).length} ${say(words(name))}`);
      line.append(make("dt", "", say("{n} more models", { n: rest.length })), make("dd", "", tally.join(", ")));
      answers.append(line);
    }
    element.append(pictures, make("p", "condition", condition(item)), open, answers);
    element.setAttribute("aria-posinset", String(position + 1));
    element.setAttribute("aria-setsize", String(chosen.length));
    return element;
  }

  const box = byId("cards");
  const rail = make("div", "rail");
  // Conditions get a second line on all cards if some need it: cards are of one height.
  rail.classList.toggle("wordy", items.some((item) => condition(item).length > ONE_LINE));
  rail.setAttribute("role", "list");
  box.append(rail);
  const drawn = new Map();
  // As wide as the longest name of a model needs, within bounds.
  const longest = Math.max(...models.map((name) => name.length), 12);
  document.documentElement.style.setProperty("--name", `${longest}ch`);
  const grid = { columns: 1, width: 0, height: 0, gap: 0 };
  let active = 0;

  function measure() {
    const style = getComputedStyle(rail);
    grid.gap = parseFloat(style.columnGap) || 0;
    const least = parseFloat(style.getPropertyValue("--card")) * parseFloat(getComputedStyle(document.documentElement).fontSize);
    grid.columns = Math.max(1, Math.floor((rail.clientWidth + grid.gap) / (least + grid.gap)));
    grid.width = (rail.clientWidth - grid.gap * (grid.columns - 1)) / grid.columns;
    // All cards are of one height: every line of them is cut off at its end.
    const probe = card(chosen[0], 0);
    probe.style.width = `${grid.width}px`;
    rail.append(probe);
    grid.height = probe.offsetHeight + grid.gap;
    probe.remove();
  }

  function redraw() {
    rail.replaceChildren();
    drawn.clear();
    if (!chosen.length) return;
    measure();
    rail.style.height = `${Math.ceil(chosen.length / grid.columns) * grid.height}px`;
    box.scrollTop = 0;
    update();
  }

  function update() {
    if (!chosen.length) return;
    const focused = rail.contains(document.activeElement);
    const top = Math.floor(box.scrollTop / grid.height);
    const bottom = Math.ceil((box.scrollTop + box.clientHeight) / grid.height);
    const first = Math.max(0, (top - 1) * grid.columns);
    const last = Math.min(chosen.length, (bottom + 1) * grid.columns);
    // The card that the keyboard reaches is one in sight, unless the keyboard is on it.
    if (!focused && (active < top * grid.columns || active >= bottom * grid.columns)) {
      active = Math.min(chosen.length - 1, top * grid.columns);
    }
    for (const [place, element] of drawn) {
      if ((place < first || place >= last) && !(focused && place === active)) {
        element.remove();
        drawn.delete(place);
      }
    }
    for (let place = first; place < last; place += 1) if (!drawn.has(place)) draw(place);
    if (!drawn.has(active)) draw(active);
    for (const [place, element] of drawn) {
      element.querySelector("button").tabIndex = place === active ? 0 : -1;
    }
  }

  function draw(place) {
    const element = card(chosen[place], place);
    const left = (place % grid.columns) * (grid.width + grid.gap);
    const top = Math.floor(place / grid.columns) * grid.height;
    element.style.width = `${grid.width}px`;
    element.style.transform = `translate(${left}px, ${top}px)`;
    element.dataset.place = String(place);
    // Read aloud in the order in which they stand, also after scrolling back.
    const after = [...drawn.keys()].filter((other) => other > place);
    rail.insertBefore(element, after.length ? drawn.get(Math.min(...after)) : null);
    drawn.set(place, element);
  }

  function go(place) {
    active = Math.max(0, Math.min(chosen.length - 1, place));
    const top = Math.floor(active / grid.columns) * grid.height;
    if (top < box.scrollTop) box.scrollTop = top;
    const bottom = top + grid.height - grid.gap;
    if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
    if (!drawn.has(active)) draw(active);
    drawn.get(active).querySelector("button").focus({ preventScroll: true });
    update();
  }

  let waiting = false;
  box.addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      update();
    });
  }, { passive: true });

  rail.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(box.clientHeight / grid.height)) * grid.columns;
    const steps = {
      ArrowRight: 1, ArrowLeft: -1, ArrowDown: grid.columns, ArrowUp: -grid.columns,
      PageDown: page, PageUp: -page, Home: -active, End: chosen.length - 1 - active,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const target = active + step;
    if (Math.abs(step) === grid.columns && (target < 0 || target >= chosen.length)) return;
    go(target);
  });

  rail.addEventListener("focusin", (event) => {
    const found = event.target.closest(".card");
    if (!found) return;
    active = Number(found.dataset.place);
    update();
  });

  rail.addEventListener("click", (event) => {
    const found = event.target.closest(".card");
    if (!found || String(window.getSelection())) return;
    show(Number(found.dataset.place));
  });

  // ---- one item ----

  const dialog = byId("one");
  let open = -1;

  function section(title, ...parts) {
    const element = make("section");
    element.append(make("h3", "", title), ...parts);
    return element;
  }

  function control(text, act, isOff) {
    const button = make("button", "", text);
    button.type = "button";
    button.disabled = Boolean(isOff);
    button.addEventListener("click", act);
    return button;
  }

  function replySection(answer, place) {
    const head = make("p", "verdict");
    head.append(mark(outcomeOf(answer)));
    if (answer && texts[answer[2]]) head.append(make("span", "", " read as "), literal("strong", "", texts[answer[2]]));
    if (!answer) return section(models[place], head);
    const reply = texts[answer[1]];
    const given = literal("p", reply ? "verbatim" : "nothing", reply || say("(empty)"));
    if (answer[3] === undefined) return section(models[place], head, given);
    return section(models[place], head, reasoningOf(texts[answer[3]]), given);
  }

  // What a model thought aloud is never graded: it stays folded until somebody asks for it.
  function reasoningOf(text) {
    const folded = make("details", "reasoning");
    folded.append(make("summary", "", "Reasoning, not graded"), literal("p", "verbatim", text));
    return folded;
  }

  // One pixel of the stimulus is one of the page; what is larger than the column is fitted until it is asked for.
  function enlarged(place, alt) {
    const { full, width, height } = picture(place);
    const element = make("figure", "enlarged");
    const frame = make("div", "frame");
    frame.append(image(place, alt, true));
    const size = make("figcaption", "", say("{width} × {height} pixels", { width, height }));
    if (full === undefined) size.append(say(" (made smaller for this page)"));
    const fit = control("Actual pixels", () => {
      const isExact = frame.classList.toggle("exact");
      fit.setAttribute("aria-pressed", String(isExact));
    });
    fit.setAttribute("aria-pressed", "false");
    if (full !== undefined) size.append(" ", fit);
    element.append(frame, size);
    return element;
  }

  function fill(place) {
    open = place;
    const item = chosen[place];
    const title = make("h2", "", say("Item {n} of {all}", { n: number(place + 1), all: number(chosen.length) }));
    title.id = "one-title";
    const bar = make("div", "bar");
    const steps = make("div", "steps");
    const previous = control("Previous", () => turn(-1), place === 0);
    const next = control("Next", () => turn(1), place === chosen.length - 1);
    previous.dataset.step = "-1";
    next.dataset.step = "1";
    steps.append(previous, next, control("Close", () => dialog.close()));
    bar.append(title, steps);
    const name = make("p", "name");
    const link = make("button", "copy", "Copy link");
    link.type = "button";
    link.dataset.text = `${location.href.split("#")[0]}#gallery?${new URLSearchParams({ item: item.id })}`;
    name.append(make("code", "", item.id), " ", link);
    const pictures = make("div", item.image.length > 1 ? "pictures several" : "pictures");
    item.image.forEach((one, index) => {
      const slots = { n: index + 1, all: item.image.length, id: item.id };
      const alt = item.image.length > 1 ? "Picture {n} of {all} of item {id}" : "Picture of item {id}";
      pictures.append(enlarged(one, say(alt, slots)));
    });
    const facts = make("dl", "facts");
    item.factors.forEach((value, index) => {
      if (value < 0) return;
      const line = make("div");
      line.append(make("dt", "", words(factors[index].name)), make("dd", "", factors[index].values[value]));
      facts.append(line);
    });
    const told = make("div", "told");
    told.append(
      section("Prompt", literal("p", "verbatim", texts[item.question])),
      section("Right answer", literal("p", "", texts[item.key] || say("none"))),
      ...item.answers.map(replySection),
    );
    if (facts.childElementCount) told.append(section("Condition", facts));
    const columns = make("div", item.image.length ? "columns" : "columns bare");
    if (item.image.length) columns.append(pictures);
    columns.append(told);
    dialog.replaceChildren(bar, name, columns);
    dialog.scrollTop = 0;
    keep();
  }

  function show(place) {
    active = place;
    fill(place);
    if (!dialog.open) dialog.showModal();
    dialog.querySelector(".steps button:last-child").focus();
  }

  function turn(step) {
    const place = open + step;
    if (place < 0 || place >= chosen.length) return;
    fill(place);
    const same = dialog.querySelector(`[data-step="${step}"]`);
    (same.disabled ? dialog.querySelector(".steps button:last-child") : same).focus();
  }

  dialog.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      event.preventDefault();
      turn(event.key === "ArrowLeft" ? -1 : 1);
    }
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    const place = open;
    open = -1;
    keep();
    if (place >= 0 && place < chosen.length) go(place);
  });

  // ---- what is shown stands in the address, so that it can be linked ----

  let kept = "";
  function keep() {
    const state = new URLSearchParams();
    for (const { key, select: control } of filters) if (control.value) state.set(key, control.value);
    if (search.value.trim()) state.set("text", search.value.trim());
    if (open >= 0) state.set("item", chosen[open].id);
    const text = String(state);
    if (text === kept) return;
    kept = text;
    history.replaceState(null, "", text ? `#gallery?${text}` : "#gallery");
  }

  function restore() {
    const [place, text] = location.hash.split(/\?(.*)/s);
    if (text === undefined) kept = "";
    if (place !== "#gallery" || text === undefined || text === kept) return;
    kept = text;
    const state = new URLSearchParams(text);
    for (const { key, select: control } of filters) {
      control.value = state.get(key) ?? "";
      if (control.selectedIndex < 0) control.value = "";
    }
    search.value = state.get("text") ?? "";
    more.open = more.open || [...further.querySelectorAll("select")].some((one) => one.value);
    select();
    byId("gallery").scrollIntoView();
    const id = state.get("item");
    const find = () => chosen.findIndex((item) => item.id === id);
    // A link to an item leads to it even where the filters hide it.
    if (id !== null && find() < 0 && items.some((item) => item.id === id)) clear();
    if (id !== null && find() >= 0) show(find());
    else if (dialog.open) {
      open = -1;
      dialog.close();
    }
  }

  function clear() {
    for (const filter of filters) filter.select.value = "";
    search.value = "";
    select();
    keep();
  }

  form.addEventListener("change", (event) => {
    if (event.target === search) return;
    select();
    keep();
  });
  let typing = 0;
  search.addEventListener("input", () => {
    window.clearTimeout(typing);
    typing = window.setTimeout(() => {
      select();
      keep();
    }, 120);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    clear();
    filters[0].select.focus();
  });
  byId("clear-none").addEventListener("click", () => {
    clear();
    filters[0].select.focus();
  });
  window.addEventListener("hashchange", restore);

  // ---- paper: the first of what is chosen ----

  window.addEventListener("beforeprint", () => {
    const shown = chosen.slice(0, MOST_PRINTED);
    const conditions = filters
      .filter((filter) => filter.select.value)
      .map((filter) => `${words(filter.key.replace(/^factor\./, ""))}: ${filter.select.value}`);
    if (search.value.trim()) conditions.push(`${say("text")}: ${search.value.trim()}`);
    byId("print-note").textContent =
      say("{shown} of {all} items", { shown: number(shown.length), all: number(chosen.length) }) +
      `${conditions.length ? ` (${conditions.join("; ")})` : ""}; ${say("the page itself shows all of them.")}`;
    byId("print-cards").replaceChildren(...shown.map(card));
  });
  window.addEventListener("afterprint", () => byId("print-cards").replaceChildren());

  // ---- begin ----

  byId("gallery-off").hidden = true;
  form.hidden = false;
  box.hidden = false;
  let width = 0;
  new ResizeObserver(() => {
    if (rail.clientWidth === width || !chosen.length) return;
    width = rail.clientWidth;
    const first = Math.floor(box.scrollTop / grid.height) * grid.columns;
    redraw();
    box.scrollTop = Math.floor(first / grid.columns) * grid.height;
    update();
  }).observe(rail);
  width = rail.clientWidth;
  select();
  restore();
})();
