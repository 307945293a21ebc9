import { parseStackLine, type StackFrame } from './stack-frames.ts';

/** An exception of a stack trace: the one that was thrown, or one that caused it. */
export interface ExceptionTrace {
  /** Class of the exception, such as `TypeError` or `java.io.IOException`; null if the trace does not name it. */
  className: string | null;
  /** Nearest frames of the application and of libraries, the innermost first. */
  own: StackFrame[];
  library: StackFrame[];
}

/** Part of a stack trace that identifies its cause. */
export interface Cause {
  className: string | null;
  frames: StackFrame[];
}

/** Maximum compared frames of an exception. */
const MAX_FRAMES = 5;
const MAX_LINES = 200;
const MAX_LINE_LENGTH = 1_000;
const MAX_LENGTH = MAX_LINES * MAX_LINE_LENGTH;

const INNERMOST_LAST = '(most recent call last)';
const CAUSED_BY = /^\s*(?:Caused by: |\[cause\]: )/;
const SUPPRESSED = /^\s+Suppressed: /;
/** PHP prints the cause first and the exceptions that it led to behind it. */
const LED_TO = /^Next (?=\S+: )/;

/**
 * Finds the innermost cause of a stack trace: errors that wrap one another on the way up differ by caller, and the
 * cause does not. It is identified by its class, and by the frames of the application that are nearest to it: its
 * own, else those of the exception that wraps it, because a driver throws from the same lines whatever was asked of
 * it. Only an exception that a trace names as a cause is one: Python's "During handling of …, another exception
 * occurred" is not.
 */
export function findCause(stack: string): Cause {
  const chain = stack.includes(INNERMOST_LAST) ? readPythonChain(stack) : readChain(stack);
  return causeOf(chain);
}

/** As `findCause`, of exceptions that were read: the outermost first and each cause behind its effect. */
export function causeOf(chain: readonly ExceptionTrace[]): Cause {
  const cause = chain.at(-1);
  if (!cause) return { className: null, frames: [] };
  const nearest = chain.findLast(({ own }) => own.length > 0);
  return { className: cause.className, frames: (nearest?.own ?? cause.library).slice(0, MAX_FRAMES) };
}

/** The exceptions of a trace, the outermost first and each cause behind its effect. */
function readChain(stack: string): ExceptionTrace[] {
  let lines = stack.slice(0, MAX_LENGTH).split('\n', MAX_LINES);
  // The trace of a deep application exceeds the part that is read, and its cause is at the end.
  const lastCause = stack.lastIndexOf('\nCaused by: ');
  const readLength = lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (lastCause >= readLength) {
    const rest = stack.slice(lastCause + 1, lastCause + MAX_LENGTH).split('\n', MAX_LINES);
    lines = [...lines, ...rest];
  }

  const chain: ExceptionTrace[] = [];
  let current = begin(lines[0] ?? '');
  chain.push(current);
  for (const line of lines) {
    if (CAUSED_BY.test(line)) chain.push((current = begin(line)));
    else if (LED_TO.test(line) && readClassName(line) !== null) chain.unshift((current = begin(line)));
    // A suppressed exception belongs to no chain.
    else if (SUPPRESSED.test(line)) current = begin('');
    else addFrame(current, line);
  }
  return chain;
}

/** The same for a Python traceback, which is read from its end: the outermost exception is there. */
function readPythonChain(stack: string): ExceptionTrace[] {
  const lines = stack.slice(-MAX_LENGTH).split('\n').slice(-MAX_LINES).toReversed();
  const chain: ExceptionTrace[] = [];
  let current: ExceptionTrace | null = null;
  for (const line of lines) {
    if (line.startsWith('During handling of the above exception')) break;
    if (line.includes(INNERMOST_LAST)) current = null;
    else if (current === null) {
      // The message may have several lines: the first of them, which is read last, names the class.
      if (line.trim() === '' || line.startsWith('The above exception')) continue;
      chain.push((current = begin(line)));
    } else if (!addFrame(current, line) && current.own.length + current.library.length === 0) {
      current.className = readClassName(line) ?? current.className;
    }
  }
  return chain;
}

function begin(heading: string): ExceptionTrace {
  return { className: readClassName(heading), own: [], library: [] };
}

/** @returns true if the line is a frame */
function addFrame(thrown: ExceptionTrace, line: string): boolean {
  if (line.length > MAX_LINE_LENGTH || thrown.own.length === MAX_FRAMES) return false;
  const frame = parseStackLine(line.trimEnd());
  if (!frame) return false;
  const frames = frame.inApplication ? thrown.own : thrown.library;
  if (frames.length < MAX_FRAMES) frames.push(frame);
  return true;
}

/**
 * `TypeError: x is not a function`, `java.io.IOException`, `Error [ERR_INVALID_URL]: Invalid URL`. Names of one or
 * two letters come from a minifier.
 */
const HEADING =
  /^\s{0,8}(?:Caused by: |\[cause\]: |Next |Uncaught |PHP Fatal error: {1,2}Uncaught |Fatal error: Uncaught |Exception in thread "[^"]{0,200}" )?(?<name>[A-Za-z_$][\w$.\\]{2,200}(?: \[[A-Z][A-Z\d_]{0,100}\])?)(?=$|: )/;
/** A class by its form: the beginning of a sentence is none. */
const CLASS = /(?:^|[.\\$])(?:[A-Z][\w$]*|panic)(?: \[\w+\])?$/;

/** The class that the heading of a trace names; null: it names none. */
export function readClassName(heading: string): string | null {
  const name = HEADING.exec(heading.slice(0, MAX_LINE_LENGTH).trimEnd())?.groups?.name;
  return name !== undefined && CLASS.test(name) ? name : null;
}
