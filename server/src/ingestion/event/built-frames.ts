import type { StackFrame } from './stack-frames.ts';

/** Last part of a file's name, without `.chunk.js` and the like: `8f3ac2d1` of `main.8f3ac2d1.chunk.js`. */
const LAST_PART = /[.\-_~]([\dA-Za-z]{8,64})(?:\.(?:chunk|bundle|min))*\.[cm]?jsx?(?:[?#]|$)/;
/** The same for a hash in base64url, which has separators itself: `D_k3-9aB` of `index-D_k3-9aB.js`. */
const LAST_EIGHT = /[.-]([\w-]{8})(?:\.(?:chunk|bundle|min))*\.[cm]?jsx?(?:[?#]|$)/;
const MINIFIED_FILE = /\.min\.[cm]?jsx?(?:[?#]|$)/;
/** Names of files after an obfuscator of Java. */
const OBFUSCATED_FILE = /^(?:SourceFile|Unknown Source)$/;

/** Last segment of a name: `value` of `async Object.value`. */
const SHORT_LAST_NAME = /(?:^|[.\s])(?:[A-Za-z$_]\d?|[A-Za-z$_]{2})$/;
/** Maximum line number of a built file: code that people write has more and shorter lines. */
const MAX_LINE = 5;
const MIN_COLUMN = 500;

/**
 * True if the frames belong to a built bundle, whose file names or functions change with every build. At least half
 * of them must, because a bundle may call code that keeps its name.
 */
export function isBuilt(frames: StackFrame[]): boolean {
  return frames.filter(looksBuilt).length * 2 >= frames.length;
}

function looksBuilt({ file, function: name, line, column }: StackFrame): boolean {
  if (MINIFIED_FILE.test(file)) return true;
  if ([LAST_PART, LAST_EIGHT].some((pattern) => isHash(pattern.exec(file)?.[1]))) return true;
  if (name === null) return column !== null && column >= MIN_COLUMN;
  // People name functions `f` as well, but on lines of their own.
  const isGeneratedLine =
    (line !== null && line <= MAX_LINE) ||
    (column !== null && column >= MIN_COLUMN) ||
    OBFUSCATED_FILE.test(file);
  return isGeneratedLine && SHORT_LAST_NAME.test(name);
}

const DIGITS = /^\d+$/;
/** `handler2` */
const NUMBERED_WORD = /^[A-Za-z]+\d{1,3}$/;
/** `PaymentForm`, `handlers`, `use_cart`: pieces of at least two letters. */
const WORDS = /^(?:[A-Z]?[a-z]{2,}[-_]?)+$/;

/** True if a part of a file's name is a hash (hexadecimal, base32 or base64url) and not a word or a date. */
function isHash(part: string | undefined): boolean {
  return part !== undefined && !DIGITS.test(part) && !NUMBERED_WORD.test(part) && !WORDS.test(part);
}

/** Removes minified variables from a message of a built bundle: `e.map is not a function`, `Qe is not defined`. */
export function withoutShortNames(message: string): string {
  return message.replace(SHORT_NAMES, '*');
}

const SHORT_NAMES = /(?<![\w$.])[A-Za-z_$]{1,2}\d?(?=[.([]| is not )/g;
