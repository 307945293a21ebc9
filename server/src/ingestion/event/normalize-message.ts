const MAX_NORMALIZED_LENGTH = 1_000;
/** Maximum characters that are read; no accepted message is longer. */
const MAX_MESSAGE_LENGTH = 65_536;

/** Separators between the name of a number and the number: `status: 404`, `SQLSTATE[23505]`. */
const BETWEEN = String.raw`[\s:=#([]{1,3}`;

/** Reason phrases of RFC 9110 and RFC 6585 that error messages quote, as in `503 Service Unavailable`. */
const REASONS = [
  'Bad Request',
  'Unauthorized',
  'Payment Required',
  'Forbidden',
  'Not Found',
  'Method Not Allowed',
  'Not Acceptable',
  'Request Time-?out',
  'Conflict',
  'Gone',
  'Length Required',
  'Precondition',
  '(?:Payload|Content|Request Entity) Too Large',
  'Unsupported Media Type',
  'Unprocessable',
  'Too Many Requests',
  'Internal Server Error',
  'Not Implemented',
  'Bad Gateway',
  'Service (?:Temporarily )?Unavailable',
  'Gateway Time-?out',
];

/**
 * Numbers that identify a cause. Each form is bounded, so that the time of a match does not depend on the message.
 */
const CODES = [
  String.raw`\b(?:http(?:\/\d(?:\.\d)?)?|(?:http[ _]?)?status(?:[ _-]?code)?|response(?:[ _-]?(?:code|status))?)${BETWEEN}[1-5]\d\d`,
  String.raw`\bresponded with (?:status )?(?:code )?[1-5]\d\d`,
  String.raw`\b[45]\d\d (?:${REASONS.join('|')})`,
  String.raw`\bSQL ?STATE${BETWEEN}(?:"[\dA-Z]{5}"|'[\dA-Z]{5}'|[\dA-Z]{5})`,
  String.raw`\b(?:errno|os error|error[ _]?(?:code|number))${BETWEEN}(?:0x[\dA-F]{1,8}|-?\d{1,10})`,
  // In JSON; its quotes belong to the match, or the next quoted value would begin at the wrong one.
  String.raw`"(?:http_?status|status(?:_?code)?|errno|exit_?(?:code|status))" ?: ?(?:"\d{1,5}"|-?\d{1,5})`,
  String.raw`"sql_?state" ?: ?"[\dA-Z]{5}"`,
  // MySQL: `ERROR 1062 (23000)`
  String.raw`\berror \d{4} \([\dA-Z]{5}(?=\))`,
  String.raw`\bsignal${BETWEEN}\d{1,2}`,
  String.raw`\bSIG[A-Z]{2,7}\d?`,
  String.raw`\bexit(?:ed)?(?: with)?[ _-]?(?:code|status)?${BETWEEN}-?\d{1,10}`,
];

const VARYING = String.raw`"[^"]*"|\`[^\`]*\`|(?<!\w)'[^']*'(?!\w)|[\w.:@-]+`;
/** A quoted value or a word. */
const PIECES = new RegExp(VARYING, 'g');
/** The same with codes before all others. A code ends where its number does: `status 404-a` is none. */
const PIECES_AND_CODES = new RegExp(`(?<code>(?:${CODES.join('|')})(?!\\w|[.:-]\\w))|${VARYING}`, 'gi');
/** Substrings of all codes: testing for one first is cheaper than looking for all at every word. */
const MAY_NAME_CODE = /stat|http|errno|error|signal|SIG|exit|respon|[45]\d\d [A-Z]/i;
const MAY_VARY = /[\d@"'`]/;
const VARIES = /[\d@]/;
const QUOTE = /^["'`]/;

/**
 * Replaces everything in a message that varies from one occurrence to the next: quoted values, words with a digit
 * (numbers, ids, times, versions, IP addresses) and words with an `@` (e-mail addresses). Numbers that identify a
 * cause stay: HTTP status, SQLSTATE, errno, signal and exit code. The message is cut only afterwards: otherwise the
 * length of an id would move the end of the compared text.
 */
export function normalizeMessage(message: string): string {
  const text = message.slice(0, MAX_MESSAGE_LENGTH);
  if (!MAY_VARY.test(text)) return text.slice(0, MAX_NORMALIZED_LENGTH);
  const normalized = MAY_NAME_CODE.test(text)
    ? text.replace(PIECES_AND_CODES, (piece, code?: string) => (code === undefined ? replaced(piece) : piece))
    : text.replace(PIECES, replaced);
  return normalized.slice(0, MAX_NORMALIZED_LENGTH);
}

function replaced(piece: string): string {
  return VARIES.test(piece) || QUOTE.test(piece) ? '*' : piece;
}
