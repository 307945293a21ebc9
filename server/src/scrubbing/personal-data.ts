import { isIPv6 } from 'node:net';
import type { PersonalRule } from './schema.ts';

const SIGN = /@|%40/g;
const LOCAL = /[\w.+\-\u0080-\uffff]/;
const MAX_LOCAL_LENGTH = 64;
const ESCAPE_LENGTH = 3;
/** `+`, or a byte of a character beyond ASCII, as encoded in an address. */
const LOCAL_ESCAPE = /^%(?:2B|[89A-F][\dA-F])$/i;
/** Domain up to its last label, behind which no further label follows. */
const DOMAIN =
  /(?:[A-Za-z\d\u0080-\uffff][A-Za-z\d\u0080-\uffff-]{0,62}\.){1,8}([A-Za-z\u0080-\uffff]{2,24})(?![\w-]|\.[\w-])/y;
/** Ends of names of files, which are no domains: `logo@2x.png`. */
const FILES = new Set(['css', 'gif', 'html', 'jpeg', 'jpg', 'js', 'png', 'svg', 'ts', 'webp']);
/** A file of Python, rather than a domain of Paraguay. */
const PYTHON_FILE = /^[^.]*\.py$/i;
const HEX = /^[\dA-Fa-f]{2}$/;

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`(?<![\\w.])(?:${OCTET}\\.){3}${OCTET}(?!\\w|\\.\\d)`, 'g');
/** Computers that are no person's: this one, and networks. */
const NO_PERSON = /^127\.|\.0\.0$/;
/** Signs without which a text has no address of IPv6. */
const COLONS = /:[\dA-Fa-f]{0,4}:/;
const IPV6 = /(?<![\w:.])[\dA-Fa-f:]{6,39}(?:\.\d{1,3}){0,3}(?!\w|:[^\s])/g;
/** `a::b` is a name of programs as well. */
const MIN_COLONS = 3;

type Replace = (rule: PersonalRule, value: string) => string;

/**
 * Replaces addresses of people and of computers. The time is linear in the length of the text: each repetition is bounded,
 * or of one class.
 * @param replace called for each, and returns what stands in its place
 */
export function replacePersonal(text: string, off: ReadonlySet<string>, replace: Replace): string {
  const found = off.has('email') ? text : replaceEmails(text, replace);
  return off.has('ip') ? found : replaceAddresses(found, replace);
}

function replaceEmails(text: string, replace: Replace): string {
  let copy = '';
  let done = 0;
  for (const { 0: sign, index } of text.matchAll(SIGN)) {
    if (index < done) continue;
    const start = findLocal(text, index, done);
    DOMAIN.lastIndex = index + sign.length;
    const [domain, last] = DOMAIN.exec(text) ?? [];
    if (start === index || domain === undefined || last === undefined) continue;
    if (FILES.has(last.toLowerCase()) || PYTHON_FILE.test(domain)) continue;
    copy += text.slice(done, start) + replace('email', text.slice(start, DOMAIN.lastIndex));
    done = DOMAIN.lastIndex;
  }
  return done === 0 ? text : copy + text.slice(done);
}

/** Returns the index at which the name in front of a sign begins; that of the sign: there is none. */
function findLocal(text: string, sign: number, done: number): number {
  let start = sign;
  for (let length = 0; length < MAX_LOCAL_LENGTH && start > done; length++) {
    const escape = start - ESCAPE_LENGTH;
    if (escape >= done && LOCAL_ESCAPE.test(text.slice(escape, start))) start = escape;
    else if (LOCAL.test(text.charAt(start - 1))) start--;
    else break;
  }
  // Its digits belong to another character that is encoded as in an address.
  const isEncoded = text[start - 1] === '%' && HEX.test(text.slice(start, start + 2));
  return isEncoded ? Math.min(sign, start + 2) : start;
}

function replaceAddresses(text: string, replace: Replace): string {
  const found = text.replaceAll(IPV4, (address) =>
    NO_PERSON.test(address) ? address : replace('ip', address),
  );
  if (!COLONS.test(found)) return found;
  return found.replaceAll(IPV6, (run) => {
    // A colon behind it explains.
    const address = run.endsWith(':') && !run.endsWith('::') ? run.slice(0, -1) : run;
    const isAddress = address.split(':').length > MIN_COLONS && /\d/.test(address) && isIPv6(address);
    return isAddress ? replace('ip', address) + run.slice(address.length) : run;
  });
}
