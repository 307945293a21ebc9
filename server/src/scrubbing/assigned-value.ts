import { isIrregular, type SecretSpan } from './known-shapes.ts';
import { FILTERED } from './replacement.ts';
import type { SecretNames } from './secret-names.ts';

const MAX_NAME_LENGTH = 64;
const MAX_USER_LENGTH = 512;

/** Parameters that are secrets in the query of an address alone. */
const QUERY_SECRETS = new Set(['key', 'pass', 'sig', 'signature', 'x-amz-signature', 'x-goog-signature']);

const PERCENT = 37;
const COLON = 58;
const EQUALS = 61;
const GREATER = 62;

/**
 * Finds the secret behind a sign: the password of an address for `://`, else the value of a name in front of the sign,
 * as in `password=…`, `"token": "…"`, `Authorization: Bearer …`, `<secret>…` and, within a parameter of an address,
 * `password%3D…`, or `password%253D…` within a parameter of that. Null: there is none. An empty one says from where on the text is to be read.
 */
export function findAssigned(text: string, sign: number, names: SecretNames): SecretSpan | null {
  const code = text.charCodeAt(sign);
  if (code === PERCENT && encodedSign(text, sign) === '') return null;
  if (code === COLON) {
    if (text.startsWith('//', sign + 1)) return findUserInfo(text, sign + 3);
    if (text.charCodeAt(sign + 1) === COLON) return null;
  }
  // A comparison assigns nothing.
  if (code === EQUALS && text.charCodeAt(sign + 1) === EQUALS) return null;
  const name = readName(text, sign, code);
  if (name === null) return null;
  const kind = names.kindOf(name.text);
  const isSecret =
    kind === 'secret' ||
    (name.isEscaped && names.kindOf(name.text.slice(1)) === 'secret') ||
    (kind !== 'safe' && name.isParameter && QUERY_SECRETS.has(name.text.toLowerCase()));
  if (isSecret) return findValue(text, sign, name.text);
  if (kind !== 'person') return null;
  const span = findValue(text, sign, name.text);
  return span && { ...span, rule: kind };
}

interface AssignedName {
  text: string;
  /** True if it is a parameter of a query. */
  isParameter: boolean;
  /** True if its first letter may be that of a line feed or a tab, as in a text of JSON: `\nsession_id=…`. */
  isEscaped: boolean;
}

/**
 * Reads the name in front of a sign backwards: behind it may stand spaces, a quote (escaped, too) and a bracket. Each of them
 * may be encoded as in an address.
 */
function readName(text: string, sign: number, code: number): AssignedName | null {
  let end = sign;
  if (code !== GREATER) {
    if (text.charCodeAt(end - 1) === 32) end--;
    if (isQuote(text.charCodeAt(end - 1))) end--;
    for (let depth = 0; depth < MAX_BACKSLASHES && text[end - 1] === '\\'; depth++) end--;
    if (text[end - 1] === ']') end--;
    if (isQuote(text.charCodeAt(end - 1))) end--;
    // `user%5Bpassword%5D=…` and `%22password%22%3A…`
    if (text.charCodeAt(end - 3) === PERCENT && isOneOf(text, end - 3, '%5D', '%22')) end -= 3;
    else if (text.charCodeAt(end - 5) === PERCENT && isOneOf(text, end - 5, '%255D', '%2522')) end -= 5;
  }
  let start = end;
  const lowest = Math.max(0, end - MAX_NAME_LENGTH);
  while (start > lowest && isNameCode(text.charCodeAt(start - 1))) start--;
  const isEncoded = text.charCodeAt(start - 1) === PERCENT && HEX.test(text.slice(start, start + 2));
  const isEncodedTwice = isEncoded && ENCODED_TWICE.test(text.slice(start, start + 4));
  // Its digits are no part of the name.
  if (isEncoded) start += isEncodedTwice ? 4 : 2;
  if (end - start < 3) return null;
  const before = text[start - 1];
  // `>` ends an element of XML; of an arrow `=` is the sign.
  if (code === GREATER && before !== '<') return null;
  const isParameter = isEncodedTwice
    ? isOneOf(text, start - 5, '%253F', '%2526')
    : isEncoded
      ? isOneOf(text, start - 3, '%3F', '%26')
      : before === '?' || before === '&';
  const isEscaped = before === '\\' && /[nrt]/.test(text.charAt(start));
  return { text: text.slice(start, end), isParameter, isEscaped };
}

const HEX = /^[\dA-Fa-f]{2}$/;
const ENCODED_TWICE = /^25[\dA-Fa-f]{2}$/;

/** True if one of two encoded characters of one length stands at an index. */
function isOneOf(text: string, at: number, first: string, second: string): boolean {
  const encoded = text.slice(at, at + first.length).toUpperCase();
  return encoded === first || encoded === second;
}

/** Returns the sign that is encoded at an index, once or twice; an empty text if there is none. */
function encodedSign(text: string, at: number): string {
  for (const [one, other] of [
    ['%3D', '%3A'],
    ['%253D', '%253A'],
  ] as const)
    if (isOneOf(text, at, one, other)) return text.slice(at, at + one.length);
  return '';
}

const SPACES = /[ \t]*/y;
/** Maximum backslashes before a quote: a text of JSON within two others has three. */
const MAX_BACKSLASHES = 3;
const QUOTE = /\\{0,3}["'`]/y;
/** End of a value without quotes. */
const BARE_VALUE = /[^\s,;&)\]}"'`<>|\\]+/y;
const SCHEME = /(?:basic|bearer|digest|negotiate|token|apikey|aws4-hmac-sha256|sentry)[ \t]+(?=\S)/iy;
const COOKIE_NAME = /cookie/i;
/** Pairs of a cookie, to the end of the line. */
const COOKIES = /[^\s=;,"'`]{1,256}=[^\r\n"'`]*/y;
/** Credentials of several parameters, to the end of the line. */
const CREDENTIALS = /(?:digest|aws4-hmac-sha256)[ \t]{1,4}[\w-]{1,64}=[^\r\n]*/iy;
const ELEMENT = /[^<]+/y;
/** The same within a parameter, which an encoded sign ends as well: a quote, `&`, `,`, `;`, `]` or `}`. */
const ENCODED_VALUE = /(?:[^\s,;&)\]}"'`<>|\\%]|%(?!2[26Cc]|3[Bb]|[57][Dd]))+/y;
const TWICE_ENCODED_VALUE = /(?:[^\s,;&)\]}"'`<>|\\%]|%(?!(?:25)?(?:2[26Cc]|3[Bb]|[57][Dd])))+/y;
/** Port of a host, or line of a file: `auth:8080/health`, `bin/auth:120:15`. */
const PORT_OR_LINE = /\d{1,6}(?:\/|:\d|$)/y;
/** Line and column behind the address of a script. */
const POSITION = /(?::\d{1,9}){2}$/;
/** No secret: a literal, a variable, or the replacement of another filter. */
const NO_SECRET =
  /^(?:null|undefined|true|false|none|nil|\*+|x+|[.…-]+|\$\{.*|\$\(.*|\$[A-Z_]+|%[sdv]|\[.*|\{.*)$/i;

function findValue(text: string, sign: number, name: string): SecretSpan | null {
  const code = text.charCodeAt(sign);
  if (code === PERCENT) return findEncodedValue(text, sign);
  // `=>` of Ruby and PHP.
  const isArrow = code === EQUALS && text.charCodeAt(sign + 1) === GREATER;
  const behind = sign + (isArrow ? 2 : 1);
  if (code === GREATER) {
    const end = endOf(ELEMENT, text, behind);
    return text.startsWith(`</${name}`, end) ? spanOf(text, behind, end) : null;
  }
  let at = endOf(SPACES, text, behind);
  // Replaced before. What follows is not read in vain: the line may hold thousands.
  if (text.startsWith(FILTERED, at)) return null;
  const isSpaced = at > behind;
  // The first of several, as the headers of Go are.
  const isListed = text[at] === '[';
  if (isListed) at++;
  const opening = endOf(QUOTE, text, at);
  if (opening !== at) {
    const quote = text.slice(at, opening);
    return spanOf(text, opening, findClosing(text, opening, quote));
  }
  const isHeader = (isSpaced || code === COLON) && COOKIE_NAME.test(name);
  const line = endOf(isHeader ? COOKIES : CREDENTIALS, text, at);
  if (line !== at) return spanOf(text, at, line);
  if (code === COLON && !isSpaced && endOf(PORT_OR_LINE, text, at) !== at) return null;
  const start = endOf(SCHEME, text, at);
  let end = endOf(BARE_VALUE, text, start);
  if (!isSpaced) end -= POSITION.exec(text.slice(start, end))?.[0].length ?? 0;
  // In a sentence, a colon explains: "invalid token: unexpected end".
  const isProse = code === COLON || isSpaced || isListed;
  return isProse && !isIrregular(text.slice(start, end)) ? null : spanOf(text, start, end);
}

/** Finds the value behind `%3D`, or in quotes behind `%3A`, as JSON has it; or behind the same encoded again. */
function findEncodedValue(text: string, start: number): SecretSpan | null {
  const sign = encodedSign(text, start);
  const isTwice = sign.length > 3;
  const at = start + sign.length;
  const quote = isTwice ? '%2522' : '%22';
  if (text.startsWith(quote, at)) {
    const behind = at + quote.length;
    const closing = text.indexOf(quote, behind);
    return spanOf(text, behind, closing === -1 ? text.length : closing);
  }
  if (!/[Dd]$/.test(sign)) return null;
  return spanOf(text, at, endOf(isTwice ? TWICE_ENCODED_VALUE : ENCODED_VALUE, text, at));
}

function spanOf(text: string, start: number, end: number): SecretSpan | null {
  if (end <= start || text.startsWith(FILTERED, start)) return null;
  return end - start < 64 && NO_SECRET.test(text.slice(start, end)) ? null : { rule: 'key', start, end };
}

/** Replacement up to the bracket that ends a value. */
const FILTERED_START = FILTERED.slice(0, -1);
/** Option of a command line, with its name, behind which no further option and no sign stands. */
const OPTION = /--([A-Za-z][\w-]{2,63})[ \t]{1,4}(?=[^\s=:[-])/y;

/** Finds the value of an option whose name is secret: `--password …`. */
export function findOptionValue(text: string, dash: number, names: SecretNames): SecretSpan | null {
  OPTION.lastIndex = dash;
  const [option = '', name = ''] = OPTION.exec(text) ?? [];
  if (name === '' || names.kindOf(name) !== 'secret') return null;
  const at = dash + option.length;
  const opening = endOf(QUOTE, text, at);
  if (opening !== at) return spanOf(text, opening, findClosing(text, opening, text.slice(at, opening)));
  const end = endOf(BARE_VALUE, text, at);
  const value = text.slice(at, end);
  // Replaced before, behind an encoded sign.
  if (value.includes(FILTERED_START)) return null;
  // In a sentence, an option has no value: "--password is required".
  return isIrregular(value) ? spanOf(text, at, end) : null;
}

/** Option of curl with a user, up to the password. */
const USER_OPTION =
  /-(?:[A-Za-z]{0,6}[uU]|-(?:proxy-)?user)[ \t=]{0,4}\\?["']?[^\s:"'\\]{0,256}:(?=[^\s"'\\])/y;
const USER_PASSWORD = /[^\s"'\\]+/y;
/** Maximum characters between `curl` and its option. */
const MAX_COMMAND_LENGTH = 512;

/** Finds the password behind `-u` and `--user` of curl. Other programs have users and groups there: `-u 1000:1000`. */
export function findUserPassword(text: string, dash: number): SecretSpan | null {
  const start = endOf(USER_OPTION, text, dash);
  if (start === dash || text.startsWith(FILTERED, start)) return null;
  const command = text.slice(Math.max(0, dash - MAX_COMMAND_LENGTH), dash);
  return /\bcurl\b/.test(command) ? spanOf(text, start, endOf(USER_PASSWORD, text, start)) : null;
}

/** Returns the index of the quote that ends a value; the end of the text if it was cut off. */
function findClosing(text: string, start: number, quote: string): number {
  for (let at = text.indexOf(quote, start); at !== -1; at = text.indexOf(quote, at + quote.length))
    if (quote.length > 1 || text[at - 1] !== '\\') return at;
  return text.length;
}

/** End of the user and password of an address, or of its host. */
const USER_INFO = /[^\s/?#@"'`<>\\]*/y;
/** Shortest name of a user that is a token: `https://TOKEN@host`. */
const MIN_TOKEN_LENGTH = 20;

function findUserInfo(text: string, start: number): SecretSpan | null {
  const end = endOf(USER_INFO, text, start);
  if (text[end] !== '@' || end - start > MAX_USER_LENGTH) return null;
  const colon = text.indexOf(':', start);
  const isPassword = colon !== -1 && colon < end;
  const secret = isPassword ? colon + 1 : start;
  if (!isPassword && end - start < MIN_TOKEN_LENGTH) return null;
  // Replaced before: no part of it is the value of a name.
  if (text.startsWith(FILTERED, secret)) return { rule: 'url', start: end, end };
  const span = spanOf(text, secret, end);
  return span && { ...span, rule: 'url' };
}

function endOf(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : at;
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39 || code === 96;
}

/** True for letters, digits, `_` and `-`. */
function isNameCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  );
}
