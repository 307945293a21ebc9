interface Brand {
  /** Beginnings of its numbers. */
  prefix: RegExp;
  lengths: readonly number[];
}

/** Brands of cards in use, by the ranges of ISO/IEC 7812 that the networks publish. */
const BRANDS: Brand[] = [
  // Visa issues none of 13 digits any more: such a number is a time, an article or a telephone.
  { prefix: /^4/, lengths: [16, 19] },
  { prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { prefix: /^3[47]/, lengths: [15] },
  { prefix: /^(?:6011|64[4-9]|65)/, lengths: [16, 19] },
  { prefix: /^(?:30[0-5]|36|38|39)/, lengths: [14] },
  { prefix: /^35(?:2[89]|[3-8])/, lengths: [16, 19] },
  { prefix: /^62/, lengths: [16, 17, 18, 19] },
  { prefix: /^(?:5018|5020|5038|5893|6304|6759|676[1-3])/, lengths: [16, 18, 19] },
];

/** Lengths of numbers that stand without separators: ids of 17 to 19 digits are frequent, and such cards are rare. */
const MAX_BARE_LENGTH = 16;

/** Forms in which people write a card, also as a parameter of an address. */
const GROUPED = /\d{4}([ +-]|%20)\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{4}([ +-]|%20)\d{6}\2\d{4,5}/y;
const SEPARATOR = /[ +-]|%20/g;
const BARE = /\d{14,19}/y;
/** A bank account as people write it (ISO 13616), whose groups begin behind the bank. */
const ACCOUNT_BEFORE = /[A-Z]{2}\d\d[ -][A-Z]{4}[ -]$/;
/** Words that make a number that follows an id. */
const REFERENCE_BEFORE =
  /(?:\b|_|%[\da-f]{2}|\\[nrt])(?:account|id|imei|invoice|no|nr|number|order|parcel|phone|ref|reference|shipment|sku|tel|ticket|tracking|transaction)\.?(?:[\s:=#"']|%2[02]|%3[ad])*$/i;
const REFERENCE_BEFORE_CAMEL = /[a-z](?:ID|Id|No|Number|Order|Ref|Reference)(?:[\s:="']|%2[02]|%3[AaDd])*$/;
const CARD_BEFORE = /card/i;
const BEFORE_LENGTH = 32;

/** Returns the end of the card whose number begins at an index, where a word begins; -1: there is none. */
export function findCardEnd(text: string, at: number): number {
  const isGrouped = matches(GROUPED, text, at);
  if (!isGrouped && !matches(BARE, text, at)) return -1;
  const end = isGrouped ? GROUPED.lastIndex : BARE.lastIndex;
  const digits = isGrouped ? text.slice(at, end).replaceAll(SEPARATOR, '') : text.slice(at, end);
  if (!isGrouped && digits.length > MAX_BARE_LENGTH) return -1;
  if (!isCard(digits) || isPartOfMore(text, at, end, isGrouped)) return -1;
  const before = text.slice(Math.max(0, at - BEFORE_LENGTH), at);
  if (ACCOUNT_BEFORE.test(before)) return -1;
  const isReference = REFERENCE_BEFORE.test(before) || REFERENCE_BEFORE_CAMEL.test(before);
  return isReference && !CARD_BEFORE.test(before) ? -1 : end;
}

/** True for the number of a card without separators: brand, length and check digit. */
export function isCard(digits: string): boolean {
  return (
    BRANDS.some(({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits)) &&
    hasCheckDigit(digits)
  );
}

/** True if the last digit is that of ISO/IEC 7812-1, annex B (Luhn). */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = digit * 2;
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const MORE_BEFORE = /[\w.+#@/-]$/;
/** A space, quote, `&`, `:` or `=`, encoded as in an address, or an end of a line or a tab, as in a text of JSON. */
const ENCODED_BEFORE = /(?:%(?:2[026]|3[AaDd])|\\[nrt])$/;
const GROUP_BEFORE = /\d[ -]$/;
const MORE_BEHIND = /[\w@]|[.,]\d|-\w/y;
const GROUP_BEHIND = / \d{4}/y;

/** True if digits are a part of a longer token: of an id, a number, a path, or a series of groups. */
function isPartOfMore(text: string, start: number, end: number, isGrouped: boolean): boolean {
  const before = text.slice(Math.max(0, start - 3), start);
  if ((MORE_BEFORE.test(before) && !ENCODED_BEFORE.test(before)) || matches(MORE_BEHIND, text, end))
    return true;
  return isGrouped && (GROUP_BEFORE.test(before) || matches(GROUP_BEHIND, text, end));
}

/** True if a sticky expression matches at an index. */
export function matches(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at;
  return sticky.test(text);
}
