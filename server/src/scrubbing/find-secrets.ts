import { findAssigned, findOptionValue, findUserPassword } from './assigned-value.ts';
import { findCardEnd, matches } from './card-number.ts';
import { findShape, type SecretSpan } from './known-shapes.ts';
import type { SecretNames } from './secret-names.ts';

/** Class of a character, by which a scan decides where a secret may begin. */
const OTHER = 0;
const WORD = 1;
const DIGIT = 2;
/** `:`, `=` and `>`, which stand between a name and its value. */
const SIGN = 3;
const DASH = 4;
/** `%` and `\`, with which a character begins that is encoded as in an address, or as in a text of JSON. */
const ESCAPE = 5;

const CLASSES = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z_]/.test(character)) CLASSES[code] = WORD;
  else if (/\d/.test(character)) CLASSES[code] = DIGIT;
  else if (/[:=>]/.test(character)) CLASSES[code] = SIGN;
  else if (character === '-') CLASSES[code] = DASH;
  else if (character === '%' || character === '\\') CLASSES[code] = ESCAPE;
}

const ENCODED = /%[\dA-Fa-f]{2}|\\[nrt]/y;
const PERCENT = 37;
const TWO = 50;
const SIX = 54;
const MIN_CARD_LENGTH = 14;

/**
 * Finds the secrets of a text in one pass over its characters: what may be one is read where a word, a number or a value
 * begins, each character a bounded number of times. Null: there is none.
 * @param readsCards false where a number is an id by its name
 */
export function findSecrets(text: string, names: SecretNames, readsCards = true): SecretSpan[] | null {
  let found: SecretSpan[] | null = null;
  let before = OTHER;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? (CLASSES[code] ?? OTHER) : OTHER;
    let span: SecretSpan | null = null;
    if (kind === WORD) {
      if (before !== WORD && before !== DIGIT) span = findShape(text, at);
    } else if (kind === DIGIT) {
      if (before !== WORD && before !== DIGIT && readsCards && mayBeCard(code, text.length - at)) {
        const end = findCardEnd(text, at);
        if (end !== -1) span = { rule: 'card', start: at, end };
      }
    } else if (kind === SIGN) span = findAssigned(text, at, names);
    else if (kind === DASH && before !== DASH) {
      if (text.startsWith(PEM_BEGIN, at)) span = findPem(text, at);
      else if (before === OTHER) span = findOption(text, at, names);
    } else if (kind === ESCAPE && matches(ENCODED, text, at)) {
      if (code === PERCENT) span = findAssigned(text, at, names);
      // Its digits or letter begin no word.
      if (span === null) at = ENCODED.lastIndex - 1;
    }
    before = kind;
    if (span === null) continue;
    if (span.start < span.end) (found ??= []).push(span);
    at = span.end - 1;
    before = WORD;
  }
  return found;
}

function findOption(text: string, dash: number, names: SecretNames): SecretSpan | null {
  const value = text[dash + 1] === '-' ? findOptionValue(text, dash, names) : null;
  return value ?? findUserPassword(text, dash);
}

/** True for the first digits of brands. */
function mayBeCard(code: number, left: number): boolean {
  return left >= MIN_CARD_LENGTH && code >= TWO && code <= SIX;
}

const PEM_BEGIN = '-----BEGIN ';
const PEM_END = '-----END ';
const PRIVATE_LABEL = /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const END_LABEL = /-----END [A-Z\d ]{1,60}-----/y;

/** Returns a private key in PEM (RFC 7468), to the end of the text if its end was cut off. */
function findPem(text: string, start: number): SecretSpan | null {
  PRIVATE_LABEL.lastIndex = start;
  if (!PRIVATE_LABEL.test(text)) return null;
  const label = text.indexOf(PEM_END, start);
  END_LABEL.lastIndex = label;
  const end = label !== -1 && END_LABEL.test(text) ? END_LABEL.lastIndex : text.length;
  return { rule: 'pem', start, end };
}
