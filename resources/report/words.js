// Words of the scripts in the study's language: English as it is written there, or what the page brings along for it.
"use strict";
const brought = document.getElementById("words");
const known = new Map(Object.entries(brought ? JSON.parse(brought.textContent) : {}));

// A template's slots, such as {shown}, are filled after it is looked up.
function say(template, slots = {}) {
  const text = known.get(template) ?? template;
  return text.replace(/\{(\w+)\}/g, (slot, name) => slots[name] ?? slot);
}

