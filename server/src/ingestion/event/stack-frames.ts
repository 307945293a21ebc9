/** One line of a stack trace. */
export interface StackFrame {
  function: string | null;
  file: string;
  line: number | null;
  column: number | null;
  /** True if it is the application's own code rather than a library's or the runtime's. */
  inApplication: boolean;
}

const MAX_FRAMES = 50;
const MAX_LINES = 200;
const MAX_LINE_LENGTH = 1_000;

/** Forms in which runtimes write a frame; each names function, file, line and, if there is one, column. */
const FORMS: RegExp[] = [
  // V8: `at handler (/app/src/pay.js:10:5)`, `at /app/src/pay.js:10:5`
  /^\s*at (?:async )?(?:(?<function>[^()]{1,300}) \()?(?<file>[^()]{1,500}?):(?<line>\d{1,9}):(?<column>\d{1,9})\)?$/,
  // Firefox and Safari: `handler@https://shop.example/pay.js:10:5`
  /^(?<function>[^@]{0,300})@(?<file>[^@]{1,500}?):(?<line>\d{1,9}):(?<column>\d{1,9})$/,
  // Java and Kotlin: `at shop.Pay.charge(Pay.java:10)`
  /^\s*at (?<function>[\w.$<>]{1,300})\((?<file>[^():]{1,500})(?::(?<line>\d{1,9}))?\)$/,
  // Python: `File "/app/pay.py", line 10, in charge`
  /^\s*File "(?<file>[^"]{1,500})", line (?<line>\d{1,9})(?:, in (?<function>.{1,300}))?$/,
  // PHP: `#0 /app/pay.php(10): charge()`
  /^#\d{1,4} (?<file>[^(]{1,500})\((?<line>\d{1,9})\): (?<function>[^(]{1,300})/,
  // Go: `	/app/pay.go:10 +0x1d`
  /^\s+(?<file>[^\s:]{1,500}\.go):(?<line>\d{1,9})/,
];

const INNERMOST_LAST = '(most recent call last)';

const LIBRARY =
  /node_modules|^node:|^internal\/|site-packages|dist-packages|\/usr\/lib\/|vendor\/|\/go\/pkg\/mod\/|^<anonymous>|^java\.|^javax\./;

/** Reads the frames of a stack trace: unknown lines are left out, at most 50 frames are kept. */
export function parseStackFrames(stack: string): StackFrame[] {
  const frames: StackFrame[] = [];
  for (const line of innermostLines(stack)) {
    if (frames.length === MAX_FRAMES) break;
    const frame = line.length <= MAX_LINE_LENGTH ? parseStackLine(line.trimEnd()) : null;
    if (frame) frames.push(frame);
  }
  return frames;
}

/**
 * The last lines of a stack, cut before the split: a stack may be a megabyte long. Python alone writes the innermost
 * call last.
 */
function innermostLines(stack: string): string[] {
  const maxLength = MAX_LINES * MAX_LINE_LENGTH;
  if (!stack.includes(INNERMOST_LAST)) return stack.slice(0, maxLength).split('\n', MAX_LINES);
  return stack.slice(-maxLength).split('\n').slice(-MAX_LINES).toReversed();
}

/** Returns null if the line is not a frame. */
export function parseStackLine(line: string): StackFrame | null {
  for (const form of FORMS) {
    const groups = form.exec(line)?.groups;
    if (!groups?.file) continue;
    const name = groups.function?.trim() || null;
    return {
      function: name,
      file: groups.file,
      line: groups.line ? Number(groups.line) : null,
      column: groups.column ? Number(groups.column) : null,
      inApplication: !LIBRARY.test(groups.file) && !LIBRARY.test(name ?? ''),
    };
  }
  return null;
}
