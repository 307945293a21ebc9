/*
 * Scores how well a text matches the query of the command palette. Every word must be found, in any order:
 * as a part of the text, or with its letters in this order from the beginning of a word on ("crp" is "Create
 * project"). By hand: fuzzysort 4 is 3.9 kB compressed, ten times as much, and takes letters from the middle of words: "rp"
 * finds "Create project", and "shop" finds "Sorted hot paths" before "Workshop".
 */
const TEXT_START = 4;
const WORD_START = 3;
const PART = 2;
const LETTERS = 1;

/** Returns a score above zero, the higher the better; null if a word is not found. */
export function fuzzyMatch(query: string, text: string): number | null {
  const folded = fold(text);
  let score = 0;
  for (const word of fold(query).split(/\s+/)) {
    if (word === '') continue;
    const found = matchWord(word, folded);
    if (found === null) return null;
    score += found;
  }
  // Among equals the shorter text wins: more of it was typed.
  return score + 1 / (1 + folded.length);
}

function matchWord(word: string, text: string): number | null {
  const at = text.indexOf(word);
  if (at === 0) return TEXT_START;
  if (at > 0) return isWordStart(text, at) || text.includes(` ${word}`) ? WORD_START : PART;
  for (let start = 0; start < text.length; start++) {
    if (isWordStart(text, start) && hasLetters(word, text, start)) return LETTERS;
  }
  return null;
}

function isWordStart(text: string, index: number): boolean {
  return index === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(index - 1));
}

/** Returns true if a text has the letters of a word in this order, the first of them right at `start`. */
function hasLetters(word: string, text: string, start: number): boolean {
  if (text.charAt(start) !== word.charAt(0)) return false;
  let at = start;
  for (const letter of word) {
    at = text.indexOf(letter, at);
    if (at < 0) return false;
    at += letter.length;
  }
  return true;
}

/** Removes case and accents. */
function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
