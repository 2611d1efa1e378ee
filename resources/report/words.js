// Words of the scripts in the study's language: English as it is written there, or what the page brings along for it.
"use strict";
const brought = document.getElementById("words");
const known = new Map(Object.entries(brought ? JSON.parse(brought.textContent) : {}));

// A text with numbers is looked up with slots in their place.
function say(text) {
  if (!known.size || known.has(text)) return known.get(text) ?? text;
  const numbers = [];
  const open = text.replace(/\d[\d,]*/g, (one) => `{n${numbers.push(one) - 1}}`);
  return known.get(open)?.replace(/\{n(\d+)\}/g, (_, place) => numbers[place]) ?? text;
}

