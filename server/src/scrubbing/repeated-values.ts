import { FILTERED } from './replacement.ts';

/** Maximum values that are looked for elsewhere in an event; a further one is replaced only where it was found. */
const MAX_VALUES = 32;
const MIN_LENGTH = 6;
const MAX_LENGTH = 4_096;
/** Length of a value that is replaced within a longer word as well. */
const MIN_LENGTH_IN_WORD = 12;
/** Characters that are the same in an address and in JSON. */
const IS_PLAIN = /^[\w.~-]*$/;
/** Length of a phrase of words that is no usual one. */
const MIN_PHRASE_LENGTH = 16;
/** Length of a part, such as the value of a cookie, that identifies a session, rather than a region or a choice. */
export const MIN_PART_LENGTH = 16;
const SCHEME = /^(?:basic|bearer|digest|token|apikey)\s+/i;
const PAIR = /^[^\s=;]{1,128}=/;
/** Words, written together or apart. */
const PHRASE = /^[A-Za-z](?:[a-z]|[ _.-]?[A-Z](?=[a-z])|[ _.-](?=[a-z]))*$|^[A-Z]+(?:[ _.-][A-Z]+)*$/;

/** Secrets of an event that were found once, and are replaced wherever else they stand. */
export class RepeatedValues {
  readonly #values: string[] = [];
  #isSorted = true;
  #minLength = Infinity;

  get isEmpty(): boolean {
    return this.#values.length === 0;
  }

  /** Adds a secret, and the values in a header, unless ordinary words or numbers may equal it. */
  add(secret: string): void {
    if (this.#values.length >= MAX_VALUES) return;
    this.#addText(secret.includes(' ') ? secret.replace(SCHEME, '') : secret);
    if (!secret.includes('=') || !PAIR.test(secret)) return;
    for (const pair of secret.split(';', MAX_VALUES)) {
      const value = pair.slice(pair.indexOf('=') + 1);
      if (value.length >= MIN_PART_LENGTH) this.#addText(value);
    }
  }

  #addText(secret: string): void {
    if (secret.length < MIN_LENGTH || secret.length > MAX_LENGTH) return;
    if (isOrdinary(secret) || FILTERED.includes(secret)) return;
    this.#addForm(secret);
    if (IS_PLAIN.test(secret)) return;
    // As a part of an address, and of a text of JSON.
    this.#addForm(encodeURIComponent(secret.toWellFormed()));
    this.#addForm(JSON.stringify(secret).slice(1, -1));
  }

  #addForm(text: string): void {
    if (this.#values.length >= MAX_VALUES || this.#values.includes(text)) return;
    this.#values.push(text);
    this.#isSorted = false;
    this.#minLength = Math.min(this.#minLength, text.length);
  }

  /** Replaces all occurrences; `onReplaced` is called for each. */
  replaceIn(text: string, onReplaced: () => void): string {
    if (text.length < this.#minLength) return text;
    // Longest first: one may contain another.
    if (!this.#isSorted) this.#values.sort((left, right) => right.length - left.length);
    this.#isSorted = true;
    let result = text;
    for (const value of this.#values) {
      const at = result.indexOf(value);
      if (at !== -1) result = replaceFrom(result, at, value, onReplaced);
    }
    return result;
  }
}

/** Replaces the occurrences of a value from one at an index on; within longer words, only if it is long itself. */
function replaceFrom(text: string, first: number, value: string, onReplaced: () => void): string {
  let done = 0;
  let copy = '';
  for (let at = first; at !== -1; at = text.indexOf(value, at + value.length)) {
    const end = at + value.length;
    if (value.length < MIN_LENGTH_IN_WORD && isInWord(text, at, end)) continue;
    copy += text.slice(done, at) + FILTERED;
    done = end;
    onReplaced();
  }
  return copy + text.slice(done);
}

/** True for words, times and numbers that other parts of an event may hold by chance. */
function isOrdinary(secret: string): boolean {
  if (/^[\d\s.,:+-]*$/.test(secret)) return !/^\d{14,}$/.test(secret.replaceAll(/[ -]/g, ''));
  return secret.length < MIN_PHRASE_LENGTH && PHRASE.test(secret);
}

function isInWord(text: string, start: number, end: number): boolean {
  return (
    /[A-Za-z\d]$/.test(text.slice(Math.max(0, start - 1), start)) ||
    /^[A-Za-z\d]/.test(text.slice(end, end + 1))
  );
}
