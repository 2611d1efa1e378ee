// What every page does alike: words, what a browser keeps, a file of answers. Nothing is loaded and nothing is sent.
const Afterimage = (function () {
  "use strict";

  const UNPRINTABLE = /^['=+\-@＝＋－＠\x00-\x1f\x7f-\x9f]/;
  const CODE = /^[\p{L}\p{N}_-]{1,40}$/u;

  // The browser's storage, or null where it allows none.
  function storageFor(place) {
    try {
      const probe = `${place} probe`;
      window.localStorage.setItem(probe, "1");
      const works = window.localStorage.getItem(probe) === "1";
      window.localStorage.removeItem(probe);
      return works ? window.localStorage : null;
    } catch {
      return null;
    }
  }

  const filled = (text, values = {}) =>
    text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));

  function preferred(languages) {
    for (const wanted of navigator.languages || []) {
      const found = languages.find((code) =>
        code === wanted || code.split("-")[0] === wanted.split("-")[0]);
      if (found) return found;
    }
    return languages[0];
  }

  function choose(code) {
    document.documentElement.lang = code;
    document.documentElement.dataset.language = code;
    for (const button of document.querySelectorAll(".languages button")) {
      button.setAttribute("aria-pressed", String(button.dataset.language === code));
    }
  }

  // The name of the word for what is wrong with a code; an empty text where nothing is.
  function codeFault(written) {
    const code = written.trim().normalize("NFKC");
    if (!code) return "code_missing";
    return CODE.test(code) ? "" : "code_unusable";
  }

  // The size of pictures as they are on the screen, in CSS pixels, and device pixels to each of these.
  function shownSize(images) {
    if (images.length === 0) return "";
    const sizes = images.map((image) => `${image.clientWidth}x${image.clientHeight}`);
    return `${sizes.join(" ")} @${Number(window.devicePixelRatio.toFixed(3))}`;
  }

  function cell(text) {
    // A spreadsheet would run what begins like a formula; the importer takes the apostrophe off again.
    const safe = UNPRINTABLE.test(text) ? `'${text}` : text;
    return /[",;\t\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
  }

  const csv = (rows) => rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";

  function save(name, text) {
    // The mark tells Excel that this is UTF-8.
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" }));
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  return { choose, codeFault, csv, filled, preferred, save, shownSize, storageFor };
})();
